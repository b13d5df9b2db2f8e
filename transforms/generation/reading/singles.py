"""Readers of single answers: typed values, names, identifiers, addresses, sentences."""

from transforms.generation.reading.amended import amendment, followed
from transforms.generation.reading.answers import NOT_FOUND, text_answer, value_answer
from transforms.generation.reading.labels import labelled
from transforms.generation.reading.match import Sight
from transforms.generation.reading.page import Reading
from transforms.generation.reading.typed import pick_values
from transforms.values import AnswerWithEvidence

MIN_VALUE_COVERAGE = 0.55
"""Below this share of the question around a value, the value belongs to something else."""
MIN_TEXT_COVERAGE = 0.6


def read_value(reading: Reading) -> AnswerWithEvidence:
    """Return the value of the type asked for that stands closest to what is asked."""
    answer_type = reading.question.answer_type
    picks = pick_values(reading.brief, reading.sights, answer_type)
    good = [
        pick
        for pick in picks
        if pick.coverage >= MIN_VALUE_COVERAGE and speaks_of_topic(reading, pick.sight)
    ]
    if not good:
        return NOT_FOUND
    best = good[0]
    if amended := amendment(reading.brief, best, good, picks):
        return followed(amended, best)
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
