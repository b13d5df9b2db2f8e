"""The small named conditions that cues are made of: each looks at one feature of a reading."""

import re
from collections.abc import Callable

from transforms.questions.asking import Ask
from transforms.questions.lexicon import (
    AGENT_EXCEPTIONS,
    BREAKDOWN_PREPOSITIONS,
    CHANGE_NOUNS,
    CHANGE_VERBS,
    COMPARATIVES,
    COMPARE_PHRASES,
    CORPUS_WORDS,
    DOCUMENT_NOUNS,
    HEADS,
    IDENTIFIER_OWNERS,
    MASS_AMOUNTS,
    MEASURE_MODIFIERS,
    MONEY_MODIFIERS,
    SUPERLATIVES,
    TABLE_WORDS,
    TIME_UNITS,
    TREE_WORDS,
)
from transforms.questions.reading import Reading, looks_plural, singular

Condition = Callable[[Reading], bool]

_THAN_NUMBER = re.compile(
    r"\b(?:more|less|fewer|longer|later|earlier|higher|older|greater) than "
    r"(?:\d|one|two|three|six|ten|twelve|thirty)"
)
_NO_COMPARISON = re.compile(r"\b(?:no later|other|rather|no more|no less|no earlier) than\b")
_REFERENCE = re.compile(
    r"\b(?:section|clause|article|paragraph|chapter|annex|appendix|schedule|exhibit|part|item|page|"
    r"note|rule|abschnitt|ziffer|artikel|paragraf|seite|anhang|kapitel|clausula|seccion|articulo|"
    r"pagina|anexo|annexe|chapitre|paragraphe)s? (?:no\.? )?"
    r"(?:\d+(?:\.\d+)*[a-z]?|[ivxlc]+|[a-z])\b|§ ?\d+"
)
_GERMAN_TAIL = 4
"""Letters that a German head needs to match the end of a compound."""


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
    """Match the noun that tells the type, as it stands or in the singular, against kinds."""
    return lambda reading: any(
        is_kind(word, kind, reading.language)
        for kind in kinds
        for word in (reading.value_noun, singular(reading.value_noun, reading.language))
    )


def is_kind(word: str, kind: str, language: str) -> bool:
    """Return whether a folded noun is of a kind; German compounds match by their last part."""
    if word in HEADS[kind]:
        return True
    if language == "de" and word:
        return any(len(tail) >= _GERMAN_TAIL and word.endswith(tail) for tail in HEADS[kind])
    return False


def is_agent(reading: Reading) -> bool:
    """Match heads that name a person or role by their ending: "licensee", "adjuster"."""
    head = reading.head
    return (
        reading.language == "en"
        and len(head) > 4
        and head.endswith(("er", "or", "ee", "ian", "ist"))
        and head not in AGENT_EXCEPTIONS
    )


def is_symbol(reading: Reading) -> bool:
    """Match variables that are asked for by name, "d_model": what is wanted is their value."""
    return "_" in reading.value_noun


def refers_back(reading: Reading) -> bool:
    """Match "which one": what it is was said before."""
    return reading.value_noun in {"one", "ones"}


def is_identifier_number(reading: Reading) -> bool:
    """Match "policy number", "telephone number", but not "number of employees"."""
    owners = {singular(word, reading.language) for word in reading.modifiers}
    return reading.head in {"number", "no.", "numero"} and bool(owners & IDENTIFIER_OWNERS)


def is_measure(reading: Reading) -> bool:
    """Match "emission limit", "learning rate": a measure, neither money nor share."""
    return bool(set(reading.modifiers) & MEASURE_MODIFIERS)


def is_money_rate(reading: Reading) -> bool:
    """Match "hourly rate", "room rate"."""
    return reading.head in {"rate", "tarif", "tarifa"} and bool(
        set(reading.modifiers) & MONEY_MODIFIERS
    )


def is_plural(reading: Reading) -> bool:
    """Match when several things are asked for."""
    return reading.is_plural


def is_mass_amount(reading: Reading) -> bool:
    """Match plurals that are one sum: "total revenues"."""
    return reading.head_word in MASS_AMOUNTS and not _breaks_down(reading)


def counts_time(reading: Reading) -> bool:
    """Match "how many days' notice", "within how many days": a duration asked by counting."""
    if reading.ask != "how_many":
        return False
    is_unit = bool(reading.noun_phrase) and reading.noun_phrase[0] in TIME_UNITS
    leads = reading.clause[0] in {"within", "after", "for", "before"}
    return is_unit and (leads or reading.says("notice", "in advance", "prior", "before", "after"))


def has_break_down(reading: Reading) -> bool:
    """Match several values "by year", "per class", "for each party"."""
    return _breaks_down(reading)


def lists_with_fields(reading: Reading) -> bool:
    """Match "each coverage with its limits": items that have lists or fields of their own."""
    text = " ".join(reading.words)
    return bool(
        re.search(r"\b(?:each|every|all|the)\b.* (?:with|and) (?:its|their) ", text)
    ) or bool(re.search(r"\bfor each\b.*,.* (?:list|give|name)\b", text))


