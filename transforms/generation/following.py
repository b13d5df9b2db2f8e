"""Whether a value follows from the quoted text."""

import re
from collections.abc import Iterable
from datetime import date

from transforms.generation.typed_values import find_values, is_same_value, parse_value
from transforms.generation.value_types import TypedValue
from transforms.text import tokens
from transforms.values import AnswerType, AnswerWithEvidence, ParsedQuestion

TYPED: frozenset[AnswerType] = frozenset(("date", "amount", "number", "percent", "duration"))
_NAMED: frozenset[AnswerType] = frozenset(("name", "address", "identifier"))
_STATED_IN_TEXT: tuple[AnswerType, ...] = ("percent", "date", "duration")
"""What a free text may not state unless the quotes do; amounts with their currency as well."""

_ISO_MONTH = re.compile(r"(\d{4})-(0[1-9]|1[0-2])")
_SCALE_WORDS = (
    (1e3, r"thousands?|000s|'000|tausend|milliers?|miles|tsd"),
    (1e6, r"millions?|mn|mio|millionen|millones|mln"),
    (1e9, r"billions?|bn|milliarden?|milliards?|mrd"),
)
"""What a head such as "in millions" multiplies the numbers of a table by."""


def scales_of(texts: Iterable[str]) -> tuple[float, ...]:
    """Return 1 and the scales that the texts name."""
    said = " ".join(texts).lower()
    return (1.0, *(s for s, words in _SCALE_WORDS if re.search(rf"(?<!\w)(?:{words})(?!\w)", said)))


def given_value(answer: AnswerWithEvidence, question: ParsedQuestion) -> TypedValue | None:
    """Return the typed value of an answer; where only its text is given, what the text says."""
    kind = question.answer_type
    if kind not in TYPED:
        return None
    if answer.value_number is None and answer.value_date is None:
        text = answer.value_text or ""
        return _partial_date(text) or parse_value(text, kind, question.language)
    return TypedValue(
        answer_type=kind,
        text=answer.value_text or "",
        number=answer.value_number,
        date=answer.value_date,
        precision="day" if answer.value_date else None,
        unit=answer.unit,
        currency=answer.currency,
    )


def _partial_date(text: str) -> TypedValue | None:
    """Return a month as the contract writes it: YYYY-MM."""
    if not (month := _ISO_MONTH.fullmatch(text.strip())):
        return None
    first_day = date(int(month[1]), int(month[2]), 1)
    return TypedValue(answer_type="date", text=text.strip(), date=first_day, precision="month")


def value_follows(given: TypedValue, quoted: str, language: str, scales: tuple[float, ...]) -> bool:
    """Tell whether one of the values of its type in the quotes means the same.

    The document may be in another language than the question. A table head may scale the
    number, and a number in accounting brackets may be given as the amount it is.
    """
    for read_in in (language, None):
        found = find_values(quoted, given.answer_type, read_in)
        if not found and (only := parse_value(quoted, given.answer_type, read_in)):
            found = [only]
        if any(_is_same(given, value, scales) for value in found):
            return True
    return False


def text_follows(text: str, quoted: str, kind: AnswerType, language: str) -> bool:
    """Tell whether a value in words is in the quotes.

    A name, address or identifier has all its words there, and so has a value of a type that code
    cannot read. Free text may be in other words, but
    states no amount, percent, date or duration that the quotes do not.
    """
    if kind in _NAMED or kind in TYPED:
        return set(tokens(text)) <= set(tokens(quoted)) or _bare(text) in _bare(quoted)
    amounts = [v for v in find_values(text, "amount", language) if v.currency]
    stated = [v for each in _STATED_IN_TEXT for v in find_values(text, each, language)]
    return all(value_follows(v, quoted, language, (1.0,)) for v in (*amounts, *stated))


def _is_same(given: TypedValue, value: TypedValue, scales: tuple[float, ...]) -> bool:
    if given.number is None or value.number is None:
        return is_same_value(given, value)
    factors = (1.0,) if value.has_scale or given.answer_type == "percent" else scales
    numbers = [value.number * factor for factor in factors]
    if value.number < 0 < given.number and "(" in value.text:
        numbers += [-number for number in numbers]
    return any(is_same_value(given, value.model_copy(update={"number": n})) for n in numbers)


def _bare(text: str) -> str:
    return "".join(tokens(text))
