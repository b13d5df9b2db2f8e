"""Readers of single answers: typed values, names, identifiers, addresses, sentences."""

import re
from collections.abc import Sequence

from transforms.generation.reading.answers import NOT_FOUND, plain, text_answer, value_answer
from transforms.generation.reading.labels import labelled
from transforms.generation.reading.match import Sight
from transforms.generation.reading.page import Reading
from transforms.generation.reading.typed import Pick, pick_values
from transforms.generation.typed_values import is_same_value
from transforms.values import AnswerWithEvidence

MIN_VALUE_COVERAGE = 0.55
"""Below this share of the question around a value, the value belongs to something else."""
MIN_TEXT_COVERAGE = 0.6
FROM_BEFORE = re.compile(r"\b(?:from|de|von|desde)\s*$", re.IGNORECASE)
"""Before the value that an amendment replaces: "increased from $5,000 to $10,000"."""
AMENDS = re.compile(
    r"endorsement|amend|replac|delet|supersed|avenant|annule et remplace|nachtrag|ersetzt|"
    r"suplemento|modifica",
    re.IGNORECASE,
)


def read_value(reading: Reading) -> AnswerWithEvidence:
    """Return the value of the type asked for that stands closest to what is asked."""
    answer_type = reading.question.answer_type
    picks = pick_values(reading.brief, reading.sights, answer_type)
    picks = [
        pick
        for pick in picks
        if pick.coverage >= MIN_VALUE_COVERAGE and speaks_of_topic(reading, pick.sight)
    ]
    if not picks:
        return NOT_FOUND
    best = picks[0]
    if amended := _amendment(best, picks):
        return _followed(amended, best)
    return value_answer(best.value, best.sight.unit, coverage=best.coverage)


def read_text(reading: Reading) -> AnswerWithEvidence:
    """Return the sentence that says most of what is asked."""
    for sight in reading.ranked[:3]:
        if sight.coverage >= MIN_TEXT_COVERAGE and speaks_of_topic(reading, sight):
            unit = sight.unit
            return text_answer(unit.text, [unit.cite()], coverage=sight.coverage)
    return NOT_FOUND


def read_identifier(reading: Reading) -> AnswerWithEvidence:
    """Return the code, number, phone or address behind the label asked for."""
    answer = read_value(reading)
    return answer if answer.answer_found else read_label(reading)


def read_label(reading: Reading) -> AnswerWithEvidence:
    """Return what stands behind the label asked for: "Named Insured: Acme Inc."."""
    best = labelled(reading)
    if best is None:
        return NOT_FOUND
    return text_answer(best.text, [best.quote], coverage=best.coverage)


def speaks_of_topic(reading: Reading, sight: Sight) -> bool:
    """Tell whether at least half of the words that carry the question stand around a unit."""
    topic = reading.brief.topic
    covered = sum(sight.found.get(term, 0.0) for term in topic)
    return covered >= 0.5 * len(topic)


def _amendment(best: Pick, picks: Sequence[Pick]) -> Pick | None:
    """Return a pick from an endorsement that changes what the best one says."""
    if _amends(best):
        return None
    for pick in picks:
        if (
            _amends(pick)
            and not FROM_BEFORE.search(pick.sight.unit.text, 0, pick.value.start)
            and pick.score >= best.score - 0.35
            and not is_same_value(pick.value, best.value)
        ):
            return pick
    return None


def _amends(pick: Pick) -> bool:
    unit = pick.sight.unit
    return bool(AMENDS.search(unit.heading) or AMENDS.search(unit.text))


def _followed(amended: Pick, body: Pick) -> AnswerWithEvidence:
    """Return the amended value; the quote of the body is kept."""
    caveat = (
        f"the endorsement is followed: it changes {plain(body.value.text)} of the body "
        f"to {plain(amended.value.text)}"
    )
    answer = value_answer(
        amended.value, amended.sight.unit, coverage=amended.coverage, caveats=[caveat]
    )
    quote = body.sight.unit.cite(body.value.start, body.value.end)
    return answer.model_copy(update={"cited": (*answer.cited, quote)})
