"""Read dates, numbers and durations as a gold file writes them.

Kept apart from the readers that make answers: a mistake of theirs must not agree with itself.
"""

import re
import unicodedata
from datetime import date

SCALES = {"thousand": 1e3, "million": 1e6, "billion": 1e9, "k": 1e3, "m": 1e6, "bn": 1e9}
CURRENCIES = {"$": "usd", "£": "gbp", "€": "eur", "us$": "usd"}
MONTHS = {
    name: number
    for names, number in (
        ("january jan janvier januar jänner", 1), ("february feb février februar", 2),
        ("march mar mars märz", 3), ("april apr avril", 4), ("may mai", 5),
        ("june jun juin juni", 6),
        ("july jul juillet juli", 7), ("august aug août", 8), ("september sep sept septembre", 9),
        ("october oct octobre oktober", 10), ("november nov novembre", 11),
        ("december dec décembre dezember", 12),
    )
    for name in names.split()
}  # fmt: skip
WORD_NUMBERS = {
    word: number
    for number, word in enumerate(
        (
            "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten",
            "eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen",
            "eighteen", "nineteen", "twenty",
        )
    )
} | {"thirty": 30, "forty": 40, "fifty": 50, "sixty": 60, "ninety": 90}  # fmt: skip
HOURS = {"hour": 1.0, "day": 24.0, "week": 168.0}
MONTHS_IN = {"month": 1.0, "quarter": 3.0, "year": 12.0}
NUMBER = re.compile(r"\d[\d,]*(?:\.\d+)?|\.\d+")
NAMED_DATE = re.compile(
    r"(?P<day>\d{1,2})(?:st|nd|rd|th|er|\.)?\s+(?:day\s+of\s+)?"
    r"(?P<month>[^\W\d]{3,9})\.?,?\s+(?P<year>\d{4})"
    r"|(?P<month_first>[^\W\d]{3,9})\.?\s+(?P<day_second>\d{1,2})(?:st|nd|rd|th)?,?\s+(?P<year_last>\d{4})"
)
DIGIT_DATE = re.compile(r"(?P<a>\d{1,2})[/.](?P<b>\d{1,2})[/.](?P<year>\d{4}|\d{2})")
ISO_DATE = re.compile(r"\d{4}-\d{2}-\d{2}")
DURATION = re.compile(
    r"(?P<count>\d+(?:\.\d+)?|[a-z]+)\)?[\s-]*(?:business |calendar )?"
    r"(?P<unit>hour|day|week|month|quarter|year)s?",
)


def find_date(text: str) -> date | None:
    """Return the first date: ISO, with the month's name, or in digits, month before day."""
    if iso := ISO_DATE.search(text):
        return _date(*map(int, iso[0].split("-")))
    for named in NAMED_DATE.finditer(text.lower()):
        month = MONTHS.get(named["month"] or named["month_first"])
        if month:
            return _date(
                int(named["year"] or named["year_last"]),
                month,
                int(named["day"] or named["day_second"]),
            )
    if digits := DIGIT_DATE.search(text):
        first, second = int(digits["a"]), int(digits["b"])
        year = int(digits["year"]) + (2000 if len(digits["year"]) == 2 else 0)
        return _date(year, first, second) or _date(year, second, first)
    return None


def find_number(text: str) -> float | None:
    """Return the first number with its sign and scale: "$1.2 million", "(3.5)", "12%"."""
    found = NUMBER.search(text)
    if not found:
        return None
    number = float(found[0].replace(",", ""))
    before, after = text[: found.start()].rstrip("$£€ "), text[found.end() :].strip().lower()
    word = re.match(r"[a-z]+", after)
    number *= SCALES.get(word[0], 1.0) if word else 1.0
    return -number if before.endswith(("-", "−", "(")) else number


def find_duration(text: str) -> tuple[str, float] | None:
    """Return the first duration, in hours or in months: the two cannot be compared."""
    for found in DURATION.finditer(text.lower()):
        count = WORD_NUMBERS.get(found["count"])
        if count is None and found["count"][0].isdigit():
            count = float(found["count"])
        if count is not None:
            return normal_duration(count, found["unit"])
    return None


def normal_duration(count: float, unit: str) -> tuple[str, float] | None:
    if unit in HOURS:
        return ("hours", count * HOURS[unit])
    return ("months", count * MONTHS_IN[unit]) if unit in MONTHS_IN else None


def _date(year: int, month: int, day: int) -> date | None:
    try:
        return date(year, month, day)
    except ValueError:
        return None


def n_decimals(text: str) -> int:
    found = NUMBER.search(text)
    return len(found[0].partition(".")[2]) if found else 0


def tokens_of(text: str) -> list[str]:
    """Return lower-case words, numbers without separators, and currency codes for signs."""
    folded = unicodedata.normalize("NFKC", text).lower()
    for sign, code in CURRENCIES.items():
        folded = folded.replace(sign, f" {code} ")
    folded = re.sub(
        r"(\d[\d,]*(?:\.\d+)?)\s+(million|thousand|billion)\b",
        lambda match: f"{float(match[1].replace(',', '')) * SCALES[match[2]]:g}",
        folded,
    )
    found = re.findall(r"\d[\d,]*(?:\.\d+)?|[^\W\d_]+", folded)
    return [_plain_number(token) if token[0].isdigit() else token for token in found]


def _plain_number(text: str) -> str:
    return f"{float(text.replace(',', '').rstrip('.')):.10g}"
