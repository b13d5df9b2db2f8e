"""Carry out first retrieval: one statement for all requests of a chunk."""

from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor

import polars as pl

from flows.database import select
from transforms.retrieval import (
    FIRST_PASS,
    DenseVectors,
    Found,
    Queries,
    batches,
    first_pass_frames,
    make_candidates,
    mark_amending,
    n_hits,
    ranked,
    with_dense,
)
from transforms.values import Candidate, CorpusFrames, RetrievalRequest

Candidates = Mapping[str, tuple[Candidate, ...]]
MakeCandidates = Callable[..., Candidates]

N_THREADS = 2
"""Batches at a time: more would hold more in memory, and few machines have cores to spare."""


def retrieve(
    requests: Sequence[RetrievalRequest],
    corpus: CorpusFrames,
    term_df: pl.DataFrame,
    *,
    vectors: DenseVectors | None = None,
    make_candidates: MakeCandidates = make_candidates,
) -> Candidates:
    """Return the candidates of each pair, best first, keyed by pair_id.

    `vectors` serve the pairs whose dense pattern is on; without them it finds nothing.
    """
    queries = Queries(requests, corpus.document_df)
    sought_term_df = queries.sought(term_df)

    def of_batch(batch: Sequence[RetrievalRequest]) -> Candidates:
        frames = first_pass_frames(batch, queries, corpus, sought_term_df)
        scored_df = select("retrieval/first_pass", frames, FIRST_PASS)
        at_most = n_hits(batch)
        hit_df = ranked(scored_df, at_most=at_most)
        if vectors is not None:
            hit_df = with_dense(hit_df, batch, frames, vectors, n_hits=at_most)
        return make_candidates(batch, corpus, hit_df, frames["place_df"])

    found: dict[str, Candidates] = {}
    with ThreadPoolExecutor(N_THREADS) as pool:
        for made in pool.map(of_batch, batches(requests, corpus.document_df)):
            found |= dict.fromkeys(made, made)
    of_batches = Found(found, lambda pair_id: found[pair_id][pair_id])
    return mark_amending(of_batches, corpus)
