"""Each view against a case computed by hand."""

from datetime import timedelta
from decimal import Decimal

from tests.rows import NOON, frame
from tests.sql.conftest import Lens

LATER = NOON + timedelta(days=1)
FIRST = {"run_id": "r1", "started_at": NOON}
SECOND = {"run_id": "r2", "started_at": LATER}
BOTH = frame("run_df", FIRST, SECOND)
FOUND = {"status": "answered", "answer_found": True}
MISSED = {"status": "not_found"}
ENGLISH = {"language": "en"}


def test_latest_answer_takes_the_latest_run_and_leaves_out_what_is_gone(lens: Lens) -> None:
    pairs = [
        {"run_id": run_id, "pair_id": doc_id, "scope_key": doc_id, "question_id": "q"}
        for run_id in ("r1", "r2")
        for doc_id in ("a", "gone")
    ]
    answers = [
        {"run_id": run_id, "pair_id": doc_id, "doc_id": doc_id, "value_text": run_id}
        for run_id in ("r1", "r2")
        for doc_id in ("a", "gone")
    ]
    ask = lens(
        run_df=BOTH,
        pair_df=frame("pair_df", *pairs),
        answer_df=frame("answer_df", *answers),
        question_df=frame("question_df", {"question_id": "q", "text": "When?"}),
        document_df=frame("document_df", {"doc_id": "a", "file_name": "a.pdf"}),
        source_df=frame("source_df", {"doc_id": "gone", "status": "vanished"}),
    )
    (row,) = ask("views/latest_answer")
    assert (row["value_text"], row["file_name"], row["question"]) == ("r2", "a.pdf", "When?")
    assert row["answered_at"] == LATER


def test_latest_answer_drops_an_old_wording_of_a_question(lens: Lens) -> None:
    pairs = [
        {"run_id": "r1", "pair_id": "old", "question_version": "v1", "scope_key": "a"},
        {"run_id": "r2", "pair_id": "new", "question_version": "v2", "scope_key": "a"},
    ]
    answers = [{"run_id": "r1", "pair_id": "old"}, {"run_id": "r2", "pair_id": "new"}]
    ask = lens(
        run_df=BOTH, pair_df=frame("pair_df", *pairs), answer_df=frame("answer_df", *answers)
    )
    assert [row["pair_id"] for row in ask("views/latest_answer")] == ["new"]


def test_an_old_answer_shows_the_question_that_it_answered(lens: Lens) -> None:
    versions = [
        {"question_version": "v1", "text": "What is the excess?"},
        {"question_version": "v2", "text": "What is the deductible?"},
    ]
    pairs = [
        {"run_id": "r1", "pair_id": "old", "question_version": "v1"},
        {"run_id": "r2", "pair_id": "new", "question_version": "v2"},
    ]
    ask = lens(
        run_df=BOTH,
        question_df=frame("question_df", *versions),
        pair_df=frame("pair_df", *pairs),
        answer_df=frame(
            "answer_df", *(({"run_id": p["run_id"], "pair_id": p["pair_id"]}) for p in pairs)
        ),
    )
    for view in ("answer_history", "answer_with_evidence"):
        asked = {row["run_id"]: row["question"] for row in ask(f"views/{view}")}
        assert asked == {"r1": "What is the excess?", "r2": "What is the deductible?"}


def test_answer_with_evidence_keeps_answers_without_quotes(lens: Lens) -> None:
    answers = [{"pair_id": "p1", "items": ["fire", "flood"]}, {"pair_id": "p2"}]
    quotes = [
        {"pair_id": "p1", "item": 1, "page": 3, "quote": "Fire", "doc_id": "a"},
        {"pair_id": "p1", "item": 2, "page": 3, "quote": "Flood", "doc_id": "a"},
    ]
    ask = lens(
        answer_df=frame("answer_df", *answers),
        evidence_df=frame("evidence_df", *quotes),
        page_df=frame("page_df", {"doc_id": "a", "page": 3, "page_label": "iii"}),
    )
    found = {
        (r["pair_id"], r["item_text"], r["page_label"]) for r in ask("views/answer_with_evidence")
    }
    assert found == {("p1", "fire", "iii"), ("p1", "flood", "iii"), ("p2", None, None)}


