"""Readers of what every contract has: parties, law, date, term."""

from collections.abc import Sequence

from transforms.generation.reading.answers import (
    NOT_FOUND,
    list_answer,
    text_answer,
    value_answer,
)
from transforms.generation.reading.legal import (
    Formula,
    contract_dates,
    contract_terms,
    governing_laws,
)
from transforms.generation.reading.names import find_parties
from transforms.generation.reading.page import Reading
from transforms.values import AnswerWithEvidence

SURE = 0.85
MIN_DATE_STRENGTH = 1.5


def read_parties(reading: Reading) -> AnswerWithEvidence:
    """Return the parties that the opening or the signatures name."""
    parties = find_parties(reading.units)
    if not parties:
        return NOT_FOUND
    items = [(party.name, party.unit.cite(party.start, party.end)) for party in parties]
    return list_answer(items, coverage=SURE, is_complete=len(items) > 1)


def read_governing_law(reading: Reading) -> AnswerWithEvidence:
    """Return the place whose law governs."""
    found = governing_laws(reading.units)
    if not found:
        return NOT_FOUND
    best = found[0]
    return text_answer(best.text, [best.unit.cite(best.start, best.end)], coverage=SURE)


def read_contract_date(reading: Reading) -> AnswerWithEvidence:
    """Return the date on which the contract is made or takes effect."""
    found = contract_dates(reading.units, reading.language)
    return _value([formula for formula in found if formula.strength >= MIN_DATE_STRENGTH])


def read_contract_term(reading: Reading) -> AnswerWithEvidence:
    """Return how long the contract lasts."""
    return _value(contract_terms(reading.units, reading.language))


def _value(found: Sequence[Formula]) -> AnswerWithEvidence:
    if not found or found[0].value is None:
        return NOT_FOUND
    return value_answer(found[0].value, found[0].unit, coverage=SURE)
