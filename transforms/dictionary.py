"""The data dictionary: every stored table in words, from its declaration."""

from typing import Literal, get_args, get_origin

import polars as pl
from polars.datatypes import DataTypeClass

from transforms.row import Row, unwrapped
from transforms.tables import TABLES

_SQL_TYPES: dict[DataTypeClass, str] = {
    pl.String: "varchar",
    pl.Int64: "bigint",
    pl.Float64: "double",
    pl.Boolean: "boolean",
    pl.Date: "date",
    pl.Datetime: "timestamptz",
}


def table_overview() -> str:
    """Return all tables as one Markdown table: name, what one row is, key."""
    lines = ["| table | one row per | key |", "|---|---|---|"]
    for table, row in TABLES.items():
        lines.append(f"| `{table}` | {_one_row(row)} | {', '.join(row.key)} |")
    return "\n".join(lines) + "\n"


def data_dictionary() -> str:
    """Return all columns of all tables as Markdown: type, whether it may be null, meaning."""
    return "\n".join(_table(row) for row in TABLES.values())


def _table(row: type[Row]) -> str:
    lines = [
        f"### `{row.table}`",
        "",
        f"One row per {_one_row(row)}.",
        "",
        "| column | type | meaning |",
        "|---|---|---|",
    ]
    for name, field in row.model_fields.items():
        shown = f"**{name}**" if name in row.key else name
        inner, is_nullable = unwrapped(field.annotation)
        dtype = _sql_type(row.polars_schema()[name])
        null = ", null" if is_nullable else ""
        lines.append(f"| {shown} | {dtype}{null} | {_meaning(field.description, inner)} |")
    return "\n".join(lines) + "\n"


def _one_row(row: type[Row]) -> str:
    """Return what the docstring says after "One row per"."""
    text = " ".join((row.__doc__ or "").split())
    return text.removeprefix("One row per ").removesuffix(".")


def _meaning(description: str | None, annotation: object) -> str:
    if get_origin(annotation) is not Literal:
        return description or ""
    allowed = ", ".join(f"`{value}`" for value in get_args(annotation))
    return f"{description}: {allowed}"


def _sql_type(dtype: pl.DataType | DataTypeClass) -> str:
    if isinstance(dtype, pl.List):
        return f"{_sql_type(dtype.inner)}[]"
    if isinstance(dtype, pl.Decimal):
        return f"decimal({dtype.precision},{dtype.scale})"
    return _SQL_TYPES[dtype.base_type()]
