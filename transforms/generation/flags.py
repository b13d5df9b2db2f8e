"""Flags and fields that contradict each other, repaired by rule."""

from transforms.generation.following import TYPED
from transforms.generation.typed_values import find_values
from transforms.generation.value_types import TypedValue
from transforms.values import AnswerWithEvidence, ParsedQuestion

CURRENCY_CODES = {"$": "USD", "us$": "USD", "€": "EUR", "£": "GBP", "¥": "JPY", "₹": "INR"}


def not_found(answer: AnswerWithEvidence, *caveats: str) -> AnswerWithEvidence:
    """Return the answer without a value; what it says about where to look next stays.

    With a caveat, code has taken the answer back: there is no confidence in it left.
    """
    return AnswerWithEvidence(
        confidence=0.0 if caveats else answer.confidence,
        caveats=(*answer.caveats, *caveats),
        is_likely_complete=answer.is_likely_complete,
        context_structured=answer.context_structured,
        unstructured_pages=answer.unstructured_pages,
        llm_discovered_keywords=answer.llm_discovered_keywords,
        pending_references=answer.pending_references,
    )


def consistent(answer: AnswerWithEvidence) -> AnswerWithEvidence:
    """Return the answer with flags that agree.

    What is likely incomplete is not complete; pages that are unreadable make the context
    unstructured; a currency sign becomes its code.
    """
    currency = answer.currency and answer.currency.strip()
    return answer.model_copy(
        update={
            "complete_answer_found": answer.answer_found
            and answer.complete_answer_found
            and answer.is_likely_complete,
            "context_structured": answer.context_structured and not answer.unstructured_pages,
            "currency": CURRENCY_CODES.get(currency.lower(), currency) if currency else None,
        }
    )


def has_value(answer: AnswerWithEvidence, question: ParsedQuestion) -> bool:
    """Tell whether the field that the type asks for is filled."""
    if question.answer_type == "boolean":
        return answer.value_bool is not None
    typed = (answer.value_number, answer.value_date)
    return bool((answer.value_text or "").strip()) or any(value is not None for value in typed)


def filled(answer: AnswerWithEvidence, question: ParsedQuestion, quoted: str) -> AnswerWithEvidence:
    """Return an answer that is found but has no value with the one that its quotes hold, if any.

    A text is its quotes; a typed value is taken only when the quotes hold a single one.
    """
    if has_value(answer, question) or question.answer_type == "boolean":
        return answer
    if question.answer_type not in TYPED:
        return answer.model_copy(update={"value_text": " ".join(quoted.split())})
    found = find_values(quoted, question.answer_type, question.language)
    return with_value(answer, found[0]) if len(found) == 1 else answer


def with_value(answer: AnswerWithEvidence, value: TypedValue) -> AnswerWithEvidence:
    """Return the answer with the fields of a typed value where it has none of its own."""
    is_day = value.precision in (None, "day")
    return answer.model_copy(
        update={
            "value_text": answer.value_text or value.text,
            "value_number": value.number if answer.value_number is None else answer.value_number,
            "value_date": answer.value_date or (value.date if is_day else None),
            "unit": answer.unit or value.unit,
            "currency": answer.currency or value.currency,
        }
    )
