"""Which of several answers is best, and how parts become one answer."""

from collections.abc import Sequence

from transforms.pipeline.state import Attempt
from transforms.values import AnswerItem, AnswerShape, AnswerWithEvidence

NOT_FOUND = AnswerWithEvidence()


def best_answer(attempts: Sequence[Attempt], shape: AnswerShape) -> AnswerWithEvidence:
    """Return the best answer of all attempts: never simply the last.

    Ordered by: validated and complete, then validated and partial, then confidence; the earlier
    one wins a tie. Listings are merged; for single values, steps that found the same value lend
    their evidence, and steps that found another become a caveat with both quotes.
    """
    if not attempts:
        return NOT_FOUND
    best = max(attempts, key=_standing)
    if not best.answer.answer_found:
        return best.answer
    others = [a.answer for a in attempts if a is not best and a.answer.answer_found]
    if shape != "single":
        return _merged(best.answer, others)
    return _with_witnesses(best.answer, others)


def is_sufficient(attempt: Attempt) -> bool:
    """Say whether an attempt ends the loop: found, complete, checked and not rejected."""
    answer = attempt.answer
    return (
        answer.answer_found
        and answer.complete_answer_found
        and not attempt.failures
        and not attempt.is_rejected
    )


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


def _merged(best: AnswerWithEvidence, others: Sequence[AnswerWithEvidence]) -> AnswerWithEvidence:
    """Return `best` with the items that only others have, in the order they were found."""
    items: dict[str, AnswerItem] = {_key(item.value): item for item in best.items}
    if best.complete_answer_found:
        return best
    for other in others:
        for item in other.items:
            items.setdefault(_key(item.value), item)
    return best.model_copy(update={"items": tuple(items.values())})


def _with_witnesses(
    best: AnswerWithEvidence, others: Sequence[AnswerWithEvidence]
) -> AnswerWithEvidence:
    agreeing = [other for other in others if _same_value(best, other)]
    contradicting = [other for other in others if not _same_value(best, other)]
    evidence = dict.fromkeys(
        span for answer in (best, *agreeing) for span in answer.evidence
    )  # the same quote read twice is one piece of evidence
    caveats = [*best.caveats]
    for other in contradicting:
        if best.evidence and other.evidence:
            ours, theirs = best.evidence[0], other.evidence[0]
            caveats.append(
                f"another passage says otherwise: {theirs.quote!r} (page {theirs.page}); "
                f"this answer follows {ours.quote!r} (page {ours.page})"
            )
    return best.model_copy(
        update={"evidence": tuple(evidence), "caveats": tuple(dict.fromkeys(caveats))}
    )


def _same_value(one: AnswerWithEvidence, other: AnswerWithEvidence) -> bool:
    """Compare the typed value where both have one, else the text."""
    for field in ("value_number", "value_date", "value_bool"):
        ours, theirs = getattr(one, field), getattr(other, field)
        if ours is not None and theirs is not None:
            return ours == theirs
    return _key(one.value_text or "") == _key(other.value_text or "")


def _key(text: str) -> str:
    return " ".join(text.casefold().split()).strip(" .;,")
