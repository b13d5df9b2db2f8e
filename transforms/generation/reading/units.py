"""Windows as units of reading: sentences, rows, list items and headings, each a verbatim quote."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from transforms.generation.reading.printed import (
    CELL_GAP,
    ITEM_MARK,
    PrintedLine,
    is_head_row,
    label_of,
    lines_by_document,
    looks_tabular,
    paragraphs,
)
from transforms.generation.reading.sentences import split_sentences
from transforms.values import CitedQuote, Window

UnitKind = Literal["sentence", "row", "item", "heading"]

NAMED_PART = re.compile(
    r"(?:part|section|article|chapter|title|schedule|annex|appendix|endorsement|teil|abschnitt|chapitre|"
    r"titre|sección|capítulo)\s+(?:no\.?\s*)?[\dA-Z]",
    re.IGNORECASE,
)
HEADING_NUMBER = re.compile(r"((?:[A-Z]|\d{1,2})(?:\.\d{1,2})*\.?)\s")
MAX_QUOTE_CHARS = 700
"""Of a longer unit only the lines around the value are quoted."""


@dataclass(frozen=True, slots=True)
class Unit:
    """A stretch of text that says one thing, as it stands, with the lines it stands on."""

    text: str
    lines: tuple[PrintedLine, ...]
    kind: UnitKind
    heading: str = ""
    """Text of the headings above it."""
    lead: str = ""
    """The sentence that introduces the list, or the head row of the table, it belongs to."""
    paragraph: int = 0
    order: int = 0
    rank: int = 1
    """Rank of the best window that holds it."""
    label: str = ""
    """What stands before the colon of "Label: value"."""

    @property
    def cells(self) -> tuple[str, ...]:
        """Return the cells of a row: they are printed with a gap between them."""
        return tuple(cell for cell in CELL_GAP.split(self.text.strip()) if cell)

    @property
    def doc(self) -> int:
        """Return the place of its document."""
        return self.lines[0].doc

    def cite(self, start: int = 0, end: int | None = None) -> CitedQuote:
        """Return the unit as a quote; of a long one only the lines from `start` to `end`."""
        text, lines = self.text, self.lines
        if len(text) > MAX_QUOTE_CHARS:
            low = text.rfind("\n", 0, start) + 1
            high = text.find("\n", end if end is not None else len(text))
            n_before = text.count("\n", 0, low)
            text = text[low : high if high >= 0 else len(text)]
            lines = lines[n_before : n_before + text.count("\n") + 1]
        return CitedQuote(quote=text, line_ids=tuple(line.line_id for line in lines))


def read_units(windows: Sequence[Window]) -> list[Unit]:
    """Return all units of the windows in document order; a line in two windows counts once."""
    units: list[Unit] = []
    for lines, ranks in lines_by_document(windows):
        units.extend(_document_units(lines, ranks, first_order=len(units)))
    return units


def _document_units(
    lines: list[PrintedLine], ranks: dict[str, int], *, first_order: int
) -> list[Unit]:
    units: list[Unit] = []
    path: list[tuple[float, str]] = []
    lead = ""
    for paragraph, group in enumerate(paragraphs(lines)):
        rank = min(ranks[line.line_id] for line in group)
        kind = _kind(group)
        if kind == "heading":
            path, lead = _below(path, group), ""
        for text, covered in split_sentences(group, is_whole=kind in ("row", "heading")):
            unit = Unit(
                text=text,
                lines=covered,
                kind=kind,
                heading=" / ".join(title for _, title in path),
                lead=lead if kind in ("item", "row") else "",
                paragraph=paragraph,
                order=first_order + len(units),
                rank=rank,
                label=label_of(text),
            )
            lead = _next_lead(lead, unit, units[-1] if units else None)
            units.append(unit)
    return units


def _below(path: list[tuple[float, str]], group: list[PrintedLine]) -> list[tuple[float, str]]:
    """Return the path of headings with this one below those that rank higher."""
    title = " ".join(line.text for line in group)
    depth = _depth(title, group[0].font_size)
    return [*((above, text) for above, text in path if above < depth), (depth, title)]


def _depth(title: str, font_size: float) -> float:
    """Return how deep a heading lies: by its number, else by its size, which only orders."""
    if NAMED_PART.match(title):
        return 1.0
    if number := HEADING_NUMBER.match(title):
        return 1.0 + len(number.group(1).strip(".").split("."))
    return 10.0 - font_size / 10


def _next_lead(lead: str, unit: Unit, before: Unit | None) -> str:
    """Return what introduces the units that follow: a sentence with a colon, or head rows."""
    if unit.kind == "sentence":
        return unit.text if unit.text.rstrip().endswith((":", "—", "-")) else ""
    if unit.kind != "row":
        return lead if unit.kind == "item" else ""
    if not is_head_row(unit.text):
        return lead
    if before is None or before.kind != "row":
        return unit.text
    return f"{lead}\n{unit.text}" if lead.endswith(before.text) else lead


def _kind(group: list[PrintedLine]) -> UnitKind:
    first = group[0]
    if first.role == "heading":
        return "heading"
    if first.role == "table_row" or (len(group) == 1 and looks_tabular(first.text)):
        return "row"
    if len(group) == 1 and label_of(first.text) and not first.text.rstrip().endswith(":"):
        return "row"
    if first.role == "list_item" or ITEM_MARK.match(first.text):
        return "item"
    return "sentence"
