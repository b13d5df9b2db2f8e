"""The warehouse: what is committed is read, whole, in its current version, by every reader."""

import os
import subprocess
import sys
from datetime import timedelta
from hashlib import sha256
from pathlib import Path

import duckdb
import polars as pl
import pytest
from polars.testing import assert_frame_equal

from flows.storage.views import SCHEMA_VERSION
from flows.warehouse import Warehouse
from tests.rows import NOON, frame
from transforms.errors import ContractError, InputError, WarehouseError
from transforms.tables import TABLES

LATER = NOON + timedelta(days=1)


@pytest.fixture
def warehouse(tmp_path: Path) -> Warehouse:
    return Warehouse.open(tmp_path / "it's a warehouse", create=True)


def batch(doc_id: str = "a", *, version: int = 1, parsed_at=NOON) -> dict[str, pl.DataFrame]:
    """Return the frames of one document of two pages."""
    place = {"doc_id": doc_id, "page_version": version}
    pages = [{**place, "page": page, "parsed_at": parsed_at} for page in (1, 2)]
    return {
        "document_df": frame("document_df", {"doc_id": doc_id, "parsed_at": parsed_at}),
        "page_df": frame("page_df", *pages),
        "line_df": frame("line_df", *({**place, "page": page} for page in (1, 2))),
        "term_df": frame("term_df", *({**place, "page": page} for page in (1, 2))),
        "toc_df": frame("toc_df", {"doc_id": doc_id, "section_id": f"s{version}"}),
        "table_cell_df": frame("table_cell_df", {"doc_id": doc_id, "page": 2, "text": "old"}),
    }


def reparsed(doc_id: str = "a") -> dict[str, pl.DataFrame]:
    """Return the frames of a second version of page 2."""
    place = {"doc_id": doc_id, "page": 2, "page_version": 2}
    return {
        "page_df": frame("page_df", {**place, "parsed_at": LATER, "parse_method": "ocr"}),
        "line_df": frame("line_df", {**place, "text": "new"}),
        "table_cell_df": frame("table_cell_df", {"doc_id": doc_id, "page": 2, "text": "new"}),
    }


def as_viewed(warehouse: Warehouse, table: str) -> pl.DataFrame:
    columns = ", ".join(TABLES[table].model_fields)
    return TABLES[table].checked(warehouse.query(f"select {columns} from {table}"))


def test_every_table_can_be_read_and_queried_from_the_first_minute(warehouse: Warehouse) -> None:
    for table in TABLES:
        assert_frame_equal(warehouse.read(table), TABLES[table].empty())
        assert_frame_equal(as_viewed(warehouse, table), TABLES[table].empty())


def test_opening_what_is_not_there_says_what_to_do(tmp_path: Path) -> None:
    with pytest.raises(WarehouseError) as caught:
        Warehouse.open(tmp_path / "none")
    assert "compline ingest" in caught.value.hint
    assert not (tmp_path / "none").exists()


def test_what_was_written_is_read_back(warehouse: Warehouse) -> None:
    warehouse.write_batch(batch(), "b1")
    for table, written in batch().items():
        assert_frame_equal(warehouse.read(table), written)


def test_a_batch_without_its_document_part_is_not_there(warehouse: Warehouse) -> None:
    warehouse.write_batch(batch("a"), "b1")
    warehouse.write_batch(batch("b"), "b2")
    warehouse.parts.delete("document_df", "b2")
    for table in batch():
        assert set(warehouse.read(table)["doc_id"]) == {"a"}
        assert set(as_viewed(warehouse, table)["doc_id"]) == {"a"}


def test_a_run_without_its_run_part_is_not_there(warehouse: Warehouse) -> None:
    for run_id in ("r1", "r2"):
        frames = {
            "run_df": frame("run_df", {"run_id": run_id}),
            "answer_df": frame("answer_df", {"run_id": run_id}),
            "question_df": frame("question_df", {"question_id": run_id}),
        }
        warehouse.write_run(run_id, frames)
    warehouse.parts.delete("run_df", "r2")
    assert warehouse.read("answer_df")["run_id"].to_list() == ["r1"]
    assert as_viewed(warehouse, "answer_df")["run_id"].to_list() == ["r1"]
    assert warehouse.read("question_df")["question_id"].to_list() == ["r1"]


