"""Listings: items under their heading or lead, in running text, in tables, or as headings."""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from transforms.generation.reading.answers import NOT_FOUND, list_answer, plain
from transforms.generation.reading.brief import term_set
from transforms.generation.reading.match import context_terms
from transforms.generation.reading.page import Reading
from transforms.generation.reading.printed import ITEM_MARK
from transforms.generation.reading.tables import (
    asked_columns,
    find_tables,
    row_item,
    table_coverage,
)
from transforms.generation.reading.units import Unit
from transforms.values import AnswerWithEvidence, CitedQuote

MIN_LIST_COVERAGE = 0.5
SAME_COVERAGE = 0.05
ENUMERATED = re.compile(r"(?:^|(?<=[\s;:,]))\((?P<mark>[a-z]{1,2}|[ivx]{1,5}|\d{1,2})\)\s*")
ENUMERATION_END = re.compile(r"[;,.]?\s*(?:(?<=[;,\s])(?:and|or|und|oder|et|ou|y|o)\s*)?[;,.]?\s*$")
SERIES = re.compile(
    r"(?:\b(?:(?:are|sind|sont|son)(?:\s+the following)?\s*:|includ(?:es?|ing)|comprises?|"
    r"consists? of|"
    r"namely|such as|comprennent|umfassen|incluyen)(?:\s+the following)?\s*:?|:)\s+"
    r"(?P<series>[^.;:]{5,600})",
    re.IGNORECASE,
)
SERIES_COMMA = re.compile(r",\s+(?:and\s+|or\s+|et\s+|ou\s+|und\s+|oder\s+|y\s+|o\s+)?")
SERIES_LAST = re.compile(r"\s+(?:and|or|et|ou|und|oder|y)\s+")
MAX_SERIES_WORDS = 8
NAMED_HEADING = re.compile(
    r"^\W*(?P<noun>[^\W\d_]+)\s+(?:no\.?|nr\.?|n°|nº|number)?\s*(?:\d+|[A-Z]|[IVX]+)\b\s*[-–—:.)]*\s*(?P<title>.{3,})$",
    re.IGNORECASE | re.DOTALL,
)


class Item(NamedTuple):
    """One item with the quote it stands in."""

    text: str
    quote: CitedQuote


class Run(NamedTuple):
    """Items that belong together, and how well what introduces them fits the question."""

    items: tuple[Item, ...]
    coverage: float
    order: int
    is_closed: bool
    """Something else follows in the text, so the run does not go on outside it."""
    parent: str = ""
    """Heading above the heading of the run: runs of one parent are one list."""
    title: str = ""


def read_listing(reading: Reading) -> AnswerWithEvidence:
    """Return the items of the list that is introduced by what is asked."""
    runs = [run for run in find_runs(reading) if run.coverage >= MIN_LIST_COVERAGE]
    if not runs:
        return NOT_FOUND
    best = max(runs, key=lambda run: (round(run.coverage, 2), len(run.items) > 1, -run.order))
    siblings = [run for run in runs if _belongs(run, best)]
    is_tree = reading.question.answer_shape == "tree"
    items = [
        Item(f"{run.title} > {item.text}" if is_tree and run.title else item.text, item.quote)
        for run in siblings
        for item in run.items
    ]
    unique = {plain(item.text): item for item in items}
    is_complete = all(run.is_closed for run in siblings)
    return list_answer(list(unique.values()), coverage=best.coverage, is_complete=is_complete)


def find_runs(reading: Reading) -> list[Run]:
    """Return all lists in the text, in the order of the text."""
    wants_rows = reading.question.answer_shape in ("table", "nested")
    rows = list(_table_runs(reading))
    if wants_rows and rows:
        return rows
    return [
        *_item_runs(reading),
        *_enumerations(reading),
        *_series(reading),
        *_heading_runs(reading),
        *rows,
    ]


def _belongs(run: Run, best: Run) -> bool:
    if run is best:
        return True
    is_sibling = bool(best.parent) and run.parent == best.parent and run.title != best.title
    return is_sibling and run.coverage >= best.coverage - SAME_COVERAGE


def _item_runs(reading: Reading) -> Iterator[Run]:
    """Yield groups of list items that follow each other under one heading and lead."""
    group: list[Unit] = []
    for unit in (*reading.units, None):
        if unit is not None and unit.kind == "item" and (not group or _same_list(unit, group[0])):
            group.append(unit)
            continue
        if group:
            yield _item_run(reading, group, is_closed=unit is not None)
        group = [unit] if unit is not None and unit.kind == "item" else []


