"""First retrieval of many pairs in one statement, against a bm25s index per document.

    python -m tests.bench.retrieval [--documents 600] [--questions 100]

Needs bm25s, which the project does not. Both get the same windows and give five of each pair. Terms
are made before the clock starts: ours are postings, made at ingest. The loop indexes the windows
for each pair (a question that comes to a document), or once per document and asks all questions of
it; ours makes the windows, scores, fuses and leaves out what overlaps, which the loops do not.
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

SMALL = 100
"""Documents of the corpus against which the growth of a pair's cost is measured."""


def main() -> None:
    """Print pairs per second of both, and how the cost of a pair grows with the corpus."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--documents", type=int, default=600)
    parser.add_argument("--questions", type=int, default=100)
    given = parser.parse_args()
    corpus, term_df = make_corpus(given.documents)
    doc_ids = corpus.document_df["doc_id"].to_list()
    requests = make_requests(given.questions, doc_ids)
    few = [request for request in requests if request.doc_ids[0] in set(doc_ids[:SMALL])]
    retrieve(few[:SMALL], corpus, term_df)  # warm: the tokenizer loads once
    n_pairs = len(requests)
    small = seconds(few, corpus, term_df) / len(few)
    whole = seconds(requests, corpus, term_df) / n_pairs
    print(f"one statement  {1 / whole:10,.0f} pairs/s over {n_pairs:,} pairs")
    print(f"growth         {whole / small:10.2f} times a pair's cost over {SMALL} documents")
    for name, each_pair in (("index per pair", True), ("index per document", False)):
        loop = loop_seconds_of_pair(requests[:: len(doc_ids)], corpus, each_pair=each_pair)
        print(f"bm25s, {name:20} {1 / loop:10,.0f} pairs/s, ratio {loop / whole:.1f}")
    peak_mb = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    print(f"peak memory    {peak_mb:10,} MB")


def seconds(requests: list[RetrievalRequest], corpus: CorpusFrames, term_df: pl.DataFrame) -> float:
    """Return how long retrieval of all requests takes."""
    since = time.perf_counter()
    retrieve(requests, corpus, term_df)
    return time.perf_counter() - since


def loop_seconds_of_pair(
    questions: list[RetrievalRequest], corpus: CorpusFrames, *, each_pair: bool
) -> float:
    """Return how long the loop takes over a pair, from a sample of the documents."""
    asked = [terms(request.question.text, "en") for request in questions]
    total, n_asked = 0.0, 0
    for windows in window_terms(corpus, at_most=5 if each_pair else 60):
        since = time.perf_counter()
        index = _index(windows)
        for question in asked:
            index = _index(windows) if each_pair else index
            index.retrieve([question], k=min(5, len(windows)), show_progress=False)
        total += time.perf_counter() - since
        n_asked += len(asked)
    return total / n_asked


def _index(window_terms: list[list[str]]) -> bm25s.BM25:
    index = bm25s.BM25()
    index.index(window_terms, show_progress=False)
    return index


if __name__ == "__main__":
    main()
