"""Dense retrieval: places whose stretch of lines lies near the question in embedding space.

The vectors are made elsewhere; here they are frames and values.
"""

from collections.abc import Mapping, Sequence

import polars as pl

from transforms.retrieval.places import unit_lines
from transforms.retrieval.query import sides
from transforms.values import RetrievalRequest, Value


class DenseVectors(Value):
    """The vectors of one embedding model: of stretches of lines and of question texts."""

    embedding_df: pl.DataFrame
    question_vectors: Mapping[str, Sequence[float]]
    """Unit length, by the text of the question or of its part."""


def embedding_stretches(line_df: pl.DataFrame) -> pl.DataFrame:
    """Return what is embedded: the part of each unit that stands on one page.

    One row per stretch: doc_id, page, page_version, line_start, line_end, text.
    """
    key = ["doc_id", "page", "page_version"]
    unit_line_df = unit_lines(line_df).filter(pl.col("weight") > 0)
    return (
        unit_line_df.join(line_df.select(*key, "line", "text"), on=[*key, "line"])
        .sort("line_id")
        .group_by(*key, "unit", maintain_order=True)
        .agg(
            line_start=pl.col("line").min(),
            line_end=pl.col("line").max(),
            text=pl.col("text").str.join("\n"),
        )
        .drop("unit")
    )


def with_dense(
    hit_df: pl.DataFrame,
    requests: Sequence[RetrievalRequest],
    frames: Mapping[str, pl.DataFrame],
    vectors: DenseVectors,
    *,
    n_hits: Sequence[int],
) -> pl.DataFrame:
    """Return the hits with `dense_score` and the places that only dense retrieval finds.

    One row per ask and place. Requests for which the pattern is off are left as they are.
    """
    place_of_stretch_df = _places_of_stretches(frames, vectors.embedding_df)
    asks = [(request, *side) for request in requests for side in sides(request)]
    near_dfs = [
        _nearest(place_of_stretch_df, doc_ids, vector, n_hits[ask]).with_columns(
            ask_id=pl.lit(ask), no_anchor=pl.lit(0.0 if question.anchor_keywords else 1.0)
        )
        for ask, (request, question, doc_ids) in enumerate(asks)
        if request.activations.dense_retrieval
        and (vector := vectors.question_vectors.get(question.text))
    ]
    if not near_dfs:
        return hit_df
    near_df = pl.concat(near_dfs).cast({"ask_id": pl.Int64})
    both_df = hit_df.join(
        near_df.drop("no_anchor"), on=["ask_id", "place"], how="left", maintain_order="left"
    )
    only_df = near_df.join(hit_df, on=["ask_id", "place"], how="anti").with_columns(
        relevance=0.0, section_score=0.0, anchor_overlap="no_anchor"
    )
    columns = [name for name in both_df.columns if name in only_df.columns]
    return pl.concat([both_df, only_df.select(columns)], how="diagonal_relaxed")


def _places_of_stretches(
    frames: Mapping[str, pl.DataFrame], embedding_df: pl.DataFrame
) -> pl.DataFrame:
    """Return for each stretch its vector and the last place that begins before or with it."""
    key = ["doc_id", "page", "page_version"]
    unit_df = frames["unit_line_df"].select(*key, "unit", line_start="line")
    place_df = frames["place_df"].select("place", place_doc_id="doc_id", unit="unit_start")
    return (
        embedding_df.join(unit_df, on=[*key, "line_start"])
        .sort("unit")
        .join_asof(place_df.sort("unit"), on="unit")
        .filter(pl.col("doc_id") == pl.col("place_doc_id"))
        .select("doc_id", "place", "vector")
    )


def _nearest(
    stretch_df: pl.DataFrame, doc_ids: Sequence[str], vector: Sequence[float], n_hits: int
) -> pl.DataFrame:
    """Return the nearest places of some documents with the cosine of their best stretch."""
    asked = pl.lit(list(vector), dtype=pl.List(pl.Float64))
    return (
        stretch_df.filter(pl.col("doc_id").is_in(doc_ids))
        .select("place", dense_score=(pl.col("vector") * asked).list.sum())
        .group_by("place")
        .agg(pl.max("dense_score"))
        .filter(pl.col("dense_score") > 0)
        .sort(["dense_score", "place"], descending=[True, False])
        .head(n_hits)
    )
