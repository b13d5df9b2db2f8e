"""The first pass in SQL: statistics of the document itself, margins, hand-computed score."""

from math import log

import pytest

from flows.retrieve import retrieve
from tests.unit.retrieval.corpora import corpus, lines, request
from transforms.retrieval import index_lines
from transforms.values import CorpusFrames, RetrievalRequest

FILLER = ["word " * 110, ""]


def relevances(corpus_frames: CorpusFrames, *requests: RetrievalRequest) -> dict[str, list[float]]:
    term_df = index_lines(corpus_frames.line_df, language="en")
    found = retrieve(requests, corpus_frames, term_df)
    return {pair_id: [c.relevance for c in candidates] for pair_id, candidates in found.items()}


def test_a_term_in_the_only_place_scores_as_bm25_says() -> None:
    one = corpus(lines("d1", ["the premium"]))
    expected = log(1 + 0.5 / 1.5) * 1 * 2.2 / (1 + 1.2)
    assert relevances(one, request("premium", "d1"))["pair"] == [pytest.approx(expected)]


def test_another_document_changes_nothing_for_this_one() -> None:
    first, second = lines("d1", ["the premium is due", "", *FILLER]), lines("d2", ["a premium"])
    alone = relevances(corpus(first), request("premium", "d1"))
    assert relevances(corpus(first, second), request("premium", "d1")) == alone


def test_headers_and_footers_lead_to_no_window() -> None:
    line_df = lines(
        "d1", ["Premium Schedule", "", "nothing here"], roles={"Premium Schedule": "header"}
    )
    assert relevances(corpus(line_df), request("premium", "d1")) == {"pair": []}


def test_all_pairs_of_a_chunk_are_answered_at_once() -> None:
    both = corpus(lines("d1", ["the premium"]), lines("d2", ["the deductible"]))
    found = relevances(
        both,
        request("premium", "d1", pair_id="a"),
        request("premium", "d2", pair_id="b"),
        request("deductible", "d1", "d2", pair_id="c"),
    )
    assert {pair_id: len(scores) for pair_id, scores in found.items()} == {"a": 1, "b": 0, "c": 1}
