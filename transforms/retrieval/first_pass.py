"""The frames and numbers that sql/retrieval/first_pass.sql reads."""

from collections.abc import Sequence
from itertools import groupby
from operator import attrgetter

import polars as pl

from transforms.retrieval.places import places, posted, unit_lines
from transforms.retrieval.query import Queries
from transforms.retrieval.titles import section_places, title_terms
from transforms.values import CorpusFrames, RetrievalRequest

K1 = 2.0
B = 0.5
"""BM25: how soon a repeated term stops to count, how much a long place is marked down."""
TITLE_SHARE = 0.7
"""Part of a title that the question must name for its section to be found."""
QUESTION_SHARE = 0.25
"""Part of the question, by the rarity of its words, that the title must hold."""
BATCH_PAGES = 200_000
"""Pages of all pairs of one statement, each counted per pair: some hundred megabytes."""
FIRST_PASS = {"k1": K1, "b": B, "title_share": TITLE_SHARE, "question_share": QUESTION_SHARE}
"""The numbers that the statement takes."""


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
    of_documents = attrgetter("doc_ids")
    for doc_ids, members in groupby(sorted(requests, key=of_documents), key=of_documents):
        size = sum(n_pages.get(doc_id, 0) + 1 for doc_id in doc_ids)
        for request in members:
            if not made or size > room:
                made.append([])
                room = BATCH_PAGES
            made[-1].append(request)
            room -= size
    return made


def first_pass_frames(
    requests: Sequence[RetrievalRequest],
    queries: Queries,
    corpus: CorpusFrames,
    sought_term_df: pl.DataFrame,
) -> dict[str, pl.DataFrame]:
    """Return the tables of the first pass by name; the requests are some of those of `queries`."""
    doc_ids = {doc_id for request in requests for doc_id in request.doc_ids}
    is_asked = pl.col("doc_id").is_in(doc_ids)
    toc_df = corpus.toc_df.filter(is_asked)
    unit_line_df = unit_lines(corpus.line_df.filter(is_asked))
    place_df = places(unit_line_df)
    return {
        "posting_df": posted(sought_term_df.filter(is_asked), unit_line_df, place_df),
        "unit_line_df": unit_line_df,
        "place_df": place_df,
        "title_term_df": title_terms(toc_df, queries.languages),
        "section_place_df": section_places(toc_df, unit_line_df, place_df),
        **queries.frames(requests),
    }
