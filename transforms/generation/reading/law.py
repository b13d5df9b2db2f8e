"""Which law governs a contract."""

import re
from collections.abc import Iterator, Sequence

from transforms.generation.reading.formula import Formula, surest_first
from transforms.generation.reading.units import Unit

PLACE = (
    r"(?P<place>(?:the\s+)?[A-ZÀ-Ý][\w.'’-]*"
    r"(?:(?:\s+|,\s+)(?:of\s+|and\s+|the\s+)?(?!Without|Applicable|As|For|In)[A-ZÀ-Ý][\w'’-]+){0,4})"
)
OF_STATE = (
    r"(?:the\s+)?(?:(?:State|Commonwealth|Province|Republic|Kingdom|Country|Canton|"
    r"Federal\s+Republic)\s+of\s+)?(?:the\s+)?"
)
LAWS_OF = re.compile(
    r"\b(?:laws?|droit|recht|ley(?:es)?|lois?|legislation)\b(?:\s*\([^)]*\))?(?:\s+\w+){0,4}?,?\s+"
    rf"(?:of|in|de|du|der|des|del)\s+{OF_STATE}{PLACE}"
)
PLACE_LAWS = re.compile(
    rf"\b(?:under|by|with|to)\s+(?:the\s+)?(?:\w+\s+)?{PLACE}(?:\s+state)?\s+laws?\b", re.DOTALL
)
ADJECTIVE_LAW = re.compile(
    r"\b(?P<place>(?:droit|loi|législation)\s+[a-zà-ÿ]+|[a-zäöü]+(?:isches|isch|em)\s+Recht|"
    r"(?:legislación|ley|derecho)\s+[a-zñáéíóú]+)\b"
)
AND_STATE = re.compile(rf"\band\s+(?:of\s+)?the\s+(?:State|Commonwealth|Province)\s+of\s+{PLACE}")
"""The state behind a federation: "of the United States and of the State of Texas"."""
LAW_PATTERNS = ((AND_STATE, 1.1), (LAWS_OF, 1.0), (PLACE_LAWS, 0.8), (ADJECTIVE_LAW, 0.8))
GOVERN = re.compile(
    r"\bgovern\w*|constru\w+|interpret\w+|\brégi\w*|soumis\w*|unterlieg\w+|\bgilt\b|maßgeb\w+|"
    r"anwendbar\w*|\brige\w*|regirá|sujet[ao]|applicable law",
    re.IGNORECASE,
)
GOVERNS_SURELY = re.compile(r"govern|constr|soumis|régi|unterlieg|gilt|rige", re.IGNORECASE)
LAW_HEADING = re.compile(
    r"govern\w+ law|applicable law|choice of law|law and jurisdiction|droit applicable|"
    r"loi applicable|anwendbares recht|ley aplicable",
    re.IGNORECASE,
)
LAW = re.compile(r"\blaws?\b|\bdroit\b|\bloi\b|\bRecht\b|\bley(?:es)?\b|legislaci", re.IGNORECASE)
NOT_A_PLACE = re.compile(
    r"^(?:the\s+)?(?:Agreement|Section|Parties|Party|Company|Act|Code|Contract|Policy|Exchange|"
    r"Securities|Confidential|Court|State|Courts|United\s+States\s+securities|Federal|Applicable|"
    r"Laws?|Recipient|Bankruptcy|Delaware\s+General|Incorporation|U\.?S)\b",
    re.IGNORECASE,
)
VERB_REACH = 160
"""Characters before the place within which the verb stands that says that its law governs."""


def governing_laws(units: Sequence[Unit]) -> list[Formula]:
    """Return places whose law governs, surest first."""
    return surest_first(formula for unit in units for formula in _laws(unit))


def _laws(unit: Unit) -> Iterator[Formula]:
    is_headed = bool(LAW_HEADING.search(unit.heading))
    if not LAW.search(unit.text) or not (GOVERN.search(unit.text) or is_headed):
        return
    for pattern, strength in LAW_PATTERNS:
        for match in pattern.finditer(unit.text):
            place = match["place"].strip(" .,")
            if NOT_A_PLACE.match(place):
                continue
            start = match.start("place")
            verb = GOVERN.search(unit.text, max(0, start - VERB_REACH), start)
            is_sure = is_headed or bool(verb and GOVERNS_SURELY.match(verb.group()))
            end = start + len(place)
            yield Formula(place, unit, start, end, strength + 0.3 * is_sure)
