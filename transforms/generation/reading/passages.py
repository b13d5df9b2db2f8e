"""Readers of passages: definitions, and what a section says."""

import re
from collections.abc import Sequence

from transforms.generation.reading.answers import NOT_FOUND, plain, text_answer
from transforms.generation.reading.page import Reading
from transforms.generation.reading.units import Unit
from transforms.text import fold
from transforms.values import AnswerWithEvidence

ASKED_TERM = (
    re.compile(r"[“\"‘'«„](?P<term>[^”\"’'»“]{2,60})[”\"’'»“]"),
    re.compile(
        r"(?:what (?:does|do|is meant by|is the meaning of)|meaning of|definition of|"
        r"define[ds]?|how (?:is|are|does .{2,40} define))\s+"
        r"(?:the\s+(?:term|word|expression)\s+)?(?:an?\s+|the\s+)?(?P<term>.+?)"
        r"(?=\s+(?:mean|means|defined|in this|under|in the|according|for the purpose|"
        r"as used)\b|[?.]|$)",
        re.IGNORECASE,
    ),
    re.compile(
        r"(?:que signifie|qu'entend-on par|"
        r"définition d[eu'])\s*(?:l[ea']\s*)?(?P<term>.+?)(?=\s+(?:dans|au sens|selon)\b|[?.]|$)",
        re.IGNORECASE,
    ),
    re.compile(
        r"(?:was bedeutet|was versteht man unter|definition (?:von|des|der)|wie ist|"
        r"was heißt)\s+(?:der begriff\s+|de[rmn]\s+|das\s+|die\s+)?"
        r"(?P<term>.+?)(?=\s+(?:definiert|im sinne|nach|laut)\b|[?.]|$)",
        re.IGNORECASE,
    ),
)
ASKS_DEFINITION = re.compile(
    r"\b(?:mean(?:s|ing|t)?|define[ds]?|definition|signifie|définition|entend-on|bedeutet|definiert|significa|definici)",
    re.IGNORECASE,
)
MEANS = (
    r"(?:shall\s+)?(?:means?|mean|is\s+defined\s+as|are\s+defined\s+as|refers?\s+to|includes?|has\s+the\s+meaning|denotes?|"
    r"signifient?|désigne(?:nt)?|s'entend|bedeutet|bezeichnet|sind|ist|significa|is\b|are\b|est\b|:|—|–|-)"
)
SECTION_NUMBER = re.compile(r"\d+(?:\.\d+)*|\b[IVXLC]+\b|\b[A-Z]\b")
MAX_SECTION_CHARS = 4000


def asks_definition(text: str) -> bool:
    """Tell whether a question asks what a term means."""
    return bool(ASKS_DEFINITION.search(text)) and asked_term(text) is not None


def asked_term(text: str) -> str | None:
    """Return the term whose definition is asked for."""
    for pattern in ASKED_TERM:
        if match := pattern.search(text):
            return match["term"].strip(" \"'“”.,")
    return None


def read_definition(reading: Reading) -> AnswerWithEvidence:
    """Return the sentence that defines the term asked for."""
    term = asked_term(reading.text)
    if term is None:
        return NOT_FOUND
    escaped = r"\s+".join(re.escape(word) for word in term.split())
    strong = re.compile(
        rf"(?:^|[\s(“\"„«‘*•])(?:the\s+term\s+)?[“\"„«‘']?{escaped}s?[”\"“»’']?\s*(?:\([^)]*\)\s*)?,?\s*{MEANS}",
        re.IGNORECASE,
    )
    best: tuple[float, Unit] | None = None
    for unit in reading.units:
        match = strong.search(unit.text)
        if match is None or unit.kind == "heading":
            continue
        score = 1.0 - min(match.start(), 200) / 400
        score += 0.3 * bool(
            re.search(
                r"means|mean|defined|désigne|signifie|bedeutet|significa", match.group(), re.I
            )
        )
        score += 0.2 * bool(re.search(r"defin|glossar|begriff|interpretation", unit.heading, re.I))
        if best is None or score > best[0]:
            best = (score, unit)
    if best is None:
        return _headed(reading, term)
    following = _continued(reading.units, best[1])
    text = "\n".join(unit.text for unit in (best[1], *following))
    return text_answer(text, [u.cite() for u in (best[1], *following)], coverage=min(best[0], 0.95))


def _headed(reading: Reading, term: str) -> AnswerWithEvidence:
    """Return the text under a heading that is the term itself, or beside it in a row."""
    wanted = fold(term)
    for place, unit in enumerate(reading.units):
        cells = unit.cells
        if unit.kind == "row" and len(cells) > 1 and fold(cells[0]).strip(" \"'.:") == wanted:
            return text_answer(" ".join(cells[1:]), [unit.cite()], coverage=0.9)
        if unit.kind == "heading" and fold(plain(unit.text)).lstrip("0123456789. ") == wanted:
            for after in reading.units[place + 1 : place + 2]:
                return text_answer(after.text, [after.cite()], coverage=0.8)
    return NOT_FOUND


def _continued(units: Sequence[Unit], unit: Unit) -> list[Unit]:
    """Return the list items that a definition ends in ("… means any of the following:")."""
    if not unit.text.rstrip().endswith(":"):
        return []
    following: list[Unit] = []
    for after in units[units.index(unit) + 1 :]:
        if after.kind != "item":
            break
        following.append(after)
    return following


def read_section(reading: Reading) -> AnswerWithEvidence:
    """Return the text of the section that the question names."""
    hint = reading.question.section_hint or ""
    heading = _heading_of(reading.units, hint)
    if heading is None:
        return NOT_FOUND
    members: list[Unit] = []
    for unit in reading.units[reading.units.index(heading) + 1 :]:
        if unit.kind == "heading" and not _is_below(heading, unit):
            break
        members.append(unit)
        if sum(len(member.text) for member in members) > MAX_SECTION_CHARS:
            break
    body = members or [heading]
    text = "\n".join(unit.text for unit in body)
    return text_answer(text, [unit.cite() for unit in body], coverage=0.9)


def _heading_of(units: Sequence[Unit], hint: str) -> Unit | None:
    """Return the heading with the number or title of the hint."""
    number = SECTION_NUMBER.search(hint)
    for unit in units:
        if unit.kind not in ("heading", "item"):
            continue
        first = re.sub(
            r"^\W*(?:section|article|clause|artikel|§|abschnitt|annex|part)\s*",
            "",
            unit.text,
            flags=re.I,
        )
        if number and re.match(rf"{re.escape(number.group())}(?:[.)\s:]|$)(?!\d)", first):
            return unit
    wanted = fold(hint).strip()
    titled = (u for u in units if u.kind == "heading" and wanted and wanted in fold(u.text))
    return next(titled, None)


def _is_below(heading: Unit, other: Unit) -> bool:
    """Tell whether a heading is a sub-heading: its number continues the other one's."""
    number, below = (SECTION_NUMBER.search(unit.text) for unit in (heading, other))
    return bool(number and below and below.group().startswith(f"{number.group()}."))
