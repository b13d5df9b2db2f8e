"""One process at a time changes the documents of a warehouse."""

from collections.abc import Iterator
from contextlib import contextmanager

from flows.ledger.store import holding
from flows.warehouse import Warehouse
from transforms.errors import InputError


@contextmanager
def alone_with_corpus(warehouse: Warehouse) -> Iterator[None]:
    """Let no other process on this machine ingest or forget meanwhile: both would write a page.

    Raises InputError when one does. A killed process holds nothing.
    """
    lock = warehouse.ledger_path.with_name("corpus.lock")
    lock.parent.mkdir(parents=True, exist_ok=True)
    with holding(lock) as is_ours:
        if not is_ours:
            raise InputError(
                f"documents of the warehouse {warehouse.root!r} are being ingested or forgotten by"
                " another process",
                hint="wait for its end, or stop it with Ctrl-C (what it parsed is kept), then run"
                " the same command again",
            )
        yield
