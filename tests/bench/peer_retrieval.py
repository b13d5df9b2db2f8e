"""First retrieval by one peer, timed: run by the interpreter of the peers.

The job holds the windows of each document as lists of terms, and the questions as lists of terms:
{"peer": …, "documents": [[[term, …], …], …], "questions": [[term, …], …]}. For each document an
index is made, and each question takes the best five windows of it. The reply is seconds for making
the indexes and seconds for asking.
"""

# ruff: noqa: PLC0415  # a job needs one peer
import json
import sys
import time
from collections.abc import Callable
from typing import Any

K = 5
Terms = list[str]
Ask = Callable[[Terms], object]


def bm25s(windows: list[Terms]) -> Ask:
    import bm25s

    index = bm25s.BM25()
    index.index(windows, show_progress=False)
    k = min(K, len(windows))
    return lambda question: index.retrieve([question], k=k, show_progress=False)


def rank_bm25(windows: list[Terms]) -> Ask:
    from rank_bm25 import BM25Okapi

    index = BM25Okapi(windows)
    return lambda question: index.get_top_n(question, windows, n=K)


def tantivy(windows: list[Terms]) -> Ask:
    import tantivy

    builder = tantivy.SchemaBuilder()
    builder.add_text_field("text", stored=False, tokenizer_name="whitespace")
    schema = builder.build()
    index = tantivy.Index(schema)
    writer = index.writer(15_000_000, 1)
    for terms in windows:
        writer.add_document(tantivy.Document(text=" ".join(terms)))
    writer.commit()
    index.reload()
    searcher = index.searcher()

    def ask(question: Terms) -> object:
        of_terms = [
            (tantivy.Occur.Should, tantivy.Query.term_query(schema, "text", term))
            for term in question
        ]
        return searcher.search(tantivy.Query.boolean_query(of_terms), K)

    return ask


PEERS: dict[str, Callable[[list[Terms]], Ask]] = {
    "bm25s": bm25s,
    "rank-bm25": rank_bm25,
    "tantivy": tantivy,
}


def main() -> None:
    """Print seconds of indexing and of asking as JSON."""
    job: dict[str, Any] = json.load(sys.stdin)
    make = PEERS[job["peer"]]
    make(job["documents"][0])(job["questions"][0])
    since = time.perf_counter()
    indexes = [make(windows) for windows in job["documents"]]
    made = time.perf_counter()
    for ask in indexes:
        for question in job["questions"]:
            ask(question)
    print(json.dumps([made - since, time.perf_counter() - made]))


if __name__ == "__main__":
    main()
