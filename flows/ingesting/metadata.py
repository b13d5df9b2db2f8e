"""What the user says about documents: a CSV file with a row per file name."""

import csv
import io
import json
from collections.abc import Iterable, Mapping
from datetime import date

import polars as pl

from flows.ingesting.sources import SourceFile, read_uri
from transforms.errors import InputError
from transforms.tables import Document

NAME_COLUMN = "file_name"
METADATA_FILE = "metadata.csv"
"""Read from each folder that holds a document, for the documents of that folder."""

TEXT_COLUMNS = ("doc_type", "policy_number", "insurer")
DATE_COLUMNS = ("period_start", "period_end")
COLUMNS = (*TEXT_COLUMNS, *DATE_COLUMNS, "metadata")

Metadata = Mapping[str, object]
"""Values of `COLUMNS` for one document; null where nothing is said."""

UNKNOWN: Metadata = dict.fromkeys(COLUMNS)


def read_metadata(files: Iterable[SourceFile], named: str | None = None) -> dict[str, Metadata]:
    """Return metadata by uri, from `named` or else from the metadata.csv of each folder.

    Raises InputError for a file that cannot be read as such, naming row and column.
    """
    found: dict[str, Metadata] = {}
    sheets: dict[str, dict[str, Metadata]] = {}
    for file in files:
        address = named or f"{file.folder}/{METADATA_FILE}"
        if address not in sheets:
            sheets[address] = _read_sheet(address, is_named=named is not None)
        if file.file_name in sheets[address]:
            found[file.uri] = sheets[address][file.file_name]
    return found


def with_metadata(document_df: pl.DataFrame, metadata: Metadata) -> pl.DataFrame:
    """Return document_df of one document with these values."""
    schema = Document.polars_schema()
    return document_df.with_columns(
        pl.lit(metadata[name], dtype=schema[name]).alias(name) for name in COLUMNS
    )


def _read_sheet(address: str, *, is_named: bool) -> dict[str, Metadata]:
    try:
        content = read_uri(address)
    except OSError as error:
        if is_named:
            raise InputError(f"metadata file {address!r} cannot be read: {error}") from error
        return {}
    try:
        rows = list(csv.DictReader(io.StringIO(content.decode("utf-8-sig")), strict=True))
    except (UnicodeDecodeError, csv.Error) as error:
        raise InputError(
            f"metadata file {address!r} is no CSV in UTF-8: {error}", hint="save it as CSV UTF-8"
        ) from error
    if rows and NAME_COLUMN not in rows[0]:
        raise InputError(
            f"metadata file {address!r} has no column {NAME_COLUMN!r}",
            hint=f"name the files in a column {NAME_COLUMN!r}",
        )
    sheet: dict[str, Metadata] = {}
    for number, row in enumerate(rows, start=2):
        name = (row[NAME_COLUMN] or "").strip()
        if name in sheet:
            raise InputError(
                f"{address!r} row {number}: {name!r} stands there twice", hint="keep one row"
            )
        sheet[name] = _metadata(row, f"{address!r} row {number}")
    return sheet


def _metadata(row: Mapping[str | None, str | None], place: str) -> Metadata:
    if None in row:
        raise InputError(f"{place}: more values than columns", hint="quote values with commas")
    values = {name: (value or "").strip() or None for name, value in row.items() if name}
    others = {
        name: value
        for name, value in values.items()
        if name not in (NAME_COLUMN, *TEXT_COLUMNS, *DATE_COLUMNS) and value is not None
    }
    return {
        **{name: values.get(name) for name in TEXT_COLUMNS},
        **{name: _date(values.get(name), f"{place}, {name}") for name in DATE_COLUMNS},
        "metadata": json.dumps(others, ensure_ascii=False, sort_keys=True) if others else None,
    }


def _date(value: str | None, place: str) -> date | None:
    try:
        return date.fromisoformat(value) if value else None
    except ValueError:
        raise InputError(f"{place}: {value!r} is no date", hint="write 2026-01-31") from None
