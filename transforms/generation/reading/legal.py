"""Formulas of contracts: governing law, the date a contract is made, how long it lasts."""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from transforms.generation.reading.names import CONTRACT_WORD
from transforms.generation.reading.units import Unit
from transforms.generation.typed_values import TypedValue, find_values

PLACE = (
    r"(?P<place>(?:the\s+)?[A-ZÀ-Ý][\w.'’-]*(?:(?:\s+|,\s+)(?:of\s+|and\s+|the\s+)?(?!Without|Applicable|As|For|In)"
    r"[A-ZÀ-Ý][\w'’-]+){0,4})"
)
OF_STATE = r"(?:the\s+)?(?:(?:State|Commonwealth|Province|Republic|Kingdom|Country|Canton|Federal\s+Republic)\s+of\s+)?(?:the\s+)?"
LAWS_OF = re.compile(
    rf"\b(?:laws?|droit|recht|ley(?:es)?|lois?|legislation)\b(?:\s*\([^)]*\))?(?:\s+\w+){{0,4}}?,?\s+(?:of|in|de|du|der|des|del)\s+{OF_STATE}{PLACE}",
)
PLACE_LAWS = re.compile(
    rf"\b(?:under|by|with|to)\s+(?:the\s+)?(?:\w+\s+)?{PLACE}(?:\s+state)?\s+laws?\b", re.DOTALL
)
ADJECTIVE_LAW = re.compile(
    r"\b(?P<place>(?:droit|loi|législation)\s+[a-zà-ÿ]+[ae]is(?:e)?|(?:droit|loi)\s+[a-zà-ÿ]+|[a-zäöü]+(?:isches|isch|em)\s+Recht|"
    r"(?:legislación|ley|derecho)\s+[a-zñáéíóú]+)\b"
)
GOVERN = re.compile(
    r"\bgovern\w*|constru\w+|interpret\w+|\brégi\w*|soumis\w*|unterlieg\w+|\bgilt\b|maßgeb\w+|anwendbar\w*|"
    r"\brige\w*|regirá|sujet[ao]|applicable",
    re.IGNORECASE,
)
LAW = re.compile(r"\blaws?\b|\bdroit\b|\bloi\b|\bRecht\b|\bley(?:es)?\b|legislaci", re.IGNORECASE)
COURTS = re.compile(
    rf"\bcourts?\s+(?:\w+\s+){{0,5}}?(?:of|in|within)\s+{OF_STATE}{PLACE}|\b(?:State|Commonwealth)\s+of\s+(?P<state>[A-Z]\w+(?:\s[A-Z]\w+)?)"
)
NOT_A_PLACE = re.compile(
    r"^(?:the\s+)?(?:Agreement|Section|Parties|Party|Company|Act|Code|Contract|Policy|Exchange|Securities|Confidential|Court|State|Courts|"
    r"United\s+States\s+securities|Federal|Applicable|Laws?|Recipient|Bankruptcy|Delaware\s+General)\b",
    re.IGNORECASE,
)

MADE = (
    (
        r"(?:effective|commencement|inception)\s+date\W|effective\s+(?:as\s+of\s+)?(?:on\s+)?(?:the\s+)?$|shall\s+(?:be|become)\s+effective|takes?\s+effect",
        3.0,
    ),
    (
        r"(?:made|entered\s+into|executed|concluded)\b.{0,60}(?:as\s+of|on|this|effective|dated)\W*(?:the\s+)?$",
        2.6,
    ),
    (r"(?:dated|made)\s+(?:as\s+of|this|on|the|effective)*\W*(?:the\s+)?$", 2.4),
    (r"\bas\s+of\s+(?:the\s+)?(?:date\s+of\s+)?$", 2.2),
    (r"(?:conclu|signé|fait)\b.{0,40}le\s*$|geschlossen\b.{0,40}$|celebrado\b.{0,40}$", 2.2),
)
MADE_BEFORE = tuple((re.compile(p, re.IGNORECASE | re.DOTALL), s) for p, s in MADE)
MADE_AFTER = re.compile(
    r"^\s*[,;]?\s*\(?\s*(?:\(?the\s+)?[“\"]?(?:the\s+)?(?:effective|commencement)\s+date",
    re.IGNORECASE,
)
OTHER_DATE = re.compile(
    r"(?:amended|prior|previous|existing|certain|merger|supplement\w*|act\s+of|between\s+\w+\s+and|expir\w+|terminat\w+|until|"
    r"before|after|since|by|filed|registration|ended|ending)\W*(?:\w+\W+){0,3}$",
    re.IGNORECASE,
)
OPENING_PAGES = 2
"""The date of a contract stands on one of its first pages, or beside the signatures."""

