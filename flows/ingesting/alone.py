"""One process at a time changes the documents of a warehouse."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from flows.ledger.store import holding
from flows.warehouse import Warehouse
from transforms.errors import InputError


@contextmanager
def alone_with_corpus(warehouse: Warehouse) -> Iterator[None]:
    """Let no other process on this machine ingest or forget meanwhile: both would write a page.

    Raises InputError when one does. A killed process holds nothing.
    """
    with holding(_lock(warehouse, "corpus")) as is_ours:
        if not is_ours:
            raise InputError(
                f"documents of the warehouse {warehouse.root!r} are being ingested or forgotten by"
                " another process",
                hint="wait for its end, or stop it with Ctrl-C (what it parsed is kept), then run"
                " the same command again",
            )
        yield


@contextmanager
def without_runs(warehouse: Warehouse, *, is_run: bool = False) -> Iterator[None]:
    """Let no run read a document that is being forgotten: it would publish what it has read.

    Runs share the lock. Raises InputError when a run goes on, or, for a run, a forgetting.
    """
    with holding(_lock(warehouse, "readers"), is_shared=is_run) as is_ours:
        if not is_ours:
            other = "a document is being forgotten" if is_run else "a run goes on"
            raise InputError(
                f"{other} in the warehouse {warehouse.root!r}",
                hint="wait for its end, then run the same command again",
            )
        yield


def _lock(warehouse: Warehouse, name: str) -> Path:
    folder = warehouse.ledger_path.parent
    folder.mkdir(parents=True, exist_ok=True)  # of a warehouse at a URL
    return folder / f"{name}.lock"
