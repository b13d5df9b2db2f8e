"""Reports over a small warehouse, against figures computed by hand."""

from datetime import timedelta
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from flows.export import WRITERS, export
from flows.report import answers_by_document, read_report, report_names, run_reports
from flows.warehouse import Warehouse
from tests.rows import NOON, frame
from transforms.errors import InputError

LATER = NOON + timedelta(minutes=10)


@pytest.fixture(scope="module")
def warehouse(tmp_path_factory: pytest.TempPathFactory) -> Warehouse:
    """Two documents, two questions, one run of four pairs: the table in the module's tests."""
    warehouse = Warehouse.open(tmp_path_factory.mktemp("reports"), create=True)
    documents = [{"doc_id": d, "file_name": f"{d}.pdf", "n_pages": 3} for d in ("a", "b")]
    broken = {"doc_id": "c", "file_name": "c.pdf", "parse_status": "failed", "error_code": "empty"}
    line_df = frame("line_df", {"doc_id": "b", "text": "Inception: 2 May, with the premium"})
    corpus = {"document_df": frame("document_df", *documents, broken), "line_df": line_df}
    warehouse.write_batch(corpus, "b1")
    warehouse.write_run("x", run())
    warehouse.write_calls("k1", frame("llm_call_df", *calls()))
    warehouse.write_verdicts("v1", frame("verdict_df", *verdicts()))
    return warehouse


def run() -> dict[str, Any]:
    pairs = {
        # pair     question  document  route         rule            status
        "p1": ("q1", "a", "sequential", "single_value", "answered"),
        "p2": ("q1", "b", "sequential", "single_value", "not_found"),
        "p3": ("q2", "a", "batch", "many_values", "partial"),
        "p4": ("q2", "b", "batch", "many_values", "over_budget"),
    }  # fmt: skip
    values = {
        "p1": {"value_text": "1 May"},
        "p3": {"items": ["fire", "flood"], "is_exhausted": True},
    }
    return {
        "run_df": frame("run_df", {
            "n_pairs": 4, "budget_tokens": 1000, "spent_tokens": 300, "budget_usd": Decimal(2),
            "spent_usd": Decimal("0.5"), "started_at": NOON, "finished_at": LATER,
        }),
        "question_df": frame(
            "question_df",
            {"question_id": "q1", "text": "When?", "tags": ["claims"], "cues": ["type=when"],
             "keywords": ["premium"]},
            {"question_id": "q2", "text": "Which?", "tags": [], "cues": ["shape=which"]},
        ),
        "pair_df": frame("pair_df", *(
            {"pair_id": p, "question_id": q, "scope_key": d} for p, (q, d, *_) in pairs.items()
        )),
        "dispatch_df": frame("dispatch_df", *(
            {"pair_id": p, "route": route, "route_rule": rule, "baseline_tokens": 200}
            for p, (_, _, route, rule, _) in pairs.items()
        )),
        "answer_df": frame("answer_df", *(
            {"pair_id": p, "question_id": q, "doc_id": d, "status": status, "prompt_tokens": 70,
             "completion_tokens": 5, "n_iterations": 1, "cost_usd": Decimal(0), "stop_reason":
             "budget" if status == "over_budget" else "sufficient", **values.get(p, {})}
            for p, (q, d, _, _, status) in pairs.items()
        )),
        "evidence_df": frame(
            "evidence_df", {"pair_id": "p1"}, {"pair_id": "p3", "item": 1, "match_kind": "fuzzy"}
        ),
        "iteration_df": frame(
            "iteration_df",
            {"pair_id": "p1", "stop_reason": "sufficient", "n_tokens": 10},
            {"pair_id": "p2", "n_tokens": 30},
        ),
    }  # fmt: skip


def calls() -> list[dict[str, Any]]:
    plain = {"run_id": "x", "outcome": "ok", "http_status": 200}
    plain |= {"prompt_tokens": 70, "completion_tokens": 5}
    priced = {**plain, "cost_usd": Decimal("0.25")}
    return [
        {"call_id": "c1", "pair_id": "p1", **priced, "called_at": NOON, "latency_ms": 100},
        {"call_id": "c2", "pair_id": "p2", **priced, "called_at": LATER, "latency_ms": 300},
        {"call_id": "c3", "pair_id": "p3", **plain, "called_at": LATER, "latency_ms": 200},
    ]


def verdicts() -> list[dict[str, Any]]:
    """Two reviewers disagree about p1, the later says wrong; p2 was there all the time."""
    return [
        {"pair_id": "p1", "reviewer": "ann", "verdict": "right", "reviewed_at": NOON},
        {"pair_id": "p1", "reviewer": "bob", "verdict": "wrong", "reviewed_at": LATER},
        {"pair_id": "p2", "reviewer": "ann", "verdict": "wrong", "right_value": "2 May",
         "reviewed_at": NOON},
    ]  # fmt: skip