def is_tree(reading: Reading) -> bool:
    """Match words for things inside things."""
    return reading.says(*TREE_WORDS)


def is_table(reading: Reading) -> bool:
    """Match words for tables and breakdowns."""
    return reading.says(*TABLE_WORDS)


def has_superlative(reading: Reading) -> bool:
    """Match "which segment had the highest …": all are compared to find one."""
    return reading.uses(SUPERLATIVES)


def compares(reading: Reading) -> bool:
    """Match phrases and comparatives that hold two or more things side by side."""
    text = " ".join(reading.words)
    if reading.says(*COMPARE_PHRASES):
        return True
    has_than = reading.says("than", "als", "que") and reading.uses(COMPARATIVES)
    plain_than = not _THAN_NUMBER.search(text) and not _NO_COMPARISON.search(text)
    return (
        has_than
        and plain_than
        and not (
            reading.language in {"fr", "es"} and not reading.says("plus", "mas", *COMPARATIVES)
        )
    )


def tells_change(reading: Reading) -> bool:
    """Match a change over time: "did income increase between", "how has the rate changed"."""
    past = reading.clause[:1] and reading.uses(
        frozenset({"did", "has", "have", "had", "was", "hat"})
    )
    between = reading.says("between", "from", "since", "zwischen", "entre")
    return reading.uses(CHANGE_VERBS) and bool(past or between) and reading.head != "change"


def asks_for_change(reading: Reading) -> bool:
    """Match "the change in operating margin", but not "a change of control"."""
    return reading.head in CHANGE_NOUNS and reading.complement[:1] == ("in",)


def spans_corpus(reading: Reading) -> bool:
    """Match questions about the collection and not about one document."""
    which_documents = (
        reading.ask in {"which", "list"}
        and reading.head in DOCUMENT_NOUNS
        and looks_plural(reading.head_word)
        and reading.says("contain", "contains", "include", "have", "mention", "refer", "cover")
    )
    return reading.says(*CORPUS_WORDS) or which_documents


def asks_place(reading: Reading) -> bool:
    """Match what a section or page says: the place itself is what is asked for."""
    text = " ".join(reading.words)
    if not _REFERENCE.search(text):
        return False
    verbs = r"(?:say|says|state|states|provide|provides|read|contain|contains|cover|covers|deal|"
    verbs += r"require|requires|specify|specifies|address|addresses|set out|about|dit|prevoit|"
    verbs += r"sagt|regelt|steht|dice|establece)"
    place = _REFERENCE.pattern
    return bool(
        re.search(rf"\b(?:does|do|did) (?:the )?(?:{place})[^?]*\b{verbs}\b", text)
        or re.search(
            rf"\bwhat (?:does|do) (?:it|the \w+) {verbs} (?:on|in|under) .*(?:{place})", text
        )
        or re.search(
            rf"\bwhat (?:is|'s|are) (?:said |written |stated |printed |shown )?"
            rf"(?:in|on|under) (?:the )?(?:{place})",
            text,
        )
        or re.search(
            rf"^(?:please )?(?:quote|read|show|reproduce|give|summari[sz]e)"
            rf"(?: me)?(?: the)?(?: full)?(?: text of| wording of| content of)? (?:{place})",
            text,
        )
        or re.search(rf"^que (?:dit|prevoit|dice|establece) [^?]*(?:{place})", text)
        or re.search(rf"^was (?:sagt|regelt|steht)[^?]*(?:{place})", text)
    )


def asks_opinion_of_document(reading: Reading) -> bool:
    """Match "what does the framework recommend for …": several places have to be read together."""
    text = " ".join(reading.words)
    return bool(
        re.search(
            r"\bwhat (?:does|do|did) (?:the|this|that|our|your|it|they) ?(?:[\w-]+ ){0,4}?"
            r"(?:recommend|say|advise|suggest|provide|state|require|propose|prescribe|disclose|"
            r"report|discuss|tell us) ?(?:about|on|for|regarding|concerning|with|as to|of|in)?\b",
            text,
        )
        or re.search(
            r"\bhow (?:does|do|is|are) .*\b(?:handle|manage|address|approach|deal with|"
            r"treat|protect|govern|mitigate|ensure|support|promote)s?\b",
            text,
        )
        or re.search(
            r"\bwhat (?:guidance|approach|advice|strategy|is the (?:approach|strategy|"
            r"overall|general|company's approach|policy on|position on|stance))\b",
            text,
        )
    )


def _breaks_down(reading: Reading) -> bool:
    """Return whether "by", "per" or "for each" and a noun follow a plural that is listed."""
    several = looks_plural(reading.head_word) or reading.ask in {"show", "list"}
    if not several or reading.ask in {"yes_no", "who", "how", "how_much"}:
        return False
    tail = " ".join(reading.complement)
    return any(
        re.search(
            rf"(?:^|\s){preposition} (?!\d|means|us\b|you\b|law\b|the (?:company|insured))\w+", tail
        )
        for preposition in BREAKDOWN_PREPOSITIONS
    )
