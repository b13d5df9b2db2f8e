"""Each macro against a case computed by hand."""

from datetime import date, timedelta
from decimal import Decimal
from typing import Any

import pytest

from flows.database import sql_names
from tests.rows import NOON, frame
from tests.sql.conftest import Ask, Lens

LATER = NOON + timedelta(days=1)
OLD, NEW = {"run_id": "r1"}, {"run_id": "r2"}
PREMIUM = {"pair_id": "p1", "question_id": "premium"}
EXPIRY = {"pair_id": "p2", "question_id": "expiry"}
ANSWERED = {"status": "answered", "doc_id": "a"}
DUE = date(2026, 6, 30)
CALL = {"run_id": "r2", "prompt_tokens": 10, "outcome": "ok", "called_at": LATER}


@pytest.fixture
def ask(lens: Lens) -> Ask:
    """One file, two questions, two nights: the premium changed and the expiry was found later."""
    about = {"scope_key": "a"}
    return lens(
        run_df=frame("run_df", {**OLD, "started_at": NOON}, {**NEW, "started_at": LATER}),
        document_df=frame("document_df", {"doc_id": "a", "file_name": "Falcon-2026.pdf"}),
        source_df=frame("source_df", {"doc_id": "a"}),
        page_df=frame("page_df", {"doc_id": "a"}, {"doc_id": "a", "page_version": 2}),
        line_df=frame(
            "line_df",
            {"doc_id": "a", "text": "The Premium is due"},
            {"doc_id": "a", "page_version": 2, "text": "The premium is due at once"},
        ),
        question_df=frame(
            "question_df",
            {"question_id": "premium", "text": "How much?"},
            {"question_id": "premium", "question_version": "v2", "text": "What premium?"},
            {"question_id": "expiry", "text": "Until when?"},
        ),
        pair_df=frame(
            "pair_df",
            {**OLD, **PREMIUM, **about},
            {**OLD, **EXPIRY, **about},
            {**NEW, **PREMIUM, **about, "question_version": "v2"},
            {**NEW, **EXPIRY, **about},
        ),
        dispatch_df=frame("dispatch_df", {**NEW, "pair_id": "p1", "route": "batch"}),
        answer_df=frame(
            "answer_df",
            {**OLD, **PREMIUM, **ANSWERED, "value_text": "EUR 5"},
            {**OLD, **EXPIRY, "status": "not_found", "doc_id": "a"},
            {**NEW, **PREMIUM, **ANSWERED, "items": ["EUR 6", "EUR 7"], "confidence": 0.55},
            {**NEW, **EXPIRY, **ANSWERED, "value_text": "30 June 2026", "value_date": DUE,
             "confidence": 0.9},
        ),
        evidence_df=frame(
            "evidence_df", {**NEW, "pair_id": "p2", "doc_id": "a", "quote": "Expires 30 June"}
        ),
        llm_call_df=frame(
            "llm_call_df",
            {"call_id": "c1", "pair_id": "p1", **CALL, "cost_usd": Decimal("0.5")},
            {"call_id": "c2", "pair_id": "p2", **CALL, "cost_usd": Decimal("0.2")},
        ),
    )  # fmt: skip


HALF, FIFTH = Decimal("0.5"), Decimal("0.2")
FOUND: dict[str, tuple[str, list[tuple[Any, ...]]]] = {
    "answers_about('FALCON')": (
        "question_id value", [("expiry", "30 June 2026"), ("premium", "EUR 6; EUR 7")],
    ),
    "answers_to('premium')": ("file_name value", [("Falcon-2026.pdf", "EUR 6; EUR 7")]),
    "history_of('premium', 'falcon')": (
        "run_id question value",
        [("r1", "How much?", "EUR 5"), ("r2", "What premium?", "EUR 6; EUR 7")],
    ),
    "documents_without('premium')": ("file_name", []),
    "dates_between('2026-06-01', '2026-06-30')": ("question_id value_date", [("expiry", DUE)]),
    "dates_between('2026-07-01', '2026-07-31')": ("question_id", []),
    "quotes_with('30 june')": ("question_id page value", [("expiry", 1, "30 June 2026")]),
    "lines_with('PREMIUM')": ("page line text", [(1, 1, "The premium is due at once")]),
    "changed_since('2026-03-01')": (
        "question_id previous_value value reason",
        [("expiry", None, "30 June 2026", "unexplained"),
         ("premium", "EUR 5", "EUR 6 | EUR 7", "question")],
    ),
    "changed_since('2026-03-03')": ("question_id", []),
    "compare_runs('r1', 'r2')": (
        "question_id old_value new_value",
        [("expiry", None, "30 June 2026"), ("premium", "EUR 5", "EUR 6; EUR 7")],
    ),
    "cost_by(route)": ("name n_calls cost_usd", [("batch", 1, HALF), (None, 1, FIFTH)]),
    "cost_by(question_id)": ("name cost_usd", [("premium", HALF), ("expiry", FIFTH)]),
    "cost_by(file_name)": ("name n_calls", [("Falcon-2026.pdf", 2)]),
    "cost_between('2026-03-02', '2026-03-02')": ("n_calls prompt_tokens", [(2, 20)]),
    "cost_between('2026-03-03', '2026-03-04')": ("n_calls", []),
    "unsure()": ("question_id confidence", [("premium", 0.55)]),
    "unsure(at_most := 0.9)": ("question_id", [("premium",), ("expiry",)]),
}  # fmt: skip


@pytest.mark.parametrize("call", FOUND)
def test_a_macro_finds(ask: Ask, call: str) -> None:
    columns, expected = FOUND[call]
    found = [tuple(row[name] for name in columns.split()) for row in ask(f"from {call}")]
    assert found == expected


def test_every_macro_has_a_case() -> None:
    called = {call.partition("(")[0] for call in FOUND}
    assert called == {name.rpartition("/")[2] for name in sql_names("macros")}
