"""What holds for every file of sql/: its header tells the truth, and it is one plain select."""

import re

import duckdb
import pytest

from flows.database import sql_names, statement
from flows.warehouse import Warehouse
from transforms.tables import TABLES

REPORTS = sql_names("reports")
VIEWS = sql_names("views")


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


@pytest.mark.parametrize("name", VIEWS + REPORTS)
def test_the_header_says_what_one_row_is_and_what_is_read(name: str) -> None:
    one_row, reads, _ = header(name)
    assert one_row.startswith("-- One row ")
    code = re.sub(r"--.*", "", statement(name))
    steps = set(re.findall(r"(\w+) as (?:not materialized )?\(\n", code))
    assert (
        set(reads)
        == set(re.findall(r"^\s*(?:from|left join|anti join|join) (\w+)", code, re.MULTILINE))
        - steps
    )


@pytest.mark.parametrize("name", VIEWS + REPORTS)
def test_it_runs_on_an_empty_warehouse_and_has_the_columns_of_its_header(
    name: str, empty_warehouse: Warehouse
) -> None:
    text = statement(name)
    rows = empty_warehouse.query(text, {"run_id": None} if "$run_id" in text else {})
    assert rows.height == 0
    assert rows.columns == header(name)[2]


@pytest.mark.parametrize("name", VIEWS + REPORTS)
def test_it_is_one_lower_case_select(name: str) -> None:
    text = re.sub(r"--.*", "", statement(name))
    code = re.sub(r"'[^']*'", "", text)
    assert [one.type for one in duckdb.extract_statements(text)] == [duckdb.StatementType.SELECT]
    assert code == code.lower()
    assert set(re.findall(r"\$\w+", code)) <= {"$run_id"}


@pytest.mark.parametrize("name", REPORTS)
def test_a_report_names_its_columns_and_ends_in_an_order(name: str) -> None:
    text = statement(name)
    assert "select *" not in text
    assert text.strip().splitlines()[-1].startswith("order by ")


def test_no_column_needs_quotes(empty_warehouse: Warehouse) -> None:
    for table, row in TABLES.items():
        assert empty_warehouse.query(
            f"select {', '.join(row.model_fields)} from {table}"
        ).is_empty()
