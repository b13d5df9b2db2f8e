"""Each row of the routing and pattern tables, and what a deployment may override."""

from decimal import Decimal

import pytest

from transforms.errors import InputError
from transforms.pipeline.decide import (
    PATTERNS,
    ROUTES,
    TIGHT_SPREAD,
    Limits,
    decide_pipeline_patterns,
    decide_route,
    plan_pair,
    score_spread,
)
from transforms.pipeline.overrides import overridden
from transforms.values import Budget, DocumentProfile, ParsedQuestion, PatternName

WIDE = (10.0, 4.0, 1.0)
TIGHT = (10.0, 9.9, 9.8)
BUDGET = Budget(tokens=1000, usd=Decimal("0.5"), ms=1000)
PLAIN = DocumentProfile(media_type="application/pdf", total_pages=3)


def question(**values: object) -> ParsedQuestion:
    """Return a question with these values; also ones that are not declared yet."""
    return ParsedQuestion(text="q", corrected_text="q").model_copy(update=values)


# fmt: off
ROUTE_CASES: tuple[tuple[str, ParsedQuestion, tuple[float, ...], str], ...] = (
    # rule            question                                            scores  route
    ("many_values",   question(intent="listing", answer_shape="listing"),  WIDE,   "batch"),
    ("many_values",   question(answer_shape="table"),                      (),     "batch"),
    ("compound",      question(decomposition="independent"),               WIDE,   "batch"),
    ("comparison",    question(intent="comparison"),                       WIDE,   "batch"),
    ("open_question", question(intent="open_scoped"),                      WIDE,   "batch"),
    ("tight_scores",  question(answer_type="amount"),                      TIGHT,  "batch"),
    ("single_value",  question(answer_type="amount"),                      WIDE,   "sequential"),
    ("single_value",  question(answer_type="date"),                        (),     "sequential"),
    ("short_text",    question(answer_type="text"),                        WIDE,   "sequential"),
    ("default",       question(answer_shape="a shape added later"),        WIDE,   "batch"),
)
# fmt: on


@pytest.mark.parametrize(("rule", "asked", "scores", "route"), ROUTE_CASES)
def test_the_first_row_that_matches_decides_the_route(
    rule: str, asked: ParsedQuestion, scores: tuple[float, ...], route: str
) -> None:
    decision = decide_route(asked, scores)
    assert (decision.route_rule, decision.route) == (rule, route)


def test_every_route_has_a_case() -> None:
    assert [row.name for row in ROUTES] == list(dict.fromkeys(case[0] for case in ROUTE_CASES))


def test_the_reason_tells_the_rule_in_words_with_what_it_saw() -> None:
    decision = decide_route(question(answer_type="amount"), TIGHT)
    assert decision.reason == "score_spread is at most 0.05 (score_spread = 0.020)"
    assert decision.score_spread == pytest.approx(0.02)


def test_a_question_to_clarify_has_no_route() -> None:
    asked = question(needs_clarification=True, suggested_clarification="Which cap?")
    decision = decide_route(asked, ())
    assert (decision.route, decision.route_rule) == (None, None)
    assert "Which cap?" in decision.reason


@pytest.mark.parametrize(
    ("relevances", "spread"),
    [
        ((), None),
        ((7.0,), None),
        ((0.0, 0.0), None),
        ((10.0, 5.0), 0.5),
        ((5.0, 10.0), 0.5),
        ((4.0, 4.0), 0.0),
        ((-1.0, -2.0), None),
    ],
)
def test_score_spread_is_over_raw_relevance(
    relevances: tuple[float, ...], spread: float | None
) -> None:
    assert score_spread(relevances) == spread


def test_a_spread_just_over_the_limit_is_not_tight() -> None:
    worst = 1 - TIGHT_SPREAD
    asked = question(answer_type="amount")
    assert decide_route(asked, (1.0, worst + 0.001)).route_rule == "tight_scores"
    assert decide_route(asked, (1.0, worst - 0.001)).route_rule == "single_value"