LASTS = (
    (r"\bterm\s+of\s+(?:this|the)\s+(?:\w+\s+)?(?:agreement|contract|nda|policy)\b|\b(?:initial|primary)\s+term\b", 1.0),
    (r"\b(?:this|the)\s+(?:\w+\s+)?(?:agreement|contract|nda|letter\s+agreement)\b.{0,160}\b(?:terminates?|expires?|remain\w*|continue|"
     r"in\s+(?:full\s+)?(?:force|effect)|end|effective\s+for|valid)\b", 1.0),
    (r"\b(?:obligations?|restrictions?|provisions|covenants|undertakings|duties)\b.{0,200}\b(?:surviv\w+|terminates?|expires?|continue|"
     r"remain|cease|binding|in\s+(?:full\s+)?(?:force|effect)|end|lapse|valid|effect)\b", 0.8),
    (r"\bfor\s+a\s+(?:period|term)\b|\bperiod\s+of\b|\bsurviv\w+\b", 0.3),
    (r"\bconfidential\w*\b", 0.2),
    (r"\bterm\b", 0.2),
)  # fmt: skip
LASTS_COMPILED = tuple((re.compile(p, re.IGNORECASE | re.DOTALL), s) for p, s in LASTS)
OTHER_PERIOD = re.compile(
    r"\b(?:solicit\w*|hire|employ\w*|standstill|stand-still|notice|days?['’]|acquire|securities|vot(?:e|ing)|breach|cure|receipt|"
    r"invoice|business\s+days|prior\s+written|request)\b",
    re.IGNORECASE,
)


class Formula(NamedTuple):
    """A value with the unit and place where a formula of contracts puts it, and how surely."""

    text: str
    unit: Unit
    start: int
    end: int
    strength: float
    value: TypedValue | None = None


def governing_laws(units: Sequence[Unit]) -> list[Formula]:
    """Return places whose law governs, surest first."""
    found = [formula for unit in units for formula in _laws(unit)]
    return sorted(found, key=lambda formula: (-formula.strength, formula.unit.order))


def _laws(unit: Unit) -> Iterator[Formula]:
    heading = bool(re.search(r"govern\w+ law|applicable law|choice of law", unit.heading, re.I))
    if not LAW.search(unit.text) or not (GOVERN.search(unit.text) or heading):
        return
    for pattern, strength in ((LAWS_OF, 1.0), (PLACE_LAWS, 0.8), (ADJECTIVE_LAW, 0.7)):
        for match in pattern.finditer(unit.text):
            place = match["place"].strip(" .,")
            if NOT_A_PLACE.match(place):
                continue
            governs = GOVERN.search(unit.text, max(0, match.start() - 160), match.start())
            bonus = 0.3 if governs and re.match("gover|constr", governs.group(), re.I) else 0.0
            yield Formula(
                place,
                unit,
                match.start("place"),
                match.start("place") + len(place),
                strength + bonus,
            )


def contract_dates(units: Sequence[Unit], language: str) -> list[Formula]:
    """Return dates on which the contract is made or takes effect, surest first."""
    found = [
        Formula(value.text, unit, value.start, value.end, strength, value)
        for unit in units
        for value in find_values(unit.text, "date", language)
        if (strength := _made(unit, value)) > 0
    ]
    return sorted(found, key=lambda formula: (-formula.strength, formula.unit.order))


def _made(unit: Unit, value: TypedValue) -> float:
    before = unit.text[max(0, value.start - 120) : value.start]
    if MADE_AFTER.match(unit.text[value.end : value.end + 40]):
        return 3.2
    strength = max((s for pattern, s in MADE_BEFORE if pattern.search(before)), default=0.0)
    is_opening = unit.lines[0].page <= OPENING_PAGES
    if is_opening and CONTRACT_WORD.search(unit.text[:400]):
        strength += 0.6
    if OTHER_DATE.search(before):
        strength -= 1.0
    if not is_opening:
        strength -= 1.0
    if value.precision != "day":
        strength -= 1.0
    return strength


def contract_terms(units: Sequence[Unit], language: str) -> list[Formula]:
    """Return how long the contract or its obligations last, surest first."""
    found = [
        Formula(value.text, unit, value.start, value.end, strength, value)
        for unit in units
        for value in find_values(unit.text, "duration", language)
        if value.unit in ("month", "year") and (strength := _lasts(unit, value)) >= 0.8
    ]
    return sorted(found, key=lambda formula: (-formula.strength, formula.unit.order))


def _lasts(unit: Unit, value: TypedValue) -> float:
    strength = sum(s for pattern, s in LASTS_COMPILED if pattern.search(unit.text))
    near = unit.text[max(0, value.start - 200) : value.end + 80]
    if OTHER_PERIOD.search(near):
        strength -= 0.5
    if re.search(r"\bterm\b|terminat|duration|surviv", unit.heading, re.IGNORECASE):
        strength += 0.4
    return strength
