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
    """Return the hits of each ask, best fused score first.

    One row per ask and place. A score of 0 is not found. Ties keep reading order.
    """
    present = [name for _, name in DETECTORS if name in hit_df.columns]
    others = [name for name in present if name != "relevance" and (hit_df[name] > 0).any()]
    parts = [pl.lit(1.0) / (pl.col(f"{name}_rank") + RRF_K) for name in ("relevance", *others)]
    fused_df = hit_df.with_columns(_rank(name) for name in others).with_columns(
        fused_score=pl.sum_horizontal(part.fill_null(0) for part in parts)
    )
    if not others:
        return fused_df  # in the order of relevance already
    order = ["ask_id", "fused_score", "place"]
    return fused_df.sort(order, descending=[False, True, False])


def with_detectors(fused_df: pl.DataFrame) -> pl.DataFrame:
    """Return the hits with the names of the detectors that found them, in one text."""
    found = [
        pl.when(pl.col(column) > 0).then(pl.lit(f"{name} ")).otherwise(pl.lit(""))
        for name, column in DETECTORS
        if column in fused_df.columns
    ]
    return fused_df.with_columns(detectors=pl.concat_str(found))


def _rank(column: str) -> pl.Expr:
    """Return the rank of the places that a detector found; null where it found nothing."""
    score = pl.col(column)
    found = pl.when(score > 0).then(score)
    return found.rank("min", descending=True).over("ask_id").alias(f"{column}_rank")
