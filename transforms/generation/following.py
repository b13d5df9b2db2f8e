"""Whether a value follows from the quoted text."""

from collections.abc import Sequence

from transforms.generation.typed_values import find_values, is_same_value
from transforms.generation.value_types import TypedValue
from transforms.text import tokens
from transforms.values import AnswerWithEvidence, CheckFailure, EvidenceSpan, ParsedQuestion

_COMPARED = ("date", "amount", "number", "percent", "duration")
_SCALES = (1.0, 1e3, 1e6, 1e9)
"""What a table head such as "in millions" may have multiplied a printed number by."""


def follows(
    answer: AnswerWithEvidence, question: ParsedQuestion, evidence: Sequence[EvidenceSpan]
) -> CheckFailure | None:
    """Return what is wrong when the value does not stand in the quotes, else None."""
    quoted = "\n".join(span.quote for span in evidence)
    if question.answer_type in _COMPARED:
        return _compared(answer, question, quoted)
    if question.answer_type in ("name", "address", "identifier") and answer.value_text:
        missing = set(tokens(answer.value_text)) - set(tokens(quoted))
        if missing:
            return _failure(answer.value_text)
    return None


def _compared(
    answer: AnswerWithEvidence, question: ParsedQuestion, quoted: str
) -> CheckFailure | None:
    found = find_values(quoted, question.answer_type, question.language)
    given = TypedValue(
        answer_type=question.answer_type,
        text=answer.value_text or "",
        number=answer.value_number,
        date=answer.value_date,
        precision="day" if answer.value_date else None,
        unit=answer.unit,
        currency=answer.currency,
    )
    if given.number is None and given.date is None:
        return None
    if any(_is_same(given, value) for value in found):
        return None
    return _failure(str(given.date or given.number))


def _is_same(given: TypedValue, value: TypedValue) -> bool:
    if given.number is None or value.number is None:
        return is_same_value(given, value)
    scales = (1.0,) if value.has_scale else _SCALES
    return any(
        is_same_value(given, value.model_copy(update={"number": value.number * scale}))
        for scale in scales
    )


def _failure(value: str) -> CheckFailure:
    return CheckFailure(
        check="value_not_in_quote",
        message=f"the value {value!r} does not stand in the quoted text; quote where it stands, "
        "or answer what the quote says",
    )
