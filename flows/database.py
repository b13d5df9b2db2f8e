"""The one door to DuckDB: run a plain select from sql/ over frames or over the warehouse."""

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from functools import cache
from pathlib import Path
from threading import Timer
from typing import Any, NamedTuple
from uuid import uuid4

import duckdb
import polars as pl
from fsspec import AbstractFileSystem

from transforms.errors import CHECK_ROOM, InputError, WarehouseError


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
    """Run `sql/<name>.sql` over the given frames, in this thread, and return the result."""
    with connect() as connection:
        connection.execute("set threads = 1")
        for table, frame in frames.items():
            connection.register(table, frame)
        return connection.sql(statement(name), params=dict(parameters or {})).pl()


def sql_names(folder: str) -> list[str]:
    """Return the names of the statements in a folder of sql/, as `statement` takes them."""
    return sorted(f"{folder}/{path.stem}" for path in (_sql_folder() / folder).glob("*.sql"))


WHERE_TIMEOUT_S = 10
"""Bound for a condition over documents; a million rows take less than one second."""

WHERE_MEMORY = "1GB"

CTRL_C_S = 0.2
"""How long Ctrl-C may have to wait while a query runs."""

# fmt: off
TABLE_FUNCTIONS = frozenset({
    "unnest", "range", "generate_series", "repeat", "json_each", "json_tree",
    "duckdb_columns", "duckdb_functions", "duckdb_tables", "duckdb_views", "pragma_table_info",
})
# fmt: on
"""What a select that somebody else wrote may call in its from clause, beside our macros.

The others read files, or change the session: `enable_logging` ends the process when it cannot
write where it is told to.
"""


class Select(NamedTuple):
    """One select that somebody wrote, and all that it may see."""

    sql: str
    parameters: Mapping[str, object]
    variables: Mapping[str, Sequence[str]]
    """What the views read."""
    folders: Sequence[str]
    """Where files may be read from."""


def select_from_views(
    views: Iterable[tuple[str, str]], asked: Select, files: AbstractFileSystem | None = None
) -> pl.DataFrame:
    """Run one select over (name, select) views made in memory; `files` reads remote Parquet."""
    with _opened() as connection:
        if files is not None:
            connection.register_filesystem(files)
        _fence(connection, asked.folders)
        create_views(connection, views)
        return _select(connection, asked)


def select_from_file(path: Path, asked: Select) -> pl.DataFrame | None:
    """Run one select over a DuckDB file that holds views.

    Returns None when the file cannot be opened: someone may hold it for writing.
    """
    with _opened() as connection:  # its own: one process has one instance per file, fence and all
        try:
            connection.execute(f"attach {quoted(str(path))} as house (read_only)")
        except duckdb.Error:
            return None
        connection.execute("use house")
        _fence(connection, asked.folders)
        return _select(connection, asked)


def holds_views(path: Path) -> bool:
    """Return whether a DuckDB file can be opened and has views in it."""
    with _opened() as connection:
        try:
            connection.execute(f"attach {quoted(str(path))} as house (read_only)")
            found = connection.execute("from duckdb_views() where database_name = 'house'")
            return found.fetchone() is not None
        except duckdb.Error:
            return False


def write_views(path: Path, views: Iterable[tuple[str, str]]) -> None:
    """Write a DuckDB file that holds these views and nothing else, whole or not at all.

    Raises WarehouseError when there is no room for it, or it may not be written.
    """
    unfinished = path.with_name(f".{path.name}.{uuid4().hex}.tmp")
    try:
        with _opened(str(unfinished)) as connection:
            create_views(connection, views)
            connection.execute("checkpoint")  # on closing, a lack of room would go unsaid
        unfinished.replace(path)
    except (*_UNWRITABLE, OSError) as error:
        raise WarehouseError(f"{path} cannot be written: {error}", hint=CHECK_ROOM) from error
    finally:
        for left in path.parent.glob(f"{unfinished.name}*"):  # its log too
            left.unlink()


