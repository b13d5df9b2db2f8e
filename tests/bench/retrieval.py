"""First retrieval of many pairs in one statement, against a bm25s index per document.

    python -m tests.bench.retrieval [--documents 600] [--questions 100]

Needs bm25s, which the project does not. Both get the same windows and give five of each pair. The
loop over documents is read in three ways: it indexes the windows for each pair, as when a question
comes to a document; it reads and indexes them once per document and asks all questions of it; or
the same from terms that were made before the clock started, as our postings were at ingest. Ours
cuts the windows, scores them, sections too, leaves out what overlaps and returns typed candidates,
which the loops do not. How cost grows with the corpus is measured by `tests.bench.growth`.
"""

import argparse
import resource
import time

import bm25s
import polars as pl

from flows.retrieve import retrieve
from tests.bench.synthetic import make_corpus, make_requests, window_terms
from transforms.text import terms
from transforms.values import CorpusFrames, RetrievalRequest

WARM = 100
READINGS = {"index for each pair": 5, "once per document": 60, "once, terms ready": 60}
"""Ways to read "a loop over documents", each with the number of documents that are sampled."""


def main() -> None:
    """Print pairs per second of both."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--documents", type=int, default=600)
    parser.add_argument("--questions", type=int, default=100)
    given = parser.parse_args()
    corpus, term_df = make_corpus(given.documents)
    doc_ids = corpus.document_df["doc_id"].to_list()
    requests = make_requests(given.questions, doc_ids)
    retrieve(requests[:WARM], corpus, term_df)  # the tokenizer loads once
    n_pairs = len(requests)
    whole = seconds(requests, corpus, term_df) / n_pairs
    print(f"one statement per chunk {1 / whole:10,.0f} pairs/s over {n_pairs:,} pairs")
    for name, at_most in READINGS.items():
        documents = window_terms(corpus, at_most=at_most)
        loop = loop_seconds_of_pair(requests[:: len(doc_ids)], documents, name)
        print(f"bm25s, {name:24} {1 / loop:10,.0f} pairs/s, ratio {loop / whole:.2f}")
    peak_mb = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    print(f"peak memory    {peak_mb:10,} MB")


def seconds(requests: list[RetrievalRequest], corpus: CorpusFrames, term_df: pl.DataFrame) -> float:
    """Return how long retrieval of all requests takes."""
    since = time.perf_counter()
    retrieve(requests, corpus, term_df)
    return time.perf_counter() - since


def loop_seconds_of_pair(
    questions: list[RetrievalRequest], documents: list[list[list[str]]], reading: str
) -> float:
    """Return how long the loop takes over a pair, from a sample of the documents."""
    asked = [terms(request.question.text, "en") for request in questions]
    total = 0.0
    for made in documents:
        texts = [" ".join(window) for window in made]
        since = time.perf_counter()
        is_read = reading == "once per document"
        windows = [terms(text, "en") for text in texts] if is_read else made
        index = _index(windows)
        for question in asked:
            index = _index(windows) if reading == "index for each pair" else index
            index.retrieve([question], k=min(5, len(windows)), show_progress=False)
        total += time.perf_counter() - since
    return total / (len(asked) * len(documents))


def _index(window_terms: list[list[str]]) -> bm25s.BM25:
    index = bm25s.BM25()
    index.index(window_terms, show_progress=False)
    return index


if __name__ == "__main__":
    main()
