"""Yes or no: polarity of what the text says of the topic, with its exceptions as a caveat."""

import re

from transforms.generation.reading.answers import COMPLETE_FROM, NOT_FOUND, plain
from transforms.generation.reading.match import Sight
from transforms.generation.reading.page import Reading
from transforms.values import AnswerWithEvidence

MIN_COVERAGE = 0.6
MIN_TOPIC = 0.7
"""Share of the words that carry the question that the sentence and its heads must use."""
MAX_SENTENCES = 6
DEFINES = re.compile(
    r"\b(?:means?|shall mean|is defined as|refers to|bedeutet|désigne|signifie|significa)\b",
    re.IGNORECASE,
)
NEGATED = re.compile(
    r"\b(?:not|no|never|neither|nor|without|cannot|excluded?|excludes|excluding|exclusions?|prohibited|void|waive[sd]?|"
    r"except|exempt|ne\s+\w+\s+pas|n'\w+\s+pas|pas|aucun\w*|exclu\w*|sauf|nicht|kein\w*|ausgeschlossen|ausschluss|ohne|"
    r"no|nunca|excluid\w+|exclusi\w+|sin)\b",
    re.IGNORECASE,
)
EXCLUSION_HEAD = re.compile(
    r"exclu|not (?:covered|insured)|what (?:is|we do) not|ausschl|nicht versichert|exclusion",
    re.IGNORECASE,
)
EXCEPTION = re.compile(
    r"\b(?:unless|except|provided that|subject to|only if|other than|sauf|à moins|außer|"
    r"es sei denn|sofern|salvo|a menos)\b[^.;]*",
    re.IGNORECASE,
)
ASKS_NEGATIVE = re.compile(
    r"\b(?:excluded?|exclude|prohibited|not\s+(?:covered|insured|allowed|permitted)|exclu\w*|ausgeschlossen|excluid\w+)\b",
    re.IGNORECASE,
)
PRINTED = re.compile(
    r"(?:^|\s)(?P<yes>yes|oui|ja|sí|included|covered|☒|\[x\])\s*$|(?:^|\s)(?P<no>no|non|nein|not\s+included|not\s+covered|excluded|nil|none)\s*$",
    re.IGNORECASE,
)


def read_boolean(reading: Reading) -> AnswerWithEvidence:
    """Return yes or no by the sentence that says most of the topic."""
    said = [
        sight
        for sight in reading.ranked[:MAX_SENTENCES]
        if sight.coverage >= MIN_COVERAGE and _speaks_of_topic(reading, sight)
    ]
    if not said:
        return NOT_FOUND
    return _answer(reading, min(said, key=lambda sight: _directness(reading, sight)))


def _directness(reading: Reading, sight: Sight) -> tuple[bool, int]:
    """Order sentences: those that only say what a term means last, those that name more first."""
    named = {place.term for place in sight.places} & reading.brief.topic
    return (bool(DEFINES.search(sight.unit.text)), -len(named))


def _speaks_of_topic(reading: Reading, sight: Sight) -> bool:
    """Every word that carries the question stands in the unit or its heads, or nearly every."""
    topic = reading.brief.topic
    covered = sum(sight.found.get(term, 0.0) >= 1.0 for term in topic)
    return bool(topic) and covered >= MIN_TOPIC * len(topic) and bool(sight.places)


def _answer(reading: Reading, sight: Sight) -> AnswerWithEvidence:
    unit = sight.unit
    is_positive = _is_positive(sight)
    if ASKS_NEGATIVE.search(reading.text):
        is_positive = not is_positive
    exception = EXCEPTION.search(unit.text)
    caveats = (f"condition: {plain(exception.group())}",) if exception else ()
    return AnswerWithEvidence(
        value_text="yes" if is_positive else "no",
        value_bool=is_positive,
        cited=(unit.cite(),),
        answer_found=True,
        complete_answer_found=sight.coverage >= COMPLETE_FROM,
        confidence=round(min(sight.coverage, 0.9), 3),
        caveats=caveats,
    )


def _is_positive(sight: Sight) -> bool:
    unit = sight.unit
    if printed := PRINTED.search(unit.text):
        return printed["yes"] is not None
    statement = EXCEPTION.sub("", unit.text)
    is_negated = len(NEGATED.findall(statement)) % 2 == 1
    in_exclusions = bool(EXCLUSION_HEAD.search(f"{unit.heading}\n{unit.lead}"))
    return not (is_negated or in_exclusions)
