"""Tables as rows under a head: which column holds the labels, which the values asked for."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from transforms.generation.reading.brief import term_set
from transforms.generation.reading.match import context_terms
from transforms.generation.reading.page import Reading
from transforms.generation.reading.printed import CELL_GAP, is_head_row
from transforms.generation.reading.units import Unit
from transforms.generation.typed_values import find_values
from transforms.values import AnswerType

BY_COLUMN = re.compile(
    r"\b(?:by|per|for (?:each|every)|par|je|pro|nach|por)\s+(?P<key>[\w' -]+?)(?:[?.,]|$)",
    re.IGNORECASE,
)
CURRENCY_CELL = re.compile(r"[$€£¥]|[A-Z]{3}")
INTRODUCTION_UNITS = 4
VALUE_TYPES: tuple[AnswerType, ...] = ("amount", "percent", "duration", "date")


@dataclass(frozen=True, slots=True)
class Table:
    """Rows that follow each other, with the cells of their head and what introduces them."""

    head: tuple[str, ...]
    rows: tuple[Unit, ...]
    introduction: str
    is_closed: bool
    """Text follows it, so no row is missing at its end."""


def find_tables(reading: Reading) -> list[Table]:
    """Return all tables with a head row and at least one row below, in order."""
    return [table for group in _groups(reading.units) if (table := _table(reading, group))]


def _groups(units: Sequence[Unit]) -> Iterator[list[Unit]]:
    """Yield rows that follow each other; a row that names columns begins another table."""
    group: list[Unit] = []
    for unit in units:
        is_row = unit.kind == "row"
        is_anew = is_row and len(group) > 1 and is_head_row(unit.text) and not unit.label
        if group and (not is_row or unit.heading != group[-1].heading or is_anew):
            yield group
            group = []
        if is_row:
            group.append(unit)
    if group:
        yield group


def _table(reading: Reading, group: list[Unit]) -> Table | None:
    head_row = group[0]
    if not is_head_row(head_row.text) or len(group) < 2:
        return None
    head = tuple(cells(head_row))
    rows = tuple(unit for unit in group[1:] if cells(unit) != list(head) and len(cells(unit)) > 1)
    if not _has_columns(head, rows, reading.language):
        return None
    place = reading.units.index(head_row)
    before = reading.units[max(0, place - INTRODUCTION_UNITS) : place]
    lead = [unit.text for unit in before if unit.heading == head_row.heading]
    is_closed = reading.units[-1] is not group[-1]
    introduction = "\n".join((head_row.heading, *lead))
    return Table(head, rows, introduction, is_closed) if rows else None


def _has_columns(head: Sequence[str], rows: Sequence[Unit], language: str) -> bool:
    """Tell a table from pairs of label and text: its last column holds values, or it has more."""
    if len(head) > 2:
        return True
    n_values = sum(is_value(cells(row)[-1], language) for row in rows)
    return n_values > len(rows) / 2


def is_value(cell: str, language: str) -> bool:
    """Tell whether a cell is nothing but a value."""
    return any(
        found[0].text.strip() == cell.strip()
        for answer_type in VALUE_TYPES
        if (found := find_values(cell, answer_type, language))
    )


def cells(unit: Unit) -> list[str]:
    """Return the cells of a row; a currency sign in a cell of its own belongs to the next."""
    merged: list[str] = []
    for cell in CELL_GAP.split(unit.text.strip()):
        if merged and CURRENCY_CELL.fullmatch(merged[-1]):
            merged[-1] = f"{merged[-1]} {cell}"
        else:
            merged.append(cell)
    return merged


def table_coverage(reading: Reading, table: Table) -> float:
    """Return how much of the question the head and the introduction of a table speak of."""
    text = "\n".join((*table.head, table.introduction))
    return reading.brief.weigh(context_terms(reading.brief, text))


def asked_columns(reading: Reading, table: Table) -> tuple[int, list[int]]:
    """Return the column of the labels ("by coverage part"), and the columns of the values."""
    language = reading.language
    by = BY_COLUMN.search(reading.text)
    key_terms = term_set(by["key"], language) if by else frozenset[str]()
    scores = [len(term_set(head, language) & key_terms) for head in table.head]
    key = scores.index(max(scores)) if max(scores, default=0) else _label_column(table)
    others = [n for n in range(len(table.head)) if n != key and not _is_counter(table, n)]
    typed = [n for n in others if _is_typed(reading, table, n)] or others
    asked = [n for n in typed if context_terms(reading.brief, table.head[n]) - key_terms]
    return key, asked or typed


def _label_column(table: Table) -> int:
    return next((place for place in range(len(table.head)) if not _is_counter(table, place)), 0)


def _is_typed(reading: Reading, table: Table, place: int) -> bool:
    """Tell whether a column holds values of the type asked for."""
    first = cells(table.rows[0])
    text = first[place] if len(first) > place else ""
    return bool(find_values(text, reading.question.answer_type, reading.language))


def _is_counter(table: Table, place: int) -> bool:
    """Tell whether a column only counts its rows: 1, 2, 3."""
    column = [row_cells[place] for row in table.rows if len(row_cells := cells(row)) > place]
    return [cell.strip(".)") for cell in column] == [str(n) for n in range(1, len(column) + 1)]


def row_item(reading: Reading, row: Unit, key: int, columns: Sequence[int]) -> str | None:
    """Return a row as "label: value"; dates are written in ISO form."""
    row_cells = cells(row)
    if len(row_cells) <= max(key, *columns):
        return None
    values = "; ".join(row_cells[place] for place in columns)
    return f"{_iso(reading, row_cells[key])}: {_iso(reading, values)}"


def _iso(reading: Reading, text: str) -> str:
    dates = find_values(text, "date", reading.language)
    if len(dates) == 1 and dates[0].date and dates[0].precision == "day":
        return f"{text[: dates[0].start]}{dates[0].date.isoformat()}{text[dates[0].end :]}"
    return text
