"""Carry out first retrieval: one statement for all requests of a chunk."""

from collections.abc import Sequence

import polars as pl

from flows.database import select
from transforms.retrieval import first_pass_frames, first_pass_parameters, make_candidates
from transforms.values import Candidate, CorpusFrames, RetrievalRequest


def retrieve(
    requests: Sequence[RetrievalRequest], corpus: CorpusFrames, term_df: pl.DataFrame
) -> dict[str, tuple[Candidate, ...]]:
    """Return the candidates of each pair, best first, keyed by pair_id."""
    if not requests:
        return {}
    frames = first_pass_frames(requests, corpus, term_df)
    hit_df = select("retrieval/first_pass", frames, first_pass_parameters(requests))
    return make_candidates(requests, corpus, hit_df)