def test_what_a_killed_attempt_left_is_not_committed_by_the_next(warehouse: Warehouse) -> None:
    warehouse.parts.write("toc_df", "b1", batch("stale")["toc_df"])
    warehouse.write_batch({"document_df": batch()["document_df"]}, "b1")
    assert warehouse.read("toc_df").height == 0


def test_a_committed_batch_is_never_written_again(warehouse: Warehouse) -> None:
    warehouse.write_batch(batch("a"), "b1")
    warehouse.write_batch(batch("b"), "b1")
    assert warehouse.read("document_df")["doc_id"].to_list() == ["a"]


def test_the_same_frames_make_the_same_bytes(warehouse: Warehouse) -> None:
    line_df = batch()["line_df"]
    first = warehouse.parts.write("line_df", "p1", line_df)
    assert warehouse.parts.write("line_df", "p2", line_df.reverse()) == first


def test_a_new_page_version_is_current_and_the_old_one_is_kept(warehouse: Warehouse) -> None:
    warehouse.write_batch(batch(), "b1")
    warehouse.write_batch(reparsed(), "b2")
    corpus = warehouse.corpus(["a"])
    assert corpus.page_df["page_version"].to_list() == [1, 2]
    assert corpus.line_df["text"].to_list() == ["x", "new"]
    assert corpus.table_cell_df["text"].to_list() == ["new"]
    assert warehouse.read("line_df").height == 3
    assert_frame_equal(warehouse.read("table_cell_df"), as_viewed(warehouse, "table_cell_df"))


def test_a_page_version_is_stored_once_however_many_pairs_asked_for_it(
    warehouse: Warehouse,
) -> None:
    warehouse.write_batch(batch(), "b1")
    warehouse.write_batch(reparsed(), "b2")
    warehouse.write_batch(reparsed(), "b3")
    assert warehouse.read("page_df").height == 3
    assert warehouse.read("line_df").height == 3
    assert warehouse.corpus(["a"]).table_cell_df["text"].to_list() == ["new"]


def test_as_of_pins_the_page_versions_of_a_run(warehouse: Warehouse) -> None:
    warehouse.write_batch(batch(), "b1")
    warehouse.write_batch(reparsed(), "b2")
    corpus = warehouse.corpus(["a"], as_of=NOON)
    assert corpus.page_df["page_version"].to_list() == [1, 1]
    assert corpus.table_cell_df["text"].to_list() == ["old"]
    assert warehouse.terms(["a"], as_of=NOON)["page"].to_list() == [1, 2]
    assert warehouse.terms(["a"])["page"].to_list() == [1]


def test_a_new_parse_replaces_the_sections_of_the_old(warehouse: Warehouse) -> None:
    warehouse.write_batch(batch(), "b2")
    warehouse.write_batch(batch(version=2, parsed_at=LATER), "b1")
    assert warehouse.corpus(["a"]).toc_df["section_id"].to_list() == ["s2"]
    for table in batch():
        assert_frame_equal(warehouse.read(table), as_viewed(warehouse, table))


def test_a_document_whose_file_changed_is_history(warehouse: Warehouse) -> None:
    seen = [
        {"uri": "/x.pdf", "seen_at": NOON, "doc_id": "a"},
        {"uri": "/x.pdf", "seen_at": LATER, "doc_id": "b"},
        {"uri": "/y.pdf", "seen_at": NOON, "doc_id": "c"},
        {"uri": "/y.pdf", "seen_at": LATER, "doc_id": "c", "status": "vanished"},
    ]
    for doc_id in "abcd":
        warehouse.write_batch(batch(doc_id), f"b-{doc_id}")
    warehouse.write_batch({"source_df": frame("source_df", *seen)}, "seen")
    assert warehouse.documents()["doc_id"].to_list() == ["b", "d"]
    assert warehouse.read("document_df").height == 4
    states = ["superseded", "current", "superseded", "vanished"]
    assert warehouse.read("source_df")["status"].to_list() == states
    assert_frame_equal(warehouse.read("source_df"), as_viewed(warehouse, "source_df"))


