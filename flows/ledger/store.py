"""The one door to the ledger's database.

SQLite in WAL mode, every commit synced to disk: what was committed survives a kill and a power
cut, and several processes may write at once. Another database needs only another class with the
methods of `Store`; statements keep to SQL that SQLite and PostgreSQL share.
"""

import sqlite3
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import Any, Protocol

from transforms.errors import InputError, WarehouseError

BUSY_TIMEOUT_S = 60.0
"""How long a writer waits for the others; a transaction takes milliseconds."""

MIGRATIONS = (
    "alter table step_request add column purpose text not null default 'answer'",
    "alter table run add column cancelled_at text",
)
"""What was added to schema.sql since its first version, in order; never changed, only added to."""

Parameters = Mapping[str, Any]


class Transaction(Protocol):
    """Statements that take effect together or not at all."""

    def run(self, sql: str, parameters: Parameters | None = None) -> list[dict[str, Any]]:
        """Run one statement and return its rows."""
        ...


class Store(Protocol):
    """A database that keeps the ledger."""

    def transaction(self, *, is_synced: bool = True) -> AbstractContextManager[Transaction]:
        """Begin a transaction that excludes other writers; commit on leaving.

        Inside another one of the same thread it is part of that. A commit that is not synced
        survives a kill, and a power cut as soon as a later one is synced.
        """
        ...

    def reading(self) -> AbstractContextManager[Transaction]:
        """Read what is committed; nobody is excluded."""
        ...

    def alone(self, name: str) -> AbstractContextManager[bool]:
        """Hold a name for as long as the context, or this process, lasts.

        Yields whether it is ours: false when another process, on any machine that shares this
        ledger, holds it.
        """
        ...

    def compact(self) -> None:
        """Let nothing that was deleted or replaced stay in the files."""
        ...

    def close(self) -> None:
        """Release the connection."""
        ...


def open_store(url_or_path: str | Path) -> Store:
    """Return the store behind a path or a `sqlite:///` URL; create it when absent."""
    text = str(url_or_path)
    scheme, separator, rest = text.partition("://")
    if not separator:
        return SqliteStore(Path(text))
    if scheme == "sqlite":
        return SqliteStore(Path(rest.removeprefix("/") if rest.startswith("//") else rest))
    if scheme in {"postgresql", "postgres"}:
        return _postgres_store(text)
    raise InputError(
        f"ledger_url {scheme}://… is not supported",
        hint="give a path, sqlite:///PATH or postgresql://…",
    )


def _postgres_store(url: str) -> Store:
    try:
        from flows.ledger.postgres import PostgresStore  # noqa: PLC0415  (needs an extra)
    except ImportError:
        raise InputError(
            "a ledger in PostgreSQL needs the package psycopg",
            hint="pip install 'compline[postgres]', or leave ledger_url out",
        ) from None
    return PostgresStore(url)


