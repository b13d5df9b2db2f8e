"""The offline reader on a corpus that nobody has looked at, scored against its gold."""

from pathlib import Path

import polars as pl
import pymupdf
import pytest

from data.make_sample import make_sample
from flows.answer import answer
from flows.evaluate import Evaluation, evaluate
from flows.ingest import ingest
from flows.settings import load_settings
from flows.warehouse import Warehouse

pytestmark = pytest.mark.usefixtures("prefect")

UNSEEN_SEED = 271828
N_DOCUMENTS = 12
SCAN_BYTES = 150_000
"""Only the scan is larger; it is left out, since each of its pages costs seconds of OCR."""

TYPED = (
    "address", "amount", "boolean", "date", "duration", "identifier", "name", "number", "percent",
)  # fmt: skip


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("unseen")
    make_sample(folder, seed=UNSEEN_SEED, n_documents=N_DOCUMENTS)
    for path in folder.glob("*.pdf"):
        if path.stat().st_size > SCAN_BYTES:
            path.unlink()
    return folder


@pytest.fixture(scope="module")
def warehouse(corpus: Path, prefect: None) -> Warehouse:
    overrides = {"warehouse": str(corpus / "warehouse"), "engine": "offline"}
    ingest([str(path) for path in sorted(corpus.glob("*.pdf"))], overrides=overrides)
    answer(str(corpus / "questions.csv"), overrides=overrides)
    return Warehouse.open(corpus / "warehouse")


@pytest.fixture(scope="module")
def scores(corpus: Path, warehouse: Warehouse) -> Evaluation:
    settings = load_settings(warehouse=str(warehouse.root), engine="offline")
    return evaluate(str(corpus / "questions.csv"), str(corpus / "gold.jsonl"), settings)


def test_typed_answers_are_mostly_right(scores: Evaluation) -> None:
    single_df = scores.score_df.filter(pl.col("answer_kind") != "name_list")
    share_df = single_df.group_by("answer_type").agg(pl.mean("is_right"))
    shares = dict(share_df.iter_rows())
    assert {name: shares[name] for name in TYPED if shares[name] < 0.85} == {}


def test_lists_are_mostly_complete_and_hardly_ever_wrong(scores: Evaluation) -> None:
    lists = scores.summary_df.filter(breakdown="answer_kind", name="name_list").row(0, named=True)
    assert lists["recall"] >= 0.70
    assert lists["precision"] >= 0.90


def test_what_no_policy_says_is_not_found(scores: Evaluation) -> None:
    assert scores.summary_df.row(0, named=True)["absent_accuracy"] >= 0.90


def test_every_quote_stands_on_its_page(corpus: Path, warehouse: Warehouse) -> None:
    names_df = warehouse.documents().select("doc_id", "file_name")
    evidence_df = warehouse.read("evidence_df").join(names_df, on="doc_id")
    pages = {
        (path.name, number): squeezed(page.get_text())
        for path in corpus.glob("*.pdf")
        for number, page in enumerate(pymupdf.open(path), start=1)
    }
    places = evidence_df.select("file_name", "page", "quote").iter_rows()
    assert evidence_df.height > 100
    assert [p for p in places if squeezed(p[2]) not in pages[p[0], p[1]]] == []


def test_every_found_answer_has_a_quote(warehouse: Warehouse) -> None:
    found_df = warehouse.read("answer_df").filter(pl.col("answer_found"), sub_question=0)
    bare_df = found_df.join(warehouse.read("evidence_df"), on=["run_id", "pair_id"], how="anti")
    assert found_df.height > 100
    assert bare_df.height == 0


def squeezed(text: str) -> str:
    return "".join(text.split())
