"""Put what the detectors found into one order: reciprocal rank fusion."""

import polars as pl

RRF_K = 60
"""Cormack, Clarke and Büttcher, "Reciprocal Rank Fusion outperforms Condorcet", SIGIR 2009."""

DETECTORS: tuple[tuple[str, str], ...] = (
    ("sections", "section_score"),
    ("keywords", "relevance"),
    ("dense", "dense_score"),
)
"""The detectors of places in their fixed order, each with the column of its score."""


def fuse(hit_df: pl.DataFrame) -> pl.DataFrame:
    """Return the hits of each ask, best fused score first, with the detectors that found them.

    One row per ask and place. A score of 0 is not found. Ties keep reading order.
    """
    present = [row for row in DETECTORS if row[1] in hit_df.columns]
    ranked_df = hit_df.with_columns(_rank(column) for _, column in present)
    parts = [pl.lit(1.0) / (pl.col(f"{column}_rank") + RRF_K) for _, column in present]
    found = [
        pl.when(pl.col(column) > 0).then(pl.lit(f"{name} ")).otherwise(pl.lit(""))
        for name, column in present
    ]
    scored = {
        "fused_score": pl.sum_horizontal(part.fill_null(0) for part in parts),
        "detectors": pl.concat_str(found),
    }
    order = ["ask_id", "fused_score", "place"]
    return ranked_df.with_columns(**scored).sort(order, descending=[False, True, False])


def _rank(column: str) -> pl.Expr:
    """Return the rank of the places that a detector found; null where it found nothing."""
    if column == "relevance":
        return pl.col("relevance_rank")
    score = pl.col(column)
    found = pl.when(score > 0).then(score)
    return found.rank("min", descending=True).over("ask_id").alias(f"{column}_rank")
