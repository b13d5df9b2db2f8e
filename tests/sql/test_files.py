"""What holds for every file of sql/: its header tells the truth, and it is one plain select."""

import re

import duckdb
import pytest

from flows.database import sql_names, statement
from flows.storage.views import header_line, macro_statements
from flows.warehouse import Warehouse
from transforms.tables import TABLES

REPORTS = sql_names("reports")
VIEWS = sql_names("views")
MACROS = sql_names("macros")


DAY = "2026-03-01"
JOINS = "(?:left|full|anti|semi)"


@pytest.fixture(scope="module")
def empty_warehouse(tmp_path_factory: pytest.TempPathFactory) -> Warehouse:
    return Warehouse.open(tmp_path_factory.mktemp("empty"), create=True)


def header(name: str) -> tuple[str, list[str], list[str]]:
    """Return what one row is, what is read, and the columns, as the file says."""
    one_row, reads, columns = statement(name).splitlines()[:3]
    assert reads.startswith("-- Reads: ")
    assert columns.startswith("-- Columns: ")
    return one_row, reads[10:].split(", "), columns[12:].split(", ")


def test_every_view_of_the_design_is_there() -> None:
    assert {name.removeprefix("views/") for name in VIEWS} >= {
        "latest_answer", "answer_with_evidence", "answer_change", "pair_cost", "route_cost",
        "daily_cost", "budget_status", "saving", "iteration_trail", "vocabulary_gap",
        "failed_document", "clarification_needed",
    }  # fmt: skip


@pytest.mark.parametrize("name", VIEWS + REPORTS + MACROS)
def test_the_header_says_what_one_row_is_and_what_is_read(name: str) -> None:
    one_row, reads, _ = header(name)
    assert one_row.startswith("-- One row ")
    code = re.sub(r"--.*", "", statement(name))
    steps = set(re.findall(r"(\w+) as (?:not materialized )?\(\n", code))
    assert (
        set(reads) == set(re.findall(rf"^\s*(?:from|{JOINS} join|join) (\w+)", code, re.M)) - steps
    )


@pytest.mark.parametrize("name", VIEWS + REPORTS)
def test_it_runs_on_an_empty_warehouse_and_has_the_columns_of_its_header(
    name: str, empty_warehouse: Warehouse
) -> None:
    text = statement(name)
    rows = empty_warehouse.query(text, {"run_id": None} if "$run_id" in text else {})
    assert rows.height == 0
    assert rows.columns == header(name)[2]


@pytest.mark.parametrize("name", VIEWS + REPORTS + MACROS)
def test_it_is_one_lower_case_select(name: str) -> None:
    text = re.sub(r"--.*", "", statement(name))
    code = re.sub(r"'[^']*'", "", text)
    assert [one.type for one in duckdb.extract_statements(text)] == [duckdb.StatementType.SELECT]
    assert code == code.lower()
    allowed = parameters(name) if name in MACROS else {"run_id"}
    assert set(re.findall(r"\$(\w+)", code)) <= allowed


def parameters(name: str) -> set[str]:
    """Return the names of a macro's parameters."""
    given = header_line(statement(name), "Parameters").split(", ")
    return {parameter.partition(" :=")[0] for parameter in given}


@pytest.mark.parametrize("name", MACROS)
def test_a_macro_uses_each_parameter_and_none_is_called_like_a_column(name: str) -> None:
    code = re.sub(r"--.*", "", statement(name))
    assert parameters(name) == set(re.findall(r"\$(\w+)", code))
    assert not parameters(name) & set(re.findall(r"(?<!\$)\b\w+", code))


def test_every_macro_runs_on_an_empty_warehouse_and_has_the_columns_of_its_header(
    empty_warehouse: Warehouse,
) -> None:
    """The text of a day fits every parameter: a name, a text, a day and a moment."""
    for head, _ in macro_statements():
        name = head.partition("(")[0]
        given = [f"'{DAY}'"] * len([p for p in parameters(f"macros/{name}") if ":=" not in head])
        rows = empty_warehouse.query(f"from {name}({', '.join(given)})")
        assert rows.height == 0
        assert rows.columns == header(f"macros/{name}")[2]


def test_reports_and_macros_that_are_read_as_tables_have_names_of_their_own() -> None:
    names = [name.rpartition("/")[2] for name in VIEWS + MACROS]
    assert len({*names, *TABLES}) == len(names) + len(TABLES)


@pytest.mark.parametrize("name", REPORTS + MACROS)
def test_a_report_names_its_columns_and_ends_in_an_order(name: str) -> None:
    text = statement(name)
    assert "select *" not in text
    assert text.strip().splitlines()[-1].startswith("order by ")


def test_no_column_needs_quotes(empty_warehouse: Warehouse) -> None:
    for table, row in TABLES.items():
        assert empty_warehouse.query(
            f"select {', '.join(row.model_fields)} from {table}"
        ).is_empty()
