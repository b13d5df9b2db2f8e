"""A number of a financial statement: the row of this name, in the column of this year.

Only what is printed is looked up: a row counts when its label is what is asked and nothing else, a
column when its head holds the one year that the question names. What has to be computed from
several rows (a ratio, a margin, a change) is none of it.
"""

import re
from collections.abc import Iterator

from transforms.generation.amounts import find_scale
from transforms.generation.reading.answers import NOT_FOUND, value_answer
from transforms.generation.reading.brief import content_terms
from transforms.generation.reading.page import Reading
from transforms.generation.reading.typed import column_head
from transforms.generation.reading.units import Unit
from transforms.generation.typed_values import TypedValue, find_values
from transforms.values import AnswerWithEvidence

ASKED_YEAR = re.compile(r"(?<!\d)(?:19|20)\d\d(?!\d)")
COMPUTED = re.compile(
    r"\b(?:ratio|average|margin|growth|grow|less|minus|plus|turnover|conversion|rate|percent\w*|"
    r"chang\w+|increas\w+|decreas\w+|declin\w+|improv\w+|difference|coverage|compar\w+|"
    r"calculat\w+|per share|define[ds]?)\b|%",
    re.IGNORECASE,
)
ASIDE = frozenset(content_terms("value amount figure year end fiscal reported report", "en"))
"""What a question says beside the name of a row."""
COVERAGE = 0.8


def asks_statement(reading: Reading) -> bool:
    """Tell whether a printed number of one year is asked for."""
    return len(_years(reading)) == 1 and not COMPUTED.search(reading.text)


def read_statement(reading: Reading) -> AnswerWithEvidence | None:
    """Return the number in the row and column asked for; None when no row has the name.

    A row without a column of the year, or two rows that disagree, are not found.
    """
    (year,) = _years(reading)
    label = _asked_label(reading)
    rows = list(_rows(reading, label))
    if not rows:
        return None
    found = [(value, unit) for value, unit, head in rows if year in head]
    if len({value.number for value, _ in found}) != 1 or len({u.order for _, u in found}) < len(
        found
    ):
        return NOT_FOUND
    value, unit = found[0]
    return value_answer(value, unit, coverage=COVERAGE)


def without_statements(reading: Reading) -> Reading:
    """Return a reading of all but rows under years: a number there counts by its row's name."""
    units = (u for u in reading.units if u.kind != "row" or not ASKED_YEAR.search(u.lead))
    return Reading(reading.question, reading.windows, tuple(units), reading.language)


def _years(reading: Reading) -> set[str]:
    return set(ASKED_YEAR.findall(reading.text))


def _asked_label(reading: Reading) -> frozenset[str]:
    """Return the terms of the row's name: what is asked, without names of companies and years."""
    names = {term for term, weight in reading.brief.weights.items() if 0 < weight < 0.25}
    terms = (
        term
        for keyword in reading.question.keywords
        if not any(character.isdigit() for character in keyword)
        for term in content_terms(keyword, reading.language)
    )
    return frozenset(terms) - ASIDE - names


def _rows(reading: Reading, label: frozenset[str]) -> Iterator[tuple[TypedValue, Unit, str]]:
    """Yield each number of the rows of this name, scale applied, with the head of its column."""
    scale = 1.0
    for unit in reading.units:
        scale = find_scale(unit.text) or scale
        values = find_values(unit.text, "number", reading.language) if unit.kind == "row" else []
        if not values:
            continue
        name = unit.text[: values[0].start].rstrip(" $€£(")
        if frozenset(content_terms(name, reading.language)) != label:
            continue
        for value in values:
            number = (value.number or 0.0) * scale
            yield (
                value.model_copy(update={"number": number}),
                unit,
                column_head(unit, value, values),
            )
