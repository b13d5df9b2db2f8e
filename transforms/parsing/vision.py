"""Put what a vision model said into tables: pages it read, images it described.

The model says no positions: a line it read stands anywhere on its page,
so its box is the page.
"""

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime

import polars as pl

from transforms.parsing.model import PrintedLine
from transforms.parsing.reparse import Reread, blank_page, checked, new_versions
from transforms.values import CorpusFrames

LINE_SIZE = 10.0
"""Points: the font size that is written for lines whose size nobody knows."""


def pages_by_vision(
    readings: Mapping[int, Sequence[str]],
    *,
    doc_id: str,
    corpus: CorpusFrames,
    parsed_at: datetime,
) -> dict[str, pl.DataFrame]:
    """Return new versions of pages that a vision model read. One row per page in page_df.

    `readings` are lines by page, an empty one between paragraphs. A page on which the model sees
    no text is no longer flagged when nobody saw any; else what others read of it stands.
    """
    page_df = corpus.page_df.filter(pl.col("doc_id") == doc_id, pl.col("page").is_in(readings))
    read: list[Reread] = []
    for row in page_df.sort("page").iter_rows(named=True):
        page = blank_page(row)
        page.lines = _lines(readings[row["page"]], page.width, page.height)
        if page.lines or row["n_lines"] == 0:
            read.append(Reread(page, row["page_version"] + 1, "vision", checked(page, row), []))
    return new_versions(doc_id, read, corpus, parsed_at)


def again(
    pages: Collection[int], *, doc_id: str, corpus: CorpusFrames, parsed_at: datetime
) -> dict[str, pl.DataFrame]:
    """Return pages as they are as new versions: something was learned of them, and is indexed.

    One row per page in page_df; older versions stay as they were found by older runs.
    """
    of_pages = (pl.col("doc_id") == doc_id) & pl.col("page").is_in(pages)
    next_version = pl.col("page_version") + 1
    return {
        "page_df": corpus.page_df.filter(of_pages).with_columns(
            next_version, pl.lit(parsed_at, dtype=pl.Datetime("us", "UTC")).alias("parsed_at")
        ),
        "line_df": corpus.line_df.filter(of_pages).with_columns(next_version),
        "table_cell_df": corpus.table_cell_df.filter(of_pages),
    }


def with_descriptions(image_df: pl.DataFrame, descriptions: Mapping[str, str]) -> pl.DataFrame:
    """Return image_df of one document with descriptions by image_id."""
    known = pl.col("image_id").replace_strict(descriptions, default=None, return_dtype=pl.String)
    return image_df.with_columns(
        is_described=known.is_not_null() | pl.col("is_described"),
        description=pl.coalesce(known, "description"),
    )


def _lines(texts: Sequence[str], width: float, height: float) -> list[PrintedLine]:
    lines: list[PrintedLine] = []
    block = 1
    for text in texts:
        if text:
            line = PrintedLine(text, 0.0, 0.0, width, height, LINE_SIZE, False, False, 1)
            line.block = block
            lines.append(line)
        elif lines and lines[-1].block == block:
            block += 1
    return lines
