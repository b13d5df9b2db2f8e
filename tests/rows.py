"""Rows for tests: a test names the columns it is about, the rest gets a plain value."""

from collections.abc import Mapping
from datetime import UTC, date, datetime
from decimal import Decimal
from types import UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin

import polars as pl

from transforms.tables import TABLES

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)

_PLAIN: dict[object, object] = {
    str: "x",
    int: 1,
    float: 1.0,
    bool: False,
    date: date(2026, 3, 1),
    datetime: NOON,
    Decimal: Decimal(1),
}


def frame(table: str, *rows: Mapping[str, Any]) -> pl.DataFrame:
    """Return a frame of a stored table from rows that name some of its columns."""
    fields = TABLES[table].model_fields
    plain = {name: _plain(field.annotation) for name, field in fields.items()}
    plain |= {name: 0 for name in ("sub_question", "item") if name in plain}
    return TABLES[table].frame([{**plain, **row} for row in rows])


def _plain(annotation: object) -> object:
    """Return null where the column allows it, else the first allowed or a plain value."""
    if get_origin(annotation) is Annotated:
        return _plain(get_args(annotation)[0])
    if get_origin(annotation) in (Union, UnionType):
        return None
    if get_origin(annotation) is Literal:
        return get_args(annotation)[0]
    if get_origin(annotation) is list:
        return []
    return _PLAIN[annotation]
