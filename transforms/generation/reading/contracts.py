"""Readers of what every contract has: parties, law, date, term."""

from collections.abc import Sequence

from transforms.generation.reading.answers import (
    NOT_FOUND,
    list_answer,
    text_answer,
    value_answer,
)
from transforms.generation.reading.formula import Formula
from transforms.generation.reading.law import governing_laws
from transforms.generation.reading.names import find_parties
from transforms.generation.reading.page import Reading
from transforms.generation.reading.periods import (
    OPENING_PAGES,
    contract_dates,
    contract_ends,
    contract_terms,
    renewal_notices,
    renewal_terms,
)
from transforms.values import AnswerWithEvidence

SURE = 0.9
UNSURE = 0.5
MIN_DATE_STRENGTH = 1.5
SURE_DATE_STRENGTH = 2.9
SURE_LAW_STRENGTH = 1.1
SURE_TERM_STRENGTH = 1.2


def read_parties(reading: Reading) -> AnswerWithEvidence:
    """Return the parties that the opening or the signatures name."""
    parties = find_parties(reading.units)
    if not parties:
        return NOT_FOUND
    items = [(party.name, party.unit.cite(party.start, party.end)) for party in parties]
    is_opening = parties[0].unit.lines[0].page <= OPENING_PAGES
    is_complete = len(items) > 1 and is_opening
    return list_answer(items, coverage=SURE if is_complete else UNSURE, is_complete=is_complete)


def read_governing_law(reading: Reading) -> AnswerWithEvidence:
    """Return the place whose law governs."""
    found = governing_laws(reading.units)
    if not found:
        return NOT_FOUND
    best = found[0]
    coverage = SURE if best.strength >= SURE_LAW_STRENGTH else UNSURE
    return text_answer(best.text, [best.unit.cite(best.start, best.end)], coverage=coverage)


def read_contract_date(reading: Reading) -> AnswerWithEvidence:
    """Return the date on which the contract is made or takes effect."""
    found = contract_dates(reading.units, reading.language)
    return _value(found, least=MIN_DATE_STRENGTH, sure=SURE_DATE_STRENGTH)


def read_contract_end(reading: Reading) -> AnswerWithEvidence:
    """Return the printed date on which the contract ends."""
    return _value(contract_ends(reading.units, reading.language), least=0.9, sure=1.0)


def read_contract_term(reading: Reading) -> AnswerWithEvidence:
    """Return how long the contract lasts."""
    found = contract_terms(reading.units, reading.language)
    return _value(found, least=0.8, sure=SURE_TERM_STRENGTH)


def read_renewal_term(reading: Reading) -> AnswerWithEvidence:
    """Return for how long the contract renews each time."""
    return _value(renewal_terms(reading.units, reading.language), least=1.0, sure=1.0)


def read_renewal_notice(reading: Reading) -> AnswerWithEvidence:
    """Return how long before its end a renewal has to be refused."""
    return _value(renewal_notices(reading.units, reading.language), least=1.0, sure=1.0)


def _value(found: Sequence[Formula], *, least: float, sure: float) -> AnswerWithEvidence:
    if not found or found[0].value is None or found[0].strength < least:
        return NOT_FOUND
    coverage = SURE if found[0].strength >= sure else UNSURE
    return value_answer(found[0].value, found[0].unit, coverage=coverage)
