"""The frames and numbers that sql/retrieval/first_pass.sql reads."""

from collections.abc import Sequence
from typing import TypedDict

import polars as pl

from transforms.retrieval.places import AROUND, places, unit_lines
from transforms.retrieval.query import Asks
from transforms.retrieval.titles import section_places, title_terms
from transforms.values import CorpusFrames, RetrievalRequest

K1 = 2.0
B = 0.5
"""BM25: how soon a repeated term stops to count, how much a long place is marked down."""
AROUND_SHARE = 0.3
"""What their mean counts."""
TITLE_SHARE = 0.7
"""Part of a title that the question must name for its section to be found."""
QUESTION_SHARE = 0.25
"""Part of the question, by the rarity of its words, that the title must hold."""
BATCH_PAGES = 60_000
"""Pages of all pairs of one statement, each counted per pair: some hundred megabytes."""
HITS_PER_CANDIDATE = 6
"""Places overlap about fourfold; each candidate and each seen window uses up its neighbours."""


class FirstPassParameters(TypedDict):
    """The numbers that the statement takes."""

    n_hits: int
    k1: float
    b: float
    around: int
    around_share: float
    title_share: float
    question_share: float


def batches(
    requests: Sequence[RetrievalRequest], document_df: pl.DataFrame
) -> list[list[RetrievalRequest]]:
    """Return requests in batches of bounded size, those of the same documents side by side.

    Statistics are those of a pair's own documents, so a batch changes nothing in the result; it
    bounds what the statement holds in memory.
    """
    n_pages = dict(document_df.select("doc_id", "n_pages").iter_rows())
    made: list[list[RetrievalRequest]] = []
    room = 0
    for request in sorted(requests, key=lambda request: request.doc_ids):
        size = sum(n_pages.get(doc_id, 0) + 1 for doc_id in request.doc_ids)
        if not made or size > room:
            made.append([])
            room = BATCH_PAGES
        made[-1].append(request)
        room -= size
    return made


def first_pass_frames(
    requests: Sequence[RetrievalRequest], corpus: CorpusFrames, term_df: pl.DataFrame
) -> dict[str, pl.DataFrame]:
    """Return the tables of the first pass by name."""
    is_asked = pl.col("doc_id").is_in(
        {doc_id for request in requests for doc_id in request.doc_ids}
    )
    asked_df = corpus.document_df.filter(is_asked)
    languages = dict(asked_df.select("doc_id", "language").iter_rows())
    toc_df = corpus.toc_df.filter(is_asked)
    unit_line_df = unit_lines(corpus.line_df.filter(is_asked))
    place_df = places(unit_line_df)
    asked = Asks(requests, languages).frames()
    is_sought = pl.col("term").is_in(asked["feature_term_df"]["term"].unique().implode())
    return {
        "term_df": term_df.filter(is_sought, is_asked),
        "unit_line_df": unit_line_df,
        "place_df": place_df,
        "unit_place_df": unit_places(place_df),
        "title_term_df": title_terms(toc_df, languages),
        "section_place_df": section_places(toc_df, unit_line_df, place_df),
        **asked,
    }


def first_pass_parameters(requests: Sequence[RetrievalRequest]) -> FirstPassParameters:
    """Return the numbers of the first pass by name."""
    most = max(request.k + len(request.seen) + len(request.dropped) for request in requests)
    return {
        "n_hits": HITS_PER_CANDIDATE * most,
        "k1": K1,
        "b": B,
        "around": AROUND,
        "around_share": AROUND_SHARE,
        "title_share": TITLE_SHARE,
        "question_share": QUESTION_SHARE,
    }


def unit_places(place_df: pl.DataFrame) -> pl.DataFrame:
    """Return which units lie in which places.

    One row per unit and place.
    """
    units = pl.int_ranges("unit_start", pl.col("unit_end") + 1)
    return place_df.select("place", unit=units).explode("unit")
