"""Read a filled sheet, or an export of somebody else: CSV as Excel writes it, or Excel."""

import csv
import io
from collections.abc import Iterable, Sequence
from pathlib import Path

import polars as pl

from transforms.errors import InputError
from transforms.values import Value

MAX_BYTES = 100_000_000
DELIMITERS = ",;\t"


class SheetRow(Value):
    """One row of a sheet that is not blank."""

    number: int
    """As a spreadsheet counts: the header is row 1."""
    cells: dict[str, str]
    """Text by column; without those that are empty."""


def read_sheet(path: Path) -> list[SheetRow]:
    """Return the rows of a sheet under its header, whose names are made lower_case.

    Raises InputError when the file is none, or a row has more cells than the header.
    """
    content = _content(path)
    is_excel = path.suffix.lower() in (".xlsx", ".xlsm", ".xls", ".ods")
    header, *rows = _from_excel(content, path) if is_excel else _from_csv(content, path)
    names = [" ".join((name or "").split()).lower().replace(" ", "_") for name in header]
    if len(set(filter(None, names))) < len(list(filter(None, names))):
        raise InputError(f"{path.name!r} names a column twice", hint="name each column once")
    return [
        SheetRow(number=number, cells=cells)
        for number, row in enumerate(rows, start=2)
        if (cells := _cells(names, row, number, path))
    ]


def _content(path: Path) -> bytes:
    try:
        if path.stat().st_size > MAX_BYTES:
            raise InputError(f"{path.name!r} is too large", hint="split it")
        return path.read_bytes()
    except OSError as error:
        raise InputError(
            f"{str(path)!r} cannot be read: {error.strerror}", hint="check the path"
        ) from error


def _from_csv(content: bytes, path: Path) -> Iterable[Sequence[str]]:
    """Excel writes UTF-8 when asked to and Windows-1252 else, with the delimiter of the country."""
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError:
        text = content.decode("cp1252", errors="replace")
    first = text.partition("\n")[0]
    delimiter = max(DELIMITERS, key=first.count)
    try:
        rows = list(csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True))
    except csv.Error as error:
        raise InputError(
            f"{path.name!r} is not CSV: {error}", hint="save it as CSV again"
        ) from None
    return rows or _nothing(path)


def _from_excel(content: bytes, path: Path) -> Iterable[Sequence[str]]:
    from fastexcel import FastExcelError  # noqa: PLC0415  (only who gives Excel waits for it)

    try:
        sheet_df = pl.read_excel(
            content, has_header=False, infer_schema_length=0, drop_empty_rows=False
        )
    except (FastExcelError, pl.exceptions.PolarsError) as error:
        message = str(error).partition("\n")[0]
        raise InputError(
            f"{path.name!r} is not a workbook: {message}", hint="save it as .xlsx or .csv"
        ) from None
    return sheet_df.rows() or _nothing(path)


def _nothing(path: Path) -> list[Sequence[str]]:
    raise InputError(f"{path.name!r} is empty", hint="its first row names the columns")


def _cells(
    names: Sequence[str], row: Sequence[str | None], number: int, path: Path
) -> dict[str, str]:
    if any(cell and cell.strip() for cell in row[len(names) :]):
        raise InputError(
            f"{path.name!r}, row {number} has more cells than the header",
            hint="quote cells that hold the delimiter",
        )
    found = zip(names, row, strict=False)
    return {name: text for name, cell in found if name and (text := (cell or "").strip())}
