"""The doctor finds what was done to a warehouse, and says what to do."""

from pathlib import Path

import polars as pl
import pytest

from flows.doctor import REFERENCES, examine, findings_frame, notes, tidy
from flows.storage.parts import EMPTY_PART
from flows.storage.views import area
from flows.warehouse import Warehouse
from tests.rows import frame
from transforms.errors import WarehouseError
from transforms.tables import TABLES

SET_MODEL = "set vision_model and ingest again"


@pytest.fixture
def warehouse(tmp_path: Path) -> Warehouse:
    """Return a warehouse of one document and one run, all of it consistent."""
    warehouse = Warehouse.open(tmp_path, create=True)
    corpus = ("document_df", "page_df", "line_df", "term_df", "toc_df", "source_df")
    warehouse.write_batch({table: frame(table, {"doc_id": "x"}) for table in corpus}, "b1")
    runs = ("question_df", "pair_df", "pair_doc_df", "dispatch_df", "answer_df", "evidence_df")
    warehouse.write_run("x", {table: frame(table, {}) for table in (*runs, "run_df")})
    return warehouse


def found(warehouse: Warehouse) -> list[tuple[str, str, str]]:
    findings = examine(warehouse)
    assert all(finding.what_to_do for finding in findings)
    return [(finding.severity, finding.check, finding.place) for finding in findings]


def path(warehouse: Warehouse, name: str) -> Path:
    return Path(warehouse.root, name)


def test_nothing_is_found_in_a_sound_warehouse(warehouse: Warehouse) -> None:
    assert found(warehouse) == []
    assert findings_frame([]).columns == ["severity", "check", "place", "finding", "what_to_do"]


def test_a_pair_that_was_not_begun_lacks_nothing(warehouse: Warehouse) -> None:
    """Its document could not be read, or the budget was spent: nothing was decided."""
    tables = ("pair_df", "answer_df")
    unread = {table: frame(table, {"run_id": "y", "pair_id": "y"}) for table in tables}
    warehouse.write_run("y", {**unread, "run_df": frame("run_df", {"run_id": "y"})})
    assert found(warehouse) == []


def test_a_part_that_was_changed(warehouse: Warehouse) -> None:
    warehouse.parts.write("line_df", "b1", frame("line_df", {"doc_id": "x", "text": "other"}))
    assert found(warehouse) == [("error", "checksum", "line_df/b1")]


def test_a_part_that_is_gone(warehouse: Warehouse) -> None:
    warehouse.parts.delete("answer_df", "x")
    assert found(warehouse) == [("error", "checksum", "answer_df/x")]


def test_a_part_that_is_no_parquet(warehouse: Warehouse) -> None:
    path(warehouse, "corpus/line_df/b1.parquet").write_bytes(b"spoiled")
    assert found(warehouse) == [("error", "checksum", "line_df/b1"), ("error", "rows", "line_df")]


def test_a_committing_part_that_is_no_parquet(warehouse: Warehouse) -> None:
    path(warehouse, "corpus/document_df/b1.parquet").write_bytes(b"spoiled")
    assert ("error", "checksum", "document_df/b1") in found(warehouse)
    for read in (lambda: warehouse.corpus(["x"]), lambda: warehouse.read("line_df", doc_ids=["z"])):
        with pytest.raises(WarehouseError, match="cannot be read"):
            read()


def test_a_spoiled_seal_says_how_to_get_a_new_one(warehouse: Warehouse) -> None:
    seal = path(warehouse, f"runs/run_df/{EMPTY_PART}.parquet")
    seal.write_bytes(b"spoiled")
    with pytest.raises(WarehouseError, match="cannot be read") as caught:
        Warehouse.open(warehouse.root)
    assert "delete this file" in caught.value.hint
    seal.unlink()
    assert found(Warehouse.open(warehouse.root, create=True)) == []