_UNWRITABLE = (duckdb.IOException, duckdb.TransactionException, duckdb.FatalException)
"""What DuckDB raises over a file, a log and a checkpoint that find no room."""


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

    Raises InputError when the condition is not one, or takes too long. It sees these documents and
    nothing else.
    """
    with connect() as connection:
        connection.execute(f"set memory_limit = '{WHERE_MEMORY}'")
        connection.register("document_df", document_df)
        sql = f"select doc_id from document_df where ({condition}\n)"  # noqa: S608 (sandboxed)
        bound = Timer(WHERE_TIMEOUT_S, connection.interrupt)
        bound.start()
        try:
            found_df = _run(connection, Select(sql, {}, {}, ()))
        except (duckdb.Error, InputError) as error:
            said = str(error).partition("\n")[0]
            raise InputError(
                f"where {condition!r} is no condition over documents: {said}",
                hint=f"write one as in where doc_type = 'policy'; columns are"
                f" {', '.join(document_df.columns)}",
            ) from None
        finally:
            bound.cancel()
    return sorted(set(found_df["doc_id"]) & set(document_df["doc_id"]))


def _fence(connection: duckdb.DuckDBPyConnection, folders: Sequence[str]) -> None:
    """Let a connection reach files in some folders and nothing else, for good."""
    allowed = ", ".join(map(quoted, folders))
    connection.execute(f"set allowed_directories = [{allowed}]")
    connection.execute("set enable_external_access = false")


def _select(connection: duckdb.DuckDBPyConnection, asked: Select) -> pl.DataFrame:
    """Run the one select that is asked.

    Raises InputError for anything else or when it is wrong, WarehouseError for damaged files.
    """
    for name, values in asked.variables.items():
        texts = ", ".join(quoted(value) for value in values)
        connection.execute(f"set variable {name} = [{texts}]::varchar[]")
    try:
        return _run(connection, asked)
    except (duckdb.IOException, duckdb.InvalidInputException) as error:
        if _BROKEN_PART.search(str(error)) is None:
            raise InputError(f"the query failed: {error}") from None
        raise WarehouseError(f"a part of the warehouse cannot be read: {error}") from None
    except duckdb.Error as error:
        hint = next((hint for kind, hint in _HINTS if isinstance(error, kind)), "")
        raise InputError(f"the query failed: {error}", hint=hint) from None


_BROKEN_PART = re.compile(r"\.parquet")
"""What DuckDB names when a file is damaged or gone, not the query wrong."""

_HINTS = (
    (duckdb.CatalogException, "see `show tables`"),
    (duckdb.BinderException, "`describe TABLE` shows the columns of a table or view"),
    (duckdb.PermissionException, "only tables and views can be read; see `show tables`"),
    (duckdb.Error, "write one select in DuckDB's SQL; `show tables` lists what there is"),
)


def _run(connection: duckdb.DuckDBPyConnection, asked: Select) -> pl.DataFrame:
    """Run what is one select, or the explanation of one, and does nothing else."""
    select = _EXPLAIN.sub("", asked.sql, count=1)
    kinds = [each.type for each in connection.extract_statements(select)]
    n_statements = len(connection.extract_statements(asked.sql))
    if kinds != [duckdb.StatementType.SELECT] or n_statements != 1:
        raise InputError("only one select can be run", hint="the tables are read-only")
    macros = {name for (name,) in connection.execute(_MACROS).fetchall()}
    for name in _called_tables(connection, select):
        if name not in TABLE_FUNCTIONS | macros:
            raise InputError(
                f"{name!r} cannot be called in a query",
                hint="only tables and views can be read; see `show tables`",
            )
    found = connection.sql(asked.sql, params=dict(asked.parameters))
    with ThreadPoolExecutor(1) as other:  # DuckDB does not look for Ctrl-C while it runs
        running = other.submit(_frame, found)
        try:
            while not wait([running], timeout=CTRL_C_S).done:
                pass
        except BaseException:
            connection.interrupt()
            raise
    return running.result()


def _frame(found: duckdb.DuckDBPyRelation) -> pl.DataFrame:
    """Return a result as a frame; what frames lack, such as the interval of two times, as text."""
    if not any(kind.id in _NO_FRAME for kind in found.types):
        return found.pl()
    shown = [
        f"#{number}::varchar" if kind.id in _NO_FRAME else f"#{number}"
        for number, kind in enumerate(found.types, start=1)
    ]
    shown_df = found.project(", ".join(shown)).pl()
    return shown_df.rename(dict(zip(shown_df.columns, found.columns, strict=True)))


_NO_FRAME = ("interval", "union")
_EXPLAIN = re.compile(r"\A\s*explain\s+(analyze\s+|\([^()]*\)\s*)?", re.IGNORECASE)
_MACROS = "select function_name from duckdb_functions() where function_type = 'table_macro'"


def _called_tables(connection: duckdb.DuckDBPyConnection, select: str) -> Iterator[str]:
    """Yield the names of the table functions that a select calls, however deep."""
    [parsed] = connection.execute("select json_serialize_sql(?::varchar)", [select]).fetchall()
    nodes: list[Any] = [json.loads(parsed[0])]
    while nodes:
        node = nodes.pop()
        if isinstance(node, dict) and node.get("type") == "TABLE_FUNCTION":
            yield node["function"]["function_name"].lower()
        if isinstance(node, dict | list):
            nodes += node.values() if isinstance(node, dict) else node


def quoted(text: str) -> str:
    """Return text as a literal of SQL, for statements that take no parameters."""
    return "'" + text.replace("'", "''") + "'"


def _sql_folder() -> Path:
    """Return sql/: beside the code in an installed wheel, beside flows/ in a checkout."""
    here = Path(__file__).parent
    return here / "sql" if (here / "sql").exists() else here.parent / "sql"
