"""Batches of the first pass, and the ranks of what it scored."""

import polars as pl
import pytest

from tests.unit.retrieval.corpora import document, request
from transforms.retrieval import batches, ranked
from transforms.retrieval.first_pass import BATCH_PAGES
from transforms.retrieval.places import AROUND
from transforms.retrieval.relevance import AROUND_SHARE


def test_batches_are_bounded_by_the_pages_that_their_pairs_read() -> None:
    document_df = pl.concat(
        [document("d1", n_pages=BATCH_PAGES * 2 // 3), document("d2", n_pages=10)]
    )
    asked = [
        request("q", doc_id, pair_id=f"{doc_id}{n}") for n in (1, 2) for doc_id in ("d1", "d2")
    ]
    made = [[one.pair_id for one in batch] for batch in batches(asked, document_df)]
    assert made == [["d11"], ["d12", "d21", "d22"]]


def test_a_pair_that_is_larger_than_a_batch_is_one_of_its_own() -> None:
    document_df = document("d1", n_pages=2 * BATCH_PAGES)
    assert len(batches([request("q", "d1")], document_df)) == 1


def test_places_around_count_a_little_and_those_of_other_asks_do_not() -> None:
    scored_df = scored([(0, 1, 1.0), (0, 3, 2.0), (0, 9, 2.0), (1, 2, 4.0)])
    share = AROUND_SHARE / (2 * AROUND)
    assert ranked(scored_df, at_most=[9, 9]).select("ask_id", "place", "relevance").rows() == [
        (0, 3, pytest.approx(2 + share * 1)),
        (0, 9, 2.0),
        (0, 1, pytest.approx(1 + share * 2)),
        (1, 2, 4.0),
    ]


def test_each_ask_keeps_its_own_number_of_places_and_ties_keep_reading_order() -> None:
    scored_df = scored([(1, 70, 1.0), (0, 20, 1.0), (1, 30, 1.0), (0, 50, 1.0), (1, 50, 1.0)])
    kept_df = ranked(scored_df, at_most=[1, 2]).select("ask_id", "place", "relevance_rank")
    assert kept_df.rows() == [(0, 20, 1), (1, 30, 1), (1, 50, 2)]


def scored(rows: list[tuple[int, int, float]]) -> pl.DataFrame:
    scored_df = pl.DataFrame(rows, schema=["ask_id", "place", "body_score"], orient="row")
    return scored_df.with_columns(boost=1.0, anchor_overlap=1.0, section_score=0.0)
