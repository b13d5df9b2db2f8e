"""The one door to DuckDB: run a plain select from sql/ over frames or over the warehouse."""

from collections.abc import Mapping
from functools import cache
from pathlib import Path

import duckdb
import polars as pl


def connect() -> duckdb.DuckDBPyConnection:
    """Return an in-memory connection that can reach no file and no network."""
    connection = duckdb.connect()
    connection.execute("set enable_external_access = false")
    return connection


@cache
def statement(name: str) -> str:
    """Return the text of `sql/<name>.sql`."""
    return (_sql_folder() / f"{name}.sql").read_text(encoding="utf-8")


def select(
    name: str,
    frames: Mapping[str, pl.DataFrame],
    parameters: Mapping[str, object] | None = None,
) -> pl.DataFrame:
    """Run `sql/<name>.sql` over the given frames and return the result as a frame."""
    with connect() as connection:
        for table, frame in frames.items():
            connection.register(table, frame)
        return connection.sql(statement(name), params=dict(parameters or {})).pl()


def _sql_folder() -> Path:
    """Return sql/: beside the code in an installed wheel, beside flows/ in a checkout."""
    here = Path(__file__).parent
    return here / "sql" if (here / "sql").exists() else here.parent / "sql"
