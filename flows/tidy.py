"""Keep a warehouse small in files: merge small parts, drop old runs. Safe beside readers.

A merged part stands in for others from one moment on (see flows/storage/swaps.py). Those stay for
a while, for readers that have begun, and go with the next tidying.
"""

import time
from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta

import polars as pl

from flows.clock import now
from flows.retention import drop_old_runs
from flows.storage.parts import EMPTY_PART, collected
from flows.storage.swaps import merged_at, merged_name
from flows.storage.views import PINNED, area
from flows.warehouse import Warehouse
from transforms.tables import TABLES
from transforms.values import Value

MERGEABLE = ("corpus", "calls")
"""Areas with many small parts: a run's parts are few, and go whole when the run is dropped."""

SMALL_BYTES = 8_000_000
"""A part that counts and is smaller may be merged; larger ones gain nothing."""

FEWEST = 8
"""So many parts at least are worth merging."""

KEEP_REPLACED = timedelta(hours=1)
"""A reader that began before parts were merged has had time to end."""

PAUSE_S = 10.0
"""Between writing a merged part and showing it. Compline's own queries pin what they read; a
statement of another DuckDB client lists files first and asks later what counts: it has so long."""


class Tidied(Value):
    """What a tidying did."""

    n_merged: int
    """Small parts that a merged one stands in for now."""
    n_deleted: int
    """Parts deleted that were merged or dropped before."""
    runs_dropped: tuple[str, ...]


def tidy(
    warehouse: Warehouse,
    *,
    keep_runs: int | None = None,
    at: datetime | None = None,
    pause_s: float = PAUSE_S,
) -> Tidied:
    """Delete what was merged an hour ago, merge small parts, drop all but the newest runs.

    One tidying at a time; ingests and runs may go on. Runs are dropped only with `keep_runs`.
    """
    moment = at or now()
    n_deleted = delete_replaced(warehouse, before=moment - KEEP_REPLACED)
    can_merge = warehouse.parts.swaps.are_possible
    places = MERGEABLE if can_merge else ()
    n_merged = sum(_merge(warehouse, place, moment, pause_s) for place in places)
    dropped = drop_old_runs(warehouse, keep_runs, at=moment) if keep_runs else []
    return Tidied(n_merged=n_merged, n_deleted=n_deleted, runs_dropped=tuple(dropped))


def delete_replaced(warehouse: Warehouse, *, before: datetime | None = None) -> int:
    """Delete the files of parts that were replaced or dropped; return how many parts there were.

    `before` spares those of later: somebody may be reading them.
    """
    swaps, n_deleted = warehouse.parts.swaps, 0
    for place in PINNED:
        tables = [table for table in TABLES if area(table) == place and table != "verdict_df"]
        for merged in swaps.merged(place):
            if before is not None and merged_at(merged) > before:
                continue
            for part in swaps.replaced_by(place, merged):
                n_deleted += warehouse.parts.exists(PINNED[place], part)
                for table in tables:
                    warehouse.parts.delete(table, part)
    return n_deleted


def _merge(warehouse: Warehouse, place: str, at: datetime, pause_s: float) -> int:
    """Merge the small parts of an area into one; return how many there were."""
    parts = list(_mergeable(warehouse, place))
    if len(parts) < FEWEST:
        return 0
    merged = merged_name(at)
    frames = {table: _stacked(warehouse, table, parts) for table in TABLES if area(table) == place}
    if place == "corpus":
        warehouse.commits.commit(place, merged, frames)
    else:
        warehouse.parts.write(PINNED[place], merged, frames[PINNED[place]])
    time.sleep(pause_s)
    warehouse.parts.swaps.swap(place, merged, parts)
    return len(parts)


def _mergeable(warehouse: Warehouse, place: str) -> Iterable[str]:
    """Yield small parts of which no two say something about the same document.

    Two parses of a document keep a part each: which is the later is told by their parts.
    """
    table = PINNED[place]
    seen: set[str] = set()
    for part in warehouse.commits.names(table):
        if part == EMPTY_PART or _size(warehouse, place, part) >= SMALL_BYTES:
            continue
        doc_ids = warehouse.commits.documents_of(part) if place == "corpus" else frozenset[str]()
        if not seen & doc_ids:
            seen |= doc_ids
            yield part


def _size(warehouse: Warehouse, place: str, part: str) -> int:
    tables = [table for table in TABLES if area(table) == place]
    return sum(
        warehouse.parts.n_bytes(table, part)
        for table in tables
        if warehouse.parts.exists(table, part)
    )


def _stacked(warehouse: Warehouse, table: str, parts: Sequence[str]) -> pl.DataFrame:
    there = [part for part in parts if warehouse.parts.exists(table, part)]
    row_lf = warehouse.parts.scan(table, there).drop("part").sort(TABLES[table].key)
    return collected(table, row_lf)
