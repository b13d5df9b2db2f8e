"""Conditions about money and shares of it: what is paid, what it is worth, what adds up."""

import re

from transforms.questions.conditions.several import has_breakdown
from transforms.questions.grammar.nouns import noun_kind, singular
from transforms.questions.grammar.reading import Reading
from transforms.questions.grammar.value_nouns import value_kind
from transforms.questions.lexicon.comparing_words import CHANGING_VERBS
from transforms.questions.lexicon.function_words import OF
from transforms.questions.lexicon.value_words import (
    LISTED_SUMS,
    MASS_AMOUNTS,
    MONEY_MODIFIERS,
    TIME_UNITS,
    VALUED_THINGS,
)
from transforms.text import word_set

_SPENDS = re.compile(
    r"^(?:does|do|did|will|can|must|should|would|has|have) (?:\S+ )+?"
    r"(?:spend|spent|pay|paid|earn|earned|owe|owed|charge|charged|cost|invest|invested|contribute|"
    r"contributed|borrow|borrowed|reimburse|raise|receive in \w+)\b(?! (?:attention|back|for \?))"
)
"""Behind "what": "did the group spend on research", "does the permit cost"."""
_IS_OWED = re.compile(r"^(?:is|was|will be) (?:owed|due|payable|paid|charged)\b")
_IS_CHARGED = re.compile(
    r"^(?:is|are|was|were|am|will be|be) (?:i|we|you|they|he|she|(?:the |an? |each )?"
    r"\w+(?:er|or|ee|ist|ant|ent|ian)s?|users|members|people|families|companies) "
    r"(?:\w+ )?(?:charged|paid|billed|invoiced|reimbursed)\b"
)
"""Behind "what": "are bidders charged"; in "is the rate charged" the noun tells."""
_MOST_PAID = re.compile(
    r"^(?:is )?the (?:most|least|maximum|highest) (?:amount )?(?:that )?"
    r"(?:the|an?|we|you|i|it|they|our|my|any) "
    r".*\b(?:pays?|paid|spend|charge|charges|recover|receive|cost|claim)\b"
)
_DOES = word_set("do does did will can must should would shall may has have had")
_PARTS = word_set("part quarter half third piece")
_BEARS = word_set("""
    cover covers covered pay pays paid bear bears borne reimburse reimburses reimbursed derived
    comes come attributable represents represent account accounts accounted owned held
    borrowed insured
""")
_PAID_ON = re.compile(r"\b(?:on|of) (?:\w+ ){0,2}(?:sales|revenues?|turnover|proceeds|receipts)\b")
_OVER_TIME = word_set("obligation commitment maturity repayment result figure expectation")


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


def is_broken_down_untyped(reading: Reading) -> bool:
    """Match "show the movements by category": what is broken down is money more often than not."""
    return value_kind(reading) is None and has_breakdown(reading)


def spends(reading: Reading) -> bool:
    """Match "what did the company spend on …", "what are bidders charged": a sum of money."""
    text = " ".join(reading.after_ask)
    if reading.ask == "how_much":
        is_done = reading.after_ask[:1] and reading.after_ask[0] in _DOES
        return bool(is_done) and not reading.uses(CHANGING_VERBS)
    patterns = (_SPENDS, _IS_OWED, _IS_CHARGED, _MOST_PAID)
    return reading.ask == "what" and any(pattern.match(text) for pattern in patterns)


def is_share_of(reading: Reading) -> bool:
    """Match "how much of the cost is covered", "what part of the premium": a share of a sum."""
    if reading.complement[:1] == ("of",) and reading.head in _PARTS:
        inner = {noun_kind(singular(word, "en"), "", "en") for word in reading.complement[1:5]}
        return bool(inner & {"amount", "percent"})
    is_part = reading.ask == "how_much" and reading.after_ask[:1] == ("of",)
    return is_part and reading.uses(_BEARS)


def is_share_paid(reading: Reading) -> bool:
    """Match "what interest accrues", "what royalty … on net sales": sums told as a rate."""
    if not reading.is_determined or reading.ask in {"how_much", "how_many"}:
        return False
    is_royalty = reading.head == "royalty" and bool(_PAID_ON.search(" ".join(reading.words)))
    return reading.head == "interest" or is_royalty


def is_sum_over_time(reading: Reading) -> bool:
    """Match "obligations by year": what falls due in each year is money."""
    units = {singular(word, "en") for word in reading.complement}
    is_by_time = "by" in reading.complement and bool(units & (TIME_UNITS | {"date", "period"}))
    return reading.head in _OVER_TIME and is_by_time
