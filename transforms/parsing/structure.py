"""Sections, objects and references of a document whose pages were read again before it is stored.

They are found in the first versions of pages, of which a scan has no lines at all: here they are
found in the last ones.
"""

from collections.abc import Mapping
from typing import Any

import polars as pl

from transforms.parsing.contents import contents_pages
from transforms.parsing.frames import line_frame, object_frame, reference_frame, toc_frame
from transforms.parsing.language import detect_language
from transforms.parsing.model import ObjectDraft, Place, PrintedLine, PrintedPage, SectionDraft
from transforms.parsing.objects import find_objects
from transforms.parsing.references import find_references
from transforms.parsing.sections import close_sections, find_sections, mark_sections
from transforms.parsing.titles import find_title
from transforms.values import SectionSource

Frames = dict[str, pl.DataFrame]


def restructured(frames: Frames) -> Frames:
    """Return the frames of one document with places in the last versions of its pages.

    Tables keep their cells and get other ids; nothing else may point to them yet. A document
    without a page that was read again is returned as it is.
    """
    page_df = frames["page_df"].sort("page", "page_version")
    again = set(page_df.filter(pl.col("page").is_duplicated())["page"])
    if not again:
        return frames
    last_df = page_df.unique("page", keep="last", maintain_order=True)
    last = frames["line_df"].join(last_df, on=["page", "page_version"], how="semi")
    older = frames["line_df"].join(last_df, on=["page", "page_version"], how="anti")
    pages = _printed(last_df, last)
    contents = contents_pages(pages)
    sections, source = _sections(frames["toc_df"], pages, again, contents)
    mark_sections(pages, sections)
    ids, objects = _objects(frames["object_df"], pages, again)
    references = find_references(pages, sections, objects, frozenset(contents))
    doc_id = last_df["doc_id"][0]
    new_ids = {ids[id(one)]: f"o{i}" for i, one in enumerate(objects, start=1) if id(one) in ids}
    object_id = pl.col("object_id").replace_strict(new_ids, default=None, return_dtype=pl.String)
    language = pl.coalesce("language", pl.lit(detect_language(pages), dtype=pl.String))
    is_usable = len({section.start for section in sections}) >= 2
    return frames | {
        "document_df": frames["document_df"].with_columns(
            language.alias("language"), pl.lit(is_usable).alias("has_usable_toc")
        ),
        "line_df": pl.concat([older, line_frame(doc_id, pages, last_df["page_version"].to_list())]),
        "toc_df": toc_frame(doc_id, sections, source),
        "object_df": object_frame(doc_id, objects),
        "cross_ref_df": reference_frame(doc_id, references),
        "table_cell_df": frames["table_cell_df"].with_columns(object_id).drop_nulls("object_id"),
    }


def _printed(page_df: pl.DataFrame, line_df: pl.DataFrame) -> list[PrintedPage]:
    """Return pages as they are stored, in order."""
    pages = {
        row["page"]: PrintedPage(
            row["page"], row["width"], row["height"], row["rotation"], label=row["page_label"]
        )
        for row in page_df.iter_rows(named=True)
    }
    for row in line_df.sort("page", "line").iter_rows(named=True):
        box = row["x0"], row["y0"], row["x1"], row["y1"]
        style = row["font_size"], row["is_bold"], row["is_italic"]
        line = PrintedLine(row["text"], *box, *style, row["column_number"])
        line.block, line.role = row["block"], row["role"]
        pages[row["page"]].lines.append(line)
    return list(pages.values())


def _sections(
    toc_df: pl.DataFrame, pages: list[PrintedPage], again: set[int], contents: list[int]
) -> tuple[list[SectionDraft], SectionSource]:
    """Return the sections anew; those of an outline begin where their titles stand now."""
    if not toc_df.height or toc_df["source"][0] != "outline":
        return find_sections(pages, None, contents)
    sections = [_placed(row, pages, again) for row in toc_df.iter_rows(named=True)]
    sections.sort(key=lambda section: section.start)
    close_sections(sections, pages)
    return sections, "outline"


def _placed(row: Mapping[str, Any], pages: list[PrintedPage], again: set[int]) -> SectionDraft:
    number, title = row["number"], row["title"]
    page, line = row["page_start"], row["line_start"]
    if page in again:
        line = find_title(pages[page - 1], f"{number or ''} {title}".strip()) or 1
    return SectionDraft(row["level"], number, title, Place(page, line))


def _objects(
    object_df: pl.DataFrame, pages: list[PrintedPage], again: set[int]
) -> tuple[dict[int, str], list[ObjectDraft]]:
    """Return all objects in reading order, and by `id` the ids of those that are known.

    Of a page that was read again only the tables that were put together are still there.
    """
    ids: dict[int, str] = {}
    kept: list[ObjectDraft] = []
    put_together: list[ObjectDraft] = []
    for row in object_df.iter_rows(named=True):
        page = row["page"]
        is_new = row["object_id"].startswith(f"p{page}t")
        if page in again and not is_new:
            continue
        place = page, row["line_start"], row["line_end"]
        draft = ObjectDraft(row["kind"], row["label"], row["caption"], *place)
        ids[id(draft)] = row["object_id"]
        (put_together if is_new else kept).append(draft)
    found = find_objects([page for page in pages if page.page in again], put_together)
    return ids, sorted([*kept, *found], key=lambda one: (one.page, one.line_start, one.line_end))
