"""A clock that goes back between two nights: the later night is the later one all the same."""

from datetime import timedelta
from pathlib import Path

import pytest

from flows.answer import answer
from flows.clock import now
from flows.ingest import ingest
from flows.warehouse import Warehouse
from tests.e2e.conftest import WritePdf
from tests.rows import frame


@pytest.mark.usefixtures("prefect")
def test_what_is_seen_and_answered_last_counts_though_the_clock_went_back(
    tmp_path: Path, write_pdf: WritePdf
) -> None:
    overrides = {"warehouse": str(tmp_path / "warehouse"), "engine": "offline"}
    warehouse = Warehouse.open(overrides["warehouse"], create=True)
    file = write_pdf("in/a.pdf", "The annual premium is $1,200.00.")
    questions = tmp_path / "q.csv"
    questions.write_text("question_id,question\npremium,What is the annual premium?\n")
    tomorrow = now() + timedelta(days=1)  # by a clock that was ahead
    row = {"doc_id": "0" * 16, "uri": str(file), "file_name": "a.pdf", "seen_at": tomorrow}
    parsed = {**row, "parsed_at": tomorrow, "parse_status": "parsed"}
    warehouse.write_batch(
        {"source_df": frame("source_df", {**row, "status": "current"}),
         "document_df": frame("document_df", parsed)}, "ahead",
    )  # fmt: skip
    assert ingest([str(file)], None, overrides).n_superseded == 1
    assert warehouse.documents()["file_name"].to_list() == ["a.pdf"]
    assert "0" * 16 not in warehouse.documents()["doc_id"]
    run = {"run_id": "ahead", "set_id": "q", "started_at": tomorrow}
    warehouse.write_run("ahead", {"run_df": frame("run_df", run)})
    first = answer(str(questions), None, overrides)
    second = answer(str(questions), None, overrides)
    run_df = warehouse.read("run_df").sort("started_at")
    assert run_df["run_id"].to_list() == ["ahead", first, second]
    assert warehouse.query("select run_id, status from latest_answer").rows() == [
        (second, "answered")
    ]
