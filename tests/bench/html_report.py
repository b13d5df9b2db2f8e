"""Write and open the report of a large run: size, seconds, and what a browser needs.

    python -m tests.bench.html_report [--documents 1000] [--keep FOLDER]

Each document has two pages and ten questions; three answers of four are found and quoted, and one
of a hundred differs from the night before. `--keep` leaves report and screenshots to be looked at.
"""

import argparse
import random
import tempfile
import time
from datetime import timedelta
from decimal import Decimal
from hashlib import sha256
from pathlib import Path
from typing import Any

import pymupdf

from flows.reporting.page import html_report
from flows.settings import load_settings
from flows.warehouse import Warehouse
from tests.e2e.browser import CHROMIUM, browser_tab
from tests.rows import NOON, frame

SUBJECTS = (
    "premium", "deductible", "limit", "insurer", "insured", "inception", "expiry", "notice period",
    "law", "territory",
)  # fmt: skip
STATUSES = (
    *["answered"] * 14,
    "partial",
    "not_found",
    "not_found",
    "failed",
    "over_budget",
    "not_run",
)
WORDS = ("the", "insurer", "shall", "pay", *SUBJECTS, "any", "loss", "of", "insured", "property")
N_LINES, LINE_HEIGHT, TOP = 40, 16, 80

Lines = list[tuple[int, int, str]]
"""Page, line and text."""


def write_pdf(path: Path, draw: random.Random) -> tuple[str, Lines]:
    """Write a document of two pages; return its doc_id and its lines."""
    lines: Lines = []
    with pymupdf.open() as pdf:
        for page_number in (1, 2):
            page = pdf.new_page()
            for line in range(1, N_LINES + 1):
                text = " ".join(draw.choices(WORDS, k=11))
                page.insert_text((72, TOP + LINE_HEIGHT * line), text, fontsize=10.5)
                lines.append((page_number, line, text))
        path.write_bytes(pdf.tobytes(deflate=True))
    return sha256(path.read_bytes()).hexdigest()[:16], lines


def fill(folder: Path, n_documents: int) -> Warehouse:
    """Write documents, and two nights that asked ten questions of each."""
    draw = random.Random(1)
    warehouse = Warehouse.open(folder / "warehouse", create=True)
    paths = [folder / f"policy-{number:05}.pdf" for number in range(n_documents)]
    documents = {path: write_pdf(path, draw) for path in paths}
    rows = [
        {"doc_id": doc_id, "file_name": path.name, "uri": str(path)}
        for path, (doc_id, _) in documents.items()
    ]
    warehouse.write_batch(
        {
            "document_df": frame("document_df", *(_without(row, "uri") for row in rows)),
            "source_df": frame("source_df", *rows),
            "page_df": frame(
                "page_df", *({"doc_id": row["doc_id"], "page": n} for row in rows for n in (1, 2))
            ),
        },
        "documents",
    )
    for night, run_id in enumerate(("r1", "r2")):
        write_night(warehouse, run_id, night, dict(documents.values()))
    return warehouse


def write_night(warehouse: Warehouse, run_id: str, night: int, documents: dict[str, Lines]) -> None:
    """Write one run over all documents; its calls too."""
    rows: dict[str, list[dict[str, Any]]] = {table: [] for table in (
        "pair_df", "dispatch_df", "answer_df", "iteration_df", "evidence_df", "llm_call_df",
    )}  # fmt: skip
    at = NOON + timedelta(days=night)
    for doc_id, lines in documents.items():
        for number, subject in enumerate(SUBJECTS):
            pair = {
                "run_id": run_id,
                "pair_id": sha256(f"{doc_id}{number}".encode()).hexdigest()[:16],
            }
            add_pair(rows, pair, {"doc_id": doc_id, "lines": lines, "number": number, "at": at,
                                  "subject": subject, "night": night})  # fmt: skip
    calls = rows.pop("llm_call_df")
    questions = [
        {
            "set_id": "nightly",
            "question_id": f"q{number}",
            "text": f"What is the {subject} of the policy?",
        }
        for number, subject in enumerate(SUBJECTS)
    ]
    run = {
        "run_id": run_id, "set_id": "nightly", "started_at": at, "n_pairs": len(calls),
        "model": "gpt-x", "spent_tokens": 1280 * len(calls), "spent_usd": len(calls) * COST,
    }  # fmt: skip
    frames = {table: frame(table, *made) for table, made in rows.items()}
    frames |= {"run_df": frame("run_df", run), "question_df": frame("question_df", *questions)}
    warehouse.write_run(run_id, frames)
    warehouse.write_calls(run_id, frame("llm_call_df", *calls))


