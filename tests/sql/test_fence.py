"""What somebody else's SQL can reach: the tables, and nothing beside them."""

import os
from pathlib import Path

import polars as pl
import pytest

from flows.database import documents_where
from flows.warehouse import Warehouse
from transforms.errors import InputError

DOCUMENTS = pl.DataFrame({"doc_id": ["a", "b"], "doc_type": ["policy", "claim"]})

SECRET = "nobody may read this"
# fmt: off
SOURCES = (
    "'{out}/secret.csv'", "read_csv('{out}/secret.csv')", "read_text('{out}/secret.csv')",
    "read_blob('{out}/secret.csv')", "read_json('{out}/secret.csv')", "glob('{out}/*')",
    "read_text('{in}/../secret.csv')", "read_blob('{in}/ledger.sqlite')",
    "sniff_csv('{out}/secret.csv')", "read_parquet('{out}/x.parquet')",
    "parquet_metadata('{out}/x.parquet')", "read_text('http://127.0.0.1:9/x')",
    "read_csv('/proc/self/environ')", "sqlite_scan('{in}/ledger.sqlite', 'call')",
    "duckdb_secrets()", "duckdb_settings()", "which_secret('s3://a', 's3')",
    "query('select 1')", "query_table('run_df')", "secret_df", "DOCUMENTS",
    "enable_logging(storage='file', storage_path='{out}/written')",
    "ENABLE_LOGGING(storage='stdout')", "enable_profiling(save_location='{out}/written.json')",
    "(select * from (from enable_logging()))", "force_checkpoint()", "pandas_scan(1)",
)
WRITES = (
    "copy (select 1) to '{out}/written'", "explain analyze copy (select 1) to '{in}/written'",
    "explain (analyze) copy (select 1) to '{in}/runs/run_df/written.parquet'",
    "/* */ explain analyze copy (select 1) to '{in}/runs/run_df/written.parquet'",
    "export database '{out}/written'", "attach '{out}/written'", "create table x (a int)",
    "create temp table x (a int)", "drop view answer_df", "insert into run_df values (1)",
    "with x as (insert into run_df values (1) returning *) from x", "set threads = 1",
    "set enable_external_access = true", "reset enable_external_access", "pragma version",
    "call enable_logging()", "install httpfs", "load httpfs", "checkpoint", "use memory",
    "prepare p as select 1", "select 1; select 2", "begin", "",
)
# fmt: on


@pytest.fixture(scope="module")
def warehouse(tmp_path_factory: pytest.TempPathFactory) -> Warehouse:
    return made_in(tmp_path_factory.mktemp("fence"))


def made_in(folder: Path) -> Warehouse:
    (folder / "secret.csv").write_text(f"a\n{SECRET}\n", encoding="utf-8")
    DOCUMENTS.write_parquet(folder / "x.parquet")
    made = Warehouse.open(folder / "in", create=True)
    made.ledger_path.write_bytes(b"prompts and replies")
    return made


def refused(warehouse: Warehouse, sql: str) -> str:
    out = str(Path(warehouse.root).parent)
    before = sorted(os.walk(out))
    with pytest.raises(InputError) as error:
        warehouse.query(sql.replace("{out}", out).replace("{in}", warehouse.root))
    assert sorted(os.walk(out)) == before, "nothing was written"
    return f"{error.value} {error.value.hint}"


@pytest.mark.parametrize("source", SOURCES)
def test_a_query_reads_no_file_and_no_setting(warehouse: Warehouse, source: str) -> None:
    assert SECRET not in refused(warehouse, f"from {source}")


@pytest.mark.parametrize("sql", WRITES)
def test_a_query_changes_nothing(warehouse: Warehouse, sql: str) -> None:
    refused(warehouse, sql)


@pytest.mark.parametrize("source", SOURCES[:4])
def test_a_query_reads_no_file_when_the_views_are_made_in_memory(
    tmp_path: Path, source: str
) -> None:
    warehouse = made_in(tmp_path)
    warehouse.database_path.unlink()
    assert warehouse.query("from run_df").is_empty()
    refused(warehouse, f"from {source}")


@pytest.mark.parametrize("source", SOURCES[:3])
def test_a_query_over_a_warehouse_elsewhere_reads_no_file_here(
    warehouse: Warehouse, source: str
) -> None:
    elsewhere = Warehouse.open("memory://fenced", create=True)
    assert elsewhere.query("from run_df").is_empty()
    with pytest.raises(InputError):
        elsewhere.query(f"from {source}".replace("{out}", str(Path(warehouse.root).parent)))


@pytest.mark.parametrize(
    "sql",
    [
        "from latest_answer", "show tables", "describe answer_df", "summarize run_df",
        "explain select 1", "explain analyze from run_df", "explain (format json) select 1",
        "from range(3)", "select unnest([1, 2])", "with a as (from run_df) from a",
        "values (1)", "from duckdb_columns()",
    ],
)  # fmt: skip
def test_an_analyst_is_not_in_the_way_of_the_fence(warehouse: Warehouse, sql: str) -> None:
    warehouse.query(sql)


def test_the_time_between_two_times_is_shown(warehouse: Warehouse) -> None:
    shown = warehouse.query("select 1 as n, date '2026-01-02' - timestamp '2026-01-01' as passed")
    assert shown.to_dicts() == [{"n": 1, "passed": "1 day"}]


@pytest.mark.parametrize("source", SOURCES)
def test_a_condition_sees_the_documents_and_nothing_else(warehouse: Warehouse, source: str) -> None:
    out = str(Path(warehouse.root).parent)
    condition = f"exists (from {source})".replace("{out}", out).replace("{in}", warehouse.root)
    with pytest.raises(InputError, match="where") as error:
        documents_where(DOCUMENTS, condition)
    assert "doc_type" in error.value.hint
    assert SECRET not in str(error.value)
    assert not (Path(out) / "written").exists()


@pytest.mark.parametrize(
    "condition",
    ["nope = 1", "true; drop table document_df", "true) --", "true /*", "doc_type = ?", "'policy'"],
)
def test_what_is_no_condition_is_named_with_the_columns_there_are(condition: str) -> None:
    with pytest.raises(InputError, match="where") as error:
        documents_where(DOCUMENTS, condition)
    assert "doc_type" in error.value.hint


def test_a_condition_chooses_documents_and_can_invent_none() -> None:
    assert documents_where(DOCUMENTS, "doc_type = 'policy' -- so it is") == ["a"]
    assert documents_where(DOCUMENTS, "false) union all select 'z' where (true") == []
