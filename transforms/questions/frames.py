"""Conditions about verbs and what they take: what somebody spends, calls or must hand in."""

import re

from transforms.questions.asking import COPULAS
from transforms.questions.lexicon import CHANGING_VERBS, TIME_UNITS
from transforms.questions.nouns import noun_kind, singular
from transforms.questions.reading import Reading
from transforms.questions.words import words

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
_DOES = words("do does did will can must should would shall may has have had")
_PARTS = words("part quarter half third piece")
_BEARS = words("""
    cover covers covered pay pays paid bear bears borne reimburse reimburses reimbursed derived
    comes come attributable represents represent account accounts accounted owned held
    borrowed insured
""")
_MANNER = re.compile(
    r"^(?:in|to|by|on|at|under) (?:what|which) (?:form|capacity|manner|way|order|extent|sense|"
    r"respect|sequence|mode|fashion|stage|degree)\b"
)
_STRANDED = words("for on of from with about against")
_BOUND = re.compile(
    r"^(?:is|are|am|was|were) (?:\S+ ){1,4}?(?:asked|told|bound|forbidden|required|obliged|"
    r"obligated|allowed|"
    r"permitted|entitled|expected|prohibited|supposed|authori[sz]ed|liable|responsible|subject) "
    r"(?:to (?!pay)|from|for)\b"
)
_TRADED = words("listed traded quoted")
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
_CALLS = frozenset({"call", "dial", "ring", "phone", "text", "fax", "quote"})
_UNCOUNTED = words("""
    information data documentation evidence equipment training paperwork content proof
""")
"""Nouns without a plural of which several are meant: "what information is collected"."""
_PAID_ON = re.compile(r"\b(?:on|of) (?:\w+ ){0,2}(?:sales|revenues?|turnover|proceeds|receipts)\b")
_OVER_TIME = words("obligation commitment maturity repayment result figure expectation")


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


def counts_outstanding(reading: Reading) -> bool:
    """Match "days sales outstanding", "shares outstanding": counted, no time and no share."""
    counted = {"days", "shares"} & set(reading.noun_phrase)
    return bool(counted) and "outstanding" in reading.noun_phrase


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


def is_called(reading: Reading) -> bool:
    """Match "what number should I call": a number to reach somebody by."""
    return reading.head == "number" and reading.is_determined and reading.uses(_CALLS)


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
