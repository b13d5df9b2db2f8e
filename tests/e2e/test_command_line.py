"""Commands as a person types them: output, messages and exit codes."""

import json
import os
import re
import shlex
import subprocess
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pymupdf
import pytest

from flows.warehouse import Warehouse
from tests.e2e.typed import Typed, typed

SAMPLE = Path(__file__).parents[2] / "data" / "sample"
POLICY = (
    "Policy Schedule\n\nPolicy number: AB-12345\nAnnual premium: $1,200.00\n"
    "This policy is effective from 1 March 2025.\n",
    "Section 2 Exclusions\n\nWe do not cover war, wear and tear, or nuclear risks.\n",
)
QUESTIONS = 'question_id,question\nq1,What is the annual premium?\nq2,"What\'s the cap?"\n'

Compline = Callable[..., Typed]
Process = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture
def compline(tmp_path: Path) -> Compline:
    return partial(typed, tmp_path)


@pytest.fixture
def process(tmp_path: Path) -> Process:
    """Return the command as a process of its own."""

    def run(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
        environment = {
            name: value
            for name, value in os.environ.items()
            if not name.startswith(("COMPLINE_", "OPENAI_"))
        }
        return subprocess.run(
            [sys.executable, "-m", "flows.command_line", *map(str, arguments)],
            cwd=tmp_path,
            env={**environment, "PYTHONPATH": str(Path(__file__).parents[2])},
            capture_output=True,
            text=True,
            timeout=300,
            check=False,
        )

    return run


@pytest.fixture
def answered(tmp_path: Path, write_pdf: Callable[..., Path], compline: Compline) -> Compline:
    """Return the command over a warehouse in which one policy has been asked two questions."""
    (tmp_path / "questions.csv").write_text(QUESTIONS, encoding="utf-8")
    write_pdf("policies/policy.pdf", *POLICY)
    assert compline("ingest", "policies").returncode == 0
    ran = compline("run", "questions.csv")
    assert ran.returncode == 0, ran.stderr
    assert "answered" in ran.stdout
    assert "Which cap" in ran.stdout
    return compline


def test_a_single_question_takes_as_many_passes_as_the_settings_allow(
    tmp_path: Path, write_pdf: Callable[..., Path], compline: Compline
) -> None:
    policy = write_pdf("policy.pdf", *POLICY)
    (tmp_path / "compline.toml").write_text("max_iterations = 1", encoding="utf-8")
    asked = compline("ask", "What is the deductible for volcanic ash?", policy)
    assert "stopped by max_iterations" in asked.stdout


def test_each_broken_file_is_named_with_its_trouble_and_what_to_do(compline: Compline) -> None:
    ingested = compline("ingest", SAMPLE / "broken")
    assert ingested.returncode == 1
    shown = " ".join(ingested.stdout.split())
    for name, code in (
        ("cut-off.pdf", "truncated"),
        ("needs-password.pdf", "encrypted"),
        ("not-a-pdf.pdf", "not_a_document"),
    ):
        assert name in shown
        assert code in shown


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("ingest", "nowhere"), "nowhere"),
        (("sql", "drop table answer_df"), "only one select"),
    ],
)
def test_wrong_input_says_what_is_wrong_and_exits_with_2(
    process: Process, tmp_path: Path, arguments: tuple[str, ...], says: str
) -> None:
    """As a process of its own; what else can be wrong stands in test_mistakes."""
    Warehouse.open(tmp_path / "warehouse", create=True)
    done = process(*arguments)
    assert done.returncode == 2, done.stderr
    assert says in done.stderr
    assert "Traceback" not in done.stderr


