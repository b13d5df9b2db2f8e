"""The small named conditions that cues are made of: each looks at one feature of a reading."""

import re
from collections.abc import Callable

from transforms.questions.asking import Ask
from transforms.questions.lexicon import (
    AGENT_EXCEPTIONS,
    AGREEMENTS,
    BREAKDOWN_PREPOSITIONS,
    CORPUS_PLACES,
    CORPUS_WORDS,
    DESCRIBED,
    DOCUMENT_NOUNS,
    OVERVIEWS,
    TABLE_WORDS,
    TREE_WORDS,
    VERBS_THAT_NAME,
)
from transforms.questions.nouns import looks_plural, noun_kind
from transforms.questions.reading import Reading
from transforms.questions.words import words

Condition = Callable[[Reading], bool]

_BREAKDOWN = re.compile(
    r"(?<!(?<!insur)ed)(?<!held)(?<!made)(?<!given)(?<!bound)(?<!paid)(?<!borne)(?<!taken)(?<!set)(?<!way)"
    rf"(?<!and) (?:{'|'.join(BREAKDOWN_PREPOSITIONS)}) "
    r"(?!\d|means|us\b|you\b|law\b|cent\b|default\b|the\b|a\b|an\b|its\b|our\b)\w"
)
"""A unit that values are broken down by; never who did something ("governed by")."""
_RATE = re.compile(
    r" per (?:(?:calendar|policy|plan|benefit|contract) year|day|hour|night|mile|kilometre|km|unit|"
    r"person|member|visit|share|claim|occurrence)\b"
)
"""What a price or bound is for: "the damages payable per day" are one value."""
_EACH_OF = re.compile(
    r"\b(?:in|for|under|across|during|from|at) each of the (?:\w+ ){0,3}\w+s\b"
    r"|\b(?:for|in|under) (?:each|every) (?:\w+ ){0,2}(?:tier|plan|class|location|category|segment|"
    r"region|product|party|coverage|level|option|tranche|series|zone|band|group|country|department)\b"
    r"|\b(?:in|for|during) each (?:policy|fiscal|financial|contract) (?:year|period)\b"
)
"""Named several times or places with a value each; "for each claim" is one rule for all."""
_WITH_ITS = re.compile(
    r"\b(?:each|every|all|the)\b.* (?:with|and|along with|together with) (?:its|their) "
    r"(?:\w+ )*?(\w+)(?: \?|$| and\b)"
)
_EACH_WITH_ITS = re.compile(
    r"\bfor (?:each|every)\b.*\b(?:list|give|show|name) (?:its|their) (\w+)"
)
_VALUES = {"date", "duration", "percent", "amount", "number", "identifier", "address"}
_OF_EACH = re.compile(r"\bfor (?:each|every)\b|\bwith the (?:\w+ )+of each\b")
_OF_THESE = {("of", "these"), ("of", "them"), ("of", "those")}
_HOLDS = words("contain contains include have mention refer cover address exclude discuss describe")
_VALID = words("""
    apply applies applicable valid enforceable s'applique valable gilt gelten gultig aplica valida
""")
_DESCRIBING = words("of on for about regarding concerning behind if when")
_TELLS_APART = words("with without that where whose containing having expiring")
_NEEDED = words("required needed submitted apply applies attached listed provided must should")


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


def value_kind(reading: Reading) -> str | None:
    """Return the kind of the first noun that has one."""
    kinds = (noun_kind(noun, before, reading.language) for noun, before in reading.value_nouns)
    return next((kind for kind in kinds if kind), None)


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


def names_one(reading: Reading) -> bool:
    """Match "name the contractor": one thing is asked for, where "list the stock" wants all."""
    is_all = not {"every", "each", "all", "any"}.isdisjoint(reading.after_ask[:2])
    return reading.clause[0] in VERBS_THAT_NAME and not reading.is_plural and not is_all


def is_named(reading: Reading) -> bool:
    """Match "name the pilots": what is wanted are names, whatever they are of."""
    return reading.clause[:1] == ("name",)


def has_breakdown(reading: Reading) -> bool:
    """Match several values "by year", "per class", "for each party"."""
    several = looks_plural(reading.head_word) or reading.ask in {"show", "list"}
    if not several or reading.ask not in {"list", "show", "what", "which"}:
        return False
    text = " ".join(reading.clause)
    is_rate = reading.ask in {"what", "which"} and bool(_RATE.search(text))
    return bool(_BREAKDOWN.search(text)) and not is_rate


def asks_where_valid(reading: Reading) -> bool:
    """Match "where does the insurance apply": a territory in words, no address."""
    return reading.ask == "where" and reading.uses(_VALID)


def has_value_each(reading: Reading) -> bool:
    """Match "in each of the last three years", "for each policy year": one value for each."""
    return reading.ask not in {"yes_no", "none"} and bool(_EACH_OF.search(" ".join(reading.clause)))


def has_inner_lists(reading: Reading) -> bool:
    """Match "each coverage with its limits": items that have lists of their own."""
    text = " ".join(reading.words)
    inner = _WITH_ITS.search(text) or _EACH_WITH_ITS.search(text)
    if not inner or not looks_plural(inner.group(1)):
        return False
    is_one_each = inner.group().rpartition(" ")[0].endswith("their")
    return not (is_one_each and noun_kind(inner.group(1), "", reading.language) in _VALUES)


def has_fields(reading: Reading) -> bool:
    """Match "for each coverage, give limit and deductible": items that have values of their own."""
    text = " ".join(reading.words)
    return bool(_WITH_ITS.search(text) or _OF_EACH.search(text))


def is_tree(reading: Reading) -> bool:
    """Match words for things inside things."""
    return reading.says(*TREE_WORDS)


def is_table(reading: Reading) -> bool:
    """Match words for tables and breakdowns."""
    return reading.says(*TABLE_WORDS)


def spans_corpus(reading: Reading) -> bool:
    """Match questions about the collection and not about one document."""
    if reading.says(*CORPUS_WORDS):
        return True
    is_several = reading.is_plural if reading.language != "en" else looks_plural(reading.head_word)
    asks_for_some = {"which", "list", "show"} | ({"what"} if reading.language == "es" else set())
    if reading.ask not in asks_for_some or not is_several:
        return False
    if reading.says(*CORPUS_PLACES):
        return True
    is_told_apart = reading.complement[:1] and reading.complement[0] in _TELLS_APART
    if is_told_apart and reading.head in AGREEMENTS - {"policy", "order"}:
        return True
    if reading.head in AGREEMENTS and reading.ask not in {"list", "show"}:
        return not reading.uses(_NEEDED)
    holds = reading.uses(_HOLDS) and not reading.says("have to", "has to", "had to")
    return reading.head in DOCUMENT_NOUNS and holds
