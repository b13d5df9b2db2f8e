"""Put what the detectors found into one order: reciprocal rank fusion."""

import polars as pl

RRF_K = 60
"""Cormack, Clarke and Büttcher, "Reciprocal Rank Fusion outperforms Condorcet", SIGIR 2009."""

DETECTOR_SCORES: tuple[tuple[str, str], ...] = (
    ("sections", "section_score"),
    ("keywords", "relevance"),
    ("dense", "dense_score"),
    ("hints", "hint_score"),
)
"""The detectors in their fixed order, each with the column of its score; 0 is not found."""


def fuse(hit_df: pl.DataFrame) -> pl.DataFrame:
    """Return the hits of each ask, best fused score first, with the detectors that found them.

    One row per ask and place. Ties keep reading order.
    """
    present = [(name, column) for name, column in DETECTOR_SCORES if column in hit_df.columns]
    ranked_df = hit_df.with_columns(
        pl.when(pl.col(column) > 0)
        .then(1 / (RRF_K + pl.col(column).rank("min", descending=True).over("ask_id")))
        .alias(f"{name}_part")
        for name, column in present
    )
    parts = [pl.col(f"{name}_part") for name, _ in present]
    found = [
        pl.when(pl.col(f"{name}_part").is_not_null()).then(pl.lit(name)) for name, _ in present
    ]
    return (
        ranked_df.with_columns(
            fused_score=pl.sum_horizontal(parts),
            detectors=pl.concat_list(found).list.drop_nulls(),
        )
        .drop(f"{name}_part" for name, _ in present)
        .sort(["ask_id", "fused_score", "place"], descending=[False, True, False])
    )
