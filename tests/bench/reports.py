"""Time every report, view and macro over a million answers and a million calls.

    python -m tests.bench.reports [--answers 1000000] [--runs 10]

Ten nights over the same documents: in each, one answer of a hundred differs from the night before.
Prints wall and processor seconds of each report about the last night, of counting the rows of
each view, and of each macro.
"""

import argparse
import tempfile
import time
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path

import numpy as np
import polars as pl

from flows.database import sql_names
from flows.report import read_report, report_names
from flows.warehouse import Warehouse
from tests.rows import NOON, frame

N_QUESTIONS = 10
STATUSES = ("answered", "partial", "not_found", "failed")
STATUS_SHARES = (0.7, 0.1, 0.19, 0.01)
CHANGED_SHARE = 0.01
MACRO_CALLS = (
    "answers_about('d00001')", "answers_to('q1')", "history_of('q1', 'd000012')",
    "documents_without('q1')", "dates_between('2026-01-01', '2026-12-31')",
    "quotes_with('nothing')", "lines_with('nothing')", "changed_since('2026-03-10')",
    "compare_runs('r000', 'r009')",
    "cost_by(model)", "cost_by(day)", "cost_by(route_rule)", "cost_by(question_id)",
    "cost_by(file_name)", "cost_between('2026-01-01', '2026-12-31')", "unsure()",
)  # fmt: skip


def wide(table: str, n_rows: int, **columns: object) -> pl.DataFrame:
    """Return n plain rows of a table with some columns given, as a value or as a series."""
    plain = frame(table, {})
    return pl.select(
        pl.Series(columns[name], dtype=dtype).alias(name)
        if isinstance(columns.get(name), list | np.ndarray | pl.Series)
        else pl.repeat(columns.get(name, plain[name].item()), n_rows, dtype=dtype).alias(name)
        for name, dtype in plain.schema.items()
        if not isinstance(dtype, pl.List)
    ).with_columns(
        plain[name].new_from_index(0, n_rows)
        for name, dtype in plain.schema.items()
        if isinstance(dtype, pl.List)
    )


def fill(warehouse: Warehouse, n_answers: int, n_runs: int) -> None:
    """Write documents, and a run a night."""
    draw = np.random.default_rng(1)
    n_pairs = n_answers // n_runs
    documents = [f"d{number:06}" for number in range(n_pairs // N_QUESTIONS)]
    corpus = {
        "document_df": wide("document_df", len(documents), doc_id=documents),
        "source_df": wide("source_df", len(documents), doc_id=documents, uri=documents),
    }
    warehouse.write_batch(corpus, "documents")
    doc_id = np.repeat(documents, N_QUESTIONS)
    question_id = [f"q{number % N_QUESTIONS}" for number in range(n_pairs)]
    pair_id = [f"p{number:07}" for number in range(n_pairs)]
    status = draw.choice(STATUSES, n_pairs, p=STATUS_SHARES)
    for night in range(n_runs):
        is_changed = draw.random(n_pairs) < CHANGED_SHARE
        status = np.where(is_changed, draw.choice(STATUSES, n_pairs, p=STATUS_SHARES), status)
        pair = {"run_id": f"r{night:03}", "pair_id": pair_id}
        asked = {**pair, "question_id": question_id}
        spent = {"prompt_tokens": draw.integers(100, 3000, n_pairs)}
        seen_at = NOON + timedelta(days=night)
        run = {"run_id": pair["run_id"], "started_at": seen_at, "n_pairs": n_pairs}
        questions = [{"question_id": f"q{number}"} for number in range(N_QUESTIONS)]
        frames = {
            "run_df": frame("run_df", run),
            "question_df": frame("question_df", *questions),
            "pair_df": wide("pair_df", n_pairs, **asked, scope_key=doc_id),
            "pair_doc_df": wide("pair_doc_df", n_pairs, **pair, doc_id=doc_id, as_of=seen_at),
            "dispatch_df": wide(
                "dispatch_df", n_pairs, **pair, route="batch", baseline_tokens=2000
            ),
            "answer_df": wide("answer_df", n_pairs, **asked, doc_id=doc_id, status=status, **spent),
            "iteration_df": wide("iteration_df", n_pairs, **pair),
            "evidence_df": wide("evidence_df", n_pairs, **pair, doc_id=doc_id),
        }
        warehouse.write_run(str(pair["run_id"]), frames)
        call_id = [f"{pair['run_id']}-{number}" for number in range(n_pairs)]
        calls = wide("llm_call_df", n_pairs, call_id=call_id, **pair, **spent, called_at=seen_at)
        warehouse.parts.write("llm_call_df", str(pair["run_id"]), calls)


def main() -> None:
    """Fill a warehouse, then time each report."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--answers", type=int, default=1_000_000)
    parser.add_argument("--runs", type=int, default=10)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        warehouse = Warehouse.open(Path(folder), create=True)
        fill(warehouse, options.answers, options.runs)
        print(f"{'':50} {'wall s':>7} {'cpu s':>7} {'rows':>7}")
        for name in report_names():
            timed(name, lambda name=name: read_report(warehouse, name).rows.height)
        for name in sql_names("views"):
            query = f"select count(*) from {name.rpartition('/')[2]}"
            timed(query, lambda query=query: warehouse.query(query).item())
        for call in MACRO_CALLS:
            query = f"from {call}"
            timed(query, lambda query=query: warehouse.query(query).height)


def timed(name: str, read: Callable[[], int]) -> None:
    """Print how long it takes to read some rows, and how many they are."""
    wall, cpu = time.perf_counter(), time.process_time()
    n_rows = read()
    spent = time.perf_counter() - wall, time.process_time() - cpu
    print(f"{name:50} {spent[0]:7.2f} {spent[1]:7.2f} {n_rows:7}", flush=True)


if __name__ == "__main__":
    main()
