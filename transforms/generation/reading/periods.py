"""Set phrases of contracts for their date, their end, their term and their renewal."""

import re
from collections.abc import Callable, Iterator, Sequence

from transforms.generation.reading.formula import Formula, formulas
from transforms.generation.reading.names import CONTRACT_WORD
from transforms.generation.reading.units import Unit
from transforms.generation.typed_values import TypedValue, find_values
from transforms.values import AnswerType

Strength = Callable[[Unit, TypedValue], float]

# fmt: off
MADE_BEFORE: tuple[tuple[re.Pattern[str], float], ...] = tuple(
    (re.compile(pattern, re.IGNORECASE | re.DOTALL), strength)
    for pattern, strength in (
        (r"(?:effective|commencement|inception)\s+date\W{1,5}(?:is\s+|means\s+|shall\s+be\s+)?(?:the\s+)?$|"
         r"effective\s+(?:as\s+of\s+)?(?:on\s+)?(?:the\s+)?$|shall\s+(?:be|"
         r"become)\s+effective.{0,40}$|takes?\s+effect.{0,20}$", 3.0),
        (r"(?:made|entered\s+into|executed|concluded)\b.{0,60}(?:as\s+of|on|this|"
            r"effective|dated)\W*(?:the\s+)?$", 2.6),
        (r"(?:dated|made)\s+(?:for\s+reference\s+)?(?:as\s+of|this|on|the|effective)*\W*(?:the\s+)?$",
         2.4),
        (r"\bas\s+of\s+(?:the\s+)?(?:date\s+of\s+)?$", 2.2),
        (r"(?:conclu|signé|fait)\b.{0,40}le\s*$|geschlossen\b.{0,40}$|celebrado\b.{0,40}$", 2.2),
        (r"^\W*(?:date\W{1,3})?$", 1.0),
    )
)
LASTS: tuple[tuple[re.Pattern[str], float], ...] = tuple(
    (re.compile(pattern, re.IGNORECASE | re.DOTALL), strength)
    for pattern, strength in (
        (r"\bterm\s+of\s+(?:this|the)\s+(?:\w+\s+)?(?:agreement|contract|nda|policy)\b|"
            r"\b(?:initial|primary)\s+term\b", 1.0),
        (r"\b(?:this|the)\s+(?:\w+\s+)?(?:agreement|contract|nda|letter\s+agreement)\b.{0,160}\b(?:terminates?|expires?|remain\w*|"
         r"continue|in\s+(?:full\s+)?(?:force|effect)|end|effective\s+for|valid)\b", 1.0),
        (r"\b(?:obligations?|restrictions?|provisions|covenants|undertakings|duties)\b.{0,200}\b(?:surviv\w+|terminates?|expires?|"
         r"continue|remain|cease|binding|in\s+(?:full\s+)?(?:force|effect)|end|lapse|"
         r"valid|effect)\b", 0.8),
        (r"\bfor\s+a\s+(?:period|term)\b|\bperiod\s+of\b|\bsurviv\w+\b", 0.3),
        (r"\bconfidential\w*\b", 0.2),
        (r"\bterm\b", 0.2),
    )
)
# fmt: on
NAMED_EFFECTIVE = re.compile(
    r"^\s*[,;]?\s*\(?\s*(?:\(?the\s+)?[“\"]?(?:the\s+)?(?:effective|commencement)(?:\s+date|\s*$)",
    re.IGNORECASE,
)
OTHER_DATE = re.compile(
    r"(?:amended|prior|previous|existing|certain|merger|supplement\w*|act\s+of|"
    r"between\s+\w+\s+and|expir\w+|terminat\w+|until|before|after|since|by|filed|registration|"
    r"ended|ending)\W*(?:\w+\W+){0,3}$",
    re.IGNORECASE,
)
OTHER_CONTRACT = re.compile(
    r"(?:\bthat\s+certain\b|\b(?:[Tt]he|[Aa]n?)\s+(?:[“\"‘']?[A-Z][\w/&-]*,?\s+(?:(?:and|of)\s+)?)+"
    r"(?:Agreement|Contract|Lease|Memorandum)\b|\b(?:license|merger|credit|purchase|rights|loan|"
    r"services?|supply|employment|subscription|shareholders?)\s+agreement\b)"
    r"(?:(?!\bthis\b|[.;]\s+[A-Z]).)*$",
    re.DOTALL,
)
"""Another contract, named right before its date: "the Subscription Agreement dated …"."""
SIGNED = re.compile(r"\b(?:date|dated|datum)\s*:\s*$", re.IGNORECASE)
SIGNED_STRENGTH = 1.6
LONE_STRENGTH = 1.8
"""A line of the first pages that is nothing but a date: a letter is dated so."""
DAYS_PER_STRENGTH = 10_000_000
"""Of dates beside signatures the last one counts: then all have signed."""
OPENING_PAGES = 2
"""The date of a contract stands on one of its first pages, or beside the signatures."""
OTHER_PERIOD = re.compile(
    r"\b(?:solicit\w*|hire|employ\w*|standstill|stand-still|notice|days?['’]|acquire|securities|"
    r"vot(?:e|ing)|breach|cure|receipt|invoice|business\s+days|prior\s+written|request)\b",
    re.IGNORECASE,
)
TERM_HEADING = re.compile(r"\bterm\b|terminat|duration|surviv|expir|laufzeit|durée", re.IGNORECASE)
ENDS = re.compile(
    r"\b(?:expires?|terminates?|ends?|ending|continue\w*|remain\w*|"
    r"in\s+(?:full\s+)?(?:force|effect)|term)\b.{0,160}?\b(?:until|through|on|to|at)\s+"
    r"(?:and\s+including\s+)?(?:midnight\s+(?:on|of)\s+)?(?:the\s+)?$",
    re.IGNORECASE | re.DOTALL,
)
OF_CONTRACT = re.compile(
    r"\b(?:this|the)\s+(?:\w+\s+)?(?:agreement|contract|lease)\b|"
    r"\b(?:(?:initial|original|primary)\s+term|term(?!\s+of\s+(?!this|the)))\b",
    re.IGNORECASE,
)
RENEWS = re.compile(r"\brenew\w*|\bextend\w*|\bextension", re.IGNORECASE)
RENEWED_BEFORE = re.compile(
    r"\b(?:successive|additional|further|subsequent|renewal|consecutive|renew\w*|extended?)\b"
    r"[^.;]{0,60}$",
    re.IGNORECASE,
)
NOTICE_AFTER = re.compile(
    r"^['’]?s?\s*(?:\w+\s+){0,3}?(?:notice|prior|before|advance|preceding)\b", re.IGNORECASE
)
NOTICE_BEFORE = re.compile(r"\bnotice\b[^.;]{0,120}$", re.IGNORECASE)


