"""Names: parties to a contract, persons and companies by their role, governing law."""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from transforms.generation.reading.units import Unit

SUFFIX = (
    r"(?:Inc|Incorporated|Corp|Corporation|L\.?\s?L\.?\s?C|L\.?\s?L\.?\s?P|L\.?\s?P|Ltd|Limited|plc|PLC|"
    r"Co|Company|Companies|GmbH|AG|SE|KGaA|KG|OHG|e\.\s?G|VVaG|S\.?\s?A(?:\.?\s?S)?|SARL|S\.à\.?r\.l|N\.?\s?V|"
    r"B\.?\s?V|S\.p\.A|S\.L|A/S|AB|Oy|Pty|P\.?C|N\.?A|Association|Foundation|Bank|University|Trust|Partnership|"
    r"Group|Holdings?|Partners|Mutual|Insurance|Assurances?|Versicherung(?:en|s-AG)?|Seguros|Mutuelle|Fund|Institute|Center)"
)
SUFFIX_AFTER_COMMA = re.compile(
    rf"\s*(?:{SUFFIX}|ULC|PLLC|Sons|Jr|Sr|II|III)\b\.?(?!\w)", re.IGNORECASE
)
LEGAL_FORM = re.compile(rf"(?<!\w){SUFFIX}(?!\w)\.?", re.IGNORECASE)
OPENING = re.compile(
    r"\b(?:by\s+and\s+(?:between|among(?:st)?)|between|among(?:st)?|entre|zwischen)\b(?:\s*:)?\s*",
    re.IGNORECASE,
)
CONTRACT_WORD = re.compile(
    r"\b(?:agreement|contract|policy|lease|letter|amendment|undertaking|deed|memorandum|contrat|"
    r"vertrag|vereinbarung|contrato|acuerdo|convention)\b",
    re.IGNORECASE,
)
DEFINED = re.compile(
    r"\(\s*(?:[^()“”\"]{0,90}?)[“\"„«][^”\"“»()]{1,60}[”\"“»][^()]{0,160}?(?:\([^()]*\)[^()]{0,60})?\)"
)
COLLECTIVE = re.compile(
    r"\b(?:collectively|together|jointly|individually|both|each|sometimes)\b.*\bpart(?:y|ies)\b|"
    r"\bpart(?:y|ies)\b.*\b(?:collectively|together|individually)\b",
    re.IGNORECASE | re.DOTALL,
)
"""A bracket that names all parties together, not the one before it."""
AND_ANOTHER = re.compile(r"\s*[,;]?\s*(?:and|et|und|y)\s", re.IGNORECASE)
LEADING = re.compile(
    r"^(?:\s*(?:,|;|:|and|by|between|among|the\s+(?:following|undersigned)|et|und|y|\(?[1-9ivx]{1,3}[.)]|\(?[a-c]\)|"
    r"on the one hand|on the other(?: hand)?|hereby|as well as)(?=\W|$))*\s*",
    re.IGNORECASE,
)
DESCRIPTION = re.compile(
    r"\s*(?:,|;|\()\s*|\s+(?:an?\s+(?:\w+\s+){0,4}?(?:corporation|company|limited|partnership|individual|"
    r"association|organization|trust|LLC|division|subsidiary|stock)|having|with\s+(?:its|an|offices?|a\s+principal)|"
    r"whose|located|whether|organized|incorporated|on behalf|for itself|and\s+its|of\s+\d|"
    r"doing\s+business|"
    r"d/b/a|f/k/a|represented|mit Sitz|vertreten|représentée|dont le|in connection|regarding|"
    r"relating|dated|"
    r"as of|is made|for the|pursuant|and/or|on\s+(?:January|February|March|April|May|June|July|"
    r"August|September|"
    r"October|November|December))\b",
    re.IGNORECASE,
)
STOP = re.compile(
    r"\b(?:WHEREAS|RECITALS?|WITNESSETH|NOW,? THEREFORE|collectively referred|"
    r"hereinafter collectively|in consideration|"
    r"sets? forth|agree(?:s|d)?\s+(?:as|that|to)|with respect to|with reference)\b",
    re.IGNORECASE,
)
NOT_A_NAME = re.compile(
    r"^(?:a|an|as|title|by|name|to|which|that|such|this|in|on|dated|its)\b|^(?:the\s+)?(?:part(?:y|ies)|company|recipient|disclos\w+|you|we|us|them|one|both|other|its?|your|our|their|any|each|"
    r"agreement|affiliates?|receiving|seller|buyer|employees?|persons?)\b",
    re.IGNORECASE,
)
PREAMBLE_UNITS = 40
MAX_NAME_CHARS = 110


