"""The state of one pair's loop: a frozen value that can be stored, resumed and generated."""

from collections.abc import Mapping
from typing import Literal

from pydantic import Field

from transforms.values import (
    ActionName,
    Activations,
    AnswerWithEvidence,
    Candidate,
    CheckFailure,
    PairPlan,
    ParsedQuestion,
    PatternName,
    RouteDecision,
    StopReason,
    TriggerName,
    Usage,
    Value,
)


class Signal(Value):
    """A reason for another pass with the action that answers it."""

    trigger: TriggerName
    action: ActionName
    keywords: tuple[str, ...] = ()
    references: tuple[str, ...] = ()
    doc_id: str | None = None
    pages: tuple[int, ...] = ()
    widen: int = 0
    pattern: PatternName | None = None
    dropped: tuple[Candidate, ...] = ()


class Attempt(Value):
    """The checked answer of one step and the windows that it read."""

    iteration_number: int
    candidates: tuple[Candidate, ...]
    answer: AnswerWithEvidence
    failures: tuple[CheckFailure, ...] = ()
    cardinality_cue: int | None = None
    is_rejected: bool = False


class PassRecord(Value):
    """One pass as it will stand in iteration_df."""

    iteration_number: int
    signal: Signal
    candidates: tuple[Candidate, ...]
    n_candidates_new: int
    n_steps: int = 0
    n_tokens: int = 0
    confidence_before: float | None = None
    confidence_after: float | None = None
    outcome: str = ""
    stop_reason: StopReason | None = None


class LoopState(Value):
    """Everything the loop knows about one pair."""

    pair_id: str
    doc_ids: tuple[str, ...]
    question: ParsedQuestion
    plan: PairPlan
    means: tuple[PatternName, ...] = ()
    """Patterns that can be carried out here."""
    flagged_pages: tuple[tuple[str, int], ...] = ()
    """Document and page of every page whose checks failed."""

    route_overrides: Mapping[str, object] = Field(default_factory=dict)
    """Rows of the routing table that compline.toml replaces, by name."""

    phase: Literal["retrieving", "reparsing", "generating", "finished"] = "retrieving"
    route: RouteDecision | None = None
    activations: Activations
    signal: Signal = Signal(trigger="initial", action="first_retrieval")
    """What led to the pass under way, or to the one that is being prepared."""
    tried: tuple[Signal, ...] = ()
    is_fruitless: bool = False
    """The last action brought nothing unread."""

    iteration_number: int = 0
    step: int = 0
    n_steps: int = 0
    unread: tuple[Candidate, ...] = ()
    reading: tuple[Candidate, ...] = ()
    """Windows of the step under way."""
    seen: tuple[Candidate, ...] = ()
    read: tuple[Candidate, ...] = ()
    dropped: tuple[Candidate, ...] = ()
    keywords_added: tuple[str, ...] = ()
    reparsed: tuple[tuple[str, int], ...] = ()

    attempts: tuple[Attempt, ...] = ()
    records: tuple[PassRecord, ...] = ()
    usage: Usage = Usage()
    elapsed_ms: int = 0
    prompt_version: str | None = None
    error: str | None = None
    stop_reason: StopReason | None = None

    @property
    def pass_attempts(self) -> tuple[Attempt, ...]:
        """Return the attempts of the pass under way."""
        return tuple(a for a in self.attempts if a.iteration_number == self.iteration_number)
