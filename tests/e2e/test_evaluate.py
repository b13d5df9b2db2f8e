"""`evaluate` over a small warehouse: retrieval and dispatch are scored without any answer."""

import json
from datetime import UTC, datetime
from pathlib import Path

import polars as pl
import pytest

from flows.answering.planning import PlannedPair
from flows.evaluate import evaluate, read_gold_file
from flows.settings import Settings, load_settings
from flows.warehouse import Warehouse
from tests.e2e.typed import typed
from transforms.errors import InputError
from transforms.parsing import parse_document
from transforms.retrieval import index_lines
from transforms.tables import TABLES

SAMPLE = Path(__file__).parents[2] / "data" / "sample"
SEEN_AT = datetime(2026, 1, 1, tzinfo=UTC)
QUESTIONS = """question_id,question
number,What is the policy number?
sunset,Does the policy contain a sunset clause?
"""


@pytest.fixture(scope="module")
def document() -> Path:
    return min(SAMPLE.glob("policy-*-property-*.pdf"))


@pytest.fixture(scope="module")
def settings(tmp_path_factory: pytest.TempPathFactory, document: Path) -> Settings:
    root = tmp_path_factory.mktemp("warehouse")
    frames = parse_document(document.read_bytes(), file_name=document.name, parsed_at=SEEN_AT)
    doc_id = frames["document_df"]["doc_id"][0]
    frames["term_df"] = index_lines(frames["line_df"], language="en")
    frames["source_df"] = TABLES["source_df"].frame(
        [
            {
                "uri": str(document),
                "seen_at": SEEN_AT,
                "doc_id": doc_id,
                "file_name": document.name,
                "status": "current",
            }
        ]
    )
    Warehouse.open(root, create=True).write_batch(frames, "batch")
    return load_settings(warehouse=str(root), engine="offline")


def written(path: Path, lines: list[dict[str, object]]) -> str:
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    return str(path)


def test_gold_lines_are_scored_where_question_and_document_meet(
    tmp_path: Path, settings: Settings, document: Path
) -> None:
    questions = tmp_path / "questions.csv"
    questions.write_text(QUESTIONS, encoding="utf-8")
    lines = [
        {
            "doc": f"corpus/{document.name}",
            "question": "What is the  policy number?",
            "gold_answer": "CIFP-6889053-92",
            "gold_pages": [1],
            "answer_kind": "span",
            "field": "number",
            "route": "sequential",
        },
        {
            "doc": document.name,
            "question": "Does the policy contain a sunset clause?",
            "gold_answer": None,
            "answer_kind": "none",
        },
        {"doc": "another.pdf", "question": "What is the policy number?", "gold_answer": "x"},
    ]
    found = evaluate(str(questions), written(tmp_path / "gold.jsonl", lines), settings)
    assert found.run_id is None
    assert [line.doc for line in found.unmatched] == ["another.pdf"]
    assert found.score_df["question_id"].to_list() == ["number", "sunset"]
    number = found.score_df.row(0, named=True)
    assert number["first_page_hit"] is not None
    assert number["is_route_right"] is True
    assert number["is_right"] is None
    whole = found.summary_df.filter(pl.col("breakdown") == "all").row(0, named=True)
    assert (whole["n_lines"], whole["accuracy"], whole["page_hit_at_k"]) == (2, None, 1.0)
    assert found.accuracy() == 1.0


def test_a_change_of_the_plan_is_scored_in_its_place(
    tmp_path: Path, settings: Settings, document: Path
) -> None:
    questions = tmp_path / "questions.csv"
    questions.write_text(QUESTIONS, encoding="utf-8")
    line = {"doc": document.name, "question": "What is the policy number?", "gold_pages": [1]}
    gold = written(tmp_path / "gold.jsonl", [{**line, "gold_answer": "CIFP-6889053-92"}])

    def of_no_words(pair: PlannedPair) -> PlannedPair:
        emptied = {
            "keywords": ("zyx",),
            "anchor_keywords": (),
            "rewrites": (),
            "corrected_text": "",
        }
        parsed = pair.asked.parsed.model_copy(update=emptied)
        return pair.model_copy(update={"asked": pair.asked.model_copy(update={"parsed": parsed})})

    assert evaluate(str(questions), gold, settings, change=of_no_words).accuracy() == 0.0


@pytest.mark.parametrize(("page", "code"), [(1, 0), (99, 1)])
def test_a_share_below_the_bound_exits_with_1(
    tmp_path: Path, settings: Settings, document: Path, page: int, code: int
) -> None:
    questions = tmp_path / "questions.csv"
    questions.write_text(QUESTIONS, encoding="utf-8")
    line = {"doc": document.name, "question": "What is the policy number?", "gold_pages": [page]}
    gold = written(tmp_path / "gold.jsonl", [{**line, "gold_answer": "CIFP-6889053-92"}])
    command = ["eval", questions, "--gold", gold, "--warehouse", settings.warehouse]
    done = typed(tmp_path, *command, "--fail-under", "0.9")
    assert done.returncode == code, done.stderr
    assert ("is below 0.9" in done.stderr) == bool(code)


def test_a_gold_file_that_nothing_asks_is_refused(tmp_path: Path, settings: Settings) -> None:
    questions = tmp_path / "questions.csv"
    questions.write_text(QUESTIONS, encoding="utf-8")
    gold = written(tmp_path / "gold.jsonl", [{"doc": "x.pdf", "question": "Who?"}])
    with pytest.raises(InputError, match="no line of"):
        evaluate(str(questions), gold, settings)


@pytest.mark.parametrize(
    ("content", "message"),
    [("", "no gold lines"), ('{"question": "a?"}\nnot json', "line 2"), ("[1]", "line 1")],
)
def test_a_broken_gold_file_names_its_line(tmp_path: Path, content: str, message: str) -> None:
    path = tmp_path / "gold.jsonl"
    path.write_text(content, encoding="utf-8")
    with pytest.raises(InputError, match=message):
        read_gold_file(str(path))


def test_a_missing_gold_file_is_an_input_error(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot be read"):
        read_gold_file(str(tmp_path / "absent.jsonl"))
