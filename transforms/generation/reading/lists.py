"""Listings: items under their heading or lead, enumerated in running text, or joined by commas."""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from transforms.generation.reading.answers import NOT_FOUND, list_answer
from transforms.generation.reading.match import context_terms
from transforms.generation.reading.page import Reading
from transforms.generation.reading.units import ITEM_MARK, Unit
from transforms.values import AnswerWithEvidence, CitedQuote

MIN_LIST_COVERAGE = 0.55
ENUMERATED = re.compile(r"(?:^|(?<=[\s;:,]))\((?P<mark>[a-z]{1,2}|[ivx]{1,5}|\d{1,2})\)\s*")
ENUMERATION_END = re.compile(r"[;,.]?\s*(?:\b(?:and|or|und|oder|et|ou|y|o)\s*)?$")
SERIES = re.compile(
    r"(?:\b(?:are|include[sd]?|including|comprises?|consists? of|namely|such as|following|sont|comprennent|sind|umfassen|"
    r"son|incluyen)\b\s*:?|:)\s+(?P<series>[^.;:]{5,600})",
    re.IGNORECASE,
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


def read_listing(reading: Reading) -> AnswerWithEvidence:
    """Return the items of the list that is introduced by what is asked."""
    runs = [run for run in find_runs(reading) if run.coverage >= MIN_LIST_COVERAGE]
    if not runs:
        return NOT_FOUND
    best = max(runs, key=lambda run: (round(run.coverage, 2), len(run.items) > 1, -run.order))
    return list_answer(best.items, coverage=best.coverage, is_complete=best.is_closed)


def find_runs(reading: Reading) -> list[Run]:
    """Return all lists in the text, in the order of the text."""
    return [*_item_runs(reading), *_enumerations(reading), *_series(reading)]


def _item_runs(reading: Reading) -> Iterator[Run]:
    """Yield groups of list items that follow each other under one heading and lead."""
    group: list[Unit] = []
    for unit in (*reading.units, None):
        continues = (
            unit is not None
            and unit.kind == "item"
            and (not group or (unit.heading == group[0].heading and unit.lead == group[0].lead))
        )
        if continues and unit is not None:
            group.append(unit)
            continue
        if len(group) > 1:
            yield _item_run(reading, group, is_closed=unit is not None)
        group = [unit] if unit is not None and unit.kind == "item" else []


def _item_run(reading: Reading, group: Sequence[Unit], *, is_closed: bool) -> Run:
    coverage = _introduced(reading, f"{group[0].heading}\n{group[0].lead}")
    items: list[Item] = []
    for unit in group:
        mark = ITEM_MARK.match(unit.text)
        if mark or not items:
            text = unit.text[mark.end() :] if mark else unit.text
            items.append(Item(clean_item(text), unit.cite()))
    return Run(tuple(items), coverage, group[0].order, is_closed)


def _enumerations(reading: Reading) -> Iterator[Run]:
    """Yield "(a) …; (b) …" inside one sentence or over the sentences of one paragraph."""
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
        yield Run(items, _introduced(reading, lead), unit.order, is_closed=True)


def _series(reading: Reading) -> Iterator[Run]:
    """Yield "…: fire, theft and flood" in running text."""
    for unit in reading.units:
        if unit.kind == "heading":
            continue
        for match in SERIES.finditer(unit.text):
            parts = _series_parts(match["series"])
            if len(parts) < 2:
                continue
            lead = f"{unit.heading}\n{unit.text[: match.start('series')]}"
            quote = unit.cite(match.start(), match.end())
            items = tuple(Item(clean_item(part), quote) for part in parts)
            yield Run(items, _introduced(reading, lead) - 0.05, unit.order, is_closed=True)


def _series_parts(series: str) -> list[str]:
    parts = [
        part
        for part in re.split(r",\s+(?:and\s+|or\s+|et\s+|und\s+|oder\s+|y\s+)?", series)
        if part.strip()
    ]
    if parts and (last := re.split(r"\s+(?:and|or|et|ou|und|oder|y)\s+", parts[-1])):
        parts[-1:] = last if len(last) == 2 else [parts[-1]]
    return parts if all(len(part.split()) <= 12 for part in parts) else []


def _introduced(reading: Reading, text: str) -> float:
    """Return how much of the question the heading and lead of a list speak of."""
    return reading.brief.weigh(context_terms(reading.brief, text))


def clean_item(text: str) -> str:
    """Return an item without its mark and without what joins it to the next."""
    bare = ITEM_MARK.sub("", text.strip(), count=1)
    return ENUMERATION_END.sub("", bare).strip()
