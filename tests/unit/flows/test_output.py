"""What is printed: legible in any width, and never an order to the terminal."""

import json
import unicodedata
from contextlib import redirect_stdout
from io import StringIO
from typing import Any

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from flows.command_line.bar import progress_bar
from flows.command_line.output import fold, name_warehouse, print_json, print_rows, safe, typable
from flows.outcome import exit_code, stopped_by
from flows.progress import Headway, report_progress
from transforms.errors import BudgetError, ComplineError, EndpointError

ESCAPE = "\x1b]0;owned\x07\x1b[2J"
SPOOF = "paid \u202etop\u202c \U000e0041\x9b31m\r"
WIDE = [{f"column_number_{n}": f"value {n}" for n in range(30)}]


def _steers(text: str) -> list[str]:
    """Return the characters of a text that a terminal may obey; tags hide text from people."""
    return [
        char
        for char in text
        if (unicodedata.category(char) in ("Cc", "Cs") and char not in "\n\t")
        or unicodedata.bidirectional(char) in ("LRO", "RLO", "LRE", "RLE", "PDF", "LRI", "RLI")
        or 0xE0000 <= ord(char) < 0xE0080
    ]


@given(st.text(st.characters(), max_size=40))
def test_no_text_steers_a_terminal(text: str) -> None:
    assert _steers(safe(text + ESCAPE + SPOOF)) == []


@given(st.text(st.characters(exclude_categories=["Cs"]), max_size=40))
def test_json_keeps_every_text_and_steers_nothing(text: str) -> None:
    with redirect_stdout(StringIO()) as printed:
        print_json([{"text": text + ESCAPE + SPOOF}])
    assert json.loads(printed.getvalue()) == [{"text": text + ESCAPE + SPOOF}]
    assert _steers(printed.getvalue()) == []


@pytest.mark.parametrize("n_columns", [1, 30])
def test_neither_values_nor_headings_nor_titles_steer_a_terminal(
    capsys: pytest.CaptureFixture[str], n_columns: int
) -> None:
    row: dict[str, Any] = {
        f"{ESCAPE}[red]{n}": f"{SPOOF}[/red][blink]{n}" for n in range(n_columns)
    }
    print_rows([row], as_json=False, title=f"{ESCAPE}[bold]title")
    shown = capsys.readouterr().out
    assert _steers(shown) == []
    assert "[bold]title" in shown, "a title is text, not markup"
    assert "[red]0" in shown.replace("\n", "")


def test_a_table_that_is_too_wide_is_printed_as_records(
    capsys: pytest.CaptureFixture[str],
) -> None:
    print_rows([{**row, "absent": None} for row in WIDE], as_json=False)
    lines = capsys.readouterr().out.splitlines()
    assert "column_number_7   value 7" in lines
    assert not any("absent" in line for line in lines)


def test_invisible_hyphens_and_odd_spaces_are_no_rubbish(
    capsys: pytest.CaptureFixture[str],
) -> None:
    print_rows([{"text": "Ab\xadsicherung 1\xa0000\u202f€ \uf0b7\u200b"}], as_json=False)
    assert "Absicherung 1 000 € \uf0b7" in capsys.readouterr().out


def test_what_json_lacks_is_null_there(capsys: pytest.CaptureFixture[str]) -> None:
    print_rows(pl.DataFrame({"x": [float("inf"), float("nan"), 1.5]}), as_json=True)
    assert json.loads(capsys.readouterr().out) == [{"x": None}, {"x": None}, {"x": 1.5}]


@pytest.mark.parametrize(
    ("rows", "kind"),
    [
        ([("answered", "sufficient"), ("not_found", "exhausted")], None),
        ([("failed", "engine_failed")], None),
        ([("failed", "engine_failed"), ("not_run", None)], EndpointError),
        ([("answered", "sufficient"), ("over_budget", "budget")], BudgetError),
        ([("partial", "budget")], BudgetError),
        ([("answered", "sufficient"), ("not_run", None)], None),
    ],
)
def test_what_stopped_a_run_is_an_error_with_a_hint_and_its_exit_code(
    rows: list[tuple[str, str | None]], kind: type[ComplineError] | None
) -> None:
    answer_df = pl.DataFrame(
        [(status, reason, []) for status, reason in rows],
        schema={
            "status": pl.String,
            "stop_reason": pl.String,
            "caveats": pl.List(pl.String),
        },
        orient="row",
    )
    error = stopped_by(answer_df)
    assert type(error) is (kind or type(None))
    if error:
        assert error.hint
        assert error.exit_code == exit_code(answer_df) == 3


@pytest.mark.parametrize("is_shown", [True, False])
def test_progress_is_said_in_lines_where_there_is_no_terminal(
    capsys: pytest.CaptureFixture[str], *, is_shown: bool
) -> None:
    with progress_bar("planning", is_shown=is_shown, line_every_s=0):
        report_progress(Headway(n_done=1_000, n_all=100_000, work="reading questions"))
        report_progress(Headway(n_done=2_000, n_all=100_000))
    lines = ["reading questions: 1,000 of 100,000", "planning: 2,000 of 100,000"]
    assert capsys.readouterr().err.splitlines() == (lines if is_shown else [])


@given(st.text(st.sampled_from("ab -_/"), max_size=60), st.integers(min_value=4, max_value=20))
def test_a_folded_cell_loses_nothing_but_spaces(text: str, width: int) -> None:
    assert "".join(fold(text, width).split()) == "".join(text.split())


def test_names_are_folded_after_a_hyphen_and_only_as_narrow_as_they_must_be(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("COLUMNS", raising=False)  # tests that run beside others are given one
    name = "policy-falcon-ridge-cyber-2025.pdf"
    assert fold(name, 22) == "policy-falcon-ridge-\ncyber-2025.pdf"
    quote = "the deductible is GBP 7,000 " * 6
    print_rows([{"file_name": name, "quote": quote, "answer": quote}], as_json=False)
    assert name in capsys.readouterr().out


def test_a_table_in_a_pipe_is_as_wide_as_columns_says(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "60")
    print_rows([{"quote": "word " * 30}], as_json=False)
    assert max(map(len, capsys.readouterr().out.splitlines())) <= 60


def test_an_advised_command_names_the_warehouse_that_was_named_and_a_program_that_is_found(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("sys.argv", ["/nowhere/bin/compline"])
    monkeypatch.setenv("PATH", "/nowhere")
    try:
        name_warehouse("my house")
        assert typable("see `compline report runs`, or `show tables`") == (
            "see `/nowhere/bin/compline report runs --warehouse 'my house'`, or `show tables`"
        )
        name_warehouse(None)
        assert typable("`compline doctor`") == "`/nowhere/bin/compline doctor`"
    finally:
        name_warehouse(None)
