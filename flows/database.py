"""The one door to DuckDB: run a plain select from sql/ over frames or over the warehouse."""

from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import NamedTuple
from uuid import uuid4

import duckdb
import polars as pl
from fsspec import AbstractFileSystem

from transforms.errors import InputError


def connect() -> duckdb.DuckDBPyConnection:
    """Return an in-memory connection that can reach no file and no network."""
    connection = _opened()
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


def sql_names(folder: str) -> list[str]:
    """Return the names of the statements in a folder of sql/, as `statement` takes them."""
    return sorted(f"{folder}/{path.stem}" for path in (_sql_folder() / folder).glob("*.sql"))


class Select(NamedTuple):
    """One select, the values of its $parameters, and variables that its views read."""

    sql: str
    parameters: Mapping[str, object]
    variables: Mapping[str, Sequence[str]]


def select_from_views(
    views: Iterable[tuple[str, str]], asked: Select, files: AbstractFileSystem | None = None
) -> pl.DataFrame:
    """Run one select over (name, select) views made in memory; `files` reads remote Parquet."""
    with _opened() as connection:
        if files is not None:
            connection.register_filesystem(files)
        create_views(connection, views)
        return _select(connection, asked)


def select_from_file(path: Path, folder: str, asked: Select) -> pl.DataFrame | None:
    """Run one select over a DuckDB file that holds views; it can read no file outside `folder`.

    Returns None when the file cannot be opened: someone may hold it for writing.
    """
    try:
        connection = _opened(str(path), read_only=True)
    except duckdb.IOException:
        return None
    with connection:
        connection.execute(f"set allowed_directories = [{_quoted(folder + '/')}]")
        connection.execute("set enable_external_access = false")
        return _select(connection, asked)


def write_views(path: Path, views: Iterable[tuple[str, str]]) -> None:
    """Write a DuckDB file that holds these views and nothing else, whole or not at all."""
    unfinished = path.with_name(f".{path.name}.{uuid4().hex}.tmp")
    try:
        with _opened(str(unfinished)) as connection:
            create_views(connection, views)
        unfinished.replace(path)
    finally:
        unfinished.unlink(missing_ok=True)


def create_views(connection: duckdb.DuckDBPyConnection, views: Iterable[tuple[str, str]]) -> None:
    """Create views, and a table macro where parameters in brackets follow the name."""
    for name, text in views:
        what = f"macro {name} as table" if name.endswith(")") else f"view {name} as"
        connection.execute(f"create {what} {text}")


def _opened(path: str = ":memory:", *, read_only: bool = False) -> duckdb.DuckDBPyConnection:
    """Open a database that draws no progress bar into our output."""
    connection = duckdb.connect(path, read_only=read_only)
    connection.execute("set enable_progress_bar = false")
    return connection


def documents_where(document_df: pl.DataFrame, condition: str) -> list[str]:
    """Return the doc_id of every document for which a condition in SQL holds.

    Raises InputError when the condition is not one. It sees these documents and nothing else.
    """
    with connect() as connection:
        connection.register("document_df", document_df)
        sql = f"select doc_id from document_df where ({condition}\n)"  # noqa: S608 (sandboxed)
        found_df = _select(connection, Select(sql, {}, {}))
    return sorted(set(found_df["doc_id"]) & set(document_df["doc_id"]))


def _select(connection: duckdb.DuckDBPyConnection, asked: Select) -> pl.DataFrame:
    """Run the one select that is asked. Raises InputError for anything else or when it is wrong."""
    for name, values in asked.variables.items():
        texts = ", ".join(_quoted(value) for value in values)
        connection.execute(f"set variable {name} = [{texts}]::varchar[]")
    try:
        statements = connection.extract_statements(asked.sql)
        if [one.type for one in statements] not in _ONE_SELECT:
            raise InputError("only one select can be run", hint="the tables are read-only")
        return connection.sql(asked.sql, params=dict(asked.parameters)).pl()
    except duckdb.Error as error:
        raise InputError(f"the query failed: {error}", hint="see `show tables`") from None


_ONE_SELECT = ([duckdb.StatementType.SELECT], [duckdb.StatementType.EXPLAIN])


def _quoted(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"


def _sql_folder() -> Path:
    """Return sql/: beside the code in an installed wheel, beside flows/ in a checkout."""
    here = Path(__file__).parent
    return here / "sql" if (here / "sql").exists() else here.parent / "sql"