# fmt: off
PATTERN_CASES: dict[PatternName, tuple[tuple[ParsedQuestion, DocumentProfile, bool], ...]] = {
    "toc_retrieval": (
        (question(), PLAIN.model_copy(update={"has_usable_toc": True}), True),
        (question(), PLAIN, False),
    ),
    "keyword_retrieval": ((question(), PLAIN, True),),
    "dense_retrieval": (
        (question(intent="open_scoped"), PLAIN, True),
        (question(intent="open_corpus_wide"), PLAIN, True),
        (question(intent="listing"), PLAIN, False),
    ),
    "two_hop_references": (
        (question(section_hint="Section 4"), PLAIN, True),
        (question(layout_hint="Table 3"), PLAIN, True),
        (question(intent="section_retrieval"), PLAIN, True),
        (question(intent="open_scoped"), PLAIN, True),
        (question(page_hint="3"), PLAIN, False),
    ),
    "listing_aggregation": (
        (question(intent="listing"), PLAIN, True),
        (question(intent="factual", answer_shape="listing"), PLAIN, False),
    ),
    "adaptive_parsing": (
        (question(), PLAIN.model_copy(update={"suggested_strategy": "ocr"}), True),
        (question(), PLAIN.model_copy(update={"suggested_strategy": "mixed"}), True),
        (question(), PLAIN, False),
    ),
    "iterative_feedback": ((question(), PLAIN, True),),
}
# fmt: on


@pytest.mark.parametrize("name", PATTERN_CASES)
def test_a_pattern_is_on_when_its_row_says_so(name: PatternName) -> None:
    for asked, profile, is_on in PATTERN_CASES[name]:
        activations, _ = decide_pipeline_patterns(asked, profile, means=frozenset())
        assert getattr(activations, name) is is_on, (asked, profile)


def test_every_pattern_has_a_case() -> None:
    assert {row.name for row in PATTERNS} == set(PATTERN_CASES)


def test_a_pattern_without_its_means_stays_on_and_is_named() -> None:
    asked = question(intent="open_scoped")
    scan = PLAIN.model_copy(update={"suggested_strategy": "ocr"})
    activations, missing = decide_pipeline_patterns(
        asked, scan, means=frozenset({"adaptive_parsing"})
    )
    assert activations.dense_retrieval
    assert missing == ("dense_retrieval",)


def test_what_needs_no_means_is_never_missing() -> None:
    asked = question(intent="section_retrieval", section_hint="Section 1")
    assert decide_pipeline_patterns(asked, PLAIN, means=frozenset())[1] == ()


def test_the_plan_fixes_k_bounds_budget_and_tier_before_retrieval() -> None:
    limits = Limits(k=3, max_iterations=2, budget=BUDGET, model_tier="large")
    plan = plan_pair(question(), PLAIN, means=frozenset(), limits=limits)
    assert (plan.k, plan.max_iterations, plan.budget, plan.model_tier) == (3, 2, BUDGET, "large")


def test_a_deployment_may_send_a_row_by_another_route() -> None:
    routes = overridden(ROUTES, {"short_text": "batch"})
    assert decide_route(question(answer_type="text"), WIDE, routes=routes).route == "batch"
    assert [row.name for row in routes] == [row.name for row in ROUTES]


def test_a_deployment_may_move_the_limit_of_tight_scores() -> None:
    routes = overridden(ROUTES, {"tight_scores": {"spread": 0.95}})
    decision = decide_route(question(answer_type="amount"), WIDE, routes=routes)
    assert decision.route_rule == "tight_scores"
    assert "at most 0.95" in decision.reason


@pytest.mark.parametrize(
    ("overrides", "named"),
    [
        ({"no_such_row": "batch"}, "no_such_row"),
        ({"compound": "parallel"}, "parallel"),
        ({"compound": {"spread": 0.1}}, "compound"),
        ({"tight_scores": {"spread": "wide"}}, "wide"),
        ({"tight_scores": {"spread": True}}, "True"),
        ({"tight_scores": {"limit": 0.1}}, "limit"),
    ],
)
def test_an_override_that_does_not_fit_is_refused(overrides: dict[str, object], named: str) -> None:
    with pytest.raises(InputError, match=named) as caught:
        overridden(ROUTES, overrides)
    assert caught.value.hint


def test_no_overrides_change_nothing() -> None:
    assert overridden(ROUTES, {}) == ROUTES