def test_leftovers_of_interrupted_writes_are_tidied_up(warehouse: Warehouse) -> None:
    warehouse.parts.write("line_df", "b2", frame("line_df", {"doc_id": "y"}))
    path(warehouse, "corpus/line_df/.b3.parquet.0.tmp").touch()
    expected = [
        ("warning", "orphan", "line_df/b2"),
        ("warning", "unfinished file", "corpus/line_df/.b3.parquet.0.tmp"),
    ]
    assert found(warehouse) == expected
    tidy(warehouse)
    assert found(warehouse) == []
    assert warehouse.read("line_df").height == 1


@pytest.mark.parametrize("content", [b"", b"spoiled"])
def test_views_that_other_clients_cannot_read(warehouse: Warehouse, content: bytes) -> None:
    warehouse.database_path.write_bytes(content)
    assert warehouse.query("select count(*) from line_df").item() == 1
    assert found(warehouse) == [("warning", "views", "compline.duckdb")]
    tidy(warehouse)
    assert found(warehouse) == []


def test_a_moved_warehouse_has_stale_views_until_it_is_tidied(
    warehouse: Warehouse, tmp_path: Path
) -> None:
    moved = Warehouse.open(path(warehouse, "").rename(tmp_path.with_name("moved")))
    assert found(moved) == [("warning", "views", "compline.duckdb")]
    tidy(moved)
    assert found(moved) == []


def test_rows_whose_parents_are_missing(tmp_path: Path) -> None:
    warehouse = Warehouse.open(tmp_path, create=True)
    keys = ("doc_id", "pair_id", "question_id")

    def orphan(table: str) -> pl.DataFrame:
        names = [key for key in keys if key in TABLES[table].model_fields]
        return frame(table, dict.fromkeys(names, table))

    tables = {reference.table for reference in REFERENCES}
    runs = {table: orphan(table) for table in tables if area(table) == "runs"}
    warehouse.write_run("x", {**runs, "run_df": frame("run_df", {})})
    corpus = {table: orphan(table) for table in tables if area(table) == "corpus"}
    warehouse.write_batch(corpus, "b1")
    dangling = [(f.place, f.finding) for f in examine(warehouse) if f.check == "dangling key"]
    assert sorted(dangling) == sorted(
        (table, f"1 rows whose ({', '.join(columns)}) has no row in {parent}")
        for table, columns, parent in REFERENCES
    )


def test_every_reference_names_columns_of_both_tables() -> None:
    for table, columns, parent in REFERENCES:
        assert (
            set(columns) <= TABLES[table].model_fields.keys() & TABLES[parent].model_fields.keys()
        )


def test_calls_that_are_there_twice(warehouse: Warehouse) -> None:
    for part in ("k1", "k2"):
        warehouse.parts.write("llm_call_df", part, frame("llm_call_df", {"call_id": "c"}))
    assert ("error", "rows", "llm_call_df") in found(warehouse)


def test_pages_and_charts_that_nobody_read_are_notes_of_a_sound_warehouse(tmp_path: Path) -> None:
    warehouse = Warehouse.open(tmp_path, create=True)
    page_df = pl.concat(
        frame("page_df", {"doc_id": "x", "page": page, "page_version": version, "is_flagged": bad})
        for page, version, bad in ((1, 1, True), (1, 2, False), (2, 1, True), (3, 1, False))
    )
    image_df = pl.concat(
        frame("image_df", {"doc_id": "x", "image_id": kind, "kind": kind, "is_described": False})
        for kind in ("chart", "logo")
    )
    document = {"doc_id": "x", "status": "current"}
    frames = {table: frame(table, document) for table in ("document_df", "source_df")}
    assert notes(warehouse, None) == []
    warehouse.write_batch({**frames, "page_df": page_df, "image_df": image_df}, "b1")
    assert examine(warehouse) == []
    said = [(note.severity, note.finding, note.what_to_do) for note in notes(warehouse, None)]
    assert said == [
        ("note", "1 pages that cannot be read in 1 documents", SET_MODEL),
        ("note", "1 charts and diagrams without a description in 1 documents", SET_MODEL),
    ]
    assert SET_MODEL not in {note.what_to_do for note in notes(warehouse, "m")}