def contract_dates(units: Sequence[Unit], language: str) -> list[Formula]:
    """Return dates on which the contract is made or takes effect, surest first."""
    return formulas(_judged(units, "date", language, _made))


def contract_ends(units: Sequence[Unit], language: str) -> list[Formula]:
    """Return printed dates on which the contract or its initial term ends, surest first."""
    return formulas(_judged(units, "date", language, _ends))


def contract_terms(units: Sequence[Unit], language: str) -> list[Formula]:
    """Return how long the contract or its obligations last, surest first."""
    return formulas(_judged(units, "duration", language, _lasts))


def renewal_terms(units: Sequence[Unit], language: str) -> list[Formula]:
    """Return for how long a contract renews each time, in the order of the text."""
    return formulas(_judged(units, "duration", language, _renews))


def renewal_notices(units: Sequence[Unit], language: str) -> list[Formula]:
    """Return how long before its end a renewal has to be refused, in the order of the text."""
    return formulas(_judged(units, "duration", language, _gives_notice))


def _judged(
    units: Sequence[Unit], answer_type: AnswerType, language: str, strength: Strength
) -> Iterator[tuple[Unit, TypedValue, float]]:
    for unit in units:
        for value in find_values(unit.text, answer_type, language):
            yield unit, value, strength(unit, value)


def _made(unit: Unit, value: TypedValue) -> float:
    before = unit.text[max(0, value.start - 120) : value.start]
    is_opening = unit.lines[0].page <= OPENING_PAGES
    others = 2.0 * bool(OTHER_CONTRACT.search(unit.text[max(0, value.start - 240) : value.start]))
    if NAMED_EFFECTIVE.match(unit.text[value.end : value.end + 40]):
        return 3.2 - (not is_opening) - others
    strength = max((s for pattern, s in MADE_BEFORE if pattern.search(before)), default=0.0)
    if is_opening and CONTRACT_WORD.search(unit.text[:400]):
        strength += 0.6
    strength -= 1.0 * bool(OTHER_DATE.search(before)) + others
    strength -= 1.0 * (not is_opening) + 1.0 * (value.precision != "day")
    if is_opening and unit.text.strip(" .,:") == value.text.strip() and value.precision == "day":
        return LONE_STRENGTH
    if value.date and SIGNED.search(before):
        return max(strength, SIGNED_STRENGTH + value.date.toordinal() / DAYS_PER_STRENGTH)
    return strength


def _ends(unit: Unit, value: TypedValue) -> float:
    before = unit.text[max(0, value.start - 220) : value.start]
    if value.precision != "day" or not ENDS.search(before):
        return 0.0
    strength = 0.6 + 0.4 * bool(OF_CONTRACT.search(before))
    return strength + 0.3 * bool(TERM_HEADING.search(unit.heading))


def _lasts(unit: Unit, value: TypedValue) -> float:
    if value.unit not in ("month", "year"):
        return 0.0
    strength = sum(s for pattern, s in LASTS if pattern.search(unit.text))
    near = unit.text[max(0, value.start - 200) : value.end + 80]
    strength -= 0.5 * bool(OTHER_PERIOD.search(near))
    return strength + 0.4 * bool(TERM_HEADING.search(unit.heading))


def _renews(unit: Unit, value: TypedValue) -> float:
    is_renewed = RENEWS.search(unit.text) and RENEWED_BEFORE.search(unit.text, 0, value.start)
    return float(bool(is_renewed) and not _is_notice(unit.text, value))


def _gives_notice(unit: Unit, value: TypedValue) -> float:
    return float(bool(RENEWS.search(unit.text)) and _is_notice(unit.text, value))


def _is_notice(text: str, value: TypedValue) -> bool:
    if NOTICE_AFTER.match(text[value.end : value.end + 60]):
        return True
    is_renewed = RENEWED_BEFORE.search(text, max(0, value.start - 40), value.start)
    return not is_renewed and bool(
        NOTICE_BEFORE.search(text, max(0, value.start - 140), value.start)
    )
