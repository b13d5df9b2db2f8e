"""What can go wrong under a warehouse: it stays consistent, and the error says what to do."""

import os
import resource
import shutil
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path

import duckdb
import pytest

from flows.clock import after, now
from flows.doctor import examine
from flows.ingesting.alone import without_runs
from flows.ledger import Ledger
from flows.ledger.store import SqliteStore
from flows.storage.parts import EMPTY_PART
from flows.warehouse import SCHEMA, VIEWS, Warehouse
from tests.rows import NOON, frame
from transforms.errors import InputError, WarehouseError
from transforms.tables import TABLES

ROOT = Path(__file__).parents[3]
NOBODY = 65534
WRITE = """
import resource, sys
from flows.warehouse import Warehouse
from tests.rows import frame
from transforms.errors import InputError, WarehouseError
warehouse = Warehouse.open(sys.argv[1], create=True)
rows = [{"doc_id": "d1", "line": n + 1, "text": str(n * 7919)} for n in range(20_000)]
limit = int(sys.argv[2])
resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))
try:
    tables = {"document_df": rows[:1], "page_df": rows[:1], "line_df": rows}
    warehouse.write_batch({name: frame(name, *each) for name, each in tables.items()}, "b1")
except WarehouseError as error:
    print(error, "|", error.hint)
"""


@pytest.fixture
def warehouse(tmp_path: Path) -> Warehouse:
    warehouse = Warehouse.open(tmp_path / "warehouse", create=True)
    warehouse.write_batch({"document_df": frame("document_df", {"doc_id": "d"})}, "b0")
    return warehouse


def test_a_full_disk_commits_nothing_and_the_same_write_succeeds_later(
    warehouse: Warehouse,
) -> None:
    def write(limit: int) -> str:
        command = [sys.executable, "-c", WRITE, warehouse.root, str(limit)]
        return subprocess.check_output(command, cwd=ROOT, text=True)

    said = write(20_000)  # the kernel refuses what a full disk would refuse, in the same call
    assert "cannot be written" in said
    assert "check free space" in said
    assert warehouse.read("document_df").height == 1
    assert {each.severity for each in examine(warehouse)} <= {"warning"}
    assert write(resource.RLIM_INFINITY) == ""
    assert warehouse.query("select count(*) from line_df").item() == 20_000
    assert examine(warehouse) == []


@pytest.mark.parametrize("limit", [50_000, 200_000])  # its log, and the file itself
def test_views_that_find_no_room_leave_those_of_before(warehouse: Warehouse, limit: int) -> None:
    unbound = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (limit, unbound[1]))
    try:
        with pytest.raises(WarehouseError, match="cannot be written") as caught:
            warehouse.write_views()
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, unbound)
    assert "check free space" in caught.value.hint
    assert list(Path(warehouse.root).glob(".*")) == []
    with duckdb.connect(warehouse.database_path, read_only=True) as client:
        assert client.execute("select count(*) from document_df").fetchall() == [(1,)]
    again = Warehouse.open(warehouse.root, create=True)
    assert again.has_current_views()
    assert examine(again) == []


def test_a_ledger_on_a_full_disk_says_so_and_keeps_what_it_has(tmp_path: Path) -> None:
    program = (
        "import resource, sys\nfrom datetime import UTC, datetime\n"
        "from flows.ledger import Ledger\n"
        "from transforms.errors import InputError, WarehouseError\n"
        "ledger = Ledger.open(sys.argv[1])\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (300_000, 300_000))\n"
        "n_written = 0\n"
        "try:\n"
        "    while True:\n"
        "        ledger.start_run(f'r{n_written}', 's', 'x' * 5_000, datetime.now(UTC))\n"
        "        n_written += 1\n"
        "except WarehouseError as error:\n"
        "    print(n_written, error.hint)\n"
    )
    path = tmp_path / "ledger.sqlite"
    command = [sys.executable, "-c", program, str(path)]
    said = subprocess.check_output(command, cwd=ROOT, text=True)
    assert "check free space" in said
    with sqlite3.connect(path) as connection:
        (n_kept,) = connection.execute("select count(*) from run").fetchone()
    connection.close()
    assert n_kept == int(said.split()[0]) > 0


def test_a_ledger_that_another_process_holds_says_so(tmp_path: Path) -> None:
    Ledger.open(tmp_path / "ledger.sqlite").close()
    holder = sqlite3.connect(tmp_path / "ledger.sqlite")
    holder.execute("begin immediate")
    with pytest.raises(WarehouseError, match="locked") as caught:
        SqliteStore(tmp_path / "ledger.sqlite", busy_timeout_s=0.1)
    assert "another process holds it" in caught.value.hint
    holder.close()
    Ledger.open(tmp_path / "ledger.sqlite").close()


@pytest.mark.parametrize("is_whole", [False, True])
def test_a_damaged_ledger_says_what_is_lost_without_it(tmp_path: Path, is_whole: bool) -> None:
    path = tmp_path / "ledger.sqlite"
    if is_whole:
        path.write_bytes(b"spoiled" * 1_000)
    else:
        Ledger.open(path).close()
        content = path.read_bytes()
        path.write_bytes(content[:8_192] + b"\xff" * (len(content) - 8_192))

    def use() -> None:
        ledger = Ledger.open(path)
        ledger.root_run("r")
        ledger.start_run("r", "s", "x", now())

    with pytest.raises(WarehouseError, match="cannot be used") as caught:
        use()
    assert "move it away" in caught.value.hint


