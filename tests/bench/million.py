"""What a million documents would take on a cluster: a paper estimate from measured units.

Each assumption is a named number here; what is measured comes from tests/bench/many_documents.
"""

from collections.abc import Mapping
from typing import NamedTuple

from tests.bench.watched import Spent

N_DOCUMENTS = 1_000_000
"""Of twelve pages, as those that were measured."""
N_QUESTIONS = 10
CHANGED = 0.01
"""Share of the documents that a night changes."""
WINDOW_H = 6
CORES_PER_NODE = 16
USED = 0.7
"""Share of a node's processor time that does work: uneven chunks, waiting, the system."""
CALLS_PER_PAIR, TOKENS_PER_PAIR = 1.68, 3_453
"""Of a model: "End to end against frameworks" in RESULTS.md."""
CALL_S = 3.0
"""Time of a call to a hosted model."""
MEMORY_GB = 64
"""Of the process that plans and publishes a run."""
DIMENSIONS, BYTES_PER_NUMBER, LINES_PER_PAGE_VECTOR = 1_536, 4, 3
"""A dense index: vectors of four bytes a number, so many to a page."""
PAGES = 12


class Measured(NamedTuple):
    """Documents of twelve pages and ten questions to each: what all of it took beyond starts."""

    n_documents: int
    n_pairs: int
    ingest: Spent
    run: Spent
    again: Spent
    """The same run once more: every pair is reused."""
    corpus_bytes: Mapping[str, int]
    run_bytes: Mapping[str, int]


def print_estimate(measured: Measured, largest: Measured) -> None:
    """Print first fill and nightly work: processor time, nodes, disk, memory, calls.

    What does not depend on the length of a document comes from the largest cell, since it is lost
    in the noise of a start where pairs are few: time of a reused pair, and the memory of a pair in
    the process that plans and publishes.
    """
    pair_kb = 1024 * max(largest.run.peak_mb["command"], 1) / largest.n_pairs  # told in MB
    document_s = measured.ingest.cpu_s / measured.n_documents
    pair_s = measured.run.cpu_s / measured.n_pairs
    reused_s = largest.again.cpu_s / largest.n_pairs
    n_pairs = N_DOCUMENTS * N_QUESTIONS
    print(f"\nPaper estimate: {N_DOCUMENTS:,} documents of {PAGES} pages, {N_QUESTIONS} questions,")
    print(f"{CHANGED:.0%} changed a night, {WINDOW_H} h, nodes of {CORES_PER_NODE} cores.")
    for name, share in (("first fill", 1.0), ("a night", CHANGED)):
        ingest_h = share * N_DOCUMENTS * document_s / 3600
        run_h = share * n_pairs * pair_s / 3600
        reuse_h = (1 - share) * n_pairs * reused_s / 3600
        nodes = (ingest_h + run_h) / WINDOW_H / CORES_PER_NODE / USED
        n_calls = share * n_pairs * CALLS_PER_PAIR
        in_flight = n_calls * CALL_S / (WINDOW_H * 3600)
        print(f"{name}: {ingest_h:,.1f} CPU hours of ingest, {run_h:,.1f} of answering,"
              f" {reuse_h:,.1f} of reusing: {nodes:,.1f} nodes;")  # fmt: skip
        print(f"    with a model {n_calls:,.0f} calls, {share * n_pairs * TOKENS_PER_PAIR:,.0f}"
              f" tokens, {in_flight:,.0f} calls in flight")  # fmt: skip
    _print_room(measured, n_pairs, pair_kb)


def _print_room(measured: Measured, n_pairs: int, pair_kb: float) -> None:
    """Print disk and memory, and how large a shard one process can run."""
    corpus_gb = sum(measured.corpus_bytes.values()) / measured.n_documents * N_DOCUMENTS / 1e9
    run_gb = sum(measured.run_bytes.values()) / measured.n_pairs * n_pairs / 1e9
    dense_gb = N_DOCUMENTS * PAGES * LINES_PER_PAGE_VECTOR * DIMENSIONS * BYTES_PER_NUMBER / 1e9
    shard = int(MEMORY_GB * 2**20 / pair_kb / N_QUESTIONS)
    print(f"disk: {corpus_gb:,.0f} GB of corpus, {run_gb:,.0f} GB a run kept, {dense_gb:,.0f} GB of"
          " vectors where dense retrieval is on")  # fmt: skip
    print(f"memory: {pair_kb:.1f} KB a pair in the process that plans and publishes; {MEMORY_GB} GB"
          f" hold the run of {shard:,} documents: {-(-N_DOCUMENTS // max(shard, 1))} warehouses or"
          " more")  # fmt: skip