def changes(lens: Lens, before: dict, after: dict, **frames) -> list[tuple]:
    """Return what changed between two answers to one question about one file."""
    place = {"scope_key": "a", "doc_id": "a", "pair_id": "p", "question_version": "v"}
    rows = [{**place, "run_id": "r1", **before}, {**place, "run_id": "r2", **after}]

    def only(table: str) -> list[dict]:
        fields = frame(table).columns
        return [{name: row[name] for name in row if name in fields} for row in rows]

    ask = lens(
        run_df=BOTH,
        pair_df=frame("pair_df", *only("pair_df")),
        answer_df=frame("answer_df", *only("answer_df")),
        pair_doc_df=frame(
            "pair_doc_df",
            *(
                {**row, "as_of": t}
                for row, t in zip(only("pair_doc_df"), (NOON, LATER), strict=True)
            ),
        ),
        **frames,
    )
    return [
        (r["run_id"], r["previous_value"], r["value"], r["reason"])
        for r in ask("views/answer_change")
    ]


def test_an_answer_that_is_the_same_is_no_change(lens: Lens) -> None:
    assert changes(lens, {"value_text": "1"}, {"value_text": "1", "model": "other"}) == []


def test_a_change_that_nothing_explains_says_so(lens: Lens) -> None:
    found = changes(lens, {"value_text": "1"}, {"value_text": "2"})
    assert found == [("r2", "1", "2", "unexplained")]


def test_a_changed_item_is_a_change(lens: Lens) -> None:
    found = changes(lens, {"items": ["a"]}, {"items": ["a", "b"]})
    assert found == [("r2", "a", "a | b", "unexplained")]


def test_a_change_names_model_prompt_question_in_this_order(lens: Lens) -> None:
    new = {"value_text": "2", "model": "m2"}
    assert changes(lens, {"value_text": "1"}, new)[0][-1] == "model"


def test_a_new_prompt_explains_before_a_new_model(lens: Lens) -> None:
    new = {"value_text": "2", "model": "m2", "prompt_version": "p2"}
    assert changes(lens, {"value_text": "1"}, new)[0][-1] == "prompt"


def test_a_new_wording_explains_before_a_new_prompt(lens: Lens) -> None:
    new = {"value_text": "2", "prompt_version": "p2", "question_version": "v2", "pair_id": "p2"}
    assert changes(lens, {"value_text": "1"}, new)[0][-1] == "question"


def test_a_new_version_of_the_file_explains_before_all(lens: Lens) -> None:
    seen = [
        {"uri": "/x.pdf", "doc_id": "a", "seen_at": NOON},
        {"uri": "/x.pdf", "doc_id": "b", "seen_at": LATER},
    ]
    new = {"value_text": "2", "doc_id": "b", "scope_key": "b", "pair_id": "p2", "model": "m2"}
    found = changes(lens, {"value_text": "1"}, new, source_df=frame("source_df", *seen))
    assert found == [("r2", "1", "2", "document")]


def test_a_page_that_was_read_again_explains_when_nothing_else_does(lens: Lens) -> None:
    again = frame("page_df", {"doc_id": "a", "page_version": 2, "parsed_at": LATER})
    found = changes(lens, {"value_text": "1"}, {"value_text": "2"}, page_df=again)
    assert found[0][-1] == "parser"


P1 = {"run_id": "r1", "pair_id": "p1", "outcome": "ok"}
P2 = {"run_id": "r1", "pair_id": "p2", "outcome": "ok"}
INGEST = {"doc_id": "a", "purpose": "ocr_page", "outcome": "ok", "called_at": LATER}
CALLS = [
    {"call_id": "c1", **P1, "prompt_tokens": 100, "cost_usd": Decimal("0.25")},
    {"call_id": "c2", **P1, "outcome": "timed_out"},
    {"call_id": "c2", "attempt": 2, **P1, "prompt_tokens": 50, "cost_usd": Decimal("0.50")},
    {"call_id": "c3", **P2, "http_status": 200},  # its usage did not come
    {"call_id": "c4", **INGEST, "prompt_tokens": 9, "cost_usd": Decimal("0.01")},
]
PAIRS = {
    "pair_df": frame(
        "pair_df", *({"run_id": "r1", "pair_id": p, "question_id": p} for p in ("p1", "p2", "p3"))
    ),
    "answer_df": frame(
        "answer_df",
        {"run_id": "r1", "pair_id": "p1", **FOUND, "prompt_tokens": 150, "completion_tokens": 15},
        {"run_id": "r1", "pair_id": "p1", "sub_question": 1},
        {
            "run_id": "r1",
            "pair_id": "p2",
            "status": "not_found",
            "prompt_tokens": 7,
            "completion_tokens": 1,
        },
        {
            "run_id": "r1",
            "pair_id": "p3",
            **FOUND,
            "reused_from_run_id": "r0",
            "prompt_tokens": 80,
            "completion_tokens": 8,
        },
    ),
    "dispatch_df": frame(
        "dispatch_df",
        {"run_id": "r1", "pair_id": "p1", "route": "sequential", "baseline_tokens": 300},
        {"run_id": "r1", "pair_id": "p2", "route": "batch", "baseline_tokens": 8},
        {"run_id": "r1", "pair_id": "p3", "route": "sequential", "baseline_tokens": 100},
    ),
    "llm_call_df": frame("llm_call_df", *CALLS),
}


