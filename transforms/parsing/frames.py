"""From working values to the frames of `transforms/tables.py`, column by column."""

from collections.abc import Mapping, Sequence
from datetime import datetime

import polars as pl

from transforms import tables
from transforms.parsing.checks import PageCheck
from transforms.parsing.model import ObjectDraft, Picture, PrintedPage, SectionDraft
from transforms.parsing.references import Reference
from transforms.row import Row
from transforms.text import count_tokens
from transforms.values import ImageKind, ParseMethod, SectionSource

PARSING_TABLES: tuple[type[Row], ...] = (
    tables.Document,
    tables.DocumentPage,
    tables.Line,
    tables.Section,
    tables.DocumentObject,
    tables.CrossReference,
    tables.DocumentImage,
    tables.TableCell,
)


def empty_frames() -> dict[str, pl.DataFrame]:
    """Return the typed frames of brick 1 without rows."""
    return {row.table: row.empty() for row in PARSING_TABLES}


def frame(row: type[Row], columns: Mapping[str, Sequence[object]], n_rows: int) -> pl.DataFrame:
    """Return columns as a typed frame; absent columns are null."""
    schema = row.polars_schema()
    return pl.DataFrame(
        {name: columns.get(name, [None] * n_rows) for name in schema}, schema=schema, strict=False
    )


def page_frame(
    doc_id: str,
    pages: Sequence[PrintedPage],
    checks: Sequence[PageCheck],
    versions: Sequence[int],
    *,
    method: ParseMethod,
    parsed_at: datetime,
) -> pl.DataFrame:
    """Return `page_df` for these pages. One row per page."""
    n = len(pages)
    return frame(
        tables.DocumentPage,
        {
            "doc_id": [doc_id] * n,
            "page": [page.page for page in pages],
            "page_version": list(versions),
            "page_label": [page.label for page in pages],
            "width": [page.width for page in pages],
            "height": [page.height for page in pages],
            "rotation": [page.rotation for page in pages],
            "n_columns": [page.n_columns for page in pages],
            "n_lines": [len(page.lines) for page in pages],
            "n_chars": [check.n_chars for check in checks],
            "image_share": [check.image_share for check in checks],
            "text_quality": [check.quality for check in checks],
            "is_flagged": [check.is_flagged for check in checks],
            "parse_method": [method] * n,
            "escalation_reason": [check.reason for check in checks],
            "parsed_at": [parsed_at] * n,
        },
        n,
    )


def line_frame(doc_id: str, pages: Sequence[PrintedPage], versions: Sequence[int]) -> pl.DataFrame:
    """Return `line_df` for these pages. One row per line."""
    lines = [line for page in pages for line in page.lines]
    n = len(lines)
    return frame(
        tables.Line,
        {
            "doc_id": [doc_id] * n,
            "page": [page.page for page in pages for _ in page.lines],
            "page_version": [
                version for page, version in zip(pages, versions, strict=True) for _ in page.lines
            ],
            "line": [i for page in pages for i in range(1, len(page.lines) + 1)],
            "text": [line.text for line in lines],
            "n_tokens": [count_tokens(line.text) + 1 for line in lines],
            "x0": [line.x0 for line in lines],
            "y0": [line.y0 for line in lines],
            "x1": [line.x1 for line in lines],
            "y1": [line.y1 for line in lines],
            "font_size": [line.size for line in lines],
            "is_bold": [line.is_bold for line in lines],
            "is_italic": [line.is_italic for line in lines],
            "column_number": [line.column for line in lines],
            "block": [line.block for line in lines],
            "role": [line.role for line in lines],
            "section_id": [line.section_id for line in lines],
        },
        n,
    )


