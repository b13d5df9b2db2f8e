"""Tidying: fewer files, the same rows, for readers that come before, during and after."""

import threading
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any

import duckdb
import pytest

from flows.doctor import examine
from flows.forget import forget
from flows.ledger import Ledger
from flows.tidy import FEWEST, Tidied
from flows.tidy import tidy as tidy_up
from flows.warehouse import Warehouse
from tests.rows import NOON, frame

N_BATCHES = 12
COUNTS = """
select
    (select count(*) from line_df) as n_lines,
    (select count(*) from document_df) as n_documents,
    (select count(*) from llm_call_df) as n_calls,
    (select count(distinct doc_id) from toc_df) as n_with_toc
"""
WHOLE = (N_BATCHES, N_BATCHES, N_BATCHES, N_BATCHES)


@pytest.fixture
def warehouse(tmp_path: Path) -> Warehouse:
    """Return one document, one call and one run per night."""
    warehouse = Warehouse.open(tmp_path, create=True)
    for number in range(N_BATCHES):
        doc = {"doc_id": f"{number:016x}", "file_name": f"{number}.pdf"}
        tables = ("document_df", "page_df", "line_df", "toc_df", "source_df")
        rows = {table: frame(table, {**doc, "uri": f"/{number}"}) for table in tables}
        warehouse.write_batch(rows, f"b{number:02}")
        warehouse.write_calls(f"c{number:02}", frame("llm_call_df", {"call_id": f"c{number}"}))
        run = {"run_id": f"r{number:02}", "started_at": NOON + timedelta(days=number)}
        warehouse.write_run(str(run["run_id"]), {"run_df": frame("run_df", run)})
    return warehouse


def tidy(warehouse: Warehouse, **options: Any) -> Tidied:
    return tidy_up(warehouse, pause_s=0, **options)


def files(warehouse: Warehouse, folder: str) -> int:
    return len(list((Path(warehouse.root) / folder).glob("*.parquet")))


def in_duckdb(warehouse: Warehouse) -> tuple[int, ...]:
    """Return the counts as any DuckDB client has them."""
    with duckdb.connect(str(warehouse.database_path), read_only=True) as connection:
        return connection.execute(COUNTS).fetchall()[0]


def test_small_parts_become_one_and_their_files_go_an_hour_later(warehouse: Warehouse) -> None:
    before = {table: warehouse.read(table) for table in ("document_df", "toc_df", "llm_call_df")}
    first = tidy(warehouse, at=NOON)
    assert (first.n_merged, first.n_deleted) == (2 * N_BATCHES, 0)
    assert files(warehouse, "corpus/line_df") == N_BATCHES + 2
    assert (warehouse.query(COUNTS).row(0), in_duckdb(warehouse)) == (WHOLE, WHOLE)
    assert tidy(warehouse, at=NOON + timedelta(minutes=59)).n_deleted == 0
    second = tidy(warehouse, at=NOON + timedelta(minutes=61))
    assert (second.n_merged, second.n_deleted) == (0, 2 * N_BATCHES)
    assert files(warehouse, "corpus/line_df") == files(warehouse, "calls/llm_call_df") == 2
    assert (warehouse.query(COUNTS).row(0), in_duckdb(warehouse)) == (WHOLE, WHOLE)
    for table, rows in before.items():
        assert warehouse.read(table).sort(rows.columns[0]).equals(rows.sort(rows.columns[0]))
    assert examine(warehouse) == []


def test_merged_parts_are_merged_again_when_there_are_more(warehouse: Warehouse) -> None:
    tidy(warehouse, at=NOON)
    tidy(warehouse, at=NOON + timedelta(hours=2))
    for number in range(FEWEST):
        warehouse.write_calls(f"d{number}", frame("llm_call_df", {"call_id": f"d{number}"}))
    assert tidy(warehouse, at=NOON + timedelta(hours=4)).n_merged == FEWEST + 1
    tidy(warehouse, at=NOON + timedelta(hours=6))
    assert files(warehouse, "calls/llm_call_df") == 2
    assert warehouse.read("llm_call_df").height == N_BATCHES + FEWEST
    assert examine(warehouse) == []


def test_a_document_that_was_parsed_twice_keeps_its_later_parse(warehouse: Warehouse) -> None:
    later = {"doc_id": f"{3:016x}", "parsed_at": NOON + timedelta(days=1), "title": "later"}
    warehouse.write_batch({"document_df": frame("document_df", later)}, "z-again")
    assert tidy(warehouse, at=NOON).n_merged == 2 * N_BATCHES
    titles = warehouse.query("select title from document_df where title = 'later'")
    assert titles.height == 1
    assert warehouse.read("document_df").height == N_BATCHES


def test_readers_beside_a_tidying_see_all_rows_all_the_time(warehouse: Warehouse) -> None:
    seen: set[object] = set()
    is_over = threading.Event()

    def by_sql(own: Warehouse) -> object:
        return own.query(COUNTS).row(0)

    def by_read(own: Warehouse) -> object:
        tables = ("line_df", "document_df", "llm_call_df", "toc_df")
        return tuple(own.read(table).height for table in tables)

    def look(count: Callable[[Warehouse], object]) -> None:
        own = Warehouse.open(warehouse.root)
        while not is_over.is_set():
            seen.add(count(own))

    readers = [threading.Thread(target=look, args=[count]) for count in (by_sql, by_read)]
    for reader in readers:
        reader.start()
    tidy_up(warehouse, keep_runs=2, at=NOON, pause_s=1)
    warehouse.write_calls("during", frame("llm_call_df", {"call_id": "c0"}))
    is_over.set()
    for reader in readers:
        reader.join()
    assert seen == {WHOLE}


def test_dropped_runs_are_gone_at_once_and_their_files_an_hour_later(warehouse: Warehouse) -> None:
    dropped = tidy(warehouse, keep_runs=2, at=NOON).runs_dropped
    assert dropped == tuple(f"r{number:02}" for number in range(N_BATCHES - 2))
    assert warehouse.read("run_df").height == 2
    assert warehouse.query("select count(*) from run_df").item() == 2
    assert files(warehouse, "runs/run_df") == N_BATCHES + 1
    tidy(warehouse, at=NOON + timedelta(hours=2))
    assert files(warehouse, "runs/run_df") == 3
    assert examine(warehouse) == []


def test_a_merged_part_that_was_never_shown_is_not_seen_and_is_named(warehouse: Warehouse) -> None:
    rows = warehouse.parts.scan("llm_call_df", ["c00"]).drop("part").collect()
    warehouse.parts.write("llm_call_df", "merged-1", rows)
    assert warehouse.query(COUNTS).row(0) == in_duckdb(warehouse) == WHOLE
    assert [(each.check, each.place) for each in examine(warehouse)] == [
        ("orphan", "llm_call_df/merged-1")
    ]


def test_what_is_forgotten_is_in_no_replaced_file_either(
    warehouse: Warehouse, tmp_path: Path
) -> None:
    tidy(warehouse, at=NOON)
    ledger = Ledger.open(tmp_path / "ledger.sqlite")
    forget("3.pdf", warehouse, ledger)
    ledger.close()
    assert files(warehouse, "corpus/line_df") == 2
    assert warehouse.query("select count(*) from line_df").item() == N_BATCHES - 1
