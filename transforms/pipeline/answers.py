"""Which of several answers is best, and how parts become one answer."""

from collections.abc import Iterable, Sequence

from transforms.pipeline.state import Attempt, Rejection
from transforms.values import (
    AnswerItem,
    AnswerShape,
    AnswerWithEvidence,
    EvidenceSpan,
    ParsedQuestion,
)

NOT_FOUND = AnswerWithEvidence()
MAX_KNOWN_CHARS = 80
"""A value up to this length can be asked about in the next part: names, numbers, dates."""


def best_answer(attempts: Sequence[Attempt], shape: AnswerShape) -> AnswerWithEvidence:
    """Return the best answer of all attempts: never simply the last.

    Ordered by: validated and complete, then validated and partial, then confidence; the earlier
    one wins a tie. Listings are merged; for single values, steps that found the same value lend
    their evidence, and steps that found another become a caveat with both quotes. Of a compound
    question each part is the best of its own kind.
    """
    best = best_attempt(attempts)
    if best is None:
        return NOT_FOUND
    if not best.answer.answer_found:
        return best.answer
    if best.answer.parts:
        return _joined(best.answer, attempts)
    standing = [a for a in attempts if a.answer.answer_found and not a.is_rejected]
    if shape != "single":
        return _merged(best, standing)
    return _with_witnesses(best.answer, [a.answer for a in standing if a is not best])


def best_attempt(attempts: Sequence[Attempt]) -> Attempt | None:
    """Return the attempt whose answer stands highest; null when nothing was read."""
    return max(attempts, key=_standing, default=None)


def is_sufficient(attempt: Attempt) -> bool:
    """Say whether an attempt ends the loop: found, complete, checked and not rejected."""
    answer = attempt.answer
    return (
        answer.answer_found
        and answer.complete_answer_found
        and not attempt.failures
        and not attempt.is_rejected
    )


def is_joined_sufficient(attempts: Sequence[Attempt], shape: AnswerShape) -> bool:
    """Say whether several steps together answer all parts, or list as many items as announced."""
    standing = [each for each in attempts if not each.is_rejected]
    answer = best_answer(standing, shape)
    return bool(answer.parts or answer.items) and answer.complete_answer_found


def is_rejected_value(rejection: Rejection, answer: AnswerWithEvidence) -> bool:
    """Say whether an answer is the one that a person said no to."""
    if not (answer.answer_found and rejection.answer_found):
        return answer.answer_found == rejection.answer_found
    if rejection.items or answer.items:
        ours = {item_key(item.value) for item in answer.items}
        return bool(ours) and ours <= {item_key(item) for item in rejection.items}
    rejected = AnswerWithEvidence(
        value_text=rejection.value_text,
        value_number=rejection.value_number,
        value_date=rejection.value_date,
        value_bool=rejection.value_bool,
    )
    return _same_value(rejected, answer)


def with_known_answers(question: ParsedQuestion, attempts: Sequence[Attempt]) -> ParsedQuestion:
    """Return a sequential question whose later parts are told the answers of those before."""
    answer = best_answer(attempts, question.answer_shape)
    if question.decomposition != "sequential" or len(answer.parts) != len(question.parts):
        return question
    known: list[str] = []
    parts: list[ParsedQuestion] = []
    for number, (asked, part) in enumerate(zip(question.parts, answer.parts, strict=True), 1):
        told = [text for text in known if text not in asked.text]
        parts.append(asked.model_copy(update={"text": " ".join([asked.text, *told])}))
        if value := known_value(part):
            known.append(f"(part {number}: {value})")
    return question.model_copy(update={"parts": tuple(parts)})


def known_value(part: AnswerWithEvidence) -> str | None:
    """Return the value of an answered part, when it is short enough to ask about."""
    value = _said(part)
    return value if part.answer_found and 0 < len(value) <= MAX_KNOWN_CHARS else None


def _standing(attempt: Attempt) -> tuple[bool, bool, bool, float, int]:
    answer = attempt.answer
    is_valid = answer.answer_found and not attempt.failures and not attempt.is_rejected
    return (
        is_valid and answer.complete_answer_found,
        is_valid,
        answer.answer_found,
        answer.confidence,
        len(answer.items),
    )


