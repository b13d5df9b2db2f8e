"""Pick the windows of plain requests for a whole chunk at once.

A request is plain when it asks once, of one set of documents, for what ranks best: most first
passes.
"""

from collections.abc import Sequence

import polars as pl

from transforms.values import RetrievalRequest


def is_plain(request: RetrievalRequest) -> bool:
    """Return whether ranks alone decide which windows a request gets."""
    question, activations = request.question, request.activations
    has_hint = question.section_hint or question.page_hint or question.layout_hint
    has_history = (
        request.references or request.seen or request.dropped or request.pages or request.widen
    )
    has_pattern = activations.two_hop_references or activations.listing_aggregation
    has_sides = question.parts or question.intent == "comparison"
    return not (has_hint or has_history or has_pattern or has_sides)


def pick(fused_df: pl.DataFrame, place_df: pl.DataFrame, k_by_ask: Sequence[int]) -> pl.DataFrame:
    """Return of each ask the best K places that do not overlap, in order.

    One row per ask and place picked. `k_by_ask` has K of each ask, by its number. Each round picks
    the best place that is left of every ask, and drops what overlaps it.
    """
    ask, place = pl.col("ask_id"), pl.col("place")
    overlap_df = _overlaps(place_df)
    left_df = fused_df.select("ask_id", "place").with_columns(
        row=pl.int_range(pl.len()),
        k=pl.Series(k_by_ask, dtype=pl.Int64).gather(fused_df["ask_id"]),
    )
    rows: list[pl.Series] = []
    for n_picked in range(max(k_by_ask, default=0)):
        left_df = left_df.filter(pl.col("k") > n_picked)
        is_best = left_df.select(ask != ask.shift().fill_null(-1)).to_series()
        best_df = left_df.filter(is_best).join(overlap_df, on="place", maintain_order="left")
        rows.append(best_df["row"])
        best = is_best.cum_sum() - 1
        first, last = (best_df[edge].gather(best) for edge in ("first", "last"))
        left_df = left_df.filter((place < first) | (place > last))
    return fused_df[pl.concat(rows).sort()] if rows else fused_df.clear()


def _overlaps(place_df: pl.DataFrame) -> pl.DataFrame:
    """Return which places share units with a place, itself among them.

    One row per place. They stand side by side, since places begin and end in one order.
    """
    begin_df = place_df.select(unit="unit_start", last="place")
    end_df = place_df.select(unit="unit_end", first="place")
    return (
        place_df.select("place", unit="unit_start", unit_end="unit_end")
        .join_asof(end_df, on="unit", strategy="forward")
        .drop("unit")
        .rename({"unit_end": "unit"})
        .join_asof(begin_df, on="unit", strategy="backward")
        .select("place", "first", "last")
    )