class SqliteStore:
    """A ledger in one SQLite file, shared by threads and processes."""

    def __init__(self, path: Path, *, busy_timeout_s: float = BUSY_TIMEOUT_S) -> None:
        self._path = path
        self._busy_timeout_s = busy_timeout_s
        self._lock = threading.RLock()
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._connection = sqlite3.connect(
                path, timeout=busy_timeout_s, isolation_level=None, check_same_thread=False
            )
            self._connection.row_factory = sqlite3.Row
            self._connection.execute("pragma secure_delete = on")
            self._write_ahead()
            self._connection.executescript(schema())
            self._migrate()
        except (sqlite3.Error, OSError) as error:
            raise _trouble(path, error) from error

    @contextmanager
    def transaction(self, *, is_synced: bool = True) -> Iterator[Transaction]:
        """Begin a transaction that excludes other writers; commit on leaving."""
        with self._lock:
            if self._connection.in_transaction:
                yield _SqliteTransaction(self._connection)
                return
            try:
                self._connection.execute(f"pragma synchronous = {_SYNCED[is_synced]}")
                self._connection.execute("begin immediate")
                yield _SqliteTransaction(self._connection)
                self._connection.execute("commit")
            except BaseException as error:
                if self._connection.in_transaction:  # a full disk has rolled it back already
                    self._connection.execute("rollback")
                if isinstance(error, sqlite3.Error) and type(error) in _FROM_OUTSIDE:
                    raise _trouble(self._path, error) from error
                raise

    @contextmanager
    def reading(self) -> Iterator[Transaction]:
        """Read what is committed; nobody is excluded."""
        with self._lock:
            try:
                yield _SqliteTransaction(self._connection)
            except sqlite3.Error as error:
                if type(error) in _FROM_OUTSIDE:
                    raise _trouble(self._path, error) from error
                raise

    @contextmanager
    def alone(self, name: str) -> Iterator[bool]:
        """Hold a name: a lock on a file of its own, which the system lifts when a process dies."""
        with holding(self._path.with_name(f"{name}.lock")) as is_ours:
            yield is_ours

    def _write_ahead(self) -> None:
        """Turn the write-ahead log on: the one statement that does not wait for others itself."""
        deadline = time.monotonic() + self._busy_timeout_s
        while True:
            try:
                self._connection.execute("pragma journal_mode = wal")
            except sqlite3.OperationalError as error:
                if not _is_held(error) or time.monotonic() > deadline:
                    raise
                time.sleep(0.02)
            else:
                return

    def _migrate(self) -> None:
        """Bring a file of an earlier version up to date, once, whoever opens it first."""
        with self.transaction() as transaction:
            [version] = transaction.run("pragma user_version")
            for statement in MIGRATIONS[version["user_version"] :]:
                transaction.run(statement)
            transaction.run(f"pragma user_version = {len(MIGRATIONS)}")

    def compact(self) -> None:
        """Let nothing that was deleted or replaced stay in the files.

        Deleted bytes are overwritten (secure_delete); what the log still holds goes with it.
        """
        with self._lock:
            self._connection.execute("pragma wal_checkpoint(truncate)")

    def close(self) -> None:
        """Release the connection."""
        with self._lock:
            self._connection.close()


_SYNCED = {True: "full", False: "normal"}


_FROM_OUTSIDE = (sqlite3.OperationalError, sqlite3.DatabaseError)
"""Exact types: a disk, a lock, a damaged file. What else derives from them is a bug of ours."""


@contextmanager
def holding(path: Path, *, is_shared: bool = False) -> Iterator[bool]:
    """Hold a lock file as long as the context, or this process, lasts; yield whether it is ours.

    Several may share it; whoever does not share it holds it alone.
    """
    try:
        lock = sqlite3.connect(path, timeout=0)
    except sqlite3.Error as error:
        raise _trouble(path, error) from error
    try:
        yield _is_taken(lock, path, SHARE if is_shared else "begin exclusive")
    finally:
        lock.close()


SHARE = "begin; select count(*) from sqlite_master"


def _is_taken(lock: sqlite3.Connection, path: Path, how: str) -> bool:
    """Take a lock that no other process holds; return whether it is ours."""
    try:
        for statement in how.split("; "):
            lock.execute(statement).fetchall()
    except sqlite3.Error as error:
        if _is_held(error):
            return False
        raise _trouble(path, error) from error
    return True


def _is_held(error: Exception) -> bool:
    """Return whether another process holds the file: it may let go of it."""
    return "locked" in str(error)


def _trouble(path: Path, error: Exception) -> WarehouseError:
    """Return what a failure of SQLite means to a person; what was committed is kept."""
    if _is_held(error):
        hint = "another process holds it: let it end, or end it, then run the same command again"
    elif "malformed" in str(error) or "not a database" in str(error):
        hint = (
            "restore it from a backup, or move it away: a new one is made; the tables keep all"
            " answers and calls, what an unfinished run had paid for is asked and paid again"
        )
    else:
        hint = "check free space and permissions of its folder, then run the same command again"
    return WarehouseError(f"the ledger {str(path)!r} cannot be used: {error}", hint=hint)


class _SqliteTransaction:
    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection

    def run(self, sql: str, parameters: Parameters | None = None) -> list[dict[str, Any]]:
        cursor = self._connection.execute(sql, dict(parameters or {}))
        return [dict(row) for row in cursor.fetchall()]


def schema() -> str:
    """Return the statements that make the tables of the first version."""
    return Path(__file__).with_name("schema.sql").read_text(encoding="utf-8")