def test_a_plan_over_an_empty_warehouse_is_one_row_per_question(
    compline: Compline, tmp_path: Path
) -> None:
    (tmp_path / "questions.csv").write_text(QUESTIONS, encoding="utf-8")
    planned = compline("plan", "questions.csv", "--json")
    assert planned.returncode == 0, planned.stderr
    premium, cap = json.loads(planned.stdout)
    assert (premium["route"], premium["route_rule"]) == ("sequential", "single_value")
    assert premium["run_id"] is premium["pair_id"] is None
    assert cap["route"] is None
    assert cap["needs_clarification"]


def test_what_was_answered_can_be_planned_queried_explained_and_shown(
    answered: Compline, tmp_path: Path
) -> None:
    [plan, _] = json.loads(answered("plan", "questions.csv", "--json").stdout)
    assert plan["file_name"] == "policy.pdf"
    assert 0 < plan["forecast_tokens"] <= plan["baseline_tokens"]
    query = "select pair_id, value_number from latest_answer where status = 'answered'"
    [row] = json.loads(answered("sql", query, "--json").stdout)
    assert row["value_number"] == 1200
    story = answered("explain", row["pair_id"][:6]).stdout
    for told in ("ROUTE sequential by rule single_value", "PASS 1", "STOPPED by sufficient"):
        assert told in story
    assert json.loads(answered("explain", row["pair_id"], "--json").stdout)["iteration_df"]
    assert answered("report").returncode == 0
    assert answered("report", "--html", "run.html", "--sheet", "answers.xlsx").returncode == 0
    assert "<svg" in (tmp_path / "run.html").read_text(encoding="utf-8")
    assert (tmp_path / "answers.xlsx").exists()
    assert answered("doctor").returncode == 0
    assert answered("highlight", row["pair_id"], "-o", "marked.pdf").returncode == 0
    with pymupdf.open(tmp_path / "marked.pdf") as marked:
        page = marked[0]  # annotations do not keep their page alive
        [annotation] = page.annots()
        assert "1,200.00" in page.get_textbox(annotation.rect)
        assert "What is the annual premium?" in annotation.info["content"]


def test_every_command_that_a_run_advises_can_be_typed_as_it_stands(
    compline: Compline, write_pdf: Callable[..., Path], tmp_path: Path
) -> None:
    (tmp_path / "questions.csv").write_text(QUESTIONS, encoding="utf-8")
    write_pdf("policies/policy.pdf", *POLICY)
    compline("ingest", "policies", "--warehouse", "my house")
    ran = compline("run", "questions.csv", "--warehouse", "my house")
    advised = [shlex.split(command)[1:] for command in re.findall("`(.*)`", ran.stderr)]
    assert [arguments[0] for arguments in advised] == ["sql", "explain"]
    for arguments in advised:
        assert compline(*arguments).returncode == 0


def test_a_question_that_is_asked_of_no_document_is_named(
    answered: Compline, tmp_path: Path
) -> None:
    more = 'question_id,question,documents\nq1,What is the annual premium?,\nq3,Who?,"a*;p*"\n'
    (tmp_path / "questions.csv").write_text(more, encoding="utf-8")
    for command in ("plan", "run"):
        said = answered(command, "questions.csv").stderr
        assert "1 of 2 questions are asked of no document (q3)" in said


def test_a_picture_is_written_where_a_picture_is_named(answered: Compline, tmp_path: Path) -> None:
    [row] = json.loads(answered("sql", "from answers_about('') where value > ''", "--json").stdout)
    assert answered("highlight", row["pair_id"], "-o", "marked.png").returncode == 0
    assert (tmp_path / "marked-page-1.png").read_bytes().startswith(b"\x89PNG")


def test_one_question_can_be_asked_of_one_file(
    process: Process, write_pdf: Callable[..., Path]
) -> None:
    path = write_pdf("policy.pdf", *POLICY)
    asked = process("ask", "When is this policy effective?", path, "--json")
    assert asked.returncode == 0, asked.stderr
    [row] = json.loads(asked.stdout)
    assert (row["status"], row["page"]) == ("answered", 1)
    assert "1 March 2025" in row["quote"]
