"""Review and reconciliation as people do them: sheets go out and come back filled in."""

import json
from datetime import timedelta
from decimal import Decimal
from pathlib import Path

import polars as pl
import pytest

from flows.evaluate import read_gold_file
from flows.reconcile import reconcile
from flows.report import read_report
from flows.review import export_gold, export_sheet, import_sheet
from flows.warehouse import Warehouse
from tests.rows import NOON, frame
from transforms.errors import InputError

CALL = {"run_id": "r1", "pair_id": "p1", "model": "gpt-x", "outcome": "ok", "called_at": NOON}


@pytest.fixture
def warehouse(tmp_path: Path) -> Warehouse:
    """One run of three answers, of which two need a look."""
    warehouse = Warehouse.open(tmp_path / "warehouse", create=True)
    document = {"doc_id": "a", "file_name": "=a.pdf"}
    warehouse.write_batch({"document_df": frame("document_df", document)}, "b1")
    answers = [
        {"pair_id": "p1", "status": "answered", "value_text": "EUR 5", "confidence": 0.5},
        {"pair_id": "p2", "status": "partial", "items": ["fire", "flood"], "confidence": 0.9},
        {"pair_id": "p3", "status": "not_found", "confidence": 0.9},
    ]
    run = {"run_id": "r1"}
    questions = [{"question_id": f"q{n}", "text": f"What {n}?"} for n in (1, 2, 3)]
    pairs = [
        {**run, "pair_id": f"p{n}", "question_id": f"q{n}", "scope_key": "a"} for n in (1, 2, 3)
    ]
    frames = {
        "run_df": frame("run_df", run),
        "question_df": frame("question_df", *questions),
        "pair_df": frame("pair_df", *pairs),
        "answer_df": frame("answer_df", *({**run, "doc_id": "a", **a} for a in answers)),
        "evidence_df": frame("evidence_df", {**run, "pair_id": "p1", "page": 2, "quote": "EUR 5"}),
    }
    warehouse.write_run("r1", frames)
    spent = {"prompt_tokens": 30, "cached_tokens": 10, "completion_tokens": 4}
    calls = [
        {**CALL, "call_id": "c1", **spent, "cost_usd": Decimal("0.5")},
        {**CALL, "call_id": "c2", "outcome": "timed_out"},
        {**CALL, "call_id": "c3", **spent, "called_at": NOON + timedelta(days=1)},
    ]
    warehouse.write_calls("k1", frame("llm_call_df", *calls))
    return warehouse


def filled(path: Path, *verdicts: dict[str, str]) -> Path:
    """Fill in a sheet as a person does, row by row."""
    is_csv = path.suffix == ".csv"
    sheet_df = (
        pl.read_csv(path, infer_schema=False)
        if is_csv
        else pl.read_excel(path, infer_schema_length=0)
    )
    rows = [row | verdict for row, verdict in zip(sheet_df.to_dicts(), verdicts, strict=True)]
    filled_df = pl.DataFrame(rows, schema=dict.fromkeys(sheet_df.columns, pl.String))
    (filled_df.write_csv if is_csv else filled_df.write_excel)(path)
    return path


RIGHT = {"verdict": "right", "reviewer": "ann"}
INCOMPLETE = {"verdict": "incomplete", "right_value": "fire; flood; theft", "reviewer": "ann"}


@pytest.mark.parametrize("name", ["sheet.csv", "sheet.xlsx"])
def test_a_sheet_goes_out_and_its_verdicts_come_back(
    warehouse: Warehouse, tmp_path: Path, name: str
) -> None:
    path = tmp_path / name
    assert export_sheet(warehouse, path) == 2
    filled(path, RIGHT, INCOMPLETE)
    imported = import_sheet(warehouse, path)
    assert (imported.n_new, imported.n_known) == (2, 0)
    verdict_df = read_report(warehouse, "verdicts").rows.sort("question_id")
    assert verdict_df.select("question_id", "verdict", "value", "right_value").rows() == [
        ("q1", "right", "EUR 5", None),
        ("q2", "incomplete", "fire; flood", "fire; flood; theft"),
    ]
    assert read_report(warehouse, "to_review", "r1").rows.is_empty()


