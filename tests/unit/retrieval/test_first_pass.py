"""Batches of the first pass."""

import polars as pl

from tests.unit.retrieval.corpora import document, request
from transforms.retrieval import batches
from transforms.retrieval.first_pass import BATCH_PAGES


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
