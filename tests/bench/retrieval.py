"""First retrieval of many pairs in one statement per chunk, against bm25s indexes of documents.

    python -m tests.bench.retrieval [--documents 600] [--questions 100]

Needs bm25s, which the project does not. Both get the same windows and give five of each pair. The
loop over documents is read in four ways: it indexes the windows for each pair, as when a question
comes to a document; it cuts, reads and indexes the windows once per document and asks all questions
of the index; it finds them cut; or it finds them cut and read, as our postings were at ingest. Ours
always cuts the windows, scores them, sections too, and leaves out what overlaps, which the loops do
not. Candidates are rows of a frame until they are asked for; what it takes to ask for all of them
is a line of its own. How cost grows with the corpus is measured by `tests.bench.growth`.
"""

import argparse
import resource
import time
from typing import NamedTuple, Self

import bm25s

from flows.retrieve import retrieve
from tests.bench.synthetic import make_corpus, make_requests, window_texts
from transforms.text import terms
from transforms.values import CorpusFrames, RetrievalRequest

WARM = 100


class Spent(NamedTuple):
    """Seconds on the clock and of the processor; ours uses two cores, a loop one."""

    clock_s: float
    cpu_s: float

    @classmethod
    def so_far(cls) -> Self:
        """Return what this process has spent."""
        return cls(time.perf_counter(), time.process_time())

    def since(self, n_pairs: int) -> "Spent":
        """Return what was spent on each pair since then."""
        clock_s, cpu_s = self.so_far()
        return Spent((clock_s - self.clock_s) / n_pairs, (cpu_s - self.cpu_s) / n_pairs)


class Reading(NamedTuple):
    """What a loop over documents does while the clock runs."""

    n_documents: int
    """How many are sampled."""
    cuts: bool = False
    reads: bool = False
    indexes_each_pair: bool = False


READINGS = {
    "index for each pair": Reading(5, indexes_each_pair=True),
    "once per document": Reading(60, cuts=True, reads=True),
    "once, windows cut": Reading(60, reads=True),
    "once, windows cut and read": Reading(60),
}


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
    before_mb, began = peak_mb(), Spent.so_far()
    found = retrieve(requests, corpus, term_df)
    whole = began.since(len(requests))
    print(
        f"one statement per chunk {1 / whole.clock_s:10,.0f} pairs/s over {len(requests):,} pairs"
    )
    print(f"peak memory {before_mb:,} MB with corpus and requests, then {peak_mb():,} MB")
    for request in requests:
        found[request.pair_id]
    asked = began.since(len(requests))
    print(f"candidates asked for    {1 / asked.clock_s:10,.0f} pairs/s")
    print("bm25s: times ours on the clock, in processor time; the same with candidates asked for")
    for name, reading in READINGS.items():
        loop = loop_cost_of_pair(requests[:: len(doc_ids)], corpus, reading)
        ratios = [
            part / own for ours in (whole, asked) for part, own in zip(loop, ours, strict=True)
        ]
        shown = ", ".join(f"{ratio:.2f}" for ratio in ratios)
        print(f"{name:26} {1 / loop.clock_s:10,.0f} pairs/s: {shown}")


def peak_mb() -> int:
    """Return the most memory that this process has held so far."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024


def loop_cost_of_pair(
    questions: list[RetrievalRequest], corpus: CorpusFrames, reading: Reading
) -> Spent:
    """Return what the loop spends on a pair, from a sample of the documents."""
    asked = [terms(request.question.text, "en") for request in questions]
    doc_ids = corpus.document_df["doc_id"].tail(reading.n_documents)
    total = Spent(0.0, 0.0)
    for doc_id in doc_ids:
        line_df = corpus.line_df.filter(doc_id=doc_id)
        texts = [] if reading.cuts else window_texts(line_df)
        windows = [] if reading.reads else [terms(text, "en") for text in texts]
        began = Spent.so_far()
        texts = window_texts(line_df) if reading.cuts else texts
        windows = [terms(text, "en") for text in texts] if reading.reads else windows
        index = _index(windows)
        for question in asked:
            index = _index(windows) if reading.indexes_each_pair else index
            index.retrieve([question], k=min(5, len(windows)), show_progress=False)
        spent = began.since(len(asked) * len(doc_ids))
        total = Spent(total.clock_s + spent.clock_s, total.cpu_s + spent.cpu_s)
    return total


def _index(window_terms: list[list[str]]) -> bm25s.BM25:
    index = bm25s.BM25()
    index.index(window_terms, show_progress=False)
    return index


if __name__ == "__main__":
    main()
