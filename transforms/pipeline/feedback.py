"""Triggers, actions and stop rules: what may follow a pass, as tables.

Rule 1: a trigger reads the checked answer of the pass, never a confidence alone.
Rule 2: each row names what it offers; the loop tries them in this order, one action per pass.
Rule 3: nothing here extends the loop: bounds are applied in loop.py.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import pairwise

from transforms.pipeline.answers import best_answer, item_key, known_value
from transforms.pipeline.state import Attempt, LoopState, Signal
from transforms.values import AnswerWithEvidence, Candidate, PatternName, TriggerName

MAX_KEYWORDS = 15
"""Keywords in all, the question's own included."""
MAX_WIDEN = 2
"""Paragraph, then section or page, then neighbouring pages."""
MAX_REPARSED_PAGES = 20
"""Pages re-parsed for one pair in one pass: OCR costs seconds a page."""
CONFIDENCE_DROP = 0.1
"""A pass that is less sure than the one before by more than this made things worse."""
DRIFT_OVERLAP = 0.25
"""Share of the original anchors that the best new window must hold."""
LATE_PATTERNS: tuple[PatternName, ...] = ("dense_retrieval", "toc_retrieval")
"""Patterns that may be turned on when everything else has been tried."""


@dataclass(frozen=True)
class Trigger:
    """A named signal and the actions that it offers, in order."""

    name: TriggerName
    offers: Callable[[LoopState, AnswerWithEvidence], Iterator[Signal]]


def signals(state: LoopState) -> Iterator[Signal]:
    """Yield every action the last pass gives reason for, highest trigger first."""
    answer = best_answer(state.pass_attempts, state.question.answer_shape)
    for trigger in TRIGGERS:
        yield from trigger.offers(state, answer)


def has_confidence_drop(state: LoopState) -> bool:
    """Say whether the pass that just ended is clearly less sure than the one before."""
    record = state.records[-1]
    if record.confidence_before is None or record.confidence_after is None:
        return False
    return record.confidence_after < record.confidence_before - CONFIDENCE_DROP


def has_drifted(signal: Signal, new: tuple[Candidate, ...]) -> bool:
    """Say whether new windows have left the original anchors.

    Only actions that search by words can drift: a followed reference, a re-parsed page and the
    answer of the part before lead where the document says.
    """
    if signal.is_lead:
        return False
    if signal.action not in ("expand_keywords", "next_candidates", "turn_on_pattern"):
        return False
    return max(candidate.anchor_overlap for candidate in new) < DRIFT_OVERLAP


def _parsing_gap(state: LoopState, answer: AnswerWithEvidence) -> Iterator[Signal]:
    read = {
        (candidate.doc_id, page)
        for candidate in _read_in_pass(state)
        for page in range(candidate.page_start, candidate.page_end + 1)
    }
    unstructured = () if answer.context_structured else answer.unstructured_pages
    doubtful = {place for place in read if place[1] in unstructured}
    # a flagged page is doubtful when it was read, and when there was nothing to read instead
    doubtful |= {place for place in state.flagged_pages if place in read or not read}
    doubtful -= set(state.reparsed)
    for doc_id in sorted({doc_id for doc_id, _ in doubtful}):
        pages = sorted(page for doc, page in doubtful if doc == doc_id)[:MAX_REPARSED_PAGES]
        yield Signal(
            trigger="parsing_gap",
            action="reparse_pages",
            doc_id=doc_id,
            pages=tuple(pages),
            pattern="adaptive_parsing",
        )
    if not doubtful and any(place[1] in unstructured for place in state.reparsed):
        yield Signal(trigger="parsing_gap", action="reparse_pages", is_repeat=True)


def _vocabulary_gap(state: LoopState, answer: AnswerWithEvidence) -> Iterator[Signal]:
    original = {*state.question.keywords, *state.question.anchor_keywords}
    known = {word.casefold() for word in (*original, *state.keywords_added)}
    room = MAX_KEYWORDS - len(known)
    told = [word.strip() for word in answer.llm_discovered_keywords]
    new = dict.fromkeys(word for word in told if word and word.casefold() not in known)
    signal = Signal(trigger="vocabulary_gap", action="expand_keywords")
    if leads := tuple(_known_from_parts(state, answer, known))[: max(room, 0)]:
        yield signal.model_copy(update={"keywords": leads, "is_lead": True})
    # longer words say more; Python's sort keeps the model's order among equals
    added = tuple(sorted(new, key=len, reverse=True)[: max(room, 0)])
    if added:
        yield signal.model_copy(update={"keywords": added})
    elif new or not set(told).isdisjoint(state.keywords_added):
        yield signal.model_copy(update={"is_repeat": True})


