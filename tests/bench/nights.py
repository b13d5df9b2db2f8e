"""Two nights over a corpus in which one document in a hundred changes in between.

    python -m tests.bench.nights [--documents 1000] [--changed 10] [--latency 0.0] [--profile FILE]

The documents are made: one page each, all different. A loopback endpoint in a process of its own
reads the prompts by the offline reader. Prints calls and time of both nights, their ratios, and
what answer_change names against what was changed. An unchanged third night shows what is left.
"""

import argparse
import cProfile
import csv
import multiprocessing
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any, NamedTuple

import pymupdf

from flows import prefect_setup
from flows.warehouse import Warehouse
from tests.e2e.endpoint import Act, Endpoint
from tests.e2e.reader_model import read_and_reply

QUESTIONS = {
    "premium": "What is the annual premium?",
    "deductible": "What is the deductible for each and every loss?",
    "limit": "What is the limit of liability?",
    "start": "When does the policy period begin?",
    "end": "When does the policy period end?",
    "number": "What is the policy number?",
    "insured": "Who is the named insured?",
    "insurer": "Who is the insurer?",
    "notice": "How many days of notice does cancellation need?",
    "exclusions": "List all exclusions in this policy.",
}
FILLER = "The insured shall keep the premises in good repair and tell us of any change of risk. "


class Night(NamedTuple):
    """What one night took and what it said had changed."""

    run_id: str
    elapsed_s: float
    n_calls: int
    n_reused: int
    changes: frozenset[tuple[str, str, str]]
    """Question, file and reason of every row of answer_change about this run."""


def write_policy(folder: Path, number: int, premium: int) -> None:
    """Write one policy as a PDF of one page; the number makes it unlike all others."""
    text = (
        f"Policy Schedule\n\nPolicy number: AB-{number:05}\nInsurer: Harbour Mutual {number} Ltd\n"
        f"Named insured: Mill {number} Trading Ltd\nPolicy period: 1 March 2026 to "
        f"{1 + number % 28} February 2027\nAnnual premium: USD {premium:,}.00\n"
        f"Deductible: USD {500 + number:,} for each and every loss\n"
        f"Limit of liability: USD {1_000_000 + number:,}\n\n{FILLER * 3}\n\n"
        "Exclusions\nWe do not cover:\n(a) war and civil war;\n(b) wear and tear;\n"
        f"(c) nuclear risks of site {number}.\n\nCancellation\n"
        f"Either party may cancel with {10 + number % 80} days notice.\n\n{FILLER * 3}"
    )
    with pymupdf.open() as document:
        document.new_page().insert_textbox(pymupdf.Rect(72, 72, 540, 800), text, fontsize=10)
        document.save(folder / f"policy-{number:05}.pdf")


def write_questions(path: Path) -> None:
    """Write the question set."""
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerows([("question_id", "question"), *QUESTIONS.items()])


def keep_night(folder: Path, overrides: dict[str, Any]) -> Night:
    """Run the nightly flow over the folder's documents and questions."""
    prefect_setup.ready()
    from flows.nightly import nightly  # noqa: PLC0415  (after the server's address is known)

    since = time.monotonic()
    state = nightly(
        str(folder / "questions.csv"), [str(folder / "in")], overrides=overrides, return_state=True
    )
    elapsed_s = time.monotonic() - since
    warehouse = Warehouse.open(overrides["warehouse"])
    run_id = warehouse.query("select max(run_id) from run_df").item()
    if not state.is_completed():
        raise RuntimeError(f"the night failed: {state.message}")
    change_df = warehouse.query(
        "select question_id, file_name, reason from answer_change join document_df using (doc_id)"
        " where run_id = $run_id",
        {"run_id": run_id},
    )
    calls_df = warehouse.query(
        "select count(*) as n from llm_call_df where run_id = $run_id", {"run_id": run_id}
    )
    run = warehouse.read("run_df", run_ids=[run_id]).row(0, named=True)
    return Night(
        run_id, elapsed_s, calls_df.item(), run["n_reused"], frozenset(change_df.iter_rows())
    )


def change(folder: Path, n_documents: int, n_changed: int) -> set[tuple[str, str, str]]:
    """Raise the premium of some policies and return what answer_change has to name."""
    step = max(1, n_documents // n_changed)
    numbers = range(0, n_documents, step)[:n_changed]
    for number in numbers:
        write_policy(folder / "in", number, premium=9_000 + number)
    return {("premium", f"policy-{number:05}.pdf", "document") for number in numbers}


@contextmanager
def endpoint_process(latency_s: float) -> Iterator[str]:
    """Serve the endpoint in another process; yield its base URL."""
    ours, theirs = multiprocessing.Pipe()
    process = multiprocessing.get_context("spawn").Process(
        target=_serve, args=(theirs, latency_s), daemon=True
    )
    process.start()
    try:
        yield ours.recv()
    finally:
        process.terminate()
        process.join()


def _serve(pipe: Connection, latency_s: float) -> None:
    with Endpoint(read_and_reply) as endpoint:
        endpoint.usual = Act(hang_s=latency_s)
        pipe.send(endpoint.base_url)
        while True:
            time.sleep(60)


def main() -> None:
    """Measure once and print."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--documents", type=int, default=1000)
    parser.add_argument("--changed", type=int, default=10)
    parser.add_argument("--latency", type=float, default=0.0, help="seconds a reply takes")
    parser.add_argument("--profile", type=Path, help="profile of the second night")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name, endpoint_process(options.latency) as base_url:
        folder = Path(name)
        (folder / "in").mkdir()
        for number in range(options.documents):
            write_policy(folder / "in", number, premium=1_000 + number)
        write_questions(folder / "questions.csv")
        overrides = {
            "warehouse": str(folder / "warehouse"),
            "engine": "openai",
            "model": "m",
            "base_url": base_url,
            "api_key": "sk-bench",
            "prices": {"m": {"input": "1", "output": "2"}},
        }
        first = keep_night(folder, overrides)
        print(f"first night: {first.elapsed_s:.1f} s, {first.n_calls} calls", flush=True)
        expected = change(folder, options.documents, options.changed)
        with cProfile.Profile() if options.profile else tempfile.TemporaryFile() as profile:
            second = keep_night(folder, overrides)
        if isinstance(profile, cProfile.Profile):
            profile.dump_stats(options.profile)
        third = keep_night(folder, overrides)
    for label, night in (("second", second), ("unchanged third", third)):
        print(
            f"{label} night: {night.elapsed_s:.1f} s, {night.n_calls} calls, {night.n_reused}"
            f" reused; {night.elapsed_s / first.elapsed_s:.1%} of the time,"
            f" {night.n_calls / first.n_calls:.1%} of the calls"
        )
    print(f"answer_change names exactly what was changed: {second.changes == expected}")


if __name__ == "__main__":
    main()
