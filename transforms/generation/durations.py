"""Durations: "thirty (30) days", "two years", "12-month", "sechs Monate", "third anniversary"."""

import re

from transforms.generation.dates import ORDINALS
from transforms.generation.numerals import find_numerals
from transforms.generation.value_types import TypedValue

UNITS: dict[str, str] = {
    word: unit
    for unit, words in (
        ("day", "day days jour jours tag tage tagen día días dia dias"),
        ("week", "week weeks semaine semaines woche wochen semana semanas"),
        ("month", "month months mois monat monate monaten monats mes meses"),
        ("year", "year years yr yrs an ans année années jahr jahre jahren jahres año años"),
        ("hour", "hour hours hrs heure heures stunde stunden hora horas"),
        ("minute", "minute minutes minuten minutos"),
    )
    for word in words.split()
}
DAYS = {"day": 1.0, "week": 7.0, "hour": 1 / 24, "minute": 1 / 1440}
MONTHS = {"month": 1.0, "year": 12.0}

_UNIT = "|".join(sorted(UNITS, key=len, reverse=True))
AFTER = re.compile(
    r"[\s-]{0,3}(?:(?:consecutive|calendar|business|working|banking|full|successive|additional|"
    r"continuous|complete|entire|more|contract|policy|clear|ouvrables|ouvrés|calendaires|"
    r"aufeinanderfolgende[n]?|volle[n]?|naturales|hábiles)[\s-]+){0,2}"
    rf"(?P<unit>{_UNIT})(?!\w)(?:['’]s?)?",
    re.IGNORECASE,
)
_ORDINAL = "|".join(sorted(ORDINALS, key=len, reverse=True))
ANNIVERSARY = re.compile(
    rf"\b(?P<ordinal>\d{{1,2}}(?:st|nd|rd|th)|{_ORDINAL})\s*(?:\(\s*\d+(?:st|nd|rd|th)?\s*\)\s*)?"
    r"(?:year\s+|yearly\s+)?anniversary\b",
    re.IGNORECASE,
)


def find_durations(text: str, language: str | None) -> list[TypedValue]:
    """Return all durations in order; an anniversary counts as that many years."""
    found = [
        _duration(text, numeral.start, after.end(), numeral.number, UNITS[after["unit"].lower()])
        for numeral in find_numerals(text, language)
        if (after := AFTER.match(text, numeral.end))
    ]
    for match in ANNIVERSARY.finditer(text):
        ordinal = match["ordinal"].lower()
        years = ORDINALS.get(ordinal) or int(re.sub(r"\D", "", ordinal))
        found.append(_duration(text, match.start(), match.end(), years, "year"))
    return sorted(found, key=lambda value: value.start)


def is_same_duration(number: float, unit: str, other: float, other_unit: str) -> bool:
    """Compare within days and weeks, and within months and years; a month is not 30 days."""
    for factors in (DAYS, MONTHS):
        if unit in factors and other_unit in factors:
            return abs(number * factors[unit] - other * factors[other_unit]) < 1e-6
    return False


def _duration(text: str, start: int, end: int, number: float, unit: str) -> TypedValue:
    return TypedValue(
        answer_type="duration",
        text=text[start:end],
        start=start,
        end=end,
        number=float(number),
        unit=unit,
    )