def test_pair_cost_counts_every_attempt_and_never_prices_what_has_no_price(lens: Lens) -> None:
    rows = {row["pair_id"]: row for row in lens(**PAIRS)("views/pair_cost")}
    assert [rows["p1"][name] for name in ("n_calls", "n_calls_failed", "prompt_tokens")] == [
        3,
        1,
        150,
    ]
    assert rows["p1"]["cost_usd"] == Decimal("0.75")
    assert (rows["p2"]["cost_usd"], rows["p2"]["n_calls_unpriced"]) == (None, 1)
    assert (rows["p3"]["n_calls"], rows["p3"]["cost_usd"], rows["p3"]["is_reused"]) == (0, 0, True)


def test_route_cost_sums_pairs_by_route(lens: Lens) -> None:
    rows = {row["route"]: row for row in lens(**PAIRS)("views/route_cost")}
    sequential = rows["sequential"]
    assert [sequential[name] for name in ("n_pairs", "n_reused", "n_found", "n_calls")] == [
        2,
        1,
        2,
        3,
    ]
    assert (sequential["cost_usd"], sequential["usd_per_pair"]) == (Decimal("0.75"), 0.375)
    assert (rows["batch"]["cost_usd"], rows["batch"]["n_calls_unpriced"]) == (None, 1)


def test_what_killed_runs_paid_counts_once_for_the_run_that_went_on(lens: Lens) -> None:
    """Killed r1 and r2 leave calls alone; r3 goes on from both; cancelled r4 keeps its own."""
    calls = [
        {"call_id": "a", "run_id": "r1", "pair_id": "p1", "cost_usd": Decimal("0.10")},
        {"call_id": "b", "run_id": "r2", "pair_id": "p1", "cost_usd": Decimal("0.20")},
        {"call_id": "c", "run_id": "r2", "pair_id": "p2", "outcome": "cancelled"},
        {"call_id": "d", "run_id": "r3", "pair_id": "p2", "cost_usd": Decimal("0.40")},
        {"call_id": "e", "run_id": "r4", "pair_id": "p1", "cost_usd": Decimal("0.80")},
        {"call_id": "f", "run_id": "r1", "cost_usd": Decimal("1.60"), "purpose": "embed"},
        {"call_id": "g", "cost_usd": Decimal("3.20"), "purpose": "ocr_page"},
    ]
    runs = [
        {"run_id": "r3", "resumed_from": "r2", "killed_run_ids": ["r2", "r1"]},
        {"run_id": "r4", "killed_run_ids": []},
        {"run_id": "r5", "resumed_from": "r4"},  # of before killed_run_ids
    ]
    pairs = [
        {"run_id": run, "pair_id": pair} for run in ("r3", "r4", "r5") for pair in ("p1", "p2")
    ]
    routes = [{**pair, "route": "sequential"} for pair in pairs]
    calls = [{"outcome": "ok", "prompt_tokens": 5, **call} for call in calls]
    ask = lens(
        run_df=frame("run_df", *runs),
        pair_df=frame("pair_df", *pairs),
        dispatch_df=frame("dispatch_df", *routes),
        llm_call_df=frame("llm_call_df", *calls),
    )
    costs = {
        (row["run_id"], row["pair_id"]): (row["n_calls"], row["cost_usd"])
        for row in ask("views/pair_cost")
    }
    assert costs["r3", "p1"] == (2, Decimal("0.30"))
    assert costs["r3", "p2"] == (2, Decimal("0.40"))
    assert costs["r4", "p1"] == (1, Decimal("0.80"))
    assert costs["r5", "p1"] == (0, 0)
    by_run = {row["run_id"]: row["cost_usd"] for row in ask("views/route_cost")}
    assert by_run == {"r3": Decimal("0.70"), "r4": Decimal("0.80"), "r5": 0}
    bill = ask("select sum(cost_usd) as usd, count(*) as n from run_call")
    assert bill == [{"usd": Decimal("6.30"), "n": 7}]
    of_model = ask("reports/by_model", run_id="r3")
    assert sum(row["cost_usd"] for row in of_model) == Decimal("2.30")