def test_a_sheet_that_is_imported_again_adds_nothing(warehouse: Warehouse, tmp_path: Path) -> None:
    path = tmp_path / "sheet.csv"
    export_sheet(warehouse, path)
    filled(path, RIGHT, INCOMPLETE)
    import_sheet(warehouse, path)
    assert (import_sheet(warehouse, path).n_new, import_sheet(warehouse, path).n_known) == (0, 2)


def test_one_mistake_and_nothing_is_imported(warehouse: Warehouse, tmp_path: Path) -> None:
    path = tmp_path / "sheet.csv"
    export_sheet(warehouse, path)
    filled(path, RIGHT, {"verdict": "perhaps", "reviewer": "ann"})
    with pytest.raises(InputError, match="row 3, column verdict: 'perhaps'"):
        import_sheet(warehouse, path)
    assert read_report(warehouse, "verdicts").rows.is_empty()


def test_the_whole_run_can_be_judged(warehouse: Warehouse, tmp_path: Path) -> None:
    assert export_sheet(warehouse, tmp_path / "all.csv", is_all=True) == 3


def test_verdicts_are_gold_for_an_evaluation(warehouse: Warehouse, tmp_path: Path) -> None:
    path = tmp_path / "sheet.csv"
    export_sheet(warehouse, path)
    filled(path, RIGHT, INCOMPLETE)
    import_sheet(warehouse, path)
    assert export_gold(warehouse, tmp_path / "gold.jsonl") == 2
    lines = {line.question: line for line in read_gold_file(str(tmp_path / "gold.jsonl"))}
    assert lines["What 1?"].pages == {2}
    assert json.loads((tmp_path / "gold.jsonl").read_text().splitlines()[0])["doc"] == "=a.pdf"


@pytest.mark.parametrize(
    ("name", "content", "says"),
    [
        ("none.csv", None, "cannot be read"),
        ("empty.csv", b"", "is empty"),
        ("fake.xlsx", b"nonsense", "is not a workbook"),
        ("twice.csv", b"a,a\n1,2\n", "names a column twice"),
        ("long.csv", b"answer\nr1/p1,right\n", "row 2 has more cells than the header"),
    ],
)
def test_what_is_no_sheet_is_the_users_error(
    warehouse: Warehouse, tmp_path: Path, name: str, content: bytes | None, says: str
) -> None:
    if content is not None:
        (tmp_path / name).write_bytes(content)
    with pytest.raises(InputError, match=says):
        import_sheet(warehouse, tmp_path / name)


def test_a_sheet_that_excel_saved_in_germany_is_read(warehouse: Warehouse, tmp_path: Path) -> None:
    path = tmp_path / "sheet.csv"
    path.write_bytes("Answer;Verdict;Reviewer;Note\r\nr1/p1;right;Jürgen;a, b\r\n".encode("cp1252"))
    assert import_sheet(warehouse, path).n_new == 1
    assert read_report(warehouse, "verdicts").rows["reviewer"].to_list() == ["Jürgen"]


def test_the_ledger_is_compared_with_what_was_billed(warehouse: Warehouse, tmp_path: Path) -> None:
    usage, costs = tmp_path / "usage.csv", tmp_path / "costs.csv"
    usage.write_text(
        "start_time_iso,model,num_model_requests,input_tokens,input_cached_tokens,output_tokens\n"
        "2026-03-01T00:00:00+00:00,gpt-x-2026-01-31,1,30,10,4\n"
        "2026-03-02T00:00:00+00:00,gpt-x-2026-01-31,2,60,10,8\n"
    )
    costs.write_text(
        "start_time,amount_value,amount_currency,line_item\n"
        '1772323200,0.40,usd,"gpt-x-2026-01-31, input"\n'
        '1772323200,0.10,usd,"gpt-x-2026-01-31, output"\n'
    )
    found_df = reconcile(warehouse, [usage, costs])
    assert found_df.select("model", "finding").rows() == [("gpt-x", "same"), ("gpt-x", "differs")]
    assert found_df["ledger_cost_usd"][0] == found_df["provider_cost_usd"][0] == Decimal("0.5")
    assert found_df["provider_n_calls"].to_list() == [1, 2]
