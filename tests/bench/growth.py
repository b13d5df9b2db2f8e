"""What a pair costs as the corpus grows: chunks read from the warehouse, and their first retrieval.

    python -m tests.bench.growth [--documents 100 1000 10000]

The documents are small, two pages each, in batches of a hundred that differ only in their ids. Time
is CPU time, the least of several chunks spread over the corpus.
"""

import argparse
import resource
import tempfile
import time
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import NamedTuple

import polars as pl

from flows.answering.planning import DOCUMENTS_PER_CHUNK
from flows.retrieve import retrieve
from flows.warehouse import Warehouse
from tests.bench.synthetic import make_corpus, make_requests
from transforms.tables import DocumentPage, Source

PER_BATCH = 100
N_QUESTIONS = 20
N_CHUNKS = 5
LINES_PER_PAGE = 20
SEEN_AT = datetime(2026, 1, 1, tzinfo=UTC)
ID_DIGITS = 8
"""Of the sixteen digits of an id, those that number the batch."""


class Cost(NamedTuple):
    """CPU seconds of a pair."""

    loading: float
    retrieving: float


def main() -> None:
    """Print the cost of a pair for each size, and how it grows from the first."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--documents", type=int, nargs="+", default=[100, 1_000, 10_000])
    given = parser.parse_args()
    first: float | None = None
    n_batches = 0
    with tempfile.TemporaryDirectory() as folder:
        warehouse = Warehouse.open(folder, create=True)
        batches = _batches()
        for n_documents in given.documents:
            while n_batches * PER_BATCH < n_documents:
                warehouse.write_batch(next(batches), f"{SEEN_AT:%Y%m%dT%H%M%S%f}-{n_batches:05}")
                n_batches += 1
            cost = cost_of_pair(warehouse, n_batches)
            first = first or sum(cost)
            peak_mb = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
            print(
                f"{n_documents:7,} documents: a pair takes {1e3 * cost.loading:.3f} ms to load and "
                f"{1e3 * cost.retrieving:.3f} ms to retrieve, {sum(cost) / first:.2f} times the "
                f"first; peak memory {peak_mb:,} MB",
                flush=True,
            )


def cost_of_pair(warehouse: Warehouse, n_batches: int) -> Cost:
    """Return what a pair costs in chunks of documents from all over the corpus."""
    _cost_of_chunk(warehouse, 0)  # warm: the tokenizer loads once
    costs = [
        _cost_of_chunk(warehouse, number * max(n_batches - 1, 1) // N_CHUNKS)
        for number in range(N_CHUNKS)
    ]
    return min(costs, key=sum)


def _cost_of_chunk(warehouse: Warehouse, batch: int) -> Cost:
    doc_ids = [_doc_id(batch, number) for number in range(DOCUMENTS_PER_CHUNK)]
    requests = make_requests(N_QUESTIONS, doc_ids)
    began = time.process_time()
    corpus, term_df = warehouse.corpus(doc_ids), warehouse.terms(doc_ids)
    loaded = time.process_time()
    retrieve(requests, corpus, term_df)
    ended = time.process_time()
    return Cost((loaded - began) / len(requests), (ended - loaded) / len(requests))


def _doc_id(batch: int, number: int) -> str:
    return f"{batch:0{ID_DIGITS}x}{number:0{ID_DIGITS}x}"


def _batches() -> Iterator[dict[str, pl.DataFrame]]:
    """Yield the tables of one batch after the other: the same documents under other ids."""
    corpus, term_df = make_corpus(PER_BATCH, n_pages=2, lines_per_page=LINES_PER_PAGE)
    made = {
        "document_df": corpus.document_df,
        "page_df": _pages(corpus.line_df),
        "line_df": corpus.line_df,
        "toc_df": corpus.toc_df,
        "term_df": term_df,
    }
    batch = 0
    while True:
        doc_id = pl.lit(f"{batch:0{ID_DIGITS}x}") + pl.col("doc_id").str.tail(ID_DIGITS)
        frames = {name: frame.with_columns(doc_id=doc_id) for name, frame in made.items()}
        names = frames["document_df"]["doc_id"].to_list()
        rows = (
            {"uri": f"file:///{name}.pdf", "seen_at": SEEN_AT, "doc_id": name,
             "file_name": f"{name}.pdf", "status": "current"}
            for name in names
        )  # fmt: skip
        yield {**frames, "source_df": Source.frame(rows)}
        batch += 1


def _pages(line_df: pl.DataFrame) -> pl.DataFrame:
    page_df = line_df.group_by("doc_id", "page", "page_version", maintain_order=True).agg(
        n_lines=pl.len(), n_chars=pl.col("text").str.len_chars().sum()
    )
    common = {
        "page_label": None, "width": 612.0, "height": 792.0, "rotation": 0, "n_columns": 1,
        "image_share": 0.0, "text_quality": 1.0, "is_flagged": False, "parse_method": "native",
        "escalation_reason": None, "parsed_at": SEEN_AT,
    }  # fmt: skip
    columns = DocumentPage.polars_schema()
    given = {name: pl.lit(value) for name, value in common.items()}
    return page_df.with_columns(**given).select(*columns).cast(columns)


if __name__ == "__main__":
    main()