def _merged(best: Attempt, standing: Sequence[Attempt]) -> AnswerWithEvidence:
    """Return the best answer with the items that only others have, in the document's order.

    It is complete when it has as many items as the text announces, wherever they were found.
    """
    answer = best.answer
    if answer.complete_answer_found or len(standing) < 2:
        return answer
    items: dict[str, AnswerItem] = {}
    for item in (item for attempt in standing for item in attempt.answer.items):
        items.setdefault(item_key(item.value), item)
    cues = [each.cardinality_cue for each in standing if each.cardinality_cue is not None]
    is_whole = bool(cues) and len(items) == max(cues)
    ordered = sorted(items.values(), key=_place)
    spans = _spans([*answer.evidence, *(span for item in items.values() for span in item.evidence)])
    return answer.model_copy(
        update={
            "items": tuple(ordered),
            "evidence": spans,
            "complete_answer_found": is_whole,
            "is_likely_complete": is_whole or answer.is_likely_complete,
        }
    )


def _place(item: AnswerItem) -> tuple[str, int, int]:
    first = item.evidence[0] if item.evidence else None
    return (first.doc_id, first.page, first.line_start) if first else ("", 0, 0)


def _joined(best: AnswerWithEvidence, attempts: Sequence[Attempt]) -> AnswerWithEvidence:
    """Return the best answer of a compound question with the best of all steps for each part."""
    parts: list[AnswerWithEvidence] = []
    for number, part in enumerate(best.parts):
        of_part = [
            each.model_copy(update={"answer": each.answer.parts[number]})
            for each in attempts
            if len(each.answer.parts) == len(best.parts)
        ]
        parts.append(best_answer(of_part, "listing" if part.items else "single"))
    said = (known for part in parts if (known := _said(part)))
    caveats = dict.fromkeys((*best.caveats, *(text for part in parts for text in part.caveats)))
    return best.model_copy(
        update={
            "parts": tuple(parts),
            "complete_answer_found": all(part.complete_answer_found for part in parts),
            "is_likely_complete": all(part.is_likely_complete for part in parts),
            "value_text": "; ".join(said) or None,
            "evidence": _spans(span for part in parts for span in part.evidence),
            "caveats": tuple(caveats),
        }
    )


def _said(part: AnswerWithEvidence) -> str:
    return ", ".join(item.value for item in part.items) or (part.value_text or "")


def _spans(spans: Iterable[EvidenceSpan]) -> tuple[EvidenceSpan, ...]:
    """Return quotes once each: the same quote read twice is one piece of evidence."""
    return tuple(dict.fromkeys(spans))


def _with_witnesses(
    best: AnswerWithEvidence, others: Sequence[AnswerWithEvidence]
) -> AnswerWithEvidence:
    agreeing = [other for other in others if _same_value(best, other)]
    contradicting = [other for other in others if not _same_value(best, other)]
    evidence = _spans(span for answer in (best, *agreeing) for span in answer.evidence)
    caveats = [*best.caveats]
    for other in contradicting:
        if best.evidence and other.evidence:
            ours, theirs = best.evidence[0], other.evidence[0]
            caveats.append(
                f"another passage says otherwise: {theirs.quote!r} (page {theirs.page}); "
                f"this answer follows {ours.quote!r} (page {ours.page})"
            )
    return best.model_copy(update={"evidence": evidence, "caveats": tuple(dict.fromkeys(caveats))})


def _same_value(one: AnswerWithEvidence, other: AnswerWithEvidence) -> bool:
    """Compare the typed value where both have one, else the text."""
    for field in ("value_number", "value_date", "value_bool"):
        ours, theirs = getattr(one, field), getattr(other, field)
        if ours is not None and theirs is not None:
            return ours == theirs
    return item_key(one.value_text or "") == item_key(other.value_text or "")


def item_key(text: str) -> str:
    """Return what two ways to print the same value have in common."""
    return " ".join(text.casefold().split()).strip(" .;,")
