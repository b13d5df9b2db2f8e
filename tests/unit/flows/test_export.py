"""Exports: nothing in them can be run, and nothing is lost."""

import csv
import io
from datetime import UTC, datetime
from decimal import Decimal
from pathlib import Path
from zipfile import ZipFile

import polars as pl
import pytest

from flows.export import export, to_csv
from transforms.errors import InputError


def cells(frame: pl.DataFrame) -> list[str]:
    text = to_csv(frame).decode("utf-8-sig")
    return [row[0] for row in list(csv.reader(io.StringIO(text)))[1:]]


@pytest.mark.parametrize(
    "text",
    ["=1+1", "+SUM(A1)", "-2+3+cmd|' /C calc'!A0", "@SUM(1)", "\t=1", "\r=1", '=HYPERLINK("x")'],
)
def test_what_a_spreadsheet_would_run_is_quoted(text: str) -> None:
    assert cells(pl.DataFrame({"value": [text]})) == [f"'{text}"]


@pytest.mark.parametrize("text", ["-5", "+3.5 %", "-1,234.50", "EUR 5", "a=b", "", "12"])
def test_plain_texts_and_numbers_stay_as_they_are(text: str) -> None:
    assert cells(pl.DataFrame({"value": [text]})) == [text]


def test_a_formula_in_a_list_is_quoted_too() -> None:
    assert cells(pl.DataFrame({"items": [["=1+1", "b"], []]})) == ["'=1+1; b", ""]


def test_a_formula_in_the_name_of_a_column_is_quoted_too() -> None:
    assert to_csv(pl.DataFrame({"=1+1": ["a"]})).decode("utf-8-sig") == "'=1+1\na\n"


ROWS = pl.DataFrame(
    {
        "name": ["é", "=1+1"],
        "items": [["a", "b"], []],
        "cost_usd": [Decimal("0.10"), None],
        "called_at": [datetime(2026, 3, 1, tzinfo=UTC), None],
    }
)


@pytest.mark.parametrize("suffix", [".csv", ".parquet", ".xlsx", ".jsonl"])
def test_every_format_is_written(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"rows{suffix}"
    export(ROWS, path)
    assert path.stat().st_size > 0


def test_parquet_gives_the_same_rows_back(tmp_path: Path) -> None:
    export(ROWS, tmp_path / "rows.parquet")
    assert pl.read_parquet(tmp_path / "rows.parquet").equals(ROWS)


def test_excel_holds_texts_and_no_formula(tmp_path: Path) -> None:
    export(ROWS, tmp_path / "rows.xlsx")
    with ZipFile(tmp_path / "rows.xlsx") as workbook:
        sheet = workbook.read("xl/worksheets/sheet1.xml").decode()
        strings = workbook.read("xl/sharedStrings.xml").decode()
    assert "<f>" not in sheet
    assert "=1+1" in strings


def test_an_unknown_suffix_and_a_place_that_is_not_there_are_the_users_errors(
    tmp_path: Path,
) -> None:
    with pytest.raises(InputError) as caught:
        export(ROWS, tmp_path / "rows.docx")
    assert ".xlsx" in caught.value.hint
    with pytest.raises(InputError):
        export(ROWS, tmp_path / "none" / "rows.csv")
