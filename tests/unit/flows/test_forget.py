"""Forgetting a document: nothing that was quoted from it is left, counts and costs are."""

from decimal import Decimal
from pathlib import Path

import polars as pl
import pytest

from flows.doctor import examine
from flows.forget import forget
from flows.ledger import Ledger
from flows.warehouse import Warehouse
from tests.rows import frame
from transforms.errors import InputError

SECRET = "Zyzzyva Holdings"
DOCUMENT = "aaaaaaaaaaaaaaaa"
OTHER = "bbbbbbbbbbbbbbbb"


def document(doc_id: str, text: str) -> dict[str, pl.DataFrame]:
    named = {"doc_id": doc_id, "file_name": f"{text}.pdf", "title": text, "insurer": text}
    return {
        "document_df": frame("document_df", {**named, "n_pages": 1}),
        "page_df": frame("page_df", {"doc_id": doc_id}),
        "line_df": frame("line_df", {"doc_id": doc_id, "text": text}),
        "term_df": frame("term_df", {"doc_id": doc_id, "term": text}),
        "source_df": frame("source_df", {"doc_id": doc_id, "uri": f"/{text}", "file_name": text}),
    }


def run_of(*pairs: tuple[str, str, str]) -> dict[str, pl.DataFrame]:
    """Return a run of pairs (pair_id, doc_id, what was quoted)."""
    ids = [{"pair_id": pair, "doc_id": doc_id} for pair, doc_id, _ in pairs]
    texts = [
        {**one, "value_text": text, "items": [text], "caveats": [text], "cost_usd": Decimal("0.5")}
        for one, (_, _, text) in zip(ids, pairs, strict=True)
    ]
    return {
        "run_df": frame("run_df", {}),
        "question_df": frame("question_df", {}),
        "pair_df": frame("pair_df", *({"pair_id": pair} for pair, _, _ in pairs)),
        "dispatch_df": frame("dispatch_df", *({"pair_id": pair} for pair, _, _ in pairs)),
        "pair_doc_df": frame("pair_doc_df", *ids),
        "answer_df": frame("answer_df", *texts),
        "evidence_df": frame(
            "evidence_df", *({"pair_id": p, "doc_id": d, "quote": t} for p, d, t in pairs)
        ),
        "iteration_df": frame(
            "iteration_df",
            *({"pair_id": p, "narration": t, "keywords_added": [t]} for p, _, t in pairs),
        ),
    }


@pytest.fixture
def warehouse(tmp_path: Path) -> Warehouse:
    warehouse = Warehouse.open(tmp_path, create=True)
    both = [document(DOCUMENT, SECRET), document(OTHER, "kept")]
    batch = {table: pl.concat([one[table] for one in both]) for table in both[0]}
    warehouse.write_batch(batch, "b1")
    warehouse.write_run("x", run_of(("p1", DOCUMENT, SECRET), ("p2", OTHER, "kept")))
    verdicts = [{"pair_id": "p1", "note": SECRET}, {"pair_id": "p2", "note": "kept"}]
    warehouse.write_verdicts("v1", frame("verdict_df", *verdicts))
    warehouse.write_report("night.html", SECRET.encode())
    return warehouse


@pytest.fixture
def ledger(warehouse: Warehouse) -> Ledger:
    return Ledger.open(warehouse.ledger_path)


def every_text(warehouse: Warehouse) -> str:
    tables = warehouse.query("select view_name from duckdb_views() where not internal")
    return "".join(str(warehouse.query(f"from {t}").to_dicts()) for t in tables.to_series())


def test_no_text_of_the_document_is_left_and_all_counts_are(
    warehouse: Warehouse, ledger: Ledger
) -> None:
    assert SECRET in every_text(warehouse)
    forgotten = forget(DOCUMENT, warehouse, ledger)
    assert (forgotten.n_pages, forgotten.n_answers, forgotten.n_quotes) == (1, 1, 1)
    assert forgotten.uris == (f"/{SECRET}",)
    assert SECRET not in every_text(warehouse)
    assert not [
        path
        for path in Path(warehouse.root).rglob("*.parquet")
        if SECRET in str(pl.read_parquet(path))
    ]
    assert not list(Path(warehouse.root, "reports").iterdir())
    answer_df = warehouse.read("answer_df")
    assert answer_df["value_text"].to_list() == [None, "kept"]
    assert answer_df["cost_usd"].sum() == 1
    assert warehouse.read("evidence_df")["quote"].to_list() == ["kept"]
    assert warehouse.read("verdict_df")["note"].to_list() == [None, "kept"]
    assert warehouse.documents(include_failed=True)["doc_id"].to_list() == [OTHER]
    assert warehouse.read("document_df")["n_pages"].to_list() == [1, 1]


def test_the_warehouse_is_sound_afterwards_and_the_rest_is_untouched(
    warehouse: Warehouse, ledger: Ledger
) -> None:
    forget(f"{SECRET}.pdf", warehouse, ledger)
    assert examine(warehouse) == []
    assert warehouse.corpus([OTHER]).line_df["text"].to_list() == ["kept"]
    assert warehouse.read("iteration_df")["narration"].to_list() == ["forgotten", "kept"]


def test_the_ledger_keeps_the_attempt_and_loses_the_texts(
    warehouse: Warehouse, ledger: Ledger
) -> None:
    with ledger.store.transaction() as transaction:
        for doc_id in (DOCUMENT, OTHER):
            transaction.run(
                "insert into request values (:id, 'text', :ids)",
                {"id": doc_id, "ids": f'["{doc_id}","c"]'},
            )
            transaction.run(
                "insert into response values (:id, 1, :id, 'text', 1, 'now')", {"id": doc_id}
            )
    assert forget(DOCUMENT, warehouse, ledger).n_texts == 2
    with ledger.store.reading() as reading:
        requests = reading.run("select request_hash, request_json from request order by 1")
        bodies = reading.run("select body from response order by call_id")
    assert [row["request_json"] for row in requests] == [None, "text"]
    assert [row["body"] for row in bodies] == [None, "text"]


@pytest.mark.parametrize(("named", "message"), [("none", "no document"), ("", "no document")])
def test_naming_no_document_says_how_to_find_one(
    warehouse: Warehouse, ledger: Ledger, named: str, message: str
) -> None:
    with pytest.raises(InputError, match=message) as caught:
        forget(named, warehouse, ledger)
    assert "select doc_id" in caught.value.hint


def test_a_name_of_several_documents_is_not_guessed(warehouse: Warehouse, ledger: Ledger) -> None:
    namesake = frame("document_df", {"doc_id": "c", "file_name": "kept.pdf"})
    warehouse.write_batch({"document_df": namesake}, "b2")
    with pytest.raises(InputError, match="2 documents"):
        forget("kept.pdf", warehouse, ledger)
