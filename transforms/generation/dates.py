"""Dates in words and numbers: English, French, German, Spanish."""

import re
from datetime import date

from transforms.generation.value_types import TypedValue

MONTHS: dict[str, int] = {
    name: number
    for number, names in enumerate(
        (
            "january jan janvier janv januar jänner enero ene",
            "february feb février fevrier févr februar febrero",
            "march mar mars märz maerz marzo",
            "april apr avril avr abril abr",
            "may mai mayo",
            "june jun juin juni junio",
            "july jul juillet juil juli julio",
            "august aug août aout agosto ago",
            "september sept sep septembre septiembre setiembre",
            "october oct octobre oktober okt octubre",
            "november nov novembre noviembre",
            "december dec décembre decembre déc dezember dez diciembre dic",
        ),
        start=1,
    )
    for name in names.split()
}
_UP_TO_TWENTIETH = """
    first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth
    fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth twentieth
"""
ORDINALS: dict[str, int] = {
    word: number for number, word in enumerate(_UP_TO_TWENTIETH.split(), start=1)
}
ORDINALS |= {f"twenty-{word}": 20 + ORDINALS[word] for word in list(ORDINALS)[:9]}
ORDINALS |= {"thirtieth": 30, "thirty-first": 31}
PIVOT = 68
"""Two-digit years up to this one are 20xx, those above 19xx (as POSIX strptime does)."""

_MONTH = "|".join(sorted(map(re.escape, MONTHS), key=len, reverse=True))
_ORDINAL = "|".join(sorted(ORDINALS, key=len, reverse=True))
_YEAR = r"(?P<year>(?:1[89]|20)\d{2})(?!\d)"
_DAY = rf"(?P<day>\d{{1,2}}|{_ORDINAL})"
DATE = re.compile(
    rf"""
    (?<![\d/.,-])(?P<iso>(?:1[89]|20)\d\d(?P<s>[-/.])(?:0?[1-9]|1[0-2])(?P=s)(?:[0-2]?\d|3[01]))(?![\d])
  | \b(?P<month>{_MONTH})\b\.?\s*(?P<day>\d{{1,2}})\s*(?:st|nd|rd|th)?\s*(?:,|\s)\s*{_YEAR}
  | (?<![\w.,])(?P<day2>\d{{1,2}}|{_ORDINAL})\s*(?:st|nd|rd|th|er|\.|°|º)?\s*(?:day\s+)?
      (?:of\s+|de\s+|-)?(?P<month2>{_MONTH})\b\.?\s*(?:,|of|de|del|-)?\s*
      (?P<year2>(?:1[89]|20)\d{{2}})(?!\d)
  | (?<![\w/.,-])(?P<numeric>\d{{1,2}}\s?(?P<t>[/.-])\s?\d{{1,2}}\s?(?P=t)\s?
      (?:(?:1[89]|20)\d{{2}}|\d{{2}}))(?![\d/]|[.-]\d)
  | \b(?P<month3>{_MONTH})\b\.?\s*(?:,|of|de|\s)\s*(?P<year3>(?:1[89]|20)\d{{2}})(?!\d)
""",
    re.VERBOSE | re.IGNORECASE,
)
HAS_YEAR = re.compile(r"(?:1[89]|20)\d\d|\d\s?[/.-]\s?\d")
"""What every date has: a year, or numbers that may end in a short one. Quicker to look for."""
YEAR_ONLY = re.compile(r"(?<![\w.,/-])(?:1[89]|20)\d{2}(?![\w/-]|[.,]\d)")


def find_dates(text: str, language: str | None) -> list[TypedValue]:
    """Return all dates with at least month and year, in order."""
    if not HAS_YEAR.search(text):
        return []
    is_day_first = language is not None and not language.startswith("en")
    found = (_read(match, is_day_first=is_day_first) for match in DATE.finditer(text))
    return [value for value in found if value is not None]


def find_years(text: str) -> list[TypedValue]:
    """Return years that stand alone as dates of precision "year"."""
    return [
        TypedValue(
            answer_type="date",
            text=match.group(),
            start=match.start(),
            end=match.end(),
            date=date(int(match.group()), 1, 1),
            precision="year",
        )
        for match in YEAR_ONLY.finditer(text)
    ]


def _read(match: re.Match[str], *, is_day_first: bool) -> TypedValue | None:
    groups = match.groupdict()
    precision = "day"
    if groups["iso"]:
        year, month, day = map(int, re.split(r"[-/.]", groups["iso"]))
    elif groups["numeric"]:
        year, month, day = _numeric(groups["numeric"], is_day_first=is_day_first)
    elif groups["month"]:
        year, month, day = int(groups["year"]), MONTHS[groups["month"].lower()], int(groups["day"])
    elif groups["month2"]:
        year, month = int(groups["year2"]), MONTHS[groups["month2"].lower()]
        day = _ordinal(groups["day2"])
    else:
        year, month, day = int(groups["year3"]), MONTHS[groups["month3"].lower()], 1
        precision = "month"
    try:
        value = date(year, month, day)
    except ValueError:  # 31 February and the like: printed, but no date
        return None
    return TypedValue(
        answer_type="date",
        text=match.group(),
        start=match.start(),
        end=match.end(),
        date=value,
        precision=precision,
    )


def _numeric(text: str, *, is_day_first: bool) -> tuple[int, int, int]:
    """Read 01/02/2026: day first with points or outside English, unless only one way fits."""
    first, second, year = (int(part) for part in re.split(r"\s?[/.-]\s?", text))
    if year < 100:
        year += 2000 if year <= PIVOT else 1900
    day_first = first > 12 or (second <= 12 and (is_day_first or "." in text))
    return (year, second, first) if day_first else (year, first, second)


def _ordinal(text: str) -> int:
    return ORDINALS[text.lower()] if text.lower() in ORDINALS else int(text)
