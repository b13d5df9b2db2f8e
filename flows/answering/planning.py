"""Plan a question set over the warehouse: pairs, patterns, bounds. Spends nothing."""

import hashlib
import json
from collections.abc import Iterator, Sequence

import polars as pl

from flows.answering.scope import Scope, Scopes
from flows.settings import Settings
from transforms.errors import InputError
from transforms.pipeline.decide import ROUTES, Limits, plan_pair
from transforms.pipeline.overrides import overridden
from transforms.pipeline.state import LoopState, Rejection
from transforms.questions import AskedQuestion
from transforms.values import Budget, DocumentProfile, PairPlan, PatternName, Value

DOCUMENTS_PER_CHUNK = 20
PAIRS_PER_CHUNK = 400
"""Bounds of a chunk: what a task holds in memory at once."""

STANDARD_TIER = "standard"
"""The tier of questions that name none: the model of the settings."""

ALWAYS_HERE: frozenset[PatternName] = frozenset(
    {
        "toc_retrieval",
        "keyword_retrieval",
        "two_hop_references",
        "listing_aggregation",
        "adaptive_parsing",
        "iterative_feedback",
    }
)
"""Patterns whose means come with the installation."""


class PlannedPair(Value):
    """One pair with all that is decided before retrieval."""

    pair_id: str
    asked: AskedQuestion
    scope: Scope
    plan: PairPlan
    failure: str | None = None
    """Why no document of the pair can be read; null when one can."""
    rejection: Rejection | None = None
    """Why the answer of the run before does not stand; null when nobody objects."""
    fingerprint: str


def means(settings: Settings) -> frozenset[PatternName]:
    """Return the patterns that can be carried out with these settings."""
    dense: frozenset[PatternName] = frozenset({"dense_retrieval"})
    return ALWAYS_HERE | dense if settings.embedding_model else ALWAYS_HERE


def plan_pairs(
    asked: Sequence[AskedQuestion], document_df: pl.DataFrame, settings: Settings
) -> list[PlannedPair]:
    """Return the pairs of a question set over the current documents.

    Ordered by question as in the file, then by document name. A document that could not be
    parsed makes a pair all the same: it will be answered as failed.
    """
    overridden(ROUTES, settings.routes)  # a wrong name is told before anything is read
    refuse_unknown_tiers(asked, settings)
    documents = {row["doc_id"]: row for row in document_df.iter_rows(named=True)}
    scopes = Scopes(document_df)
    return [
        _planned(question, scope, documents, settings)
        for question in asked
        for scope in scopes.of(question)
    ]


def refuse_unknown_tiers(asked: Sequence[AskedQuestion], settings: Settings) -> None:
    """Raise InputError for the first question whose model_tier no setting maps to a model."""
    known = {STANDARD_TIER, *settings.model_tiers}
    for question in asked:
        if question.model_tier not in known:
            raise InputError(
                f"question {question.question_id!r}: no model_tier {question.model_tier!r}"
                f" (known: {', '.join(sorted(known))})",
                hint="correct the cell, or map the tier to a model in [model_tiers] of"
                " compline.toml",
            )


def chunks_of(pairs: Sequence[PlannedPair]) -> Iterator[list[PlannedPair]]:
    """Yield pairs in chunks of bounded size, those of one document together."""
    chunk: list[PlannedPair] = []
    doc_ids: set[str] = set()
    for pair in sorted(pairs, key=lambda pair: (pair.scope.doc_ids, pair.pair_id)):
        grown = doc_ids | set(pair.scope.doc_ids)
        if chunk and (len(grown) > DOCUMENTS_PER_CHUNK or len(chunk) >= PAIRS_PER_CHUNK):
            yield chunk
            chunk, grown = [], set(pair.scope.doc_ids)
        chunk.append(pair)
        doc_ids = grown
    if chunk:
        yield chunk