def _known_from_parts(
    state: LoopState, answer: AnswerWithEvidence, known: set[str]
) -> Iterator[str]:
    """Yield the values that the next part of a sequential question is asked about."""
    if state.question.decomposition != "sequential":
        return
    for part, following in pairwise(answer.parts):
        value = None if following.complete_answer_found else known_value(part)
        if value and value.casefold() not in known:
            yield value


def _pending_reference(state: LoopState, answer: AnswerWithEvidence) -> Iterator[Signal]:
    followed = {label for signal in state.tried for label in signal.references}
    pending = tuple(ref for ref in answer.pending_references if ref not in followed)
    if pending or answer.pending_references:
        yield Signal(
            trigger="pending_reference",
            action="follow_references",
            references=pending,
            pattern="two_hop_references",
            is_repeat=not pending,
        )


def _cardinality_mismatch(state: LoopState, answer: AnswerWithEvidence) -> Iterator[Signal]:
    if state.question.answer_shape == "single" or not answer.answer_found:
        return
    cues = [a.cardinality_cue for a in state.pass_attempts if a.cardinality_cue is not None]
    if answer.is_likely_complete and not (cues and len(answer.items) < max(cues)):
        return
    yield Signal(
        trigger="cardinality_mismatch",
        action="widen_listing",
        widen=1,
        pattern="listing_aggregation",
        is_repeat=_is_barren(state),
    )


def _incomplete_answer(state: LoopState, answer: AnswerWithEvidence) -> Iterator[Signal]:
    """Something was found, but not all; a clean "not found" is an answer, not a gap."""
    if answer.answer_found and not answer.complete_answer_found and not _is_barren(state):
        yield from _further(state, "incomplete_answer")


def _is_barren(state: LoopState) -> bool:
    """Say whether the pass looked for more of a list and found no item that was not known."""
    before = {
        item_key(item.value)
        for attempt in state.attempts
        if attempt.iteration_number < state.iteration_number
        for item in attempt.answer.items
    }
    now = {item_key(item.value) for each in state.pass_attempts for item in each.answer.items}
    return bool(before) and now <= before


def _external_rejection(state: LoopState, _answer: AnswerWithEvidence) -> Iterator[Signal]:
    rejected = [attempt.rejected_by for attempt in state.pass_attempts if attempt.is_rejected]
    if rejected:
        yield from _further(state, "external_rejection", rejected[0])


def _further(state: LoopState, trigger: TriggerName, says: str | None = None) -> Iterator[Signal]:
    """Offer wider windows, then the next K, then each pattern that was off."""
    widest = max((signal.widen for signal in state.tried), default=0)
    signal = Signal(trigger=trigger, action="next_candidates", widen=widest, says=says)
    if widest < MAX_WIDEN:
        yield signal.model_copy(update={"action": "widen_windows", "widen": widest + 1})
    yield signal
    for pattern in LATE_PATTERNS:
        if pattern in state.means and not getattr(state.activations, pattern):
            yield signal.model_copy(
                update={"action": "turn_on_pattern", "pattern": pattern, "widen": 0}
            )


def _failed_validation(state: LoopState, _answer: AnswerWithEvidence) -> Iterator[Signal]:
    if failing := _failing_windows(state.pass_attempts):
        yield Signal(trigger="failed_validation", action="drop_failing_windows", dropped=failing)


def _failing_windows(attempts: tuple[Attempt, ...]) -> tuple[Candidate, ...]:
    """Return what was read by steps whose checks failed; a wrong count is no fault of theirs."""
    return tuple(
        candidate
        for attempt in attempts
        if any(failure.check != "count" for failure in attempt.failures)
        for candidate in attempt.candidates
    )


def _read_in_pass(state: LoopState) -> tuple[Candidate, ...]:
    return tuple(candidate for attempt in state.pass_attempts for candidate in attempt.candidates)


# fmt: off
TRIGGERS: tuple[Trigger, ...] = (
    Trigger("parsing_gap",          _parsing_gap),
    Trigger("vocabulary_gap",       _vocabulary_gap),
    Trigger("pending_reference",    _pending_reference),
    Trigger("cardinality_mismatch", _cardinality_mismatch),
    Trigger("incomplete_answer",    _incomplete_answer),
    Trigger("failed_validation",    _failed_validation),
    Trigger("external_rejection",   _external_rejection),
)
# fmt: on
