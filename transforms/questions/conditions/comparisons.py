"""Conditions about comparisons: two things side by side, a change over time, the best of all."""

import re

from transforms.questions.grammar.reading import Reading
from transforms.questions.lexicon.comparing_words import (
    CHANGE_NOUNS,
    CHANGE_VERBS,
    COMPARATIVES,
    COMPARE_PHRASES,
    SUPERLATIVES,
)
from transforms.questions.lexicon.function_words import AUXILIARIES, COPULAS
from transforms.text import word_set

_THAN = {"en": "than", "fr": "que", "de": "als", "es": "que"}
_THAN_A_BOUND = re.compile(
    r"\b(?:more|less|fewer|longer|later|earlier|higher|older|greater|lower|younger) than "
    r"(?:roughly |about |approximately )?(?:\d|one\b|two\b|three\b|six\b|"
    r"ten\b|twelve\b|thirty\b|a \w+\?|usd|eur|\$|€)"
    r"|\b(?:no later|other|rather|no more|no less|no earlier|not later) than\b"
)
_BEYOND_THAT = re.compile(
    r"\b(?:beyond|exceeds?|match(?:es)?|above|below|over) (?:that|those|the one|the ones) "
    r"(?:of|in|for|under|set|stated|provided|agreed)\b"
)
"""One thing measured against another of its kind: "beyond that of the original lease"."""
_BETWEEN_TIMES = re.compile(
    r"\bbetween\b.+\band\b|\bfrom\b.+\bto\b|\bsince\b|\bover the (?:past|last|prior|previous)\b|"
    r"\bfrom (?:the |its |our )?(?:previous|prior|last|preceding|earlier|original)\b|"
    r"\bthan last\b|\bzwischen\b.+\bund\b|\bentre\b.+\b(?:et|y)\b|\bseit\b|\bdepuis\b|\bdesde\b"
)
_NAMED_EVENTS = ("change of control", "change in control", "climate change", "changes in control")
_PAST = {
    "en": word_set("did has have had"), "fr": word_set("a ont"), "de": word_set("hat haben wurde"),
    "es": word_set("ha han"),
}  # fmt: skip
_COMPARING_VERBS = word_set("differ differs compare compares distinguishes contrast contrasts")
_NOT_A_CHOICE = re.compile(
    r"\b(?:at (?:least|most)|(?:from|by|of|within|among|with) (?:the|its|our) (?:\w+ )?(?:"
    + "|".join(sorted(SUPERLATIVES))
    + r")|the (?:most|least) (?:that )?(?:the|an?|we|you|i|it|they|our|my|any) \w+|"
    r"best (?:efforts?|endeavou?rs|practices?|interests?|estimates?|knowledge)|"
    r"most (?:recent|recently|favou?red|of the)|mindestens|hochstens)\b"
)
"""Superlatives that describe one thing or bound a value: nothing is chosen by them."""
_COMPARED_CHOICE = re.compile(
    r"\b(?:is|was|has|had|offers?|provides?|pays?|gives?|charges?|sets?)(?: the| an?)? "
    rf"(?:{'|'.join(sorted(COMPARATIVES - {'earlier', 'later'}))})\b(?! than)"
)
_ONE_OF_TWO = re.compile(
    r"^(?:which|what|who) of (?:the |these |those |our |your )?(?:two|both|2)\b"
)
_SIDES = (
    r"(?:policies|contracts|agreements|documents|editions|versions|leases|handbooks|reports|"
    r"filings|statements|plans|amendments|years|periods|terms|quarters|renewals)"
)
_IN_BOTH = re.compile(
    rf"\b(?:in|under|for|across|of|during|from|by|between) (?:both|each of (?:the |these |our )?"
    rf"(?:two|2)|the two|either of the two)(?: \w+){{0,2}} {_SIDES}\b"
    r"|\b(?:dans|pour|sur) (?:les deux|chacun(?:e)? des deux) \w+"
    r"|\b(?:in|fur|bei|unter) (?:beiden|jedem der beiden|jeder der beiden|den beiden) \w+"
    r"|\b(?:en|para|bajo) (?:ambos|ambas|los dos|las dos|cada un[oa] de l[oa]s dos) \w+"
)
_WEAK_CHANGE = frozenset({"change", "changed", "vary", "differ", "drop", "fall", "narrow"})
"""Words that tell a change over time only when two times are named."""


def compares(reading: Reading) -> bool:
    """Match phrases and comparatives that hold two or more things side by side."""
    is_open = reading.ask == "how" or (reading.ask == "what" and not reading.is_determined)
    if is_open and reading.uses(_COMPARING_VERBS):
        return True
    if reading.says(*COMPARE_PHRASES):
        return True
    text = " ".join(reading.words)
    if reading.language == "en" and _BEYOND_THAT.search(text):
        return True
    has_than = reading.says(_THAN[reading.language]) and reading.uses(COMPARATIVES)
    return has_than and not _THAN_A_BOUND.search(text)


def tells_change(reading: Reading) -> bool:
    """Match a change over time: "did income increase", "how has the rate changed since"."""
    goes = {"go"} if reading.says("go up", "go down") else set[str]()
    changes = goes | {word for word in reading.clause if word in CHANGE_VERBS}
    if not changes or reading.says(*_NAMED_EVENTS):
        return False
    if _BETWEEN_TIMES.search(" ".join(reading.words)):
        return True
    is_past = reading.uses(_PAST[reading.language]) and reading.ask != "why"
    return is_past and bool(changes - _WEAK_CHANGE)


def holds_side_by_side(reading: Reading) -> bool:
    """Match "in each of the two policy years", "under both contracts"."""
    return bool(_IN_BOTH.search(" ".join(reading.clause)))


def asks_for_change(reading: Reading) -> bool:
    """Match "the change in operating margin", but not "a change in control"."""
    is_change = reading.head in CHANGE_NOUNS and reading.complement[:1] == ("in",)
    return is_change and not reading.says(*_NAMED_EVENTS)


def chooses(reading: Reading) -> bool:
    """Match "which segment had the highest …", "which plan has the lower …", "which of the two …".

    All are compared to find one.
    """
    first = reading.after_ask[0] if reading.after_ask else ""
    if reading.ask == "what":
        is_choice = first not in AUXILIARIES[reading.language]
    else:
        is_described = reading.ask == "who" and first in COPULAS[reading.language]
        is_choice = reading.ask in {"which", "who"} and not is_described
        is_choice &= first not in {"are", "were"}
    text = " ".join(reading.clause)
    is_best = not SUPERLATIVES.isdisjoint(_NOT_A_CHOICE.sub(" ", text).split())
    return is_choice and bool(is_best or _COMPARED_CHOICE.search(text) or _ONE_OF_TWO.match(text))
