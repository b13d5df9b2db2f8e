"""Compline against its peers, each figure in one run.

    python -m tests.bench.peers [parsing] [retrieval] [answers] [--rounds 3] [--keep FOLDER]

parsing    first pages of documents of ../shared, processor time
retrieval  five windows for each question to each document of a synthetic corpus, time on the clock
answers    a gold set over a loopback endpoint of fixed latency, whose model is the offline reader
           whatever the prompt looks like: `compline run` against naive top-5

Peers are installed into an environment of their own (tests/bench/peer_env.py). Figures are medians
of the rounds; a ratio above 1 says how many times of ours a peer takes.
"""

import argparse
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median
from typing import Any

from flows.retrieve import retrieve
from tests.bench import parsing
from tests.bench.gold import gold_set
from tests.bench.peer_answers import Outcome, framework_outcome, own_outcome, subset
from tests.bench.peer_env import ask_peer, peer_versions
from tests.bench.peer_readers import READERS
from tests.bench.peer_retrieval import PEERS
from tests.bench.synthetic import make_corpus, make_requests, window_terms
from transforms.text import terms

N_DOCUMENTS, N_QUESTIONS = 200, 50
"""Of the synthetic corpus."""

N_INDEXED = 40
"""Documents that peers index; their time is taken for one of them."""

GOLD, N_GOLD_DOCUMENTS = "kleister-nda", 25


def compare_parsing(rounds: int, _: Path) -> None:
    """Print a row per reader."""
    sample = parsing.sample_of(sorted(parsing.SHARED.rglob("*.pdf")))
    files = [[str(path), parsing.SAMPLE_PAGES] for path in sample]
    for reader in READERS:
        ratios: list[float] = []
        for _ in range(rounds):
            peer_s: Any = ask_peer("peer_readers.py", {"reader": reader, "files": files})
            ratios.append(peer_s / parsing.cpu_s(parsing.read_first_pages, sample))
        row("parsing", reader, "processor time of a page", median(ratios))


def compare_retrieval(rounds: int, _: Path) -> None:
    """Print two rows per library: with a new index per document, and with indexes kept."""
    corpus, term_df = make_corpus(N_DOCUMENTS)
    doc_ids = corpus.document_df["doc_id"].to_list()
    requests = make_requests(N_QUESTIONS, doc_ids)
    asked = requests[:: len(doc_ids)]
    job = {
        "documents": window_terms(corpus, at_most=N_INDEXED),
        "questions": [terms(request.question.text, "en") for request in asked],
    }
    retrieve(requests[:100], corpus, term_df)  # warm: the tokenizer loads once
    for peer in PEERS:
        indexed: list[float] = []
        kept: list[float] = []
        for _ in range(rounds):
            since = time.perf_counter()
            retrieve(requests, corpus, term_df)
            own_s = (time.perf_counter() - since) / len(requests)
            made: Any = ask_peer("peer_retrieval.py", {"peer": peer, **job})
            n_pairs = N_INDEXED * N_QUESTIONS
            indexed.append(sum(made) / n_pairs / own_s)
            kept.append(made[1] / n_pairs / own_s)
        row("retrieval", peer, "time of a pair, an index per document", median(indexed))
        row("retrieval", peer, "time of a pair, indexes in memory", median(kept))


def compare_answers(rounds: int, folder: Path) -> None:
    """Print a row per framework and figure."""
    made, gold = subset(gold_set(GOLD, folder), N_GOLD_DOCUMENTS, folder)
    outcomes: dict[str, list[Outcome]] = {"Compline": [], "LlamaIndex": [], "Haystack": []}
    for _ in range(rounds):
        for name, of_name in outcomes.items():
            is_own = name == "Compline"
            of_name.append(own_outcome(made, gold) if is_own else framework_outcome(name, gold))
    for name, of_name in outcomes.items():
        for figure in Outcome._fields:
            own = median(getattr(outcome, figure) for outcome in outcomes["Compline"])
            here = median(getattr(outcome, figure) for outcome in of_name)
            row("answers", name, f"{figure} {here:,.3f}", here / own)


def row(stage: str, peer: str, figure: str, ratio: float) -> None:
    print(f"| {stage} | {peer} | {figure} | {ratio:.2f} |", flush=True)


STAGES: dict[str, Callable[[int, Path], None]] = {
    "parsing": compare_parsing,
    "retrieval": compare_retrieval,
    "answers": compare_answers,
}


def main() -> None:
    """Print one table of ratios."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("stages", nargs="*", metavar="STAGE")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--keep", type=Path, help="folder that keeps the gold set's warehouse")
    given = parser.parse_args()
    print(", ".join(f"{name} {version}" for name, version in peer_versions().items()))
    print("| | peer | figure | times ours |\n|---|---|---|---|")
    with tempfile.TemporaryDirectory() as temporary:
        for stage in given.stages or STAGES:
            STAGES[stage](given.rounds, given.keep or Path(temporary))


if __name__ == "__main__":
    main()
