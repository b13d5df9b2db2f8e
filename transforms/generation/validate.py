"""Check an answer in code: no answer is found without evidence that stands in the document."""

from collections.abc import Sequence

from transforms.generation.citing import anchor
from transforms.generation.conflicts import conflict_caveat
from transforms.generation.flags import consistent, filled, has_value, not_found, with_value
from transforms.generation.following import given_value, scales_of, text_follows, value_follows
from transforms.generation.items import validate_items
from transforms.generation.render import Passage, passages
from transforms.values import (
    AnswerWithEvidence,
    CheckFailure,
    ParsedQuestion,
    ValidatedAnswer,
    Window,
)

NO_EVIDENCE = "no quote of the answer stands in the document: not found"
NO_VALUE = "the answer has no value: not found"
NOT_IN_QUOTE = "the value does not follow from the quoted text: not found"


def validate_answer(
    answer: AnswerWithEvidence, question: ParsedQuestion, windows: Sequence[Window]
) -> ValidatedAnswer:
    """Return the answer with the evidence that code found, and the checks that it failed.

    Failures are those that cost something of the answer; a superfluous quote that stands
    nowhere is dropped without one.
    """
    offered = passages(windows)
    if question.parts and answer.parts:
        return _validate_parts(answer, question, offered)
    return _validate_one(answer, question, offered)


def _validate_parts(
    answer: AnswerWithEvidence, question: ParsedQuestion, offered: Sequence[Passage]
) -> ValidatedAnswer:
    checked = [
        _validate_one(part, asked, offered)
        for part, asked in zip(answer.parts, question.parts, strict=False)
    ]
    parts = tuple(each.answer for each in checked)
    failures = [failure for each in checked for failure in each.failures]
    is_whole = len(answer.parts) == len(question.parts)
    if not is_whole:
        message = f"{len(question.parts)} parts were asked, {len(answer.parts)} answered"
        failures.append(CheckFailure(check="count", message=message))
    whole = answer.model_copy(
        update={
            "parts": parts,
            "answer_found": any(part.answer_found for part in parts),
            "complete_answer_found": is_whole and all(p.complete_answer_found for p in parts),
            "value_text": "; ".join(p.value_text for p in parts if p.value_text) or None,
            "evidence": tuple(dict.fromkeys(span for part in parts for span in part.evidence)),
            "confidence": answer.confidence if any(p.answer_found for p in parts) else 0.0,
            "caveats": tuple(
                dict.fromkeys((*answer.caveats, *(c for p in parts for c in p.caveats)))
            ),
        }
    )
    return ValidatedAnswer(answer=whole, failures=tuple(failures))


def _validate_one(
    answer: AnswerWithEvidence, question: ParsedQuestion, offered: Sequence[Passage]
) -> ValidatedAnswer:
    if not answer.answer_found:
        return ValidatedAnswer(answer=not_found(answer))
    if answer.items:
        return validate_items(consistent(answer), question, offered)
    evidence, failures = anchor(answer.cited, offered)
    if not evidence:
        return ValidatedAnswer(
            answer=not_found(answer, NO_EVIDENCE), failures=failures or (_uncited(),)
        )
    quoted = "\n".join(span.quote for span in evidence)
    supported = filled(answer.model_copy(update={"evidence": evidence}), question, quoted)
    if failure := _check_value(supported, question, quoted, offered):
        caveat = NO_VALUE if failure.check == "flags" else NOT_IN_QUOTE
        return ValidatedAnswer(answer=not_found(answer, caveat), failures=(*failures, failure))
    if given := given_value(supported, question):
        supported = with_value(supported, given)
    if caveat := conflict_caveat(supported, question, offered):
        supported = supported.model_copy(update={"caveats": (*supported.caveats, caveat)})
    return ValidatedAnswer(answer=consistent(supported))


def _check_value(
    answer: AnswerWithEvidence,
    question: ParsedQuestion,
    quoted: str,
    offered: Sequence[Passage],
) -> CheckFailure | None:
    if not has_value(answer, question):
        message = "answer_found is true without a value; give the value, or answer_found false"
        return CheckFailure(check="flags", message=message)
    given = given_value(answer, question)
    if given is not None:
        scales = scales_of(text for passage in offered for text in passage.line_df["text"])
        does_follow = value_follows(given, quoted, question.language, scales)
    else:
        does_follow = text_follows(
            answer.value_text or "", quoted, question.answer_type, question.language
        )
    return None if does_follow else _unsupported(answer.value_text or str(given))


def _uncited() -> CheckFailure:
    return CheckFailure(check="quote_not_found", message="the answer has no evidence; quote it")


def _unsupported(value: str) -> CheckFailure:
    return CheckFailure(
        check="value_not_in_quote",
        message=f"the value {value!r} does not stand in the quoted text; quote where it stands, "
        "or answer what the quote says",
    )
