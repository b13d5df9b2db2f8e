"""What stands behind a label or beside a role: "Broker: X", "issued by X", `X ("Insurer")`."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from transforms.generation.reading.brief import term_set
from transforms.generation.reading.match import places_in
from transforms.generation.reading.names import DEFINED, is_name
from transforms.generation.reading.page import Reading
from transforms.generation.reading.roles import asks_role_alone, role_said
from transforms.generation.reading.tables import is_value
from transforms.generation.reading.units import Unit
from transforms.values import CitedQuote

MIN_LABEL_COVERAGE = 0.6
MAX_VALUE_CHARS = 160
COLON = re.compile(r"\s*[:\t]\s*|\s{2,}|\s*\.{3,}\s*")


@dataclass(frozen=True, slots=True)
class Labelled:
    """A text behind a label, with its quote and how well the label fits the question."""

    text: str
    quote: CitedQuote
    coverage: float


def labelled(reading: Reading) -> Labelled | None:
    """Return the best text behind a label that names what is asked."""
    found = [*_behind_labels(reading), *_defined(reading)]
    best = max(found, key=lambda each: each.coverage, default=None)
    return best if best and best.coverage >= MIN_LABEL_COVERAGE else None


def _behind_labels(reading: Reading) -> Iterator[Labelled]:
    for place, unit in enumerate(reading.units):
        if unit.kind == "heading":
            continue
        split = _split_label(unit)
        if split is None:
            continue
        label, value, start = split
        coverage = label_coverage(reading, label)
        if coverage < MIN_LABEL_COVERAGE:
            continue
        if value and reading.question.answer_type == "name" and is_value(value, reading.language):
            continue
        if value:
            yield Labelled(value, unit.cite(start, len(unit.text)), coverage - 0.001 * unit.rank)
        elif place + 1 < len(reading.units) and reading.units[place + 1].kind != "heading":
            after = reading.units[place + 1]
            first = after.text.split("\n")[0]
            quote = CitedQuote(
                quote=f"{unit.text}\n{first}",
                line_ids=(*(line.line_id for line in unit.lines), after.lines[0].line_id),
            )
            yield Labelled(first, quote, coverage - 0.05)


def label_coverage(reading: Reading, label: str) -> float:
    """Return how well a label names what is asked: share of the question, less what it adds."""
    brief = reading.brief
    role = role_said(brief, label)
    if role == "other":
        return 0.0
    found = {place.term for place in places_in(brief, label)}
    is_role = role == "asked" and asks_role_alone(brief)
    covered = 1.0 if is_role else brief.weigh(found)
    worded = " ".join(m.group() for c in brief.concepts for m in c.said.finditer(label))
    extra = len(term_set(label, brief.language) - term_set(worded, brief.language) - found)
    return covered - 0.1 * extra


def _split_label(unit: Unit) -> tuple[str, str, int] | None:
    """Split "Label: value" or "Label   value"; the value may be empty."""
    first_line = unit.text.split("\n")[0]
    match = COLON.search(first_line)
    if match and match.start() <= 60:
        return first_line[: match.start()], unit.text[match.end() :].strip(), match.end()
    if len(unit.cells) > 1:
        return unit.cells[0], " ".join(unit.cells[1:]), len(unit.cells[0])
    return None


def _defined(reading: Reading) -> Iterator[Labelled]:
    """Yield names in front of a defined role: `Acme Mutual (the "Insurer")`."""
    for unit in reading.units:
        for match in DEFINED.finditer(unit.text):
            coverage = label_coverage(reading, match.group())
            if coverage < MIN_LABEL_COVERAGE:
                continue
            before = unit.text[: match.start()].rstrip(" ,")
            name = re.split(r"\b(?:between|and|by|among|with|of)\s+(?=[A-ZÀ-Ý])", before)[-1]
            name = name.split(", a ")[0].strip()
            if is_name(name) and len(name) <= MAX_VALUE_CHARS:
                yield Labelled(name, unit.cite(match.start(), match.end()), coverage)
