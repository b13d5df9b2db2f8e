"""Put what the detectors found into one order: reciprocal rank fusion."""

import polars as pl

RRF_K = 60
"""Cormack, Clarke and Büttcher, "Reciprocal Rank Fusion outperforms Condorcet", SIGIR 2009."""

DETECTOR_SCORES: tuple[tuple[str, str, float], ...] = (
    ("sections", "section_score", 1.0),
    ("keywords", "relevance", 1.0),
    ("dense", "dense_score", 1.0),
    ("hints", "hint_score", 1.0),
)
"""The detectors in their fixed order, each with the column of its score and its weight."""


def fuse(hit_df: pl.DataFrame) -> pl.DataFrame:
    """Return the hits of each ask, best fused score first, with the detectors that found them.

    One row per ask and place. Ties keep reading order.
    """
    present = [row for row in DETECTOR_SCORES if row[1] in hit_df.columns]
    ranked_df = hit_df.with_columns(
        pl.when(pl.col(column) > 0)
        .then(weight / (RRF_K + pl.col(column).rank("min", descending=True).over("ask_id")))
        .alias(f"{name}_part")
        for name, column, weight in present
    )
    parts = [pl.col(f"{name}_part") for name, *_ in present]
    found = [
        pl.when(pl.col(f"{name}_part").is_not_null()).then(pl.lit(name)) for name, *_ in present
    ]
    return (
        ranked_df.with_columns(
            fused_score=pl.sum_horizontal(parts),
            detectors=pl.concat_list(found).list.drop_nulls(),
        )
        .drop(f"{name}_part" for name, *_ in present)
        .sort(["ask_id", "fused_score", "place"], descending=[False, True, False])
    )
