"""What a stored table is: a row class, from which schema, empty frame and check are derived."""

from collections.abc import Iterable, Mapping
from datetime import date, datetime
from decimal import Decimal
from types import NoneType, UnionType
from typing import Annotated, Any, ClassVar, Literal, Union, get_args, get_origin

import polars as pl
from pydantic import BaseModel, ConfigDict

from transforms.errors import ContractError

MONEY = pl.Decimal(18, 9)
"""US dollars to the billionth: one cached token of a cheap model still counts."""

_SCALARS: dict[object, pl.DataType] = {
    str: pl.String(),
    int: pl.Int64(),
    float: pl.Float64(),
    bool: pl.Boolean(),
    date: pl.Date(),
    datetime: pl.Datetime("us", "UTC"),
    Decimal: MONEY,
}


class Row(BaseModel):
    """One row of a stored table. Subclasses name the table and its key."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    table: ClassVar[str]
    key: ClassVar[tuple[str, ...]]

    @classmethod
    def polars_schema(cls) -> pl.Schema:
        """Return column names and polars types, in declared order."""
        return pl.Schema({name: _dtype(f.annotation) for name, f in cls.model_fields.items()})

    @classmethod
    def empty(cls) -> pl.DataFrame:
        """Return the typed frame without rows."""
        return pl.DataFrame(schema=cls.polars_schema())

    @classmethod
    def frame(cls, rows: Iterable["Row | Mapping[str, Any]"]) -> pl.DataFrame:
        """Return rows as a typed frame in declared column order; absent columns are null."""
        dicts = [row.model_dump() if isinstance(row, Row) else dict(row) for row in rows]
        return pl.DataFrame(dicts, schema=cls.polars_schema(), strict=True)

    @classmethod
    def checked(cls, frame: pl.DataFrame) -> pl.DataFrame:
        """Return the frame in declared order and types, sorted by key.

        Called once where a frame enters or leaves the warehouse. Raises ContractError when a
        column is missing or unknown, a value does not fit its type or its allowed values, a
        required value is null, or a key occurs twice.
        """
        schema = cls.polars_schema()
        if wrong := set(frame.columns) ^ set(schema):
            raise ContractError(f"{cls.table}: columns missing or unknown: {sorted(wrong)}")
        try:
            typed = frame.select(pl.col(name).cast(dtype) for name, dtype in schema.items())
        except pl.exceptions.PolarsError as error:
            raise ContractError(f"{cls.table}: {error}") from error
        for name, field in cls.model_fields.items():
            _check_column(cls.table, typed[name], field.annotation)
        if typed.select(cls.key).is_duplicated().any():
            raise ContractError(f"{cls.table}: key {cls.key} is not unique")
        return typed.sort(cls.key)


def _check_column(table: str, column: pl.Series, annotation: object) -> None:
    inner, is_nullable = unwrapped(annotation)
    if not is_nullable and column.null_count():
        raise ContractError(f"{table}.{column.name}: null where a value is required")
    if get_origin(inner) is Literal:
        allowed = set(get_args(inner))
        if unknown := set(column.drop_nulls().unique()) - allowed:
            raise ContractError(f"{table}.{column.name}: unknown values {sorted(unknown)}")


def _dtype(annotation: object) -> pl.DataType:
    inner, _ = unwrapped(annotation)
    if get_origin(inner) is Literal:
        return pl.String()
    if get_origin(inner) is list:
        return pl.List(_dtype(get_args(inner)[0]))
    return _SCALARS[inner]


def unwrapped(annotation: object) -> tuple[object, bool]:
    """Return the bare type and whether null is allowed."""
    if get_origin(annotation) is Annotated:
        return unwrapped(get_args(annotation)[0])
    if get_origin(annotation) in (Union, UnionType):
        inner = [arg for arg in get_args(annotation) if arg is not NoneType]
        return unwrapped(inner[0])[0], True
    return annotation, False
