"""Which is more: one value against another of the same text, and the highest of a table."""

import re

from transforms.generation.reading.answers import COMPLETE_FROM, NOT_FOUND, plain, text_answer
from transforms.generation.reading.brief import term_set
from transforms.generation.reading.page import Reading
from transforms.generation.reading.tables import Table, cells, find_tables, table_coverage
from transforms.generation.reading.typed import Pick, pick_values
from transforms.generation.reading.units import Unit
from transforms.generation.typed_values import TypedValue, find_values
from transforms.values import AnswerType, AnswerWithEvidence

MORE = (
    r"higher|greater|more|larger|bigger|longer|later|wider|höher|größer|länger|später|"
    r"plus (?:élevé|grand|long)e?|"
    r"más (?:alto|alta|grande|largo)|mayor"
)
LESS = (
    r"lower|less|smaller|shorter|earlier|cheaper|fewer|niedriger|kleiner|kürzer|früher|"
    r"moins (?:élevé|grand|long)e?|inférieure?|"
    r"más (?:bajo|baja|pequeño|corto)|menor"
)
THAN = re.compile(
    rf"^(?:is|are|was|were|does|do|has|have|ist|sind|est|es)?\s*(?P<left>.+?)\s+(?P<word>(?P<more>{MORE})|{LESS})\s+(?:than|als|que)\s+"
    r"(?P<right>.+?)\s*\??$",
    re.IGNORECASE,
)
MOST = re.compile(
    r"\b(?:which|what|welche[rs]?|quelle?|cuál|qué)\s+(?P<key>.+?)\s+(?:has|have|carries|"
    r"is subject to|with|hat|a|tiene)\s+(?:the\s+|die\s+|le\s+|la\s+)?"
    r"(?P<word>(?P<most>highest|largest|greatest|longest|biggest|höchste\w*|längste\w*|"
    r"plus (?:élevé|grand|haut)e?)|"
    r"lowest|smallest|shortest|least|niedrigste\w*|kleinste\w*|plus (?:bas|faible|"
    r"petit)e?)\s*(?P<measure>.*)$",
    re.IGNORECASE,
)
MEASURED: tuple[AnswerType, ...] = ("amount", "percent", "duration", "date", "number")
MIN_SIDE_COVERAGE = 0.6
MIN_TABLE_COVERAGE = 0.4


def asks_which_is_more(reading: Reading) -> bool:
    """Tell whether a question sets one value against another: "Is A higher than B?"."""
    return THAN.search(reading.text) is not None


def asks_extreme(reading: Reading) -> bool:
    """Tell whether a question asks for the highest or lowest of several."""
    return MOST.search(reading.text) is not None


def read_which_is_more(reading: Reading) -> AnswerWithEvidence:
    """Return yes or no with the quotes of both sides."""
    asked = THAN.search(reading.text)
    if asked is None:
        return NOT_FOUND
    left, right = asked["left"], _with_head(asked["left"], asked["right"])
    for answer_type in MEASURED:
        sides = [_side(reading, text, answer_type) for text in (left, right)]
        one, other = sides
        if one is None or other is None or _place(one) == _place(other):
            continue
        is_more, is_less = _is_more(one.value, other.value), _is_more(other.value, one.value)
        return _verdict(one, other, holds=is_more if asked["more"] else is_less)
    return NOT_FOUND


def _place(pick: Pick) -> tuple[int, int]:
    return (pick.sight.unit.order, pick.value.start)


def _verdict(one: Pick, other: Pick, *, holds: bool) -> AnswerWithEvidence:
    coverage = min(one.coverage, other.coverage)
    said = f"{plain(one.value.text)} against {plain(other.value.text)}"
    return AnswerWithEvidence(
        value_text=f"{'yes' if holds else 'no'}: {said}",
        value_bool=holds,
        cited=tuple(
            pick.sight.unit.cite(pick.value.start, pick.value.end) for pick in (one, other)
        ),
        answer_found=True,
        complete_answer_found=coverage >= COMPLETE_FROM,
        confidence=round(min(coverage, 0.95), 3),
    )


def _with_head(left: str, right: str) -> str:
    """Give the right side the noun of the left when it has none: "… than for theft"."""
    has_noun = not re.match(r"(?:for|of|in|that|those|für|von|pour|de|por)\b", right, re.IGNORECASE)
    noun = re.split(r"\s(?:for|of|in|für|von|pour|de|por)\s", left, maxsplit=1)[0]
    return right if has_noun else f"{noun} {right}"


def _side(reading: Reading, text: str, answer_type: AnswerType) -> Pick | None:
    question = reading.question.model_copy(
        update={"text": text, "corrected_text": text, "answer_type": answer_type}
    )
    about = reading.about(question)
    picks = pick_values(about.brief, about.sights, answer_type)
    topic = about.brief.topic
    best = next((pick for pick in picks if topic <= pick.found.keys()), None)
    return best if best and best.coverage >= MIN_SIDE_COVERAGE else None


def _is_more(one: TypedValue, other: TypedValue) -> bool:
    if one.date and other.date:
        return one.date > other.date
    return (one.number or 0.0) > (other.number or 0.0)


def read_extreme(reading: Reading) -> AnswerWithEvidence:
    """Return the label of the table row with the highest or lowest value."""
    asked = MOST.search(reading.text)
    if asked is None:
        return NOT_FOUND
    tables = sorted(find_tables(reading), key=lambda table: -table_coverage(reading, table))
    for table in tables:
        coverage = table_coverage(reading, table)
        if coverage < MIN_TABLE_COVERAGE:
            break
        rows = _measured_rows(reading, table, asked["measure"])
        if len(rows) > 1:
            pick = max if asked["most"] else min
            _, label, unit = pick(rows, key=lambda row: row[0])
            return text_answer(label, [unit.cite()], coverage=min(0.9, coverage + 0.3))
    return NOT_FOUND


def _measured_rows(reading: Reading, table: Table, measure: str) -> list[tuple[float, str, Unit]]:
    """Return value, label and unit of each row, by the column whose head names the measure."""
    wanted = term_set(measure, reading.language)
    places = [n for n, head in enumerate(table.head) if term_set(head, reading.language) & wanted]
    column = places[0] if places else len(table.head) - 1
    measured: list[tuple[float, str, Unit]] = []
    for row in table.rows:
        row_cells = cells(row)
        value = _number(row_cells[column], reading.language) if len(row_cells) > column else None
        if value is not None:
            measured.append((value, row_cells[0], row))
    return measured


def _number(cell: str, language: str) -> float | None:
    for answer_type in MEASURED:
        found = find_values(cell, answer_type, language)
        if found and found[0].number is not None:
            return found[0].number
    return None
