"""Which of the typed values in the text is the one asked for."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from transforms.generation.reading.brief import GENERIC, LIGHT, Brief, term_set
from transforms.generation.reading.concepts import CompiledConcept
from transforms.generation.reading.match import Sight, context_terms, share
from transforms.generation.reading.printed import CELL_GAP
from transforms.generation.reading.units import Unit
from transforms.generation.typed_values import TypedValue, find_values
from transforms.values import AnswerType

NEAR_CHARS = 60
"""Distance at which a word beside a value counts half."""
CROSSING = {";": 40, ",": 15, ".": 50}
"""What a sign between a word and a value adds to their distance, in characters."""
CROSSED_VALUE = 70
RIVAL_REACH = 45
RIVAL_PENALTY = 0.45
OUT_OF_QUESTION = 9.0
MIN_CONTEXT = 0.25
OTHER_ROW = 0.65
"""What a table row counts whose own label names something that the question does not."""
CLAUSE_BEFORE = re.compile(
    r"(?:^|\b(?:section|clause|article|item|paragraph|part|no\.|nr\.|ziffer|abschnitt|artikel)\s*"
    r"(?:[A-Z]\.)?|§\s*)$",
    re.IGNORECASE,
)
CLAUSE_NUMBER = re.compile(r"\d+(?:\.\d+)+")
YEAR_LIKE = re.compile(r"(?:19|20)\d\d")


@dataclass(frozen=True, slots=True)
class Pick:
    """A value with its score."""

    sight: Sight
    value: TypedValue
    score: float
    coverage: float
    """Share of the question's weight that stands around the value, 0 to 1."""
    found: dict[str, float]
    """Terms of the question around the value, its column head included."""


def pick_values(brief: Brief, sights: Sequence[Sight], answer_type: AnswerType) -> list[Pick]:
    """Return all values of the type that the question may mean, best first."""
    has_prepositions = any(concept.before for concept in brief.concepts)
    picks = [
        _pick(brief, sight, value, values)
        for sight in sights
        if sight.unit.kind != "heading" and (has_prepositions or sight.coverage >= MIN_CONTEXT)
        for values in [values_in(sight.unit, answer_type, brief.language)]
        for value in values
    ]
    return sorted(picks, key=lambda pick: (-pick.score, pick.sight.unit.order, pick.value.start))


def values_in(unit: Unit, answer_type: AnswerType, language: str) -> list[TypedValue]:
    """Return the values of a unit; numbers without currency are amounts in tables only."""
    values = find_values(unit.text, answer_type, language)
    if answer_type == "amount" and unit.kind != "row":
        return [value for value in values if value.currency]
    if answer_type in ("amount", "number"):
        return [value for value in values if not _is_label(unit.text, value)]
    return values


def _is_label(text: str, value: TypedValue) -> bool:
    """Tell whether a number is a year or numbers a clause."""
    if YEAR_LIKE.fullmatch(value.text):
        return True
    before = CLAUSE_BEFORE.search(text, 0, value.start)
    return bool(before) and (before.group() != "" or bool(CLAUSE_NUMBER.fullmatch(value.text)))


def _pick(brief: Brief, sight: Sight, value: TypedValue, values: list[TypedValue]) -> Pick:
    text = sight.unit.text
    closeness: dict[str, float] = {}
    for place in sight.places:
        distance = _distance(text, place.start, place.end, value, values)
        near = 1.0 / (1.0 + distance / NEAR_CHARS)
        closeness[place.term] = max(near, closeness.get(place.term, 0.0))
    for concept in brief.concepts:
        if _is_said_before(concept, text, value):
            closeness |= dict.fromkeys(brief.carried[concept.name], 1.0)
    head = column_head(sight.unit, value, values)
    closeness |= dict.fromkeys(context_terms(brief, head), 1.0)
    beside = sum(brief.weights[term] * near for term, near in closeness.items()) / brief.total
    found = sight.found | dict.fromkeys(closeness, 1.0)
    coverage = share(brief, found)
    if head and _is_other_row(brief, text[: values[0].start]):
        coverage *= OTHER_ROW
    score = 0.6 * coverage + 0.6 * beside - 0.01 * sight.unit.rank
    if sight.unit.kind == "row":
        score += 0.1 * brief.weigh(p.term for p in sight.places if p.start < value.start)
    score -= _rivalry(brief, sight, value, values, head)
    return Pick(sight, value, score, coverage, found)


def _is_other_row(brief: Brief, label: str) -> bool:
    """Tell whether the label of a row names a thing of its own that the question does not name.

    Words that only say what kind of value is asked for ("limit", "loss") name no row.
    """
    said = context_terms(brief, label)
    kinds = frozenset[str]().union(*brief.carried.values())
    if said - kinds:
        return False
    return not said or bool(term_set(label, brief.language) - said - GENERIC - LIGHT)


def _is_said_before(concept: CompiledConcept, text: str, value: TypedValue) -> bool:
    return bool(
        concept.before and concept.before.search(text, max(0, value.start - 24), value.start)
    )


def column_head(unit: Unit, value: TypedValue, values: Sequence[TypedValue]) -> str:
    """Return the head of a value's column: columns are counted from the right."""
    if unit.kind != "row" or not unit.lead:
        return ""
    from_right = len(values) - values.index(value)
    heads = [CELL_GAP.split(row.strip()) for row in unit.lead.split("\n")]
    return " ".join(cells[-from_right] for cells in heads if len(cells) >= from_right)


def _distance(
    text: str, start: int, end: int, value: TypedValue, values: Sequence[TypedValue]
) -> float:
    """Return characters between a word and a value; signs and other values between add to it."""
    if end <= value.start:
        low, high = end, value.start
    elif start >= value.end:
        low, high = value.end, start
    else:
        return 0.0
    gap = text[low:high]
    crossed = sum(low <= other.start and other.end <= high for other in values)
    signs = sum(cost * gap.count(sign) for sign, cost in CROSSING.items())
    return len(gap) + signs + CROSSED_VALUE * crossed


def _rivalry(
    brief: Brief, sight: Sight, value: TypedValue, values: Sequence[TypedValue], head: str
) -> float:
    """Return what a rival concept takes off that stands closer than the one asked for.

    Where the one asked for is not said at all, the value is out of the question.
    """
    if not brief.rivals:
        return 0.0
    text = sight.unit.text
    groups = {rival.group for rival in brief.rivals}
    asked = [concept for concept in brief.concepts if concept.group in groups]
    if head and any(rival.said.search(head) for rival in brief.rivals):
        return RIVAL_PENALTY * (not any(concept.said.search(head) for concept in asked))
    rival, own = (_closest(text, value, values, concepts) for concepts in (brief.rivals, asked))
    if rival > RIVAL_REACH or rival >= own:
        return 0.0
    is_said = own < float("inf") or any(c.said.search(sight.unit.heading) for c in asked)
    return RIVAL_PENALTY if is_said else OUT_OF_QUESTION


def _closest(
    text: str,
    value: TypedValue,
    values: Sequence[TypedValue],
    concepts: Sequence[CompiledConcept],
) -> float:
    if any(_is_said_before(concept, text, value) for concept in concepts):
        return 0.0
    return min(
        (
            1 + _distance(text, match.start(), match.end(), value, values)
            for concept in concepts
            for match in concept.said.finditer(text)
        ),
        default=float("inf"),
    )
