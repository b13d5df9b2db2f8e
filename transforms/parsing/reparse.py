"""Read flagged pages again by other means; what evidence points to stays as it is.

The cheapest means that fits goes first: a torn table is put together from the positions of its
words; everything else is read from the picture of the page by OCR. What OCR is not sure of stays
flagged: a vision model may read it (vision.py).
"""

from collections.abc import Sequence
from datetime import datetime
from typing import Any, NamedTuple

import polars as pl
import pymupdf

from transforms import tables
from transforms.parsing.cells import find_tables
from transforms.parsing.checks import BROKEN_TABLE, PageCheck, check_page
from transforms.parsing.document import doc_id_of
from transforms.parsing.formats import MUPDF_ERRORS, Trouble, media_type, open_document
from transforms.parsing.fragments import read_fragments
from transforms.parsing.frames import cell_frame, line_frame, object_frame, page_frame
from transforms.parsing.hyphens import mark_soft_hyphens
from transforms.parsing.model import ObjectDraft, PrintedPage
from transforms.parsing.ocr import SURE_SCORE, ocr_page
from transforms.parsing.pages import lay_out
from transforms.parsing.roles import body_size, mark_roles
from transforms.parsing.torn import lay_out_rows, torn_rows
from transforms.values import CorpusFrames, ParseMethod

NEW_VERSIONS = (tables.DocumentPage, tables.Line, tables.DocumentObject, tables.TableCell)

UNSURE = "unsure_ocr"
"""The check that fails when OCR reads a page and is not sure of it."""


class Reread(NamedTuple):
    """A page as read by other means."""

    page: PrintedPage
    version: int
    method: ParseMethod
    check: PageCheck
    tables: list[ObjectDraft]


def reparse_pages(
    content: bytes, pages: Sequence[int], *, corpus: CorpusFrames, parsed_at: datetime
) -> dict[str, pl.DataFrame]:
    """Return new versions of these pages in page_df, line_df, object_df and table_cell_df.

    One row per page that could be read by other means; pages that other means do not help are
    left out, and the frames are empty when none is left. object_df has the tables that were put
    together, beside those known.
    """
    doc_id = doc_id_of(content)
    document = open_document(content, media_type(content))
    if isinstance(document, Trouble):
        return new_versions(doc_id, [], corpus, parsed_at)
    page_df = corpus.page_df.filter(pl.col("doc_id") == doc_id, pl.col("page").is_in(list(pages)))
    languages = corpus.document_df.filter(pl.col("doc_id") == doc_id)["language"].to_list()
    with document:
        read = [
            reread
            for row in page_df.sort("page").iter_rows(named=True)
            if row["is_flagged"] and row["parse_method"] == "native"
            if (reread := _read_again(document, row, next(iter(languages), None)))
        ]
    return new_versions(doc_id, read, corpus, parsed_at)


def new_versions(
    doc_id: str, read: Sequence[Reread], corpus: CorpusFrames, parsed_at: datetime
) -> dict[str, pl.DataFrame]:
    """Return the tables of pages as read anew. One row per page in page_df.

    Lines stand in the section that the last line before their page stands in; tables are named
    after their page.
    """
    empty = {row.table: row.empty() for row in NEW_VERSIONS}
    if not read:
        return empty
    pages = [one.page for one in read]
    mark_soft_hyphens(pages)
    mark_roles(pages, body_size(pages))
    _mark_sections(pages, corpus.line_df.filter(pl.col("doc_id") == doc_id))
    page_df = pl.concat(
        page_frame(
            doc_id, [one.page], [one.check], [one.version], method=one.method, parsed_at=parsed_at
        )
        for one in read
    )
    found = [draft for one in read for draft in one.tables]
    names = [f"p{one.page.page}t{i}" for one in read for i in range(1, len(one.tables) + 1)]
    return {
        "page_df": page_df,
        "line_df": line_frame(doc_id, pages, [one.version for one in read]),
        "object_df": object_frame(doc_id, found, names),
        "table_cell_df": cell_frame(doc_id, found, names),
    }


def blank_page(row: dict[str, Any]) -> PrintedPage:
    """Return a page of this row of page_df without its lines."""
    return PrintedPage(
        row["page"], row["width"], row["height"], row["rotation"], label=row["page_label"]
    )


def checked(
    page: PrintedPage, row: dict[str, Any], *, score: float = 1.0, doubt: str | None = None
) -> PageCheck:
    """Return the checks of a page as read anew: its reason is `doubt`, or why it was read anew.

    It keeps the share of images of the version before.
    """
    check = check_page(page)
    return PageCheck(
        n_chars=check.n_chars,
        quality=min(check.quality, round(score, 4)),
        image_share=row["image_share"],
        reason=doubt or row["escalation_reason"],
        is_flagged=doubt is not None,
    )


def _read_again(
    document: pymupdf.Document, row: dict[str, Any], language: str | None
) -> Reread | None:
    page, version = blank_page(row), row["page_version"] + 1
    try:
        printed = document.load_page(page.page - 1)
        if row["escalation_reason"] == BROKEN_TABLE:
            return _put_together(row, printed)
        read = ocr_page(printed, language)
        if read is None:
            return None
        lay_out(page, read.content)
    except MUPDF_ERRORS:
        return None
    doubt = UNSURE if read.score < SURE_SCORE else None
    check = checked(page, row, score=read.score, doubt=doubt)
    return Reread(page, version, "ocr", check, []) if page.lines else None


def _put_together(row: dict[str, Any], printed: pymupdf.Page) -> Reread | None:
    """Lay a page with a torn table out by rows; null when the table is not found again."""
    content = read_fragments(printed, keep_invisible=False)
    torn, page = blank_page(row), blank_page(row)
    lay_out(torn, content)
    rows = torn_rows(torn)
    if rows is None:
        return None
    lay_out_rows(page, content, rows)
    found = find_tables([page], frozenset())
    return Reread(page, row["page_version"] + 1, "table", checked(page, row), found)


def _mark_sections(pages: list[PrintedPage], line_df: pl.DataFrame) -> None:
    """Give lines the section that the last line before their page stands in."""
    for page in pages:
        before = line_df.filter(pl.col("page") < page.page).sort("page", "line").tail(1)
        section_id = before["section_id"][0] if before.height else None
        for line in page.lines:
            line.section_id = section_id
