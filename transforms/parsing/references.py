"""References from the text to sections, tables, figures, annexes and schedules."""

import re
from bisect import bisect_right
from typing import NamedTuple

from transforms.parsing.model import ObjectDraft, PrintedPage, SectionDraft

KINDS: tuple[tuple[str, str], ...] = (
    ("section", r"sections?|sect\.|sec\.|§§?|items?|articles?|chapters?|parts?|paragraphs?"
                r"|abschnitte?n?|ziffern?|artikeln?|kapiteln?|rubriques?|chapitres?"),
    ("clause", r"(?:sub-?)?clauses?|conditions?|klauseln?"),
    ("table", r"tables?|tab\.|tabellen?|tableaux?"),
    ("figure", r"figures?|figs?\.|charts?|abbildung(?:en)?|abb\."),
    ("schedule", r"schedules?"),
    ("annex", r"annex(?:e|es|ure)?s?|appendi(?:x|ces)|exhibits?|attachments?|anh[aä]nge?|anlagen?"),
)  # fmt: skip

_BELOW = r"(?:\(\w{1,4}\)|\s\((?:[a-zA-Z]|[ivx]{1,5}|\d{1,2})\))*"
_LABEL = (
    rf"(?:\d+[A-Za-z]?(?:\.\d+[a-z]?)*{_BELOW}"
    rf"|[A-Z](?:[.-]?\d+(?:\.\d+)*)?{_BELOW}(?![a-z])|[IVXL]+{_BELOW}(?![A-Za-z]))"
)
_INTRO = re.compile(
    r"\b(?:see(?:\s+also)?|refer\s+to|set\s+(?:out|forth)\s+in|defined\s+in|described\s+in|"
    r"specified\s+in|provided\s+in|under|pursuant\s+to|siehe|gem[äa](?:ß|ss)|voir|cf\.)\s+$",
    re.IGNORECASE,
)
INTRO_CHARS = 24
"""Characters before a reference that can introduce it."""

_REFERENCE = re.compile(
    rf"(?=[SCIAPTFKRZ§])(?<![\w-])(?P<kind>{'|'.join(words for _, words in KINDS)})\s*"
    rf"(?P<labels>{_LABEL}(?:\s*(?:,|and|or|und|oder|et|ou|to|&)\s+{_LABEL}(?![\w%])){{0,6}})"
    rf"(?![\w%]|\.\d)",
    re.IGNORECASE,
)
_SPACE = re.compile(r"\s+")
_ONE_LABEL = re.compile(_LABEL)
_ELSEWHERE = re.compile(
    r"\s*,?\s+(?:of|to|under|der|des|du)\s+(?:the\s+|that\s+)?(?:[\w&.,-]+\s+){0,6}?"
    r"(?:act|code|regulations?|rules?|statutes?|law|directive|gesetz\w*|loi|icr|usc|c\.?f\.?r)\b",
    re.IGNORECASE,
)
_KIND_OF = [(kind, re.compile(words, re.IGNORECASE)) for kind, words in KINDS]


class Reference(NamedTuple):
    """One reference, with the line it begins on."""

    page: int
    line: int
    text: str
    kind: str
    label: str
    target: str | None


class Targets(NamedTuple):
    """What a label may point to: ids by kind and label, squeezed."""

    sections: dict[str, str]
    objects: dict[tuple[str, str], str]


def find_references(
    pages: list[PrintedPage],
    sections: list[SectionDraft],
    objects: list[ObjectDraft],
    skipped: frozenset[int],
) -> list[Reference]:
    """Return all references in reading order; a target that is not found is null."""
    targets = _targets(sections, objects)
    found: list[Reference] = []
    for page in pages:
        if page.page not in skipped:
            found.extend(_page_references(page, targets))
    return found


def _page_references(page: PrintedPage, targets: Targets) -> list[Reference]:
    starts: list[int] = []
    numbers: list[int] = []
    pieces: list[str] = []
    length = 0
    for number, line in enumerate(page.lines, start=1):
        if line.role not in ("header", "footer"):
            starts.append(length)
            numbers.append(number)
            pieces.append(line.text)
            length += len(line.text) + 1
    text = "\n".join(pieces)
    found: list[Reference] = []
    for match in _REFERENCE.finditer(text):
        at = bisect_right(starts, match.start()) - 1
        line = page.lines[numbers[at] - 1]
        is_at_start = match.start() == starts[at]
        if is_at_start and line.role in ("heading", "caption", "table_row"):
            continue
        kind = next(kind for kind, words in _KIND_OF if words.fullmatch(match["kind"]))
        is_elsewhere = bool(_ELSEWHERE.match(text, match.end()))
        before = text[max(0, match.start() - INTRO_CHARS) : match.start()]
        intro = _INTRO.search(before)
        ref_text = " ".join(f"{intro.group() if intro else ''}{match.group()}".split())
        for label in _ONE_LABEL.findall(match["labels"]):
            target = None if is_elsewhere else _resolve(kind, match["kind"], label, targets)
            found.append(
                Reference(page.page, numbers[at], ref_text, kind, _SPACE.sub("", label), target)
            )
    return found


def _targets(sections: list[SectionDraft], objects: list[ObjectDraft]) -> Targets:
    by_number: dict[str, str] = {}
    for i, section in enumerate(sections, start=1):
        if section.number:
            by_number.setdefault(_key(section.number), f"s{i}")
            by_number.setdefault(_key(_bare(section.number)), f"s{i}")
    by_label: dict[tuple[str, str], str] = {}
    for i, found in enumerate(objects, start=1):
        if found.label and found.kind != "definition":
            by_label.setdefault((found.kind, _key(_bare(found.label))), f"o{i}")
    return Targets(by_number, by_label)


def _resolve(kind: str, word: str, label: str, targets: Targets) -> str | None:
    """Return the id a label points to; "4(b)(ii)" falls back to 4(b) and to 4."""
    if kind not in ("section", "clause"):
        own = targets.objects.get((kind, _key(label)))
        return own or targets.sections.get(_key(f"{word}{label}"))
    while label:
        for key in (_key(f"{word.rstrip('s')}{label}"), _key(label)):
            if key in targets.sections:
                return targets.sections[key]
        label = label[: label.rfind("(")] if "(" in label else ""
    return None


def _bare(number: str) -> str:
    """Return a number or label without its kind word."""
    return number.rsplit(maxsplit=1)[-1] if " " in number.strip() else number


def _key(text: str) -> str:
    return re.sub(r"[\s:]+", "", text.lower()).strip(".")