class Named(NamedTuple):
    """A name with the place in its unit."""

    name: str
    unit: Unit
    start: int
    end: int


def find_parties(units: Sequence[Unit]) -> list[Named]:
    """Return the parties that the opening of a contract names, else those who sign it."""
    best: list[Named] = []
    for unit in _preambles(units):
        parties = list(_from_preamble(unit))
        if len(parties) > len(best):
            best = parties
        if len(best) >= 2:
            break
    return best if len(best) >= 2 else _merge(best, _signers(units))


def _preambles(units: Sequence[Unit]) -> Iterator[Unit]:
    """Yield the sentences that may name the parties, the likeliest first."""
    opening = [unit for unit in units[:PREAMBLE_UNITS] if OPENING.search(unit.text)]
    with_terms = [unit for unit in opening if DEFINED.search(unit.text)]
    yield from with_terms
    yield from (unit for unit in opening if CONTRACT_WORD.search(unit.text))


def _from_preamble(unit: Unit) -> Iterator[Named]:
    text = unit.text
    for opening in OPENING.finditer(text):
        stop = STOP.search(text, opening.end())
        high = stop.start() if stop else len(text)
        found = list(_segments(unit, opening.end(), high))
        if len(found) >= 2 or (found and DEFINED.search(text, opening.end(), high)):
            yield from found
            return


def _segments(unit: Unit, low: int, high: int) -> Iterator[Named]:
    """Yield what stands before each defined term; without those, split at "and"."""
    text = unit.text
    defined = [m for m in DEFINED.finditer(text, low, high) if not COLLECTIVE.search(m.group())]
    if defined:
        for match in defined:
            if named := _named(unit, low, match.start()):
                yield named
            low = match.end()
        tail = _named(unit, low, high) if AND_ANOTHER.match(text, low) else None
        if tail and LEGAL_FORM.search(tail.name):
            yield tail
        return
    for match in re.finditer(
        r"(.+?)(?:,?\s+(?:and|et|und|y)\s+|;\s*|$)", text[low:high], re.DOTALL
    ):
        if named := _named(unit, low + match.start(1), low + match.end(1)):
            yield named


def _named(unit: Unit, low: int, high: int) -> Named | None:
    """Return the name at the start of a segment, without its description."""
    text = unit.text
    if leading := LEADING.match(text[low:high]):
        low += leading.end()
    end = low
    while end < high:
        cut = DESCRIPTION.search(text, end, high)
        if cut is None:
            end = high
            break
        is_suffix = cut.group().strip() == "," and SUFFIX_AFTER_COMMA.match(text, cut.end())
        end = cut.start()
        if not is_suffix:
            break
        end = is_suffix.end()
    name = " ".join(text[low:end].split()).strip(" ,;:")
    return Named(name, unit, low, end) if is_name(name) else None


def is_name(name: str) -> bool:
    """Tell whether a text looks like the name of a person or company."""
    if not 2 <= len(name) <= MAX_NAME_CHARS or NOT_A_NAME.match(name):
        return False
    return any(char.isupper() for char in name.split(maxsplit=1)[0]) or bool(
        LEGAL_FORM.search(name)
    )


SIGNATURE = re.compile(r"^\s*(?:By|Name|Signed|Title|Its)\s*:|_{5,}", re.IGNORECASE)


def _signers(units: Sequence[Unit]) -> list[Named]:
    """Return companies printed right above a signature."""
    signers: list[Named] = []
    for place, unit in enumerate(units):
        if not SIGNATURE.search(unit.text):
            continue
        for above in units[max(0, place - 3) : place + 1]:
            for line in above.text.split("\n"):
                name = " ".join(line.split()).strip(" ,;:")
                form = LEGAL_FORM.search(name)
                if form and form.end() >= len(name) - 1 and len(name) < 60 and is_name(name):
                    start = above.text.find(line)
                    signers.append(Named(name, above, start, start + len(line)))
    return signers


def _merge(names: list[Named], more: list[Named]) -> list[Named]:
    """Add names that are not there yet under another spelling."""
    merged: dict[str, Named] = {}
    for named in (*names, *more):
        merged.setdefault(name_key(named.name), named)
    return list(merged.values())


def name_key(name: str) -> str:
    """Return letters and digits of a name without its legal form."""
    return re.sub(r"[\W_]+", "", LEGAL_FORM.sub("", name)).lower()
