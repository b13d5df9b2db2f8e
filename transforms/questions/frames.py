"""Conditions about verbs and what they take: what somebody spends, calls or must hand in."""

import re

from transforms.questions.lexicon import TIME_UNITS
from transforms.questions.nouns import singular
from transforms.questions.reading import Reading
from transforms.questions.words import words

_SPENDS = re.compile(
    r"^(?:does|do|did|will|can|must|should|would|has|have) (?:\S+ )+?"
    r"(?:spend|spent|pay|paid|earn|earned|owe|owed|charge|charged|cost|invest|invested|contribute|"
    r"contributed|borrow|borrowed|reimburse|raise|receive in \w+)\b(?! (?:attention|back|for \?))"
)
"""Behind "what": "did the group spend on research", "does the permit cost"."""
_MUST_GIVE = re.compile(
    r"^(?:must|should|shall|(?:does|do|did|will) (?:\S+ )+?(?:have to|need to)|"
    r"(?:is|are) (?:\S+ )+?(?:required|obliged|obligated|expected) to)\b.*\b"
    r"(?:include|contain|provide|submit|deliver|disclose|report|record|keep|maintain|document|show|"
    r"specify|state|bring|supply|attach|cover)\b"
)
"""Behind "what": "must the notice contain", "does the seller have to deliver"."""
_ALL_THAT = re.compile(
    r"^is (?:not |also |specifically |expressly )?(?:excluded|covered|included|insured|prohibited|"
    r"forbidden|exempt|exempted|allowed|permitted|reimbursed)\b(?! by the)"
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
    """Match "what did the company spend on …", "what does it cost": a sum of money."""
    return reading.ask == "what" and bool(_SPENDS.match(" ".join(reading.after_ask)))


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