def _same_list(unit: Unit, first: Unit) -> bool:
    return unit.heading == first.heading and unit.lead == first.lead


def _item_run(reading: Reading, group: Sequence[Unit], *, is_closed: bool) -> Run:
    first = group[0]
    items: list[Item] = []
    for unit in group:
        mark = ITEM_MARK.match(unit.text)
        if mark or not items:
            items.append(Item(clean_item(unit.text), unit.cite()))
    parent, _, title = first.heading.rpartition(" / ")
    coverage = introduced(reading, f"{first.heading}\n{first.lead}")
    return Run(tuple(items), coverage, first.order, is_closed, parent, _bare_title(title))


def _bare_title(title: str) -> str:
    """Return a heading without its number."""
    return re.sub(r"^\W*(?:[A-Z]|\d+)(?:\.\d+)*\.?\s+", "", plain(title))


def _enumerations(reading: Reading) -> Iterator[Run]:
    """Yield "(a) …; (b) …" inside one sentence."""
    for unit in reading.units:
        marks = list(ENUMERATED.finditer(unit.text))
        if len(marks) < 2 or unit.kind == "heading":
            continue
        ends = [mark.start() for mark in marks[1:]] + [len(unit.text)]
        lead = f"{unit.heading}\n{unit.lead}\n{unit.text[: marks[0].start()]}"
        items = tuple(
            Item(clean_item(unit.text[mark.end() : end]), unit.cite(mark.start(), end))
            for mark, end in zip(marks, ends, strict=True)
        )
        yield Run(items, introduced(reading, lead), unit.order, is_closed=True)


def _series(reading: Reading) -> Iterator[Run]:
    """Yield "…: fire, theft and flood" in running text."""
    for unit in reading.units:
        if unit.kind == "heading" or len(unit.cells) > 1:
            continue
        for match in SERIES.finditer(unit.text):
            parts = _series_parts(match["series"])
            if len(parts) < 2:
                continue
            lead = f"{unit.heading}\n{unit.text[: match.start('series')]}"
            quote = unit.cite(match.start(), match.end())
            items = tuple(Item(clean_item(part), quote) for part in parts)
            yield Run(items, introduced(reading, lead) - 0.1, unit.order, is_closed=True)


def _series_parts(series: str) -> list[str]:
    parts = [part for part in SERIES_COMMA.split(series) if part.strip()]
    if not parts:
        return []
    last = SERIES_LAST.split(parts[-1])
    if len(last) == 2:
        parts[-1:] = last
    is_list = len(parts) > 2 and all(len(part.split()) <= MAX_SERIES_WORDS for part in parts)
    return parts if is_list else []


def _heading_runs(reading: Reading) -> Iterator[Run]:
    """Yield headings that are numbered by the noun asked for: "Endorsement No. 1 - Fire"."""
    found: list[tuple[Unit, str]] = []
    topic = reading.brief.topic
    for unit in reading.units:
        match = NAMED_HEADING.match(unit.text) if unit.kind == "heading" else None
        if match and term_set(match["noun"], reading.language) & topic:
            found.append((unit, match["title"]))
    if found:
        items = tuple(Item(plain(title), unit.cite()) for unit, title in found)
        yield Run(items, 1.0, found[0][0].order, is_closed=True)


def _table_runs(reading: Reading) -> Iterator[Run]:
    """Yield tables, a row an item: "label: value", or the label alone when only it is asked."""
    for table in find_tables(reading):
        key, columns = asked_columns(reading, table)
        wants_values = reading.question.answer_shape != "listing" and bool(columns)
        items: list[Item] = []
        for row in table.rows:
            text = row_item(reading, row, key, columns) if wants_values else _label(row, key)
            if text:
                items.append(Item(text, row.cite()))
        if items:
            named = f"{table.head[key]}\n{table.introduction}"
            fits = introduced(reading, table.head[key]) > 0
            coverage = (
                table_coverage(reading, table) if wants_values else introduced(reading, named)
            )
            if not (wants_values or fits):
                continue
            yield Run(tuple(items), coverage, table.rows[0].order, table.is_closed)


def _label(row: Unit, key: int) -> str | None:
    row_cells = row.cells
    return row_cells[key] if len(row_cells) > key else None


def introduced(reading: Reading, text: str) -> float:
    """Return how much of the question the heading and lead of a list speak of."""
    return reading.brief.weigh(context_terms(reading.brief, text))


def clean_item(text: str) -> str:
    """Return an item without its mark and without what joins it to the next."""
    bare = ITEM_MARK.sub("", text.strip(), count=1)
    return ENUMERATION_END.sub("", bare).strip()
