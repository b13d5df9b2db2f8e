"""Which reader a question gets: an ordered table, the first row that matches wins."""

import re
from collections.abc import Callable
from typing import NamedTuple

from transforms.generation.reading.booleans import read_boolean
from transforms.generation.reading.compare import (
    asks_extreme,
    asks_which_is_more,
    read_extreme,
    read_which_is_more,
)
from transforms.generation.reading.contracts import (
    read_contract_date,
    read_contract_end,
    read_contract_term,
    read_governing_law,
    read_parties,
    read_renewal_notice,
    read_renewal_term,
)
from transforms.generation.reading.entities import read_address, read_name
from transforms.generation.reading.lists import read_listing
from transforms.generation.reading.page import Reading
from transforms.generation.reading.passages import asks_definition, read_definition, read_section
from transforms.generation.reading.singles import read_identifier, read_text, read_value
from transforms.generation.reading.statements import (
    asks_statement,
    read_statement,
    without_statements,
)
from transforms.values import AnswerShape, AnswerType, AnswerWithEvidence, Intent

Reader = Callable[[Reading], AnswerWithEvidence]
When = Callable[[Reading], bool]


class ReaderRule(NamedTuple):
    """One row: its name, when it applies, who reads."""

    name: str
    when: When
    read: Reader


def says(pattern: str) -> When:
    """Return a condition on the words of the question."""
    compiled = re.compile(pattern, re.IGNORECASE)
    return lambda reading: bool(compiled.search(reading.text))


def type_in(*answer_types: AnswerType) -> When:
    """Return a condition on the answer type."""
    return lambda reading: reading.question.answer_type in answer_types


def shape_in(*shapes: AnswerShape) -> When:
    """Return a condition on the answer shape."""
    return lambda reading: reading.question.answer_shape in shapes


def intent_is(intent: Intent) -> When:
    """Return a condition on the intent."""
    return lambda reading: reading.question.intent == intent


def both(one: When, other: When) -> When:
    """Return the conjunction of two conditions."""
    return lambda reading: one(reading) and other(reading)


def is_open(reading: Reading) -> bool:
    """Tell whether more than yes or no is asked for."""
    return reading.question.answer_type != "boolean"


def defines(reading: Reading) -> bool:
    """Tell whether the question asks what a term means."""
    return asks_definition(reading.text)


LISTS: tuple[AnswerShape, ...] = ("listing", "table", "tree", "nested")
COUNTED: tuple[AnswerType, ...] = ("amount", "number")
VALUES: tuple[AnswerType, ...] = ("date", "amount", "number", "percent", "duration")


def read_reported(reading: Reading) -> AnswerWithEvidence:
    """Return the number of a statement's row and year, else the value nearest to what is asked."""
    return read_statement(reading) or read_value(without_statements(reading))


def always(reading: Reading) -> bool:
    """Hold for every question."""
    del reading
    return True


PARTIES = says(
    r"\b(?:the|contracting|both)\s+parties\b.{0,30}\b(?:to|of|in)\b|who\s+(?:are|is)\s+the\s+part|parties\s+contractantes|"
    r"vertragsparteien|partes\s+(?:del|contratantes)"
)
LAW = says(
    r"\b(?:govern\w*|applicable|which|what)\b.{0,40}\blaws?\b|\blaws?\b.{0,50}\b(?:govern\w*|appl(?:y|ies|icable))\b|droit\s+applicable|"
    r"loi\s+applicable|welche[sm]?\s+recht|anwendbare[sn]?\s+recht|(?:ley|derecho)\s+aplicable"
)
CONTRACT = r"(?:agreement|contract|nda|lease|vertrag\w*|contrat|contrato)"
CONTRACT_DATE = says(
    rf"\bdate\s+of\s+(?:this|the)\s+(?:\w+\s+)?{CONTRACT}|{CONTRACT}\s+date|(?:effective|signature|signing)\s+date.{{0,20}}{CONTRACT}|"
    rf"when\s+(?:was|is|did)\s+(?:this|the)\s+(?:\w+\s+)?{CONTRACT}\s+(?:made|signed|dated|concluded|executed|entered|become|take|effective)"
)
CONTRACT_END = says(
    rf"{CONTRACT}(?:['’]s)?\b.{{0,30}}\b(?:expir|end|terminat)|\b(?:expir\w+|"
    rf"end)\b.{{0,30}}\b{CONTRACT}|initial term.{{0,20}}(?:expir|end)"
)
RENEWAL_TERM = says(r"renewal (?:term|period)|(?:for )?how long .{0,30}\b(?:renew|extend)")
RENEWAL_NOTICE = says(r"notice\b.{0,40}\brenew|\brenew.{0,40}\bnotice|prevent .{0,20}renewal")
CONTRACT_TERM = says(
    rf"\b(?:term|duration|how\s+long)\b.{{0,40}}{CONTRACT}|{CONTRACT}.{{0,20}}\b(?:term|duration|last)\b"
)

# fmt: off
READERS: tuple[ReaderRule, ...] = (
    #          name              when                                        reader
    ReaderRule("section",        intent_is("section_retrieval"),             read_section),
    ReaderRule("definition",     defines,                                    read_definition),
    ReaderRule("which_is_more",  asks_which_is_more,                         read_which_is_more),
    ReaderRule("extreme",        asks_extreme,                               read_extreme),
    ReaderRule("parties",        both(PARTIES, is_open),                     read_parties),
    ReaderRule("listing",        shape_in(*LISTS),                           read_listing),
    ReaderRule("boolean",        type_in("boolean"),                         read_boolean),
    ReaderRule("law",            LAW,                                        read_governing_law),
    ReaderRule("contract_date",  both(CONTRACT_DATE, type_in("date")),       read_contract_date),
    ReaderRule("contract_end",   both(CONTRACT_END, type_in("date")),        read_contract_end),
    ReaderRule("renewal_notice", both(RENEWAL_NOTICE, type_in("duration")),  read_renewal_notice),
    ReaderRule("renewal_term",   both(RENEWAL_TERM, type_in("duration")),    read_renewal_term),
    ReaderRule("contract_term",  both(CONTRACT_TERM, type_in("duration")),   read_contract_term),
    ReaderRule("statement",      both(asks_statement, type_in(*COUNTED)),    read_reported),
    ReaderRule("value",          type_in(*VALUES),                           read_value),
    ReaderRule("identifier",     type_in("identifier"),                      read_identifier),
    ReaderRule("name",           type_in("name"),                            read_name),
    ReaderRule("address",        type_in("address"),                         read_address),
    ReaderRule("text",           always,                                     read_text),
)
# fmt: on


def choose_reader(reading: Reading) -> ReaderRule:
    """Return the first row of the table that matches."""
    return next(rule for rule in READERS if rule.when(reading))
