"""Conditions about shape: whether several things are wanted, and in what arrangement."""

import re

from transforms.questions.grammar.nouns import looks_plural, noun_kind
from transforms.questions.grammar.reading import Reading
from transforms.questions.grammar.value_nouns import value_kind
from transforms.questions.lexicon.asking_words import VERBS_THAT_NAME
from transforms.text import word_set

# fmt: off
_TREE_WORDS = (
    "hierarchy", "tree", "taxonomy", "nested structure", "organizational structure",
    "organisational structure", "organizational chart", "organisational chart",
    "organization chart", "organisation chart", "org chart",
    "table of contents", "outline of the", "section structure", "structure of the",
    "reporting lines", "and their subcategories", "subsections of each", "hierarchie",
    "arborescence", "gliederung", "baumstruktur", "jerarquia", "arbol",
)
_TABLE_WORDS = (
    "table of", "in a table", "as a table", "in tabular form", "tabulate", "matrix",
    "breakdown of", "broken down", "break down", "schedule of limits", "side by side",
    "tableau", "ventilation", "tabelle", "aufschlusselung", "tabla", "desglose",
)
# fmt: on
_BREAKDOWN_PREPOSITIONS = ("by", "per", "for each", "for every", "par", "pro", "je", "por")
_BREAKDOWN = re.compile(
    r"(?<!(?<!insur)ed)(?<!held)(?<!made)(?<!given)(?<!bound)(?<!paid)(?<!borne)(?<!taken)(?<!set)(?<!way)"
    rf"(?<!and) (?:{'|'.join(_BREAKDOWN_PREPOSITIONS)}) "
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
_OF_EACH_ONE = re.compile(r"\bof (?:each|every) (?!of\b)\w")
"""A value for each ("the area of each plot"), where what is wanted has a value at all."""
_WITH_ITS = re.compile(
    r"\b(?:each|every|all|the)\b.* (?:with|and|along with|together with) (?:its|their) "
    r"(?:\w+ )*?(\w+)(?: \?|$| and\b)"
)
_EACH_WITH_ITS = re.compile(
    r"\bfor (?:each|every)\b.*\b(?:list|give|show|name) (?:its|their) (\w+)"
)
_VALUES = {"date", "duration", "percent", "amount", "number", "identifier", "address"}
_OF_EACH = re.compile(r"\bfor (?:each|every)\b|\bwith the (?:\w+ )+of each\b")
_MUST_GIVE = re.compile(
    r"^(?:must|should|shall|(?:does|do|did|will) (?:\S+ )+?(?:have to|need to)|"
    r"(?:is|are) (?:\S+ )+?(?:required|obliged|obligated|expected) to)\b.*\b"
    r"(?:include|contain|provide|submit|deliver|disclose|report|record|keep|maintain|document|show|"
    r"specify|state|bring|supply|attach|cover)\b"
)
"""Behind "what": "must the notice contain", "does the seller have to deliver"."""
_ALL_THAT = re.compile(
    r"^(?:is|are|isn't|aren't) (?:not |also |specifically |expressly )?(?:excluded|"
    r"covered|included|insured|prohibited|forbidden|exempt|exempted|allowed|permitted|"
    r"reimbursed)\b(?! by the)"
)
_SITS = re.compile(r"^(?:sits?|serves?|is|are) on the\b|^(?:belongs?|belong) to the\b")
_UNCOUNTED = word_set("""
    information data documentation evidence equipment training paperwork content proof
""")
"""Nouns without a plural of which several are meant: "what information is collected"."""


def names_one(reading: Reading) -> bool:
    """Match "name the contractor": one thing is asked for, where "list the stock" wants all."""
    is_all = not {"every", "each", "all", "any"}.isdisjoint(reading.after_ask[:2])
    return reading.clause[0] in VERBS_THAT_NAME and not reading.is_plural and not is_all


def has_breakdown(reading: Reading) -> bool:
    """Match several values "by year", "per class", "for each party"."""
    several = looks_plural(reading.head_word) or reading.ask in {"show", "list"}
    if not several or reading.ask not in {"list", "show", "what", "which"}:
        return False
    text = " ".join(reading.clause)
    is_rate = reading.ask in {"what", "which"} and bool(_RATE.search(text))
    return bool(_BREAKDOWN.search(text)) and not is_rate


def has_value_each(reading: Reading) -> bool:
    """Match "in each of the last three years", "for each policy year": one value for each."""
    text = " ".join(reading.clause)
    if reading.ask in {"yes_no", "none"}:
        return False
    has_one_each = _OF_EACH_ONE.search(text) and reading.ask in {"list", "show", "what"}
    return bool(_EACH_OF.search(text) or (has_one_each and value_kind(reading) in _VALUES))


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
    return reading.says(*_TREE_WORDS)


def is_table(reading: Reading) -> bool:
    """Match words for tables and breakdowns."""
    return reading.says(*_TABLE_WORDS)


def asks_for_all(reading: Reading) -> bool:
    """Match "what is excluded", "who sits on the board": all of them, though the verb says one."""
    words = " ".join(reading.after_ask)
    if reading.ask == "who":
        return bool(_SITS.match(words))
    return reading.ask == "what" and bool(_ALL_THAT.match(words))


def must_give(reading: Reading) -> bool:
    """Match "what must the notice contain": all that somebody has to give."""
    return reading.ask == "what" and bool(_MUST_GIVE.match(" ".join(reading.after_ask)))


def is_uncounted(reading: Reading) -> bool:
    """Match "what information is collected": several things under a noun without a plural."""
    is_open = reading.ask in {"what", "which"} and reading.is_determined
    return is_open and reading.head in _UNCOUNTED
