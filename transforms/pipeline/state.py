"""The state of one pair's loop: a frozen value that can be stored, resumed and generated."""

from collections.abc import Mapping
from datetime import date, datetime
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

JUDGE = "the judge model says no"


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
    """Turned on, if it was off."""
    dropped: tuple[Candidate, ...] = ()
    says: str | None = None
    """Who rejected the answer, in words."""
    is_lead: bool = False
    """The words were found in the document: the answer of the part before."""
    is_repeat: bool = False
    """The same signal led to the same action before: there is nothing to do about it."""


class Rejection(Value):
    """A person's verdict against an answer of an earlier run, and that answer's value."""

    verdict: Literal["wrong", "incomplete"]
    reviewer: str
    reviewed_at: datetime
    note: str | None = None
    right_value: str | None = None
    answer_found: bool
    value_text: str | None = None
    value_number: float | None = None
    value_date: date | None = None
    value_bool: bool | None = None
    items: tuple[str, ...] = ()

    @property
    def says(self) -> str:
        """Return the verdict in words: what, who, when and why."""
        should_be = f"; should be {self.right_value!r}" if self.right_value else ""
        note = f"; {self.note!r}" if self.note else ""
        day = f"{self.reviewed_at:%Y-%m-%d}"
        return f"{self.verdict}, says {self.reviewer} on {day}{should_be}{note}"


class Attempt(Value):
    """The checked answer of one step and the windows that it read."""

    iteration_number: int
    candidates: tuple[Candidate, ...]
    answer: AnswerWithEvidence
    failures: tuple[CheckFailure, ...] = ()
    cardinality_cue: int | None = None
    rejected_by: str | None = None
    """Who says no to it, in words: the judge model or a person."""

    @property
    def is_rejected(self) -> bool:
        """Return whether somebody says no to it."""
        return self.rejected_by is not None


class PassRecord(Value):
    """One pass as it will stand in iteration_df."""

    iteration_number: int
    signal: Signal
    candidates: tuple[Candidate, ...]
    n_candidates_new: int
    activations: Activations = Activations()
    """Patterns that were on in this pass."""
    fruitless: tuple[Signal, ...] = ()
    """What was done after this pass and brought nothing unread, so that no pass began."""
    n_steps: int = 0
    n_tokens: int = 0
    retrieval_ms: int = 0
    parsing_ms: int = 0
    generation_ms: int = 0
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

    rejection: Rejection | None = None
    """Why the answer of the run before does not stand; null when nobody objects."""
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
    retrieval_ms: int = 0
    parsing_ms: int = 0
    """Of what no pass has in its record yet."""
    prompt_version: str | None = None
    error: str | None = None
    stop_reason: StopReason | None = None

    @property
    def pass_attempts(self) -> tuple[Attempt, ...]:
        """Return the attempts of the pass under way."""
        return tuple(a for a in self.attempts if a.iteration_number == self.iteration_number)

    def changed(self, **changes: object) -> "LoopState":
        """Return the state with these fields replaced."""
        return self.model_copy(update=changes)