COST = Decimal("0.0004")


def add_pair(
    rows: dict[str, list[dict[str, Any]]], pair: dict[str, str], of: dict[str, Any]
) -> None:
    """Add the rows of one pair to those of its run."""
    draw = random.Random(pair["pair_id"])
    status = draw.choice(STATUSES)
    value = f"EUR {draw.randrange(1, 99)},000" + " (new)" * (of["night"] and draw.random() < 0.01)
    is_found = status in ("answered", "partial")
    question = {"question_id": f"q{of['number']}"}
    route = ("sequential", "batch")[of["number"] % 2]
    spent = {"prompt_tokens": 1200, "completion_tokens": 80, "cost_usd": COST}
    said = (
        f"pass 1: first retrieval; 2 windows read: found {value!r}, complete; stopped: sufficient"
    )
    rows["pair_df"].append({**pair, **question, "set_id": "nightly", "scope_key": of["doc_id"]})
    rows["dispatch_df"].append(
        {**pair, "route": route, "route_rule": "single_value", "baseline_tokens": 2500,
         "reason": "answer_shape is single and answer_type is not text (single, amount)"}
    )  # fmt: skip
    rows["answer_df"].append(
        {**pair, **question, **spent, "doc_id": of["doc_id"], "route": route, "status": status,
         "value_text": value if is_found else None, "confidence": 0.5 + draw.random() / 2}
    )  # fmt: skip
    rows["iteration_df"].append({**pair, "narration": said})
    rows["llm_call_df"].append(
        {**pair, **spent, "call_id": "-".join(pair.values()), "called_at": of["at"]}
    )
    if is_found:
        page, line, text = draw.choice(of["lines"])
        y = TOP + LINE_HEIGHT * line
        quote = {"page": page, "line_start": line, "line_end": line, "quote": text}
        box = [72.0, y - 9.0, 540.0, y + 3.0]
        rows["evidence_df"].append({**pair, **quote, "doc_id": of["doc_id"], "bboxes": [box]})


def _without(row: dict[str, Any], name: str) -> dict[str, Any]:
    return {key: value for key, value in row.items() if key != name}


def look(path: Path) -> None:
    """Open a report and print what that takes; write screenshots beside it."""
    with browser_tab() as tab:
        for name, width, scheme in (("desktop", 1280, "light"), ("phone", 390, "dark")):
            tab.prefer(scheme)
            tab.send("Performance.enable")
            tab.open(path, width=width, height=1200)
            metrics = {m["name"]: m["value"] for m in tab.send("Performance.getMetrics")["metrics"]}
            tab.screenshot(path.with_name(f"{name}.png"))
            print(f"{name}: {metrics['ProcessTime']:.1f} s, {metrics['Nodes']:.0f} nodes,"
                  f" {metrics['JSHeapUsedSize'] / 1e6:.1f} MB of heap")  # fmt: skip


def main() -> None:
    """Make a run, write its report, open it."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--documents", type=int, default=1000)
    parser.add_argument("--keep", type=Path)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        warehouse = fill(Path(folder), options.documents)
        path = (options.keep or Path(folder)) / "report.html"
        wall, cpu = time.perf_counter(), time.process_time()
        path.write_bytes(html_report(warehouse, load_settings(warehouse=warehouse.root)))
        spent = time.perf_counter() - wall, time.process_time() - cpu
        text = path.read_text(encoding="utf-8")
        print(f"{text.count('<article '):,} answers, {path.stat().st_size / 1e6:.1f} MB,"
              f" {text.count('data:image/webp'):,} pictures; {spent[0]:.1f} s,"
              f" {spent[1]:.1f} s of it processor time beside the drawing")  # fmt: skip
        if CHROMIUM:
            look(path)


if __name__ == "__main__":
    main()