def test_failed_documents_are_left_out_unless_asked_for(warehouse: Warehouse) -> None:
    failed = frame("document_df", {"doc_id": "a", "parse_status": "failed"})
    warehouse.write_batch({"document_df": failed}, "b1")
    assert warehouse.documents().height == 0
    assert warehouse.documents(include_failed=True).height == 1


def test_reading_some_documents_opens_no_other_file(warehouse: Warehouse) -> None:
    for doc_id in "ab":
        warehouse.write_batch(batch(doc_id), f"b-{doc_id}")
    warehouse.corpus(["a", "b"])
    Path(warehouse.root, "corpus/line_df/b-b.parquet").write_bytes(b"spoiled")
    assert warehouse.corpus(["a"]).line_df.height == 2
    with pytest.raises(WarehouseError):
        warehouse.corpus(["b"])


def test_a_call_is_stored_once(warehouse: Warehouse) -> None:
    calls = frame("llm_call_df", {"call_id": "c1"}, {"call_id": "c1", "attempt": 2})
    warehouse.write_calls("k1", calls.head(1))
    warehouse.write_calls("k2", calls)
    warehouse.write_calls("k3", calls)
    assert_frame_equal(warehouse.read("llm_call_df"), calls)


def test_a_frame_that_breaks_its_declaration_is_refused(warehouse: Warehouse) -> None:
    line_df = batch()["line_df"]
    for wrong_df in (line_df.drop("text"), line_df.vstack(line_df)):
        with pytest.raises(ContractError):
            warehouse.write_batch({"line_df": wrong_df}, "b1")
    with pytest.raises(ContractError):
        warehouse.write_batch({"answer_df": TABLES["answer_df"].empty()}, "b1")
    with pytest.raises(ContractError):
        warehouse.write_run("r1", {"answer_df": TABLES["answer_df"].empty()})


def test_plain_duckdb_reads_the_file_from_any_folder(warehouse: Warehouse, tmp_path: Path) -> None:
    warehouse.write_batch(batch(), "b1")
    code = (
        "import duckdb, sys; c = duckdb.connect(sys.argv[1], read_only=True);"
        "print(c.sql('select count(*) from line_df').fetchall()[0][0])"
    )
    command = [sys.executable, "-c", code, str(warehouse.database_path)]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "2"


def test_a_moved_warehouse_finds_its_files_again(warehouse: Warehouse, tmp_path: Path) -> None:
    warehouse.write_batch(batch(), "b1")
    Path(warehouse.root).rename(tmp_path / "moved")
    moved = Warehouse.open(tmp_path / "moved")
    assert as_viewed(moved, "line_df").height == 2
    Warehouse.open(tmp_path / "moved", create=True)
    with duckdb.connect(str(moved.database_path), read_only=True) as connection:
        assert connection.sql("select count(*) from line_df").fetchall() == [(2,)]