def test_daily_cost_holds_calls_made_at_ingest(lens: Lens) -> None:
    rows = {(str(row["day"]), row["purpose"]): row for row in lens(**PAIRS)("views/daily_cost")}
    assert rows["2026-03-01", "answer"]["n_calls"] == 4
    assert rows["2026-03-01", "answer"]["cost_usd"] is None
    assert rows["2026-03-02", "ocr_page"]["cost_usd"] == Decimal("0.01")


def test_saving_counts_reused_pairs_as_free(lens: Lens) -> None:
    rows = {row["route"]: row for row in lens(**PAIRS)("views/saving")}
    sequential = rows["sequential"]
    assert (sequential["n_pairs"], sequential["n_reused"]) == (2, 1)
    assert (sequential["baseline_tokens"], sequential["tokens"]) == (400, 165)
    assert (sequential["saved_tokens"], sequential["saved_share"]) == (235, 0.5875)
    assert (rows["batch"]["saved_tokens"], rows["batch"]["saved_share"]) == (0, 0)


def test_budget_status_shares_and_stopped_pairs(lens: Lens) -> None:
    run = {
        "run_id": "r1",
        "budget_tokens": 1000,
        "spent_tokens": 250,
        "budget_usd": Decimal(4),
        "spent_usd": Decimal(1),
    }
    answers = [
        {"run_id": "r1", "pair_id": "p1", "status": "over_budget"},
        {"run_id": "r1", "pair_id": "p2", "status": "partial", "stop_reason": "budget"},
        {"run_id": "r1", "pair_id": "p3", "status": "partial", "stop_reason": "exhausted"},
    ]
    answer_df = frame("answer_df", *({**row} for row in answers))
    (row,) = lens(run_df=frame("run_df", run), answer_df=answer_df)("views/budget_status")
    assert (row["tokens_share"], row["usd_share"]) == (0.25, 0.25)
    assert (row["n_over_budget"], row["n_partial_for_budget"]) == (1, 1)


def test_iteration_trail_names_question_document_and_outcome(lens: Lens) -> None:
    passes = [{"iteration_number": 1}, {"iteration_number": 2, "stop_reason": "sufficient"}]
    ask = lens(
        iteration_df=frame("iteration_df", *passes),
        pair_df=frame("pair_df", {"question_id": "q"}),
        answer_df=frame("answer_df", {"doc_id": "a", **FOUND}),
        document_df=frame("document_df", {"doc_id": "a", "file_name": "a.pdf"}),
    )
    rows = ask("views/iteration_trail")
    assert [row["iteration_number"] for row in rows] == [1, 2]
    assert {(r["question_id"], r["file_name"], r["status"]) for r in rows} == {
        ("q", "a.pdf", "answered")
    }


def test_vocabulary_gap_counts_the_pairs_that_a_keyword_helped(lens: Lens) -> None:
    gap = {"trigger": "vocabulary_gap", "keywords_added": ["Excess"]}
    passes = [
        {"pair_id": "p1", **gap},
        {"pair_id": "p2", **gap},
        {
            "pair_id": "p2",
            "iteration_number": 2,
            "trigger": "incomplete_answer",
            "keywords_added": ["other"],
        },
    ]
    ask = lens(
        iteration_df=frame("iteration_df", *passes),
        pair_df=frame("pair_df", *({"pair_id": f"p{n}", "question_id": f"q{n}"} for n in (1, 2))),
        answer_df=frame("answer_df", {"pair_id": "p1", **FOUND}, {"pair_id": "p2", **MISSED}),
        question_df=frame("question_df", *({"question_id": f"q{n}", **ENGLISH} for n in (1, 2))),
    )
    (row,) = ask("views/vocabulary_gap")
    assert [row[name] for name in ("keyword", "language", "n_pairs", "n_found")] == [
        "excess",
        "en",
        2,
        1,
    ]
    assert row["question_ids"] == ["q1", "q2"]


