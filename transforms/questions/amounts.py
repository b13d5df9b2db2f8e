"""Conditions about values: what is counted, measured or paid, and what is a number by name."""

import re

from transforms.questions.asking import DETERMINERS, OF
from transforms.questions.conditions import has_breakdown, value_kind
from transforms.questions.lexicon import (
    IDENTIFIER_OWNERS,
    LISTED_SUMS,
    MASS_AMOUNTS,
    MEASURE_MODIFIERS,
    MONEY_MODIFIERS,
    QUANTIFIERS,
    TIME_UNITS,
    VALUED_THINGS,
)
from transforms.questions.nouns import looks_plural, noun_kind, singular
from transforms.questions.reading import Reading
from transforms.questions.words import words

_KINDS_OF_DAYS = words("working business calendar consecutive full clear trading additional more")
_ADJECTIVE = re.compile(r"(?:al|ic|ous|ive|ed|est|ary|able|ible|ing|ern|ish|nt|ct|ll)$")


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


def is_worth(reading: Reading) -> bool:
    """Match "value of the contract": money, where the value of a parameter is a number."""
    if reading.head_word not in {"value", "valeur", "wert", "valor"} or not reading.complement:
        return False
    if not VALUED_THINGS.isdisjoint(reading.modifiers):
        return True
    joiner, *things = reading.complement
    nouns = {singular(word, reading.language) for word in things}
    return joiner in OF[reading.language] and bool(nouns & VALUED_THINGS)


def tells_in_percent(reading: Reading) -> bool:
    """Match "as a percentage of the insured value"."""
    told = reading.says(
        "as a percentage", "as a percent", "as percentage", "in percent", "in %", "as a %", "as %",
        "in percentage terms", "as a share", "as a proportion", "as a fraction",
        "in percentage points",
    )  # fmt: skip
    is_percentage = reading.modifiers[-1:] in {("percentage",), ("percent",)}
    return (told or is_percentage) and not reading.is_subject


def is_numbered(reading: Reading) -> bool:
    """Match "layer", "version": counted, but named where one asks which of them."""
    return reading.head in {"layer", "version", "level", "parameter", "dimension"}


def is_money_rate(reading: Reading) -> bool:
    """Match "hourly rate", "room rate"."""
    return reading.head in {"rate", "tarif", "tarifa"} and bool(
        set(reading.modifiers) & MONEY_MODIFIERS
    )


def is_mass_amount(reading: Reading) -> bool:
    """Match plurals that are one sum: "what were total revenues", not "which expenses"."""
    is_sum = reading.head_word in MASS_AMOUNTS and not reading.is_determined
    return is_sum and not has_breakdown(reading)


def is_kind_of_sum(reading: Reading) -> bool:
    """Match "which expenses", "list the costs": the things and not what they come to."""
    is_listed = reading.ask == "list" and reading.head_word in LISTED_SUMS
    return (reading.head_word in MASS_AMOUNTS and reading.is_determined) or (
        is_listed and not has_breakdown(reading)
    )


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


def is_broken_down_untyped(reading: Reading) -> bool:
    """Match "show the movements by category": what is broken down is money more often than not."""
    return value_kind(reading) is None and has_breakdown(reading)
