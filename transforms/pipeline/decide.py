"""The decisions: which patterns a pair turns on, within what bounds, and by which route.

Two moments: `plan_pair` before anything is retrieved or spent, `decide_route` when the scores of
the first retrieval are known. Both are ordered tables with named rows; what a row saw is stored
with the pair. No row names a domain.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from pydantic import Field

from transforms.values import (
    Activations,
    Budget,
    DocumentProfile,
    PairPlan,
    ParsedQuestion,
    PatternName,
    RouteDecision,
    RouteName,
    Value,
)

TIGHT_SPREAD = 0.05
"""Share of the best score within which the top K count as equal: no order worth trusting."""


class Limits(Value):
    """Bounds of one pair, as settings and the question set give them."""

    k: int = Field(default=5, ge=1)
    max_iterations: int = Field(default=4, ge=1)
    budget: Budget
    model_tier: str = "standard"


# -- routes ----------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Seen:
    """What the routing table looks at."""

    question: ParsedQuestion
    score_spread: float | None

    def value(self, name: str) -> str:
        """Return one seen value in words."""
        value = self.score_spread if name == "score_spread" else getattr(self.question, name)
        return f"{value:.3f}" if isinstance(value, float) else str(value)


@dataclass(frozen=True)
class When:
    """A named condition of a route: in words, what it looks at, and the test."""

    words: str
    looks_at: tuple[str, ...]
    holds: Callable[[Seen], bool]
    limit: float | None = None


@dataclass(frozen=True)
class Route:
    """One row of the routing table."""

    name: str
    when: When
    route: RouteName


def shape_in(*shapes: str) -> When:
    """Match the shape of the answer."""
    return _field_in("answer_shape", shapes)


def decomposition_is_not(value: str) -> When:
    """Match any other decomposition."""
    return When(
        f"decomposition is not {value}",
        ("decomposition",),
        lambda seen: seen.question.decomposition != value,
    )


def intent_in(*intents: str) -> When:
    """Match the intent."""
    return _field_in("intent", intents)


def spread_at_most(limit: float) -> When:
    """Match scores that lie close together; never when there are fewer than two."""
    return When(
        f"score_spread is at most {limit:g}",
        ("score_spread",),
        lambda seen: seen.score_spread is not None and seen.score_spread <= limit,
        limit,
    )


single_and_typed = When(
    "answer_shape is single and answer_type is not text",
    ("answer_shape", "answer_type"),
    lambda seen: seen.question.answer_shape == "single" and seen.question.answer_type != "text",
)
always = When("always", (), lambda _: True)


def _field_in(field: str, values: Sequence[str]) -> When:
    return When(
        f"{field} is {_either(values)}",
        (field,),
        lambda seen: getattr(seen.question, field) in values,
    )


def _either(values: Sequence[str]) -> str:
    return values[0] if len(values) == 1 else f"{', '.join(values[:-1])} or {values[-1]}"


# fmt: off
ROUTES: tuple[Route, ...] = (
    #     name             when                                           route
    Route("many_values",   shape_in("listing", "table", "tree", "nested"),  "batch"),
    Route("compound",      decomposition_is_not("single"),                  "batch"),
    Route("comparison",    intent_in("comparison"),                         "batch"),
    Route("open_question", intent_in("open_scoped", "open_corpus_wide"),    "batch"),
    Route("tight_scores",  spread_at_most(TIGHT_SPREAD),                    "batch"),
    Route("single_value",  single_and_typed,                                "sequential"),
    Route("short_text",    shape_in("single"),                              "sequential"),
    Route("default",       always,                                          "batch"),
)
# fmt: on


def decide_route(
    question: ParsedQuestion, relevances: Sequence[float], *, routes: Sequence[Route] = ROUTES
) -> RouteDecision:
    """Return the route of the first row that matches; none when the question must be clarified.

    `relevances` are the raw scores of the top K candidates; empty before retrieval.
    """
    spread = score_spread(relevances)
    if question.needs_clarification:
        reason = f"needs clarification: {question.suggested_clarification}"
        return RouteDecision(route=None, route_rule=None, reason=reason, score_spread=spread)
    seen = Seen(question, spread)
    row = next(row for row in routes if row.when.holds(seen))
    values = ", ".join(f"{name} = {seen.value(name)}" for name in row.when.looks_at)
    reason = f"{row.when.words} ({values})" if values else row.when.words
    return RouteDecision(route=row.route, route_rule=row.name, reason=reason, score_spread=spread)


def score_spread(relevances: Sequence[float]) -> float | None:
    """Return (s1 - sK) / s1 over raw relevances; null with fewer than two or nothing relevant."""
    best = max(relevances, default=0.0)
    if len(relevances) < 2 or best <= 0:
        return None
    return (best - min(relevances)) / best


# -- patterns --------------------------------------------------------------------------------------


@dataclass(frozen=True)
class PatternWhen:
    """A named condition of a pattern."""

    words: str
    holds: Callable[[ParsedQuestion, DocumentProfile], bool]


@dataclass(frozen=True)
class Pattern:
    """One row of the pattern table; some patterns need means that a deployment may not have."""

    name: PatternName
    when: PatternWhen
    needs_means: bool = False


has_usable_toc = PatternWhen("the document has a usable toc", lambda _, p: p.has_usable_toc)
every_pair = PatternWhen("always", lambda _q, _p: True)
is_open = PatternWhen(
    "intent is open_scoped or open_corpus_wide",
    lambda q, _: q.intent in {"open_scoped", "open_corpus_wide"},
)
points_elsewhere = PatternWhen(
    "a section or layout hint, or intent is section_retrieval or open_scoped",
    lambda q, _: (
        bool(q.section_hint or q.layout_hint) or q.intent in {"section_retrieval", "open_scoped"}
    ),
)
is_listing = PatternWhen("intent is listing", lambda q, _: q.intent == "listing")
needs_more_than_text = PatternWhen(
    "the profile asks for more than native text", lambda _, p: p.suggested_strategy != "native"
)

# fmt: off
PATTERNS: tuple[Pattern, ...] = (
    #       name                   when                   needs means
    Pattern("toc_retrieval",       has_usable_toc),
    Pattern("keyword_retrieval",   every_pair),
    Pattern("dense_retrieval",     is_open,               needs_means=True),
    Pattern("two_hop_references",  points_elsewhere),
    Pattern("listing_aggregation", is_listing),
    Pattern("adaptive_parsing",    needs_more_than_text,  needs_means=True),
    Pattern("iterative_feedback",  every_pair),
)
# fmt: on


def decide_pipeline_patterns(
    question: ParsedQuestion, profile: DocumentProfile, *, means: frozenset[PatternName]
) -> tuple[Activations, tuple[PatternName, ...]]:
    """Return the seven patterns, and those that are on without their means being there."""
    on = [row for row in PATTERNS if row.when.holds(question, profile)]
    missing: tuple[PatternName, ...] = tuple(
        row.name for row in on if row.needs_means and row.name not in means
    )
    is_on = {row.name: row in on for row in PATTERNS}
    return Activations(**is_on), missing


def plan_pair(
    question: ParsedQuestion,
    profile: DocumentProfile,
    *,
    means: frozenset[PatternName],
    limits: Limits,
) -> PairPlan:
    """Return all that is fixed before retrieval: patterns, K, bounds, budget, model tier."""
    activations, missing = decide_pipeline_patterns(question, profile, means=means)
    return PairPlan(
        activations=activations,
        missing_means=missing,
        k=limits.k,
        max_iterations=limits.max_iterations,
        budget=limits.budget,
        model_tier=limits.model_tier,
    )