def test_failed_document_lists_what_is_there_now(lens: Lens) -> None:
    failed = {"parse_status": "failed", "error_code": "truncated"}
    documents = [{"doc_id": "a", **failed}, {"doc_id": "b", **failed}, {"doc_id": "c"}]
    seen = [{"uri": "/a", "doc_id": "a"}, {"uri": "/b", "doc_id": "b", "status": "vanished"}]
    ask = lens(document_df=frame("document_df", *documents), source_df=frame("source_df", *seen))
    assert [(r["uri"], r["error_code"]) for r in ask("views/failed_document")] == [
        ("/a", "truncated")
    ]


def test_clarification_needed_looks_at_the_newest_wording(lens: Lens) -> None:
    vague = {"needs_clarification": True, "suggested_clarification": "Which limit?"}
    questions = [
        {"question_id": "q1", "question_version": "v1", **vague},
        {"question_id": "q1", "question_version": "v2"},
        {"question_id": "q2", "question_version": "v1", **vague},
    ]
    pairs = [
        {"run_id": "r1", "question_id": "q1", "question_version": "v1", "pair_id": "p1"},
        {"run_id": "r2", "question_id": "q1", "question_version": "v2", "pair_id": "p2"},
        {"run_id": "r2", "question_id": "q2", "question_version": "v1", "pair_id": "p3"},
    ]
    ask = lens(
        run_df=BOTH,
        question_df=frame("question_df", *questions),
        pair_df=frame("pair_df", *pairs),
    )
    (row,) = ask("views/clarification_needed")
    assert (row["question_id"], row["suggested_clarification"], row["n_pairs"]) == (
        "q2",
        "Which limit?",
        1,
    )


def test_call_detail_names_what_a_call_was_made_for(lens: Lens) -> None:
    rows = {(row["call_id"], row["attempt"]): row for row in lens(**PAIRS)("views/call_detail")}
    assert len(rows) == len(CALLS)
    assert (rows["c2", 2]["question_id"], rows["c2", 2]["route"]) == ("p1", "sequential")
    assert (rows["c3", 1]["is_unpriced"], rows["c1", 1]["is_unpriced"]) == (True, False)
    assert (rows["c4", 1]["route"], str(rows["c4", 1]["day"])) == (None, "2026-03-02")


def test_tag_cost_shares_a_cost_among_tags_and_adds_up_to_the_bill(lens: Lens) -> None:
    questions = [
        {"question_id": "p1", "tags": ["claims", "finance"]},
        {"question_id": "p2", "tags": []},
    ]
    rows = lens(**PAIRS, question_df=frame("question_df", *questions))("views/tag_cost")
    costs = {row["tag"]: row["cost_usd"] for row in rows}
    half = Decimal("0.375")
    assert costs == {"claims": half, "finance": half, "untagged": None, "ingest": Decimal("0.01")}


JUDGED = {
    "run_df": BOTH,
    "pair_df": frame("pair_df", {"run_id": "r1", "question_id": "q"}),
    "answer_df": frame("answer_df", {"run_id": "r1", "value_text": "7", **FOUND}),
}


ANN = {"run_id": "r1", "reviewer": "ann"}
ANNS = [
    {**ANN, "verdict": "right", "reviewed_at": NOON},
    {**ANN, "verdict": "wrong", "right_value": "8", "reviewed_at": LATER},
]


def test_latest_verdict_is_the_last_word_of_a_reviewer(lens: Lens) -> None:
    [row] = lens(**JUDGED, verdict_df=frame("verdict_df", *ANNS))("views/latest_verdict")
    assert (row["verdict"], row["value"], row["right_value"]) == ("wrong", "7", "8")
    assert (row["n_reviewers"], row["is_disputed"]) == (1, False)


def test_latest_verdict_says_when_reviewers_disagree(lens: Lens) -> None:
    bob = {"run_id": "r1", "reviewer": "bob", "reviewed_at": NOON, "verdict": "right"}
    [row] = lens(**JUDGED, verdict_df=frame("verdict_df", *ANNS, bob))("views/latest_verdict")
    assert (row["verdict"], row["n_reviewers"], row["is_disputed"]) == ("wrong", 2, True)


def test_agreement_counts_verdicts_by_what_decided(lens: Lens) -> None:
    judged = frame("verdict_df", {"run_id": "r1", "verdict": "right", "reviewer": "ann"})
    rows = {
        (row["breakdown"], row["name"]): row
        for row in lens(**JUDGED, verdict_df=judged)("views/agreement")
    }
    assert rows["reviewer", "ann"]["right_share"] == rows["all", "all"]["right_share"] == 1
    assert rows["route", "none"]["n_judged"] == 1
