"""Typed values in text: what stands where, and whether two of them mean the same."""

import re
from collections.abc import Callable

from transforms.generation.amounts import find_amounts, find_numbers, find_percents
from transforms.generation.dates import find_dates, find_years
from transforms.generation.durations import find_durations, is_same_duration
from transforms.generation.value_types import TypedValue
from transforms.values import AnswerType

__all__ = ["TypedValue", "find_values", "is_same_value", "parse_value"]

YES = r"yes|true|oui|vrai|ja|wahr|sí|verdadero"
NO = r"no|false|non|faux|nein|falsch|falso"
BOOLEAN = re.compile(rf"(?<!\w)(?:(?P<yes>{YES})|(?P<no>{NO}))(?!\w)", re.IGNORECASE)
IDENTIFIER = re.compile(
    r"""
    [\w.+-]+@[\w-]+(?:\.[\w-]+)+                                             # e-mail
  | https?://[^\s)>\]]+ | www\.[^\s)>\]]+
  | (?<![\w.-])(?:\+?\d{1,3}[\s.-]?)?\(?\d{3}\)?[\s.-]\d{3}[\s.-]\d{4}(?![\w-])   # phone
  | \+\d{1,3}(?:[\s.()-]{0,2}\d{1,4}){3,6}
  | (?<![\w.])(?=[A-Za-z0-9/._-]*\d)(?=[A-Za-z0-9/._-]*[A-Za-z/-])
      [A-Za-z0-9]+(?:[-/._ ]?[A-Za-z0-9]+)*?(?:[-/._][A-Za-z0-9]+)*(?![\w])      # codes
  | (?<![\w.,$€£])\d{5,}(?![\w]|[.,]\d)
    """,
    re.VERBOSE,
)
Finder = Callable[[str, str | None], list[TypedValue]]


def find_values(text: str, answer_type: AnswerType, language: str | None) -> list[TypedValue]:
    """Return all values of the type in order, with their spans.

    Amounts: those with a currency; when there is none, all plain numbers. Names, addresses and
    texts have no form of their own: nothing is found.
    """
    finder = FINDERS.get(answer_type)
    return finder(text, language) if finder else []


def parse_value(text: str, answer_type: AnswerType, language: str | None) -> TypedValue | None:
    """Return the first value of the type; a name, address or text is itself, trimmed."""
    if found := find_values(text, answer_type, language):
        return found[0]
    if answer_type == "date" and (years := find_years(text)):
        return years[0]
    if answer_type in ("percent", "duration") and (numbers := find_numbers(text, language)):
        return numbers[0].model_copy(update={"answer_type": answer_type})
    if answer_type in ("name", "address", "identifier", "text") and text.strip():
        return TypedValue(answer_type=answer_type, text=text.strip(), end=len(text))
    return None


def is_same_value(value: TypedValue, other: TypedValue) -> bool:
    """Compare two values of one type; what one of them leaves open does not contradict."""
    if value.date and other.date:
        is_day = "month" not in (value.precision, other.precision)
        is_year = "year" in (value.precision, other.precision)
        n_parts = 1 if is_year else 3 if is_day else 2
        return value.date.timetuple()[:n_parts] == other.date.timetuple()[:n_parts]
    if value.boolean is not None or other.boolean is not None:
        return value.boolean == other.boolean
    if value.number is None or other.number is None:
        return _bare(value.text) == _bare(other.text)
    if value.unit and other.unit and value.answer_type == "duration":
        return is_same_duration(value.number, value.unit, other.number, other.unit)
    if value.currency and other.currency and value.currency != other.currency:
        return False
    return abs(value.number - other.number) <= 1e-9 * max(1.0, abs(value.number))


def _bare(text: str) -> str:
    """Return letters and digits only."""
    return re.sub(r"[\W_]+", "", text).lower()


def _find_money(text: str, language: str | None) -> list[TypedValue]:
    amounts = find_amounts(text, language)
    if amounts:
        return amounts
    numbers = find_numbers(text, language)
    return [number.model_copy(update={"answer_type": "amount"}) for number in numbers]


def _find_booleans(text: str, language: str | None) -> list[TypedValue]:
    del language  # the words of all languages are told apart by themselves
    return [
        TypedValue(
            answer_type="boolean",
            text=match.group(),
            start=match.start(),
            end=match.end(),
            boolean=match["yes"] is not None,
        )
        for match in BOOLEAN.finditer(text)
    ]


def _find_identifiers(text: str, language: str | None) -> list[TypedValue]:
    """Return e-mail and web addresses, phone numbers, codes and long runs of digits."""
    del language
    return [
        TypedValue(
            answer_type="identifier",
            text=match.group().rstrip("."),
            start=match.start(),
            end=match.end(),
        )
        for match in IDENTIFIER.finditer(text)
    ]


FINDERS: dict[AnswerType, Finder] = {
    "date": find_dates,
    "amount": _find_money,
    "number": find_numbers,
    "percent": find_percents,
    "duration": find_durations,
    "boolean": _find_booleans,
    "identifier": _find_identifiers,
}
