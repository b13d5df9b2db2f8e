"""Small documents as line frames, for the tests of generation."""

from collections.abc import Sequence

import polars as pl

from transforms.tables import Line
from transforms.values import Candidate, Window


def make_lines(
    *texts: str, doc_id: str = "d0", page: int = 1, page_version: int = 1, role: str = "body"
) -> pl.DataFrame:
    """Return one page of lines; a text that begins with "header:" or "row:" has that role."""
    rows = []
    for number, text in enumerate(texts, start=1):
        head, colon, rest = text.partition(": ")
        own = {"header": "header", "footer": "footer", "row": "table_row"}.get(head)
        rows.append(
            {
                "doc_id": doc_id,
                "page": page,
                "page_version": page_version,
                "line": number,
                "text": rest if own and colon else text,
                "x0": 72.0,
                "y0": 60.0 + 12 * number,
                "x1": 500.0,
                "y1": 70.0 + 12 * number,
                "font_size": 10.0,
                "is_bold": False,
                "is_italic": False,
                "column_number": 1,
                "block": 1,
                "role": own or role,
                "section_id": None,
            }
        )
    return Line.frame(rows)


def make_window(*frames: pl.DataFrame, rank: int = 1) -> Window:
    """Return a window over all lines of the frames."""
    line_df = pl.concat(frames)
    first, last = line_df.row(0, named=True), line_df.row(-1, named=True)
    candidate = Candidate(
        doc_id=first["doc_id"],
        rank=rank,
        page_start=first["page"],
        line_start=first["line"],
        page_end=last["page"],
        line_end=last["line"],
        relevance=1.0,
        fused_score=1.0,
        detectors=("keywords",),
        n_tokens=10,
    )
    return Window(candidate=candidate, line_df=line_df)


def windows_of(*texts: str) -> Sequence[Window]:
    """Return one window that holds one page of these lines."""
    return (make_window(make_lines(*texts)),)
