"""Carry out first retrieval: one statement for all requests of a chunk."""

from collections.abc import Callable, Sequence

import polars as pl

from flows.database import select
from transforms.retrieval import (
    DenseVectors,
    batches,
    first_pass_frames,
    first_pass_parameters,
    make_candidates,
    mark_amending,
    with_dense,
)
from transforms.values import Candidate, CorpusFrames, RetrievalRequest

MakeCandidates = Callable[..., dict[str, tuple[Candidate, ...]]]


def retrieve(
    requests: Sequence[RetrievalRequest],
    corpus: CorpusFrames,
    term_df: pl.DataFrame,
    *,
    vectors: DenseVectors | None = None,
    make_candidates: MakeCandidates = make_candidates,
) -> dict[str, tuple[Candidate, ...]]:
    """Return the candidates of each pair, best first, keyed by pair_id.

    `vectors` serve the pairs whose dense pattern is on; without them it finds nothing.
    """
    found: dict[str, tuple[Candidate, ...]] = {}
    for batch in batches(requests, corpus.document_df):
        frames = first_pass_frames(batch, corpus, term_df)
        parameters = first_pass_parameters(batch)
        hit_df = select("retrieval/first_pass", frames, parameters)
        if vectors is not None:
            n_hits = parameters["n_hits"]
            hit_df = with_dense(hit_df, batch, frames, vectors, n_hits=n_hits)
        found |= make_candidates(batch, corpus, hit_df)
    return mark_amending({request.pair_id: found[request.pair_id] for request in requests}, corpus)