def first_state(
    pair: PlannedPair, flagged_pages: Sequence[tuple[str, int]], settings: Settings
) -> LoopState:
    """Return the state in which the loop of a pair begins."""
    return LoopState(
        pair_id=pair.pair_id,
        doc_ids=pair.scope.doc_ids,
        question=pair.asked.parsed,
        plan=pair.plan,
        activations=pair.plan.activations,
        means=tuple(sorted(means(settings))),
        flagged_pages=tuple(place for place in flagged_pages if place[0] in pair.scope.doc_ids),
        route_overrides=settings.routes,
        rejection=pair.rejection,
    )


def plan_without_documents(asked: AskedQuestion, settings: Settings) -> PairPlan:
    """Return the plan of a question before any document is known."""
    profile = DocumentProfile(media_type="application/pdf", total_pages=1)
    return plan_pair(asked.parsed, profile, means=means(settings), limits=_limits(asked, settings))


def _planned(
    asked: AskedQuestion, scope: Scope, documents: dict[str, dict[str, object]], settings: Settings
) -> PlannedPair:
    rows = [documents[doc_id] for doc_id in scope.doc_ids]
    readable = [row for row in rows if row["parse_status"] != "failed"]
    plan = plan_pair(
        asked.parsed,
        _profile(readable or rows),
        means=means(settings),
        limits=_limits(asked, settings),
    )
    return PlannedPair(
        pair_id=_digest(asked.set_id, asked.question_id, scope.kind, scope.stable_key),
        asked=asked,
        scope=scope.model_copy(
            update={"doc_ids": tuple(str(row["doc_id"]) for row in readable or rows)}
        ),
        plan=plan,
        failure=None if readable else "; ".join(str(row["error_message"]) for row in rows),
        fingerprint=_fingerprint(asked, plan, rows, settings),
    )


def _profile(rows: Sequence[dict[str, object]]) -> DocumentProfile:
    """Return one profile for all documents of a pair: a pattern is on when any asks for it."""
    strategies = {row["suggested_strategy"] for row in rows}
    return DocumentProfile.model_validate(
        {
            "media_type": rows[0]["media_type"],
            "total_pages": sum(int(str(row["n_pages"])) for row in rows),
            "language": rows[0]["language"],
            "has_outline": any(row["has_outline"] for row in rows),
            "has_usable_toc": any(row["has_usable_toc"] for row in rows),
            "is_likely_scanned": any(row["is_likely_scanned"] for row in rows),
            "suggested_strategy": strategies.pop() if len(strategies) == 1 else "mixed",
        }
    )


def _limits(asked: AskedQuestion, settings: Settings) -> Limits:
    """Return the bounds of a pair: the question's own where it has some."""
    budget_usd = settings.pair_budget_usd if asked.budget_usd is None else asked.budget_usd
    return Limits(
        k=asked.k or settings.k,
        max_iterations=settings.max_iterations,
        budget=Budget(
            tokens=asked.budget_tokens or settings.pair_budget_tokens,
            usd=budget_usd,
            ms=asked.budget_ms or settings.pair_budget_ms,
        ),
        model_tier=asked.model_tier,
    )


def _fingerprint(
    asked: AskedQuestion,
    plan: PairPlan,
    rows: Sequence[dict[str, object]],
    settings: Settings,
) -> str:
    """Return a hash of all that the answer depends on."""
    read_by = ("doc_id", "parser_version", "vision_model")
    documents = sorted([str(row[name]) for name in read_by] for row in rows)
    return _digest(
        json.dumps(documents),
        asked.parsed.model_dump_json(),
        plan.model_dump_json(),
        settings.engine,
        settings.model or "",
        json.dumps(settings.model_tiers, sort_keys=True),
        settings.judge_model or "",
        settings.embedding_model or "",
        json.dumps(settings.routes, sort_keys=True),
    )


def _digest(*parts: str) -> str:
    """Return 16 hex digits that stand for these texts in this order."""
    return hashlib.sha256(json.dumps(parts).encode()).hexdigest()[:16]
