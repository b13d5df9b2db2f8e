"""The ledger in PostgreSQL, for workers on several machines: the same statements, another door."""

import re
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import psycopg
from psycopg.rows import dict_row

from flows.ledger.store import MIGRATIONS, Parameters, Transaction, schema
from transforms.errors import InputError, WarehouseError

WRITER_LOCK = 0x636F6D70
"""Key of the advisory lock that lets one writer in at a time, as SQLite does."""
_NAMED = re.compile(r"(?<![:\w]):([a-z_]+)")


def _connected(url: str) -> psycopg.Connection[Any]:
    """Connect. An error of the URL itself would quote it, with its password."""
    try:
        return psycopg.connect(url, autocommit=True)
    except psycopg.ProgrammingError:
        raise InputError(
            "ledger_url is no URL of a PostgreSQL database",
            hint="write postgresql://USER:PASSWORD@HOST/DATABASE, odd characters percent-encoded",
        ) from None


class PostgresStore:
    """A ledger in one PostgreSQL database, shared by threads, processes and machines."""

    def __init__(self, url: str) -> None:
        self._lock = threading.RLock()
        try:
            self._connection: psycopg.Connection[Any] = _connected(url)
            self._connection.row_factory = dict_row
            with self.transaction() as transaction:
                transaction.run(schema())
                self._migrate(transaction)
        except psycopg.Error as error:
            raise WarehouseError(
                f"cannot open the ledger in PostgreSQL: {error}", hint="check ledger_url"
            ) from error

    @contextmanager
    def transaction(self, *, is_synced: bool = True) -> Iterator[Transaction]:
        """Begin a transaction that excludes other writers; commit on leaving."""
        with self._lock:
            own = _PostgresTransaction(self._connection)
            if self._connection.info.transaction_status != psycopg.pq.TransactionStatus.IDLE:
                yield own
                return
            with self._connection.transaction():
                if not is_synced:
                    own.run("set local synchronous_commit = off")
                own.run(f"select pg_advisory_xact_lock({WRITER_LOCK})")
                yield own

    @contextmanager
    def reading(self) -> Iterator[Transaction]:
        """Read what is committed; nobody is excluded."""
        with self._lock:
            yield _PostgresTransaction(self._connection)

    @contextmanager
    def alone(self, name: str) -> Iterator[bool]:
        """Hold a name: an advisory lock, which the server lifts when the connection ends."""
        key = {"name": f"compline {name}"}
        ask = "select pg_try_advisory_lock(hashtext(%(name)s)) as is_ours"
        with self._lock:
            row = self._connection.execute(ask, key).fetchone()
        is_ours = bool(row and row["is_ours"])
        try:
            yield is_ours
        finally:
            if is_ours:
                with self._lock:
                    self._connection.execute("select pg_advisory_unlock(hashtext(%(name)s))", key)

    def compact(self) -> None:
        """Let nothing that was deleted or replaced stay in the tables."""
        with self._lock:
            self._connection.execute("vacuum request, response, settlement, step_request")

    def close(self) -> None:
        """Release the connection."""
        with self._lock:
            self._connection.close()

    def _migrate(self, transaction: Transaction) -> None:
        """Bring a database of an earlier version up to date."""
        transaction.run("create table if not exists ledger_version (version integer not null)")
        rows = transaction.run("select version from ledger_version")
        for statement in MIGRATIONS[rows[0]["version"] if rows else 0 :]:
            transaction.run(statement)
        transaction.run("delete from ledger_version")
        transaction.run(
            "insert into ledger_version values (:version)", {"version": len(MIGRATIONS)}
        )


class _PostgresTransaction:
    def __init__(self, connection: Any) -> None:
        self._connection = connection

    def run(self, sql: str, parameters: Parameters | None = None) -> list[dict[str, Any]]:
        """Run one statement; ":name" is how the ledger writes a parameter."""
        if parameters is None:
            cursor = self._connection.execute(sql)
        else:
            cursor = self._connection.execute(_NAMED.sub(r"%(\1)s", sql), dict(parameters))
        return cursor.fetchall() if cursor.description else []