def test_a_name_that_cannot_be_held_is_not_held_by_another(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / "ledger.sqlite")
    (tmp_path / "set-x.lock").mkdir()
    with pytest.raises(WarehouseError, match=r"set-x\.lock"), store.alone("set-x"):
        pass
    store.close()


def test_nothing_is_forgotten_while_runs_read_and_no_run_begins_meanwhile(
    warehouse: Warehouse,
) -> None:
    def begin(*, is_run: bool) -> None:
        with without_runs(warehouse, is_run=is_run):
            pass

    with without_runs(warehouse, is_run=True):
        begin(is_run=True)
        with pytest.raises(InputError, match="a run goes on"):
            begin(is_run=False)
    with without_runs(warehouse), pytest.raises(InputError, match="is being forgotten"):
        begin(is_run=True)


@contextmanager
def powerless(folder: Path) -> Iterator[None]:
    """Take away the right to write below a folder, from root too."""
    for path in [folder, *folder.rglob("*")]:
        path.chmod(0o555 if path.is_dir() else 0o444)
    is_root = os.geteuid() == 0
    if is_root:
        os.seteuid(NOBODY)
    try:
        yield
    finally:
        if is_root:
            os.seteuid(0)
        for path in [folder, *folder.rglob("*")]:
            path.chmod(0o755 if path.is_dir() else 0o644)


def test_a_read_only_warehouse_is_read_and_says_why_it_cannot_be_written() -> None:
    folder = Path(tempfile.mkdtemp())  # pytest's own folders are closed to others
    folder.chmod(0o755)
    warehouse = Warehouse.open(folder / "warehouse", create=True)
    warehouse.query("select 1")  # nobody may not import what is imported late
    Ledger.open(folder / "ledger.sqlite").close()
    try:
        with powerless(folder / "warehouse"):
            again = Warehouse.open(folder / "warehouse", create=True)
            assert again.query("select count(*) from answer_df").item() == 0
            rows = {"document_df": frame("document_df", {"doc_id": "d"})}
            with pytest.raises(WarehouseError, match="Permission denied") as caught:
                again.write_batch(rows, "b1")
            assert "permissions" in caught.value.hint
            with pytest.raises(WarehouseError, match="ledger") as caught:
                Ledger.open(again.ledger_path)
            assert "permissions" in caught.value.hint
        warehouse.write_batch(rows, "b1")
        assert examine(warehouse) == []
    finally:
        shutil.rmtree(folder)


@pytest.mark.parametrize("fault", ["truncated", "deleted"])
def test_a_damaged_part_is_an_error_of_the_warehouse_and_the_doctor_names_it(
    warehouse: Warehouse, fault: str
) -> None:
    rows = {table: frame(table, {"doc_id": "e"}) for table in ("document_df", "page_df", "line_df")}
    warehouse.write_batch(rows, "b1")
    part = Path(warehouse.root) / "corpus" / "line_df" / "b1.parquet"
    if fault == "deleted":
        part.unlink()
    else:
        part.write_bytes(part.read_bytes()[:200])
        with pytest.raises(WarehouseError, match="cannot be read") as caught:
            warehouse.query("select * from line_df")
        assert "compline doctor" in caught.value.hint
        with pytest.raises(WarehouseError, match="cannot be read"):
            warehouse.read("line_df")
    found = [each for each in examine(warehouse) if each.check == "checksum"]
    assert [each.place for each in found] == ["line_df/b1"]
    assert "ingest the documents again" in found[0].what_to_do


def test_a_clock_that_went_back_makes_no_moment_before_what_is_stored() -> None:
    tomorrow = now() + timedelta(days=1)
    assert after(tomorrow) == tomorrow + timedelta(microseconds=1)
    assert after(None) <= now()
    assert now() - after(NOON) < timedelta(minutes=1)


def test_a_newer_schema_is_refused_and_an_older_one_is_read_and_brought_up(
    warehouse: Warehouse,
) -> None:
    newer = {SCHEMA: "99", VIEWS: "x"}
    warehouse.parts.write("run_df", EMPTY_PART, TABLES["run_df"].empty(), newer)
    with pytest.raises(WarehouseError, match="newer Compline") as caught:
        Warehouse.open(warehouse.root)
    assert "upgrade" in caught.value.hint
    older = {SCHEMA: "0", VIEWS: "of then"}
    warehouse.parts.write("run_df", EMPTY_PART, TABLES["run_df"].empty(), older)
    part = frame("document_df", {"doc_id": "old"}).drop("error_message")
    part.write_parquet(Path(warehouse.root) / "corpus" / "document_df" / "b-old.parquet")
    brought_up = Warehouse.open(warehouse.root)
    assert brought_up.has_current_views()
    known = "select doc_id, error_message from document_df order by doc_id"
    assert brought_up.query(known).rows() == [("d", None), ("old", None)]
    assert brought_up.read("document_df").height == 2