def test_nobody_who_holds_the_duckdb_file_blocks_us(warehouse: Warehouse) -> None:
    code = "import duckdb, sys; c = duckdb.connect(sys.argv[1]); print('open', flush=True); input()"
    command = [sys.executable, "-c", code, str(warehouse.database_path)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == b"open\n"
        warehouse.write_batch(batch(), "b1")
        assert as_viewed(Warehouse.open(warehouse.root, create=True), "line_df").height == 2
        holder.communicate(b"\n")


def test_a_column_that_is_younger_than_a_part_is_null_there(warehouse: Warehouse) -> None:
    document_df = batch()["document_df"]
    path = Path(warehouse.root, "corpus/document_df/b1.parquet")
    document_df.drop("insurer").write_parquet(path)
    assert_frame_equal(warehouse.read("document_df"), document_df)
    assert_frame_equal(as_viewed(warehouse, "document_df"), document_df)


def test_a_warehouse_of_a_newer_compline_is_refused(warehouse: Warehouse) -> None:
    seal = {"compline_schema_version": "999", "compline_views": ""}
    warehouse.parts.write("run_df", "_empty", TABLES["run_df"].empty(), seal)
    with pytest.raises(WarehouseError, match="newer"):
        Warehouse.open(warehouse.root)


YOUNGER = {
    "line_df": ["n_tokens"],
    "document_df": ["vision_model"],
    "question_df": ["parsed_parts"],
    "iteration_df": ["retrieval_ms", "parsing_ms", "generation_ms"],
    "run_df": ["killed_run_ids"],
}
"""Columns that the first version did not have."""


@pytest.fixture
def first_version(warehouse: Warehouse) -> Warehouse:
    """Return a warehouse as the first version left it, with a document and a run."""
    warehouse.write_batch(batch(), "b1")
    tables = ("question_df", "iteration_df", "run_df")
    warehouse.write_run("r1", {table: frame(table, {"run_id": "r1"}) for table in tables[1:]})
    warehouse.parts.write("question_df", "r1", frame("question_df", {}))
    for table, columns in YOUNGER.items():
        for path in Path(warehouse.root).glob(f"*/{table}/*.parquet"):
            seal = {"compline_schema_version": "1", "compline_views": "of then"}
            pl.read_parquet(path).drop(columns).write_parquet(path, metadata=seal)
    return warehouse


def test_a_warehouse_of_an_earlier_compline_gets_its_new_columns(first_version: Warehouse) -> None:
    reopened = Warehouse.open(first_version.root)
    for table, columns in YOUNGER.items():
        row_df = reopened.read(table)
        assert row_df.height, table
        assert row_df.select(columns).null_count().row(0) == (row_df.height,) * len(columns)
        assert_frame_equal(as_viewed(reopened, table), row_df)
    assert reopened.has_current_views()
    assert reopened.query("select killed_run_ids from run_df").item() is None
    assert reopened.query("from pair_cost").is_empty()


def test_an_earlier_warehouse_that_cannot_be_written_is_refused(first_version: Warehouse) -> None:
    """A file stands where a folder of parts belongs: that keeps root out too."""
    folder = Path(first_version.root, "corpus", "term_df")
    folder.rename(folder.with_name("away"))
    folder.touch()
    with pytest.raises(WarehouseError, match="earlier Compline") as caught:
        Warehouse.open(first_version.root)
    assert "compline doctor" in caught.value.hint


def test_a_table_that_gets_a_column_raises_the_schema_version() -> None:
    """When this falls: raise SCHEMA_VERSION, let the column be null, name it in YOUNGER."""
    names = "\n".join(
        f"{table}.{name}" for table, row in TABLES.items() for name in row.model_fields
    )
    digest = sha256(names.encode()).hexdigest()[:16]
    assert (SCHEMA_VERSION, digest) == (3, "881a66a76a682df8")


@pytest.mark.parametrize(
    "sql",
    [
        "select nothing from line_df",
        "drop view line_df",
        "select 1; select 2",
        "copy (select 1) to 'x.csv'",
        "select * from read_text('/etc/passwd')",
        "",
    ],
)
def test_a_query_can_only_select_from_the_views(warehouse: Warehouse, sql: str) -> None:
    with pytest.raises(InputError):
        warehouse.query(sql)


def test_no_unfinished_file_is_left(warehouse: Warehouse) -> None:
    warehouse.write_batch(batch(), "b1")
    files = [name for _, _, names in os.walk(warehouse.root) for name in names]
    assert [name for name in files if not name.endswith((".parquet", ".duckdb"))] == []
