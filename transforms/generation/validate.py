"""Check an answer in code: no answer is found without evidence that stands in the document."""

from collections.abc import Sequence

from transforms.generation.citing import anchor
from transforms.generation.following import follows
from transforms.generation.render import Passage, passages
from transforms.values import (
    AnswerItem,
    AnswerWithEvidence,
    CheckFailure,
    ParsedQuestion,
    ValidatedAnswer,
    Window,
)

NO_EVIDENCE = "no quote of the answer stands in the document: not found"
NOT_IN_QUOTE = "the value does not follow from the quoted text: not found"


def validate_answer(
    answer: AnswerWithEvidence, question: ParsedQuestion, windows: Sequence[Window]
) -> ValidatedAnswer:
    """Return the answer with the evidence that code found, and the checks that it failed."""
    offered = passages(windows)
    if question.parts and answer.parts:
        return _validate_parts(answer, question, offered)
    return _validate_one(answer, question, offered)


def _validate_parts(
    answer: AnswerWithEvidence, question: ParsedQuestion, offered: Sequence[Passage]
) -> ValidatedAnswer:
    checked = [
        _validate_one(part, part_question, offered)
        for part, part_question in zip(answer.parts, question.parts, strict=False)
    ]
    parts = tuple(each.answer for each in checked)
    is_whole = len(parts) == len(question.parts)
    failures = [failure for each in checked for failure in each.failures]
    if not is_whole:
        failures.append(
            CheckFailure(check="count", message=f"{len(question.parts)} parts were asked")
        )
    whole = answer.model_copy(
        update={
            "parts": parts,
            "answer_found": any(part.answer_found for part in parts),
            "complete_answer_found": is_whole and all(p.complete_answer_found for p in parts),
            "value_text": "; ".join(p.value_text for p in parts if p.value_text) or None,
            "evidence": tuple(dict.fromkeys(span for part in parts for span in part.evidence)),
        }
    )
    return ValidatedAnswer(answer=whole, failures=tuple(failures))


def _validate_one(
    answer: AnswerWithEvidence, question: ParsedQuestion, offered: Sequence[Passage]
) -> ValidatedAnswer:
    if not answer.answer_found:
        return ValidatedAnswer(answer=_not_found(answer))
    if answer.items:
        return _validate_items(answer, offered)
    evidence, failures = anchor(answer.cited, offered)
    if not evidence:
        return ValidatedAnswer(answer=_not_found(answer, NO_EVIDENCE), failures=failures)
    supported = answer.model_copy(update={"evidence": evidence})
    if failure := follows(supported, question, evidence):
        return ValidatedAnswer(
            answer=_not_found(answer, NOT_IN_QUOTE), failures=(*failures, failure)
        )
    return ValidatedAnswer(answer=supported, failures=failures)


def _validate_items(answer: AnswerWithEvidence, offered: Sequence[Passage]) -> ValidatedAnswer:
    kept: list[AnswerItem] = []
    failures: list[CheckFailure] = []
    for item in answer.items:
        evidence, failed = anchor(item.cited, offered)
        failures += failed
        if evidence:
            kept.append(item.model_copy(update={"evidence": evidence}))
    if not kept:
        return ValidatedAnswer(answer=_not_found(answer, NO_EVIDENCE), failures=tuple(failures))
    is_whole = len(kept) == len(answer.items)
    caveat = f"{len(answer.items) - len(kept)} items without evidence were dropped"
    whole = answer.model_copy(
        update={
            "items": tuple(kept),
            "evidence": tuple(dict.fromkeys(span for item in kept for span in item.evidence)),
            "complete_answer_found": answer.complete_answer_found and is_whole,
            "caveats": answer.caveats if is_whole else (*answer.caveats, caveat),
        }
    )
    return ValidatedAnswer(answer=whole, failures=tuple(failures))


def _not_found(answer: AnswerWithEvidence, *caveats: str) -> AnswerWithEvidence:
    """Return the answer without a value; what it says about where to look next stays."""
    return AnswerWithEvidence(
        caveats=(*answer.caveats, *caveats),
        is_likely_complete=answer.is_likely_complete,
        context_structured=answer.context_structured,
        unstructured_pages=answer.unstructured_pages,
        llm_discovered_keywords=answer.llm_discovered_keywords,
        pending_references=answer.pending_references,
    )
