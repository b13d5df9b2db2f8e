"""What a pair's loop found: its rows of answer_df and evidence_df."""

from collections.abc import Sequence
from decimal import Decimal
from typing import cast

from transforms.errors import ContractError
from transforms.pipeline.answers import best_answer, best_attempt
from transforms.pipeline.records import StoredRow
from transforms.pipeline.state import JUDGE, LoopState
from transforms.values import (
    AnswerStatus,
    AnswerWithEvidence,
    EvidenceSpan,
    StopReason,
    Value,
)

EXHAUSTED: frozenset[StopReason] = frozenset({"exhausted", "max_iterations", "budget"})
_NOTHING_SPENT: StoredRow = {
    "n_steps": 0,
    "n_calls_reused": 0,
    "prompt_tokens": 0,
    "completion_tokens": 0,
    "cost_usd": Decimal(0),
    "latency_ms": 0,
}


def final_answer(state: LoopState) -> AnswerWithEvidence:
    """Return the best answer of all passes; one that somebody says no to is not complete."""
    answer = best_answer(state.attempts, state.question.answer_shape)
    best = best_attempt(state.attempts)
    if best is None or best.rejected_by is None:
        return answer
    caveats = answer.caveats
    if best.rejected_by != JUDGE:
        caveats = (*caveats, f"a reviewer does not take this answer for right: {best.rejected_by}")
    return answer.model_copy(update={"complete_answer_found": False, "caveats": caveats})


def answer_status(answer: AnswerWithEvidence, stop_reason: StopReason) -> AnswerStatus:
    """Return the status of an answer, given why its loop ended."""
    if stop_reason == "needs_clarification":
        return "needs_clarification"
    if answer.answer_found:
        return "answered" if answer.complete_answer_found else "partial"
    if stop_reason == "budget":
        return "over_budget"
    if stop_reason == "engine_failed":
        return "failed"
    return "not_found"


class AnswerIdentity(Value):
    """The columns of answer_df that the loop does not know."""

    pair_id: str
    question_id: str
    doc_id: str | None
    fingerprint: str
    engine: str
    model: str | None


def answer_rows(state: LoopState, identity: AnswerIdentity) -> list[StoredRow]:
    """Return the row of the whole answer and one per part of a compound question.

    Counts and costs stand in the whole answer's row alone, so that sums are right.
    """
    if state.stop_reason is None:
        raise ContractError(f"pair {state.pair_id!r} has not finished")
    answer = final_answer(state)
    usage = state.usage
    whole: StoredRow = {
        **_unspent(identity),
        **value_columns(answer),
        "route": state.route and state.route.route,
        "status": answer_status(answer, state.stop_reason),
        "caveats": [*answer.caveats, *filter(None, [state.error, _clarification(state)])],
        "stop_reason": state.stop_reason,
        "is_exhausted": state.stop_reason in EXHAUSTED,
        "n_iterations": state.iteration_number,
        "n_steps": state.n_steps,
        "n_calls_reused": usage.n_calls_reused,
        "prompt_tokens": usage.prompt_tokens,
        "completion_tokens": usage.completion_tokens,
        "cost_usd": usage.cost_usd,
        "latency_ms": state.elapsed_ms,
        "prompt_version": state.prompt_version,
    }
    return [whole, *(_part_row(whole, number, part) for number, part in enumerate(answer.parts, 1))]


def unanswered_row(identity: AnswerIdentity, status: AnswerStatus, caveat: str) -> StoredRow:
    """Return the row of a pair whose loop never ran, and why."""
    return {
        **_unspent(identity),
        **value_columns(AnswerWithEvidence()),
        "status": status,
        "caveats": [caveat],
    }


def _unspent(identity: AnswerIdentity) -> StoredRow:
    return {
        **identity.model_dump(),
        "sub_question": 0,
        "is_exhausted": False,
        "n_iterations": 0,
        **_NOTHING_SPENT,
    }


def _part_row(whole: StoredRow, number: int, part: AnswerWithEvidence) -> StoredRow:
    status: AnswerStatus = "not_found"
    if part.answer_found:
        status = "answered" if part.complete_answer_found else "partial"
    elif whole["status"] in ("over_budget", "failed"):
        status = cast("AnswerStatus", whole["status"])
    return {
        **whole,
        **value_columns(part),
        **_NOTHING_SPENT,
        "sub_question": number,
        "status": status,
    }


def _clarification(state: LoopState) -> str | None:
    return state.question.suggested_clarification if state.question.needs_clarification else None


def evidence_rows(pair_id: str, answer: AnswerWithEvidence) -> list[StoredRow]:
    """Return one row per quote of the whole answer, its items and its parts, without run_id."""
    rows = _evidence_of(pair_id, 0, answer)
    for sub_question, part in enumerate(answer.parts, start=1):
        rows += _evidence_of(pair_id, sub_question, part)
    return rows


def value_columns(answer: AnswerWithEvidence) -> StoredRow:
    """Return the columns of answer_df that come from the answer alone."""
    return {
        "value_text": answer.value_text,
        "value_number": answer.value_number,
        "value_date": answer.value_date,
        "value_bool": answer.value_bool,
        "unit": answer.unit,
        "currency": answer.currency,
        "items": [item.value for item in answer.items],
        "answer_found": answer.answer_found,
        "complete_answer_found": answer.complete_answer_found,
        "confidence": answer.confidence,
        "caveats": list(answer.caveats),
    }


def _evidence_of(pair_id: str, sub_question: int, answer: AnswerWithEvidence) -> list[StoredRow]:
    spans: Sequence[tuple[int, Sequence[EvidenceSpan]]] = [
        (0, answer.evidence),
        *((number, item.evidence) for number, item in enumerate(answer.items, start=1)),
    ]
    return [
        {
            "pair_id": pair_id,
            "sub_question": sub_question,
            "item": item,
            "seq": seq,
            **span.model_dump(exclude={"bboxes"}),
            "bboxes": [list(bbox) for bbox in span.bboxes],
        }
        for item, evidence in spans
        for seq, span in enumerate(evidence, start=1)
    ]
