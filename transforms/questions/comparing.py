"""Conditions about comparisons: two things side by side, a change over time, the best of all."""

import re

from transforms.questions.asking import AUXILIARIES
from transforms.questions.lexicon import (
    CHANGE_NOUNS,
    CHANGE_VERBS,
    COMPARATIVES,
    COMPARE_PHRASES,
    SUPERLATIVES,
)
from transforms.questions.reading import Reading
from transforms.questions.words import words

_THAN = {"en": "than", "fr": "que", "de": "als", "es": "que"}
_THAN_A_BOUND = re.compile(
    r"\b(?:more|less|fewer|longer|later|earlier|higher|older|greater|lower|younger) than "
    r"(?:roughly |about |approximately )?(?:\d|one\b|two\b|three\b|six\b|"
    r"ten\b|twelve\b|thirty\b|a \w+\?|usd|eur|\$|€)"
    r"|\b(?:no later|other|rather|no more|no less|no earlier|not later) than\b"
)
_BETWEEN_TIMES = re.compile(
    r"\bbetween\b.+\band\b|\bfrom\b.+\bto\b|\bsince\b|\bover the (?:past|last|prior|previous)\b|"
    r"\bthan last\b|\bzwischen\b.+\bund\b|\bentre\b.+\b(?:et|y)\b|\bseit\b|\bdepuis\b|\bdesde\b"
)
_NAMED_EVENTS = ("change of control", "change in control", "climate change", "changes in control")
_PAST = {
    "en": words("did has have had"), "fr": words("a ont"), "de": words("hat haben wurde"),
    "es": words("ha han"),
}  # fmt: skip
_COMPARING_VERBS = words("differ differs compare compares distinguishes contrast contrasts")
_WEAK_CHANGE = frozenset({"change", "changed", "vary", "differ", "drop", "fall", "narrow"})
"""Words that tell a change over time only when two times are named."""


def compares(reading: Reading) -> bool:
    """Match phrases and comparatives that hold two or more things side by side."""
    if reading.ask in {"how", "what"} and reading.uses(_COMPARING_VERBS):
        return True
    if reading.says(*COMPARE_PHRASES):
        return True
    has_than = reading.says(_THAN[reading.language]) and reading.uses(COMPARATIVES)
    return has_than and not _THAN_A_BOUND.search(" ".join(reading.words))


def tells_change(reading: Reading) -> bool:
    """Match a change over time: "did income increase", "how has the rate changed since"."""
    changes = {word for word in reading.clause if word in CHANGE_VERBS}
    if not changes or reading.says(*_NAMED_EVENTS):
        return False
    if _BETWEEN_TIMES.search(" ".join(reading.words)):
        return True
    return reading.uses(_PAST[reading.language]) and bool(changes - _WEAK_CHANGE)


def asks_for_change(reading: Reading) -> bool:
    """Match "the change in operating margin", but not "a change in control"."""
    is_change = reading.head in CHANGE_NOUNS and reading.complement[:1] == ("in",)
    return is_change and not reading.says(*_NAMED_EVENTS)


def has_superlative(reading: Reading) -> bool:
    """Match "which segment had the highest …": all are compared to find one."""
    first = reading.after_ask[0] if reading.after_ask else ""
    if reading.ask == "what":
        is_choice = first not in AUXILIARIES[reading.language]
    else:
        is_choice = reading.ask in {"which", "who"} and first not in {"are", "were"}
    return is_choice and reading.uses(SUPERLATIVES)
