"""Cut documents into places: overlapping stretches of lines that may become windows.

A unit is a run of whole paragraphs of about a quarter of a window. A place is a run of units
that fits into a window; one begins at each unit. Neither crosses a document.
"""

import polars as pl

from transforms.retrieval.evidence import is_value_row
from transforms.text import count_tokens

WINDOW_TOKENS = 600
"""Most tokens of one window, the line breaks included."""
UNIT_TOKENS = 120
"""Tokens after which a unit ends with its paragraph."""

ROLE_WEIGHT = {"heading": 3.0, "caption": 3.0, "header": 0.0, "footer": 0.0}
"""How much a term counts in a line of this role; 1 in all others."""

AROUND = 4
"""Places on either side that count with a place: about the window before and the one after."""

UNIT_LINE_SCHEMA = {
    "doc_id": pl.String,
    "page": pl.Int64,
    "page_version": pl.Int64,
    "line": pl.Int64,
    "line_id": pl.Int64,
    "unit": pl.Int64,
    "n_tokens": pl.Int64,
    "weight": pl.Float64,
    "is_value_row": pl.Boolean,
}
PLACE_SCHEMA = {
    "doc_id": pl.String,
    "place": pl.Int64,
    "unit_start": pl.Int64,
    "unit_end": pl.Int64,
    "page_start": pl.Int64,
    "line_start": pl.Int64,
    "page_end": pl.Int64,
    "line_end": pl.Int64,
    "n_tokens": pl.Int64,
    "value_share": pl.Float64,
}


def unit_lines(line_df: pl.DataFrame) -> pl.DataFrame:
    """Return the lines with the unit they belong to, in document order.

    One row per line. `unit` counts from 0 over all documents. `weight` says how much a term in
    the line counts: headers and footers are offered with a window but never lead to one.
    """
    ordered_df = line_df.sort("doc_id", "page", "page_version", "line")
    new_paragraph = (
        (pl.col("doc_id") != pl.col("doc_id").shift())
        | (pl.col("page") != pl.col("page").shift())
        | (pl.col("block") != pl.col("block").shift())
        | (pl.col("role") == "heading")
    ).fill_null(value=True)
    measured_df = ordered_df.select(
        "doc_id",
        "page",
        "page_version",
        "line",
        n_tokens=_n_tokens(ordered_df),
        weight=pl.col("role").replace_strict(ROLE_WEIGHT, default=1.0, return_dtype=pl.Float64),
        is_value_row=is_value_row(),
        is_heading=pl.col("role") == "heading",
        is_new_paragraph=new_paragraph,
    )
    numbered_df = measured_df.with_columns(
        line_id=pl.int_range(pl.len(), dtype=pl.Int64),
        unit=pl.Series(_units(measured_df), dtype=pl.Int64),
    )
    return numbered_df.select(*UNIT_LINE_SCHEMA)


def _n_tokens(line_df: pl.DataFrame) -> pl.Series:
    """Return the tokens of lines; those of an earlier Compline's lines are counted here."""
    n_tokens = line_df["n_tokens"]
    if not n_tokens.null_count():
        return n_tokens
    counted = [count_tokens(text) + 1 for text in line_df["text"].to_list()]
    return n_tokens.fill_null(pl.Series(counted, dtype=pl.Int64))


def _units(measured_df: pl.DataFrame) -> list[int]:
    """Return the unit of each line: it ends where a paragraph ends and it is long enough."""
    units: list[int] = []
    unit, size, doc_before = -1, 0, None
    names = ("doc_id", "n_tokens", "is_heading", "is_new_paragraph")
    columns = (measured_df[name].to_list() for name in names)
    for doc_id, n_tokens, is_heading, is_new_paragraph in zip(*columns, strict=True):
        is_full = size >= (UNIT_TOKENS if is_new_paragraph else 2 * UNIT_TOKENS)
        starts_section = is_heading and size >= UNIT_TOKENS // 2
        is_too_long = size + n_tokens > WINDOW_TOKENS
        if doc_id != doc_before or is_full or starts_section or is_too_long:
            unit, size, doc_before = unit + 1, 0, doc_id
        units.append(unit)
        size += n_tokens
    return units


