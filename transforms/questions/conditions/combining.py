"""Conditions on one feature of a reading, and how several make one."""

from collections.abc import Callable

from transforms.questions.grammar.reading import Reading
from transforms.questions.grammar.value_nouns import value_kind
from transforms.questions.lexicon.asking_words import Ask

Condition = Callable[[Reading], bool]


def always(reading: Reading) -> bool:
    """Match every question: the last row of a field."""
    return bool(reading.language)


def asks(*kinds: Ask) -> Condition:
    """Match how the question asks."""
    return lambda reading: reading.ask in kinds


def both(*conditions: Condition) -> Condition:
    """Match when all conditions do."""
    return lambda reading: all(condition(reading) for condition in conditions)


def either(*conditions: Condition) -> Condition:
    """Match when any condition does."""
    return lambda reading: any(condition(reading) for condition in conditions)


def unless(condition: Condition) -> Condition:
    """Match when the condition does not."""
    return lambda reading: not condition(reading)


def head_kind(*kinds: str) -> Condition:
    """Match the kind of the noun that tells the type."""
    return lambda reading: value_kind(reading) in kinds


def is_plural(reading: Reading) -> bool:
    """Match when several things are asked for."""
    return reading.is_plural


def is_determined(reading: Reading) -> bool:
    """Match "which hardware": the noun that is asked for follows the asking word."""
    return reading.is_determined


def is_english(reading: Reading) -> bool:
    """Match questions in English."""
    return reading.language == "en"


def is_bare(reading: Reading) -> bool:
    """Match a noun that nothing describes: "a deductible"."""
    return len(reading.noun_phrase) == 1
