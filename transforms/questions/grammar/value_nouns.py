"""Which nouns of a question tell the type of its answer.

Most often it is the head of what is asked for. The table `_WAYS` has the questions in which another
noun tells it: the first way that knows one wins.
"""

import re
from collections.abc import Callable
from functools import lru_cache

from transforms.questions.grammar.noun_phrases import first_noun, last
from transforms.questions.grammar.nouns import noun_kind
from transforms.questions.grammar.reading import DO, Reading
from transforms.questions.lexicon.comparing_words import CHANGE_NOUNS, CHANGING_VERBS
from transforms.questions.lexicon.function_words import AUXILIARIES, OF
from transforms.questions.lexicon.noun_roles import TRANSPARENT_HEADS

Noun = tuple[str, str]
"""A noun and the word before it, with which it may make a term."""

_VALUE_OF_EACH = re.compile(
    r"\b(?:with|and) (?:their|its) ((?:\w+ )*?\w+)(?= and\b| \?|$)"
    r"|\bwith the ((?:\w+ )*?\w+) (?:of|for) each\b"
)
_REPORTED = re.compile(
    r"\b(?:report|record|state|disclose|show|list|post|book|give|quote|set|use|carry)(?:ed)? "
    r"(?:as|for) (?:its|the|their|an?|our) (.+)"
)


@lru_cache(maxsize=64)
def value_kind(reading: Reading) -> str | None:
    """Return the kind of the first noun that has one; most cues of the answer type ask for it."""
    kinds = (noun_kind(*noun, reading.language) for noun in _value_nouns(reading))
    return next((kind for kind in kinds if kind), None)


def reported_noun(reading: Reading) -> Noun | None:
    """Return the noun of "what did the company report as its total equity"."""
    is_done = reading.ask == "what" and reading.after_ask[:1] and reading.after_ask[0] in DO
    told = _REPORTED.search(" ".join(reading.after_ask)) if is_done else None
    return first_noun(tuple(told.group(1).split()), "en") if told else None


def _value_nouns(reading: Reading) -> tuple[Noun, ...]:
    found = (way(reading) for way in _WAYS)
    return next((nouns for nouns in found if nouns), (_head(reading),))


def _head(reading: Reading) -> Noun:
    return reading.head_word, last(reading.modifiers)


def _term(reading: Reading) -> tuple[Noun, ...]:
    """Return a term that goes on behind its head: "statute of limitations"."""
    term = (" ".join((reading.head, *reading.complement[:2])), "")
    goes_on = reading.complement[:1] in {("of",), ("into",), ("in",)}
    return (term,) if goes_on and noun_kind(*term, reading.language) else ()


def _of_each(reading: Reading) -> tuple[Noun, ...]:
    """Return what is wanted of each, before what is listed: "projects with their budgets"."""
    each = _VALUE_OF_EACH.search(" ".join(reading.words))
    if not each or reading.ask not in {"list", "show"}:
        return ()
    words = tuple((each.group(1) or each.group(2)).split())
    return (words[-1], last(words[:-1])), _head(reading)


def _reported(reading: Reading) -> tuple[Noun, ...]:
    noun = reported_noun(reading)
    return (noun,) if noun else ()


def _changed(reading: Reading) -> tuple[Noun, ...]:
    """Return what changes: "by how much does the margin rise".

    It is the object of the verb when that has a measure ("reduce the error rate"), else its
    subject.
    """
    after_ask = reading.after_ask
    verb = next((at for at, word in enumerate(after_ask) if word in CHANGING_VERBS), 0)
    if reading.ask != "how_much" or not verb or after_ask[0] not in AUXILIARIES["en"]:
        return ()
    changed, changing = first_noun(after_ask[verb + 1 :], "en"), first_noun(after_ask[1:verb], "en")
    is_measured = noun_kind(*changed, "en") in {"amount", "percent", "number", "duration"}
    return (changed,) if is_measured else (changing,)


def _measured(reading: Reading) -> tuple[Noun, ...]:
    """Return what a head only measures or gathers, behind or before it; then the head.

    "Level of the deductible", "hierarchy of functions", "change in net debt"; "premium level".
    """
    language, head = reading.language, _head(reading)
    joined_by = reading.complement[0] if reading.complement else ""
    is_change = reading.head in CHANGE_NOUNS - {"growth"} and joined_by in {"in", "between"}
    is_described = language == "en" and last(reading.noun_phrase) == "insured"
    if not is_change and (is_described or reading.head not in TRANSPARENT_HEADS):
        return ()
    nearest = last(reading.modifiers)
    if nearest in {"percentage", "percent"}:
        return ((nearest, ""),)
    is_sum_for = joined_by == "for" and noun_kind(*head, "en") == "amount"
    if is_change or (joined_by in OF[language] and not is_sum_for):
        noun = first_noun(reading.complement[1:], language)
        is_told_apart = is_change and noun_kind(*noun, language) in {"name", "text"}
        return () if is_told_apart else (noun, head)
    measured = (nearest, last(reading.modifiers[:-1]))
    is_measure = noun_kind(*measured, language) in {"amount", "percent", "duration"}
    return (measured, head) if is_measure else ()


_WAYS: tuple[Callable[[Reading], tuple[Noun, ...]], ...] = (
    _term,
    _of_each,
    _reported,
    _changed,
    _measured,
)
