"""How much of a question a unit of text speaks of, by itself and with what stands around it."""

from collections.abc import Sequence
from dataclasses import dataclass

from transforms.generation.reading.brief import GENERIC, LIGHT, Brief, Mark, marks, term_set
from transforms.generation.reading.units import Unit

AROUND = 0.5
"""What a term counts that stands in the sentence before, not in the unit itself."""
REWORDED = 0.6
"""What a term counts that is not there, but another wording from the vocabulary is."""
MAX_REWORDED_TERMS = 2
"""Of longer questions it is not known which part another wording stands for."""
MIN_COMPOUND_CHARS = 6


@dataclass(frozen=True, slots=True)
class Sight:
    """A unit with what it says of the question."""

    unit: Unit
    found: dict[str, float]
    """Terms of the question and how well each is covered, 0 to 1; of a row without its head."""
    places: tuple[Mark, ...]
    """Where terms and concepts of the question stand in the unit itself."""
    coverage: float
    """Share of the question's weight, 0 to 1; of a row with its whole head."""


def sight_units(brief: Brief, units: Sequence[Unit]) -> list[Sight]:
    """Return a sight of each unit, in order."""
    sights: list[Sight] = []
    before: Unit | None = None
    for unit in units:
        sights.append(sight(brief, unit, before))
        before = unit
    return sights


def sight(brief: Brief, unit: Unit, before: Unit | None) -> Sight:
    """Look at one unit, its headings and lead, and the sentence before it."""
    places = places_in(brief, unit.text)
    found = {place.term: 1.0 for place in places}
    around = unit.heading if unit.kind == "row" else f"{unit.heading}\n{unit.lead}"
    for term in context_terms(brief, around):
        found.setdefault(term, 1.0)
    if before is not None and before.doc == unit.doc and before.paragraph >= unit.paragraph - 1:
        for place in places_in(brief, before.text):
            found.setdefault(place.term, AROUND)
    for term in _implied(brief, unit):
        found.setdefault(term, AROUND)
    for term in _reworded(brief, unit):
        found.setdefault(term, REWORDED)
    head = context_terms(brief, unit.lead) if unit.kind == "row" else set[str]()
    return Sight(unit, found, places, share(brief, found | dict.fromkeys(head, 1.0)))


def _implied(brief: Brief, unit: Unit) -> frozenset[str]:
    """Return the words of the question that say little, when a label is nothing but the topic."""
    if unit.kind != "row" or not brief.topic:
        return frozenset()
    label = unit.label or unit.cells[0]
    said = context_terms(brief, label)
    extra = term_set(label, brief.language) - said - GENERIC - LIGHT
    is_plain = brief.topic <= said and not extra
    return frozenset(brief.weights) & (GENERIC | LIGHT) if is_plain else frozenset()


def _reworded(brief: Brief, unit: Unit) -> frozenset[str]:
    """Return the topic of a question about one thing, when the unit words it otherwise."""
    if len(brief.topic) > MAX_REWORDED_TERMS or not brief.rewrites:
        return frozenset()
    said = term_set(unit.text, brief.language)
    return brief.topic if any(phrase <= said for phrase in brief.rewrites) else frozenset()


def places_in(brief: Brief, text: str) -> tuple[Mark, ...]:
    """Return where terms of the question stand, in its own words or as a concept it asks for."""
    places = [mark for mark in marks(text, brief.language) if mark.term in brief.weights]
    if brief.language == "de":
        places += _in_compounds(brief, text)
    for concept in brief.concepts:
        for match in concept.said.finditer(text):
            names = brief.carried[concept.name]
            places.extend(Mark(match.start(), match.end(), term) for term in names)
    return tuple(places)


def _in_compounds(brief: Brief, text: str) -> list[Mark]:
    """German: "Jahresselbstbeteiligung" speaks of "Selbstbeteiligung", and the other way round."""
    long_terms = [term for term in brief.weights if len(term) >= MIN_COMPOUND_CHARS]
    return [
        Mark(mark.start, mark.end, term)
        for mark in marks(text, brief.language)
        if len(mark.term) >= MIN_COMPOUND_CHARS
        for term in long_terms
        if mark.term != term and (term in mark.term or mark.term in term)
    ]


def context_terms(brief: Brief, text: str) -> set[str]:
    """Return the terms of the question in a text, by its own words or as concepts."""
    if not text.strip():
        return set()
    context = term_set(text, brief.language) & brief.weights.keys()
    for concept in brief.concepts:
        if concept.said.search(text):
            context |= brief.carried[concept.name]
    return set(context)


def share(brief: Brief, found: dict[str, float]) -> float:
    """Return the share of the question's weight that these terms cover, 0 to 1."""
    return sum(brief.weights[term] * share for term, share in found.items()) / brief.total