def toc_frame(doc_id: str, sections: Sequence[SectionDraft], source: SectionSource) -> pl.DataFrame:
    """Return `toc_df`. One row per section."""
    n = len(sections)
    return frame(
        tables.Section,
        {
            "doc_id": [doc_id] * n,
            "section_id": [f"s{i}" for i in range(1, n + 1)],
            "parent_id": [None if s.parent is None else f"s{s.parent + 1}" for s in sections],
            "level": [s.level for s in sections],
            "number": [s.number for s in sections],
            "title": [s.title for s in sections],
            "page_start": [s.start.page for s in sections],
            "line_start": [s.start.line for s in sections],
            "page_end": [s.end.page for s in sections],
            "line_end": [s.end.line for s in sections],
            "source": [source] * n,
        },
        n,
    )


def object_frame(
    doc_id: str, objects: Sequence[ObjectDraft], object_ids: Sequence[str] | None = None
) -> pl.DataFrame:
    """Return `object_df`. One row per object."""
    n = len(objects)
    return frame(
        tables.DocumentObject,
        {
            "doc_id": [doc_id] * n,
            "object_id": object_ids or _object_ids(objects),
            "kind": [o.kind for o in objects],
            "label": [o.label for o in objects],
            "caption": [o.caption for o in objects],
            "page": [o.page for o in objects],
            "line_start": [o.line_start for o in objects],
            "line_end": [o.line_end for o in objects],
        },
        n,
    )


def _object_ids(objects: Sequence[ObjectDraft]) -> list[str]:
    return [f"o{i}" for i in range(1, len(objects) + 1)]


def cell_frame(
    doc_id: str, objects: Sequence[ObjectDraft], object_ids: Sequence[str] | None = None
) -> pl.DataFrame:
    """Return `table_cell_df`. One row per cell."""
    cells = [
        (object_id, number, page, cell)
        for object_id, found in zip(object_ids or _object_ids(objects), objects, strict=True)
        for number, (page, row) in enumerate(found.rows, start=1)
        for cell in row
    ]
    return frame(
        tables.TableCell,
        {
            "doc_id": [doc_id] * len(cells),
            "object_id": [object_id for object_id, _, _, _ in cells],
            "row_number": [number for _, number, _, _ in cells],
            "column_number": [cell.column for _, _, _, cell in cells],
            "page": [page for _, _, page, _ in cells],
            "text": [cell.text for _, _, _, cell in cells],
            "x0": [cell.x0 for _, _, _, cell in cells],
            "y0": [cell.y0 for _, _, _, cell in cells],
            "x1": [cell.x1 for _, _, _, cell in cells],
            "y1": [cell.y1 for _, _, _, cell in cells],
        },
        len(cells),
    )


def reference_frame(doc_id: str, references: Sequence[Reference]) -> pl.DataFrame:
    """Return `cross_ref_df`. One row per reference."""
    n = len(references)
    return frame(
        tables.CrossReference,
        {
            "doc_id": [doc_id] * n,
            "page": [r.page for r in references],
            "line": [r.line for r in references],
            "seq": _sequence(references),
            "ref_text": [r.text for r in references],
            "target_kind": [r.kind for r in references],
            "target_label": [r.label for r in references],
            "target_id": [r.target for r in references],
        },
        n,
    )


def _sequence(references: Sequence[Reference]) -> list[int]:
    """Number the references of each line from 1."""
    numbers: list[int] = []
    for i, reference in enumerate(references):
        before = references[i - 1] if i else None
        is_same_line = before is not None and before[:2] == reference[:2]
        numbers.append(numbers[-1] + 1 if is_same_line else 1)
    return numbers


def image_frame(doc_id: str, images: Sequence[tuple[int, Picture, ImageKind]]) -> pl.DataFrame:
    """Return `image_df`. One row per image placed on a page."""
    n = len(images)
    return frame(
        tables.DocumentImage,
        {
            "doc_id": [doc_id] * n,
            "image_id": [f"i{i}" for i in range(1, n + 1)],
            "page": [page for page, _, _ in images],
            "x0": [picture.x0 for _, picture, _ in images],
            "y0": [picture.y0 for _, picture, _ in images],
            "x1": [picture.x1 for _, picture, _ in images],
            "y1": [picture.y1 for _, picture, _ in images],
            "kind": [kind for _, _, kind in images],
            "is_described": [False] * n,
        },
        n,
    )
