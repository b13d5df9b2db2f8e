"""Conditions about what is counted or measured, and what is a number by name only."""

import re

from transforms.questions.grammar.nouns import looks_plural, noun_kind, singular
from transforms.questions.grammar.reading import Reading
from transforms.questions.grammar.value_nouns import value_kind
from transforms.questions.lexicon.function_words import DETERMINERS
from transforms.questions.lexicon.value_words import (
    IDENTIFIER_OWNERS,
    MEASURE_MODIFIERS,
    QUANTIFIERS,
    TIME_UNITS,
)
from transforms.text import word_set

_KINDS_OF_DAYS = word_set(
    "working business calendar consecutive full clear trading additional more"
)
_ADJECTIVE = re.compile(r"(?:al|ic|ous|ive|ed|est|ary|able|ible|ing|ern|ish|nt|ct|ll)$")
_CALLS = frozenset({"call", "dial", "ring", "phone", "text", "fax", "quote"})


def is_identifier_number(reading: Reading) -> bool:
    """Match "policy number", "telephone number", "deed number", but not "number of employees"."""
    if reading.head not in {"number", "no.", "numero"}:
        return False
    owners = {singular(word, reading.language) for word in reading.modifiers}
    owners |= set(reading.modifiers)
    article, owner = (*reading.complement[1:], "", "")[:2]
    if reading.complement[:1] == ("of",) and article in DETERMINERS[reading.language]:
        owners |= {owner, *reading.complement[3:4]} - {""}
    if owners & IDENTIFIER_OWNERS:
        return True
    if looks_plural(reading.head_word):
        return False
    of_what = reading.modifiers[-1] if reading.modifiers else ""
    kind = noun_kind(of_what, "", reading.language)
    is_noun = kind is not None or bool(of_what and not _ADJECTIVE.search(of_what))
    is_of_one = article in DETERMINERS[reading.language] and not looks_plural(owner)
    is_of = reading.complement[:1] == ("of",)
    counts_these = is_of and not is_of_one and kind not in {"name", "identifier"}
    counts = counts_these or of_what in QUANTIFIERS
    return is_noun and not counts and not looks_plural(of_what)


def is_measure(reading: Reading) -> bool:
    """Match "emission limit", "learning rate": a measure, neither money nor share."""
    return bool(set(reading.modifiers) & MEASURE_MODIFIERS)


def is_quantified(reading: Reading) -> bool:
    """Match "maximum aid intensity": how much there is of something, whatever it is."""
    is_known = value_kind(reading) is not None
    is_measured = bool(QUANTIFIERS & {reading.head, *reading.modifiers})
    return not is_known and not reading.is_plural and is_measured


def is_numbered(reading: Reading) -> bool:
    """Match "layer", "version": counted, but named where one asks which of them."""
    return reading.head in {"layer", "version", "level", "parameter", "dimension"}


def counts_time(reading: Reading) -> bool:
    """Match "how many days' notice", "within how many days": a duration asked by counting.

    A thing that is counted in days is not meant: "how many vacation days", "days of leave".
    """
    if reading.ask != "how_many" or reading.noun_phrase[:1] == ():
        return False
    counted = reading.complement[:2] in {("of", "leave"), ("of", "annual"), ("of", "vacation")}
    counted |= reading.complement[:1] == ("per",)
    unit = next((word for word in reading.noun_phrase if word not in _KINDS_OF_DAYS), "")
    return unit in TIME_UNITS and not counted


def is_symbol(reading: Reading) -> bool:
    """Match variables that are asked for by name, "d_model", "h": what is wanted is their value."""
    is_letter = reading.language == "en" and len(reading.head_word) == 1
    return "_" in reading.head_word or is_letter


def counts_outstanding(reading: Reading) -> bool:
    """Match "days sales outstanding", "shares outstanding": counted, no time and no share."""
    counted = {"days", "shares"} & set(reading.noun_phrase)
    return bool(counted) and "outstanding" in reading.noun_phrase


def is_called(reading: Reading) -> bool:
    """Match "what number should I call": a number to reach somebody by."""
    return reading.head == "number" and reading.is_determined and reading.uses(_CALLS)
