"""Carry out first retrieval: one statement for all requests of a chunk."""

from collections.abc import Sequence

import polars as pl

from flows.database import select
from transforms.retrieval import batches, first_pass_frames, first_pass_parameters, make_candidates
from transforms.values import Candidate, CorpusFrames, RetrievalRequest


def retrieve(
    requests: Sequence[RetrievalRequest], corpus: CorpusFrames, term_df: pl.DataFrame
) -> dict[str, tuple[Candidate, ...]]:
    """Return the candidates of each pair, best first, keyed by pair_id."""
    found: dict[str, tuple[Candidate, ...]] = {}
    for batch in batches(requests):
        frames = first_pass_frames(batch, corpus, term_df)
        hit_df = select("retrieval/first_pass", frames, first_pass_parameters(batch))
        found |= make_candidates(batch, corpus, hit_df)
    return {request.pair_id: found[request.pair_id] for request in requests}