def places(unit_line_df: pl.DataFrame) -> pl.DataFrame:
    """Return all stretches of units that fit into a window and are not part of a longer one.

    One row per place; `place` counts over all documents in reading order, with a gap between
    documents so that no place is around one of another document.
    """
    unit_df = (
        unit_line_df.group_by("unit", maintain_order=True)
        .agg(
            pl.col("doc_id", "page", "line").first(),
            pl.col("page").last().alias("page_end"),
            pl.col("line").last().alias("line_end"),
            pl.col("n_tokens").sum(),
            n_value_rows=pl.col("is_value_row").sum().cast(pl.Int64),
            n_lines=pl.len().cast(pl.Int64),
        )
        .with_columns(pl.col("n_value_rows", "n_lines").cum_sum())
    )
    doc_ids, sizes = unit_df["doc_id"].to_list(), unit_df["n_tokens"].to_list()
    spans = _longest_runs(doc_ids, sizes)
    place_df = pl.DataFrame(spans, schema=["unit_start", "unit_end", "n_tokens"], orient="row")
    before = pl.col("n_value_rows", "n_lines").shift(fill_value=0)
    start_df = unit_df.select(
        "doc_id", before.name.suffix("_before"), unit_start="unit", page_start="page",
        line_start="line",
    )  # fmt: skip
    end_df = unit_df.select("page_end", "line_end", "n_value_rows", "n_lines", unit_end="unit")
    n_value_rows = pl.col("n_value_rows") - pl.col("n_value_rows_before")
    n_lines = pl.col("n_lines") - pl.col("n_lines_before")
    return (
        place_df.cast(pl.Int64)
        .join(start_df, on="unit_start", how="left", maintain_order="left")
        .join(end_df, on="unit_end", how="left", maintain_order="left")
        .with_columns(value_share=n_value_rows / n_lines)
        .with_columns(place=pl.int_range(pl.len()) + AROUND * pl.col("doc_id").rle_id())
        .select(*PLACE_SCHEMA)
        .cast({"place": pl.Int64})
    )


def posted(
    term_df: pl.DataFrame, unit_line_df: pl.DataFrame, place_df: pl.DataFrame
) -> pl.DataFrame:
    """Return postings with the first and the last place that hold their line, and what they count.

    One row per posting in a line that may lead to a window. Units and places are in one order, so
    the places of a line stand side by side. In rows of values a term counts twice as `value_tf`.
    """
    first_df = place_df.select(unit="unit_end", first_place="place")
    last_df = place_df.select(unit="unit_start", last_place="place")
    line_df = (
        unit_line_df.join_asof(first_df, on="unit", strategy="forward")
        .join_asof(last_df, on="unit", strategy="backward")
        .filter(pl.col("weight") > 0)
    )
    tf = pl.col("tf") * pl.col("weight")
    return term_df.join(line_df, on=["doc_id", "page", "page_version", "line"]).select(
        "doc_id", "term", "line_id", "first_place", "last_place",
        tf=tf, value_tf=pl.when("is_value_row").then(2 * tf).otherwise(tf),
    )  # fmt: skip


def _longest_runs(doc_ids: list[str], sizes: list[int]) -> list[tuple[int, int, int]]:
    """Return first unit, last unit and tokens of each longest run within a window."""
    runs: list[tuple[int, int, int]] = []
    end, total = 0, 0
    for start, doc_id in enumerate(doc_ids):
        if end <= start:
            end, total = start, 0
        while (
            end < len(sizes)
            and doc_ids[end] == doc_id
            and (end == start or total + sizes[end] <= WINDOW_TOKENS)
        ):
            total += sizes[end]
            end += 1
        if not runs or runs[-1][1] < end - 1:
            runs.append((start, end - 1, total))
        total -= sizes[start]
    return runs
