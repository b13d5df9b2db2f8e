"""Old runs go, the latest answer to everything stays."""

from datetime import timedelta
from pathlib import Path

import pytest

from flows.doctor import examine
from flows.retention import drop_old_runs
from flows.warehouse import Warehouse
from tests.rows import NOON, frame


@pytest.fixture
def warehouse(tmp_path: Path) -> Warehouse:
    """Return four nights over two pairs; the last two are pilots over the first pair alone."""
    warehouse = Warehouse.open(tmp_path, create=True)
    document_df = frame("document_df", {"doc_id": "p1"}, {"doc_id": "p2"})
    warehouse.write_batch({"document_df": document_df}, "b1")
    for night, pairs in enumerate((("p1", "p2"), ("p1", "p2"), ("p1",), ("p1",))):
        run = {"run_id": f"r{night}", "started_at": NOON + timedelta(days=night)}
        rows = [{"run_id": run["run_id"], "pair_id": p, "scope_key": p} for p in pairs]
        answered = [{"run_id": run["run_id"], "pair_id": p} for p in pairs]
        frames = {
            "run_df": frame("run_df", run),
            "question_df": frame("question_df", {}),
            "pair_df": frame("pair_df", *rows),
            "answer_df": frame("answer_df", *answered),
            "dispatch_df": frame("dispatch_df", *answered),
        }
        warehouse.write_run(str(run["run_id"]), frames)
        call = {"call_id": f"c{night}", "run_id": run["run_id"]}
        warehouse.write_calls(f"c{night}", frame("llm_call_df", call))
    return warehouse


def test_the_newest_and_those_with_latest_answers_are_kept(warehouse: Warehouse) -> None:
    before = warehouse.query("select pair_id, run_id from latest_answer order by pair_id").rows()
    assert before == [("p1", "r3"), ("p2", "r1")]
    assert drop_old_runs(warehouse, keep=1) == ["r0", "r2"]
    assert warehouse.read("run_df")["run_id"].to_list() == ["r1", "r3"]
    after = warehouse.query("select pair_id, run_id from latest_answer order by pair_id").rows()
    assert after == before


def test_costs_stay_and_the_warehouse_is_sound(warehouse: Warehouse) -> None:
    drop_old_runs(warehouse, keep=1)
    assert warehouse.read("llm_call_df").height == 4
    assert examine(warehouse) == []


def test_nothing_is_dropped_while_there_are_no_more_than_are_kept(warehouse: Warehouse) -> None:
    assert drop_old_runs(warehouse, keep=4) == []
    assert warehouse.read("run_df").height == 4