HALF = Decimal("0.5")
FIGURES: dict[str, tuple[str, list[tuple]]] = {
    "summary": (
        "n_pairs n_answered n_partial n_not_found n_over_budget saved_share",
        [(4, 1, 1, 1, 1, 0.625)],
    ),
    "by_status": (
        "status n_pairs share",
        [(s, 1, 0.25) for s in ("answered", "not_found", "over_budget", "partial")],
    ),
    "by_route": (
        "route n_pairs n_found n_calls cost_usd",
        [("batch", 2, 1, 1, None), ("sequential", 2, 1, 2, HALF)],
    ),
    "by_rule": (
        "route_rule n_pairs n_answered found_share tokens_mean n_calls cost_usd",
        [("many_values", 2, 0, 0.5, 75, 1, None), ("single_value", 2, 1, 0.5, 75, 2, HALF)],
    ),
    "by_question": (
        "question_id question n_answered n_partial n_calls tokens cost_usd",
        [("q1", "When?", 1, 0, 2, 150, HALF), ("q2", "Which?", 0, 1, 1, 75, None)],
    ),
    "by_document": (
        "file_name n_pairs n_answered n_partial n_calls",
        [("a.pdf", 2, 1, 1, 2), ("b.pdf", 2, 0, 0, 1)],
    ),
    "by_tag": ("tag n_pairs n_calls cost_usd", [("claims", 2, 2, HALF), ("untagged", 2, 1, None)]),
    "by_model": (
        "model n_calls prompt_tokens n_calls_unpriced latency_ms_p50",
        [("x", 3, 210, 1, 200)],
    ),
    "cost_by_day": ("n_calls n_calls_unpriced cost_usd", [(3, 1, None)]),
    "budget_burn_down": (
        "n_calls tokens tokens_left usd_left",
        [(1, 75, 925, Decimal("1.75")), (2, 150, 775, None)],
    ),
    "saving": (
        "route n_pairs baseline_tokens tokens saved_share",
        [("batch", 2, 400, 150, 0.625), ("sequential", 2, 400, 150, 0.625)],
    ),
    "failed_pairs": (
        "status question_id file_name stop_reason",
        [("over_budget", "q2", "b.pdf", "budget")],
    ),
    "exhausted_pairs": (
        "question_id file_name status tokens",
        [("q2", "b.pdf", "over_budget", 75), ("q2", "a.pdf", "partial", 75)],
    ),
    "failed_documents": ("file_name error_code", [("c.pdf", "empty")]),
    "cue_usage": (
        "cue n_questions n_pairs found_share",
        [("shape=which", 1, 2, 0.5), ("type=when", 1, 2, 0.5)],
    ),
    "triggers": ("trigger n_passes n_sufficient tokens_mean", [("initial", 2, 1, 20)]),
    "coverage": (
        "file_name n_questions n_answered answered_share",
        [("a.pdf", 2, 1, 0.5), ("b.pdf", 2, 0, 0), ("c.pdf", 0, 0, None)],
    ),
    "evidence_quality": ("match_kind n_quotes share", [("exact", 1, 0.5), ("fuzzy", 1, 0.5)]),
    "runs": ("run_id seconds n_pairs tokens_share usd_share", [("x", 600, 4, 0.3, 0.25)]),
    "changes": ("question_id", []),
    "clarifications": ("question_id", []),
    "vocabulary_gaps": ("keyword", []),
    "chargeback": (
        "month tag n_runs n_calls tokens cost_usd",
        [("2026-03", "claims", 1, 2, 150, HALF), ("2026-03", "untagged", 1, 1, 75, None)],
    ),
    "cost_by_day_and_route": (
        "day route n_calls cost_usd",
        [(NOON.date(), "batch", 1, None), (NOON.date(), "sequential", 2, HALF)],
    ),
    "agreement": (
        "breakdown name n_judged n_right n_wrong right_share n_disputed",
        [
            ("all", "all", 2, 0, 2, 0, 1),
            ("answer_shape", "single", 2, 0, 2, 0, 1),
            ("answer_type", "date", 2, 0, 2, 0, 1),
            ("question", "q1", 2, 0, 2, 0, 1),
            ("reviewer", "ann", 1, 0, 1, 0, 0),
            ("reviewer", "bob", 1, 0, 1, 0, 1),
            ("route", "sequential", 2, 0, 2, 0, 1),
            ("route_rule", "single_value", 2, 0, 2, 0, 1),
        ],
    ),
    "verdicts": (
        "reviewer verdict file_name value right_value is_disputed",
        [
            ("bob", "wrong", "a.pdf", "1 May", None, True),
            ("ann", "wrong", "b.pdf", None, "2 May", False),
        ],
    ),
    "to_review": ("pair_id reasons", [("p3", ["partial", "fuzzy_quote"])]),
    "verdict_gaps": (
        "question_id keyword n_pairs right_values",
        [("q1", "inception", 1, ["2 May"]), ("q1", "with", 1, ["2 May"])],
    ),
    "question_versions": (
        "question_id question n_runs n_pairs n_answered",
        [("q1", "When?", 1, 2, 1), ("q2", "Which?", 1, 2, 0)],
    ),
}


@pytest.mark.parametrize("name", report_names())
def test_figures(warehouse: Warehouse, name: str) -> None:
    columns, expected = FIGURES[name]
    assert read_report(warehouse, name).rows.select(columns.split()).rows() == expected


def test_every_report_can_be_exported_in_every_format(warehouse: Warehouse, tmp_path: Path) -> None:
    for name in report_names():
        report_df = read_report(warehouse, name).rows
        for suffix in WRITERS:
            path = tmp_path / f"{name}{suffix}"
            export(report_df, path)
            assert path.exists()


def test_the_report_of_a_run_leaves_out_what_has_no_rows(warehouse: Warehouse) -> None:
    names = [report.name for report in run_reports(warehouse)]
    assert names[:2] == ["summary", "by_status"]
    assert "changes" not in names


def test_answers_by_document_are_a_sheet_with_a_column_per_question(warehouse: Warehouse) -> None:
    sheet_df = answers_by_document(warehouse)
    assert sheet_df.select("file_name", "q1", "q2").rows() == [
        ("a.pdf", "1 May", "fire; flood"),
        ("b.pdf", None, None),
    ]


def test_a_report_that_is_not_there_and_a_warehouse_without_runs(
    warehouse: Warehouse, tmp_path: Path
) -> None:
    with pytest.raises(InputError, match="no report 'nothing'"):
        read_report(warehouse, "nothing")
    with pytest.raises(InputError, match="no run yet"):
        run_reports(Warehouse.open(tmp_path, create=True))
