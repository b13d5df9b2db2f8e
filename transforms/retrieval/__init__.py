"""Brick 3: from a question to the windows that may answer it, by code alone."""

from transforms.retrieval.amendments import mark_amending
from transforms.retrieval.candidates import make_candidates
from transforms.retrieval.dense import DenseVectors, embedding_stretches, with_dense
from transforms.retrieval.first_pass import (
    batches,
    first_pass_frames,
    first_pass_parameters,
)
from transforms.retrieval.index import index_lines
from transforms.retrieval.listing import Coverage, listing_coverage
from transforms.retrieval.query import query_terms
from transforms.retrieval.windows import make_windows

__all__ = [
    "Coverage",
    "DenseVectors",
    "batches",
    "embedding_stretches",
    "first_pass_frames",
    "first_pass_parameters",
    "index_lines",
    "listing_coverage",
    "make_candidates",
    "make_windows",
    "mark_amending",
    "query_terms",
    "with_dense",
]
