"""Conditions about what is named, and what can only be told in words."""

import re

from transforms.questions.grammar.reading import Reading
from transforms.questions.lexicon.asking_words import OVERVIEWS
from transforms.questions.lexicon.function_words import COPULAS
from transforms.questions.lexicon.noun_roles import AGENT_EXCEPTIONS, DESCRIBED
from transforms.text import word_set

_OF_THESE = {("of", "these"), ("of", "them"), ("of", "those")}
_VALID = word_set("""
    apply applies applicable valid enforceable s'applique valable gilt gelten gultig aplica valida
""")
_DESCRIBING = word_set("of on for about regarding concerning behind if when")
_MANNER = re.compile(
    r"^(?:in|to|by|on|at|under) (?:what|which) (?:form|capacity|manner|way|order|extent|sense|"
    r"respect|sequence|mode|fashion|stage|degree)\b"
)
_STRANDED = word_set("for on of from with about against")
_BOUND = re.compile(
    r"^(?:is|are|am|was|were) (?:\S+ ){1,4}?(?:asked|told|bound|forbidden|required|obliged|"
    r"obligated|allowed|"
    r"permitted|entitled|expected|prohibited|supposed|authori[sz]ed|liable|responsible|subject) "
    r"(?:to (?!pay)|from|for)\b"
)
_TRADED = word_set("listed traded quoted")


def is_agent(reading: Reading) -> bool:
    """Match heads that name a person or role by their ending: "licensee", "adjuster"."""
    head = reading.head
    return (
        reading.language == "en"
        and len(head) > 4
        and head.endswith(("er", "or", "ee", "ian", "ist", "yst"))
        and head not in AGENT_EXCEPTIONS
    )


def refers_back(reading: Reading) -> bool:
    """Match "which one": what it is was said before."""
    is_of_these = reading.ask == "which" and reading.after_ask[:2] in _OF_THESE
    is_one = reading.noun_phrase[:1] in {("one",), ("ones",)}
    return is_of_these or (is_one and (reading.is_determined or len(reading.noun_phrase) == 1))


def is_kind_of_thing(reading: Reading) -> bool:
    """Match "types of data": described, where "Categories under GOVERN" are named."""
    is_several = reading.is_plural or reading.is_determined
    is_kind = reading.head in {"category", "type", "kind", "sort", "form"} and is_several
    return is_kind and reading.complement[:1] == ("of",)


def is_described(reading: Reading) -> bool:
    """Match "what is the objective of", "what is the policy on": described, not named."""
    joiner = reading.complement[0] if reading.complement else ""
    is_one = reading.ask == "what" and not reading.is_plural and not reading.is_determined
    is_told = joiner in _DESCRIBING or reading.head == "policy"
    return is_one and reading.head in DESCRIBED and is_told


def is_overview(reading: Reading) -> bool:
    """Match "give an overview of …"."""
    return reading.ask in {"show", "what"} and reading.head in OVERVIEWS


def is_named(reading: Reading) -> bool:
    """Match "name the pilots": what is wanted are names, whatever they are of."""
    return reading.clause[:1] == ("name",)


def asks_where_valid(reading: Reading) -> bool:
    """Match "where does the insurance apply": a territory in words, no address."""
    return reading.ask == "where" and reading.uses(_VALID)


def asks_manner(reading: Reading) -> bool:
    """Match "in what form", "in which capacity", "to what extent": told in words."""
    return bool(_MANNER.match(" ".join(reading.clause)))


def asks_for_meaning(reading: Reading) -> bool:
    """Match "what is a Community Profile": told what it is, unless it has a value of its own."""
    copula, article = (*reading.after_ask, "", "")[:2]
    is_a = copula in {"is", "are"} and article in {"a", "an"}
    return reading.ask == "what" and is_a and reading.complement in {(), ("?",)}


def asks_purpose(reading: Reading) -> bool:
    """Match "what is the money used for", "what is the fee based on": told in words."""
    last = [word for word in reading.after_ask if word != "?"][-1:]
    is_stated = reading.after_ask[:1] and reading.after_ask[0] in COPULAS["en"]
    return reading.ask == "what" and bool(is_stated) and not _STRANDED.isdisjoint(last)


def is_bound_to(reading: Reading) -> bool:
    """Match "what is the tenant obliged to do": told in words."""
    return reading.ask == "what" and bool(_BOUND.match(" ".join(reading.after_ask)))


def is_traded_where(reading: Reading) -> bool:
    """Match "where is the stock listed": an exchange."""
    return reading.ask == "where" and reading.uses(_TRADED)
