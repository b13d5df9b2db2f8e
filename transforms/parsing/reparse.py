"""Read flagged pages again by other means; what evidence points to stays as it is."""

from collections.abc import Sequence
from datetime import datetime

import polars as pl

from transforms import tables
from transforms.parsing.checks import check_page
from transforms.parsing.document import doc_id_of
from transforms.parsing.formats import MUPDF_ERRORS, Trouble, media_type, open_document
from transforms.parsing.frames import line_frame, page_frame
from transforms.parsing.model import PrintedPage
from transforms.parsing.ocr import ocr_page
from transforms.parsing.pages import lay_out
from transforms.parsing.roles import body_size, mark_roles
from transforms.values import CorpusFrames


def reparse_pages(
    content: bytes, pages: Sequence[int], *, corpus: CorpusFrames, parsed_at: datetime
) -> dict[str, pl.DataFrame]:
    """Return new versions of these pages in page_df, line_df and table_cell_df.

    One row per page that could be read by other means; pages that other means do not help are
    left out, and the frames are empty when none is left.
    """
    doc_id = doc_id_of(content)
    page_df = corpus.page_df.filter(pl.col("doc_id") == doc_id, pl.col("page").is_in(list(pages)))
    empty = {row.table: row.empty() for row in (tables.DocumentPage, tables.Line, tables.TableCell)}
    document = open_document(content, media_type(content))
    if isinstance(document, Trouble):
        return empty
    read: list[PrintedPage] = []
    versions: list[int] = []
    with document:
        for row in page_df.sort("page").iter_rows(named=True):
            if row["parse_method"] != "native" or not row["is_flagged"]:
                continue
            page = PrintedPage(
                row["page"], row["width"], row["height"], row["rotation"], label=row["page_label"]
            )
            try:
                lay_out(page, ocr_page(document.load_page(page.page - 1)))
            except MUPDF_ERRORS:
                continue
            if page.lines:
                read.append(page)
                versions.append(row["page_version"] + 1)
    if not read:
        return empty
    mark_roles(read, body_size(read))
    _mark_sections(read, corpus.line_df.filter(pl.col("doc_id") == doc_id))
    checks = [check_page(page)._replace(reason=None) for page in read]
    page_frames = page_frame(doc_id, read, checks, versions, method="ocr", parsed_at=parsed_at)
    reasons = page_df.select("page", "escalation_reason")
    return empty | {
        "page_df": page_frames.drop("escalation_reason")
        .join(reasons, on="page", how="left")
        .select(tables.DocumentPage.polars_schema().names()),
        "line_df": line_frame(doc_id, read, versions),
    }


def _mark_sections(pages: list[PrintedPage], line_df: pl.DataFrame) -> None:
    """Give lines the section that the last line before their page stands in."""
    for page in pages:
        before = line_df.filter(pl.col("page") < page.page).sort("page", "line").tail(1)
        section_id = before["section_id"][0] if before.height else None
        for line in page.lines:
            line.section_id = section_id
