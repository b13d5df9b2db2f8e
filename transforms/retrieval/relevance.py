"""Rank the places that the first pass scored: what stands around them counts a little."""

from collections.abc import Sequence

import polars as pl

from transforms.retrieval.places import AROUND
from transforms.retrieval.query import sides
from transforms.values import RetrievalRequest

AROUND_SHARE = 0.3
"""What the mean of the places around counts: what is asked is often told over several."""
HITS_PER_CANDIDATE = 6
"""Places overlap about fourfold; each candidate and each seen window uses up its neighbours."""
DECIMALS = 6
"""Of relevance: sums differ in the last digits with the order of their parts, ranks must not."""
_ASK = 2**40
"""More than any place has as its number, and any relevance as millionths."""


def n_hits(requests: Sequence[RetrievalRequest]) -> list[int]:
    """Return how many places of each ask are ranked, by its number."""
    return [
        HITS_PER_CANDIDATE * (request.k + len(request.seen) + len(request.dropped))
        for request in requests
        for _ in sides(request)
    ]


def ranked(scored_df: pl.DataFrame, *, at_most: Sequence[int]) -> pl.DataFrame:
    """Return the best places of each ask, `at_most` so many, with `relevance` and its rank.

    One row per ask and place, by ask and rank. Ties keep reading order. Sorted by one number, which
    holds ask and place, or ask and relevance: that is faster than sorting by two.
    """
    ask, at = pl.col("ask_id"), pl.col("at")
    surrounded = pl.col("body_score") + AROUND_SHARE * _around(at) / (2 * AROUND)
    millionths = (pl.col("relevance") * 10**DECIMALS).round().cast(pl.Int64)
    most = pl.lit(pl.Series(at_most, dtype=pl.Int64))
    row = pl.int_range(pl.len(), dtype=pl.Int64)
    first_row = pl.when(ask != ask.shift().fill_null(-1)).then(row).forward_fill()
    return (
        scored_df.with_columns(at=ask * _ASK + pl.col("place"))
        .sort("at")
        .with_columns(relevance=(surrounded * pl.col("boost")).round(DECIMALS))
        .with_columns(at=ask * _ASK - millionths)
        .sort("at", maintain_order=True)
        .with_columns(relevance_rank=row - first_row + 1)
        .filter(pl.col("relevance_rank") <= most.gather(ask))
        .drop("at", "body_score", "boost")
    )


def _around(at: pl.Expr) -> pl.Expr:
    """Return the sum of the scores of the places around, added in reading order.

    Places that score stand in rows one after the other, so those around are in the next rows.
    """
    score = pl.col("body_score")
    parts = [
        pl.when((at - at.shift(rows)).abs() <= AROUND).then(score.shift(rows)).otherwise(0.0)
        for rows in range(AROUND, -AROUND - 1, -1)
        if rows
    ]
    return pl.sum_horizontal(parts)
