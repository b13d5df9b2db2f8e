"""Brick 3: from a question to the windows that may answer it, by code alone."""

from transforms.retrieval.amendments import mark_amending
from transforms.retrieval.candidates import make_candidates
from transforms.retrieval.dense import DenseVectors, embedding_stretches, with_dense
from transforms.retrieval.first_pass import FIRST_PASS, batches, first_pass_frames
from transforms.retrieval.found import Found
from transforms.retrieval.index import index_lines
from transforms.retrieval.listing import Coverage, listing_coverage
from transforms.retrieval.query import Queries
from transforms.retrieval.relevance import n_hits, ranked
from transforms.retrieval.windows import make_windows

__all__ = [
    "FIRST_PASS",
    "Coverage",
    "DenseVectors",
    "Found",
    "Queries",
    "batches",
    "embedding_stretches",
    "first_pass_frames",
    "index_lines",
    "listing_coverage",
    "make_candidates",
    "make_windows",
    "mark_amending",
    "n_hits",
    "ranked",
    "with_dense",
]
