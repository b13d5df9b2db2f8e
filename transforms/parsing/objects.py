"""Tables, figures, annexes, schedules and definitions with their labels and captions."""

import re

from transforms.parsing.hyphens import join_lines
from transforms.parsing.model import ObjectDraft, PrintedLine, PrintedPage
from transforms.parsing.roles import CAPTION

MAX_CAPTION_CHARS = 600

CAPTION_DISTANCE = 3
"""Lines between a table and its caption, at most."""

_ATTACHED = re.compile(
    r"(?P<label>(?P<kind>annex(?:e|ure)?|appendix|anhang|anlage|exhibit|attachment|schedule)"
    r"\s+(?:[A-Z]{1,2}(?:[-.]?\d+(?:\.\d+)*)?|\d+(?:\.\d+)*[A-Z]?|[IVX]+))(?=$|[\s.:–—-])",
    re.IGNORECASE,
)
_QUOTED = r"[\"“”„«'‘]\s*(?P<quoted>[^\"“”„«»'’]{2,60}?)\s*[\"“”»'’]"
_THE_TERM = (
    r"(?:[Tt]he\s+(?:terms?|words?|expressions?)|[Dd]as\s+Wort|[Dd]er\s+Begriff|"
    r"[Ll]e\s+(?:terme|mot))"
)
_MEANS = (
    r"(?:\([^)]{1,60}\)\s*)?(?:shall\s+mean|means|mean|shall\s+have\s+the\s+meaning|"
    r"has\s+the\s+meaning|refers\s+to|is\s+defined\s+as|bedeutet|bezeichnet|désigne|signifie)\b"
)
_MEANS_WORDS = ("mean", "refers", "defined", "bedeutet", "bezeichnet", "désigne", "signifie")
"""One of these stands in every definition: looked for first, because it is cheap."""

_DEFINITION = re.compile(
    rf"(?:\(?\w{{1,3}}[.)]\s+|\d+(?:\.\d+)*\.?\s+)?"
    rf"(?:(?:{_THE_TERM}\s+)?{_QUOTED}|(?P<plain>[A-Z][\w/&-]*(?:\s+[\w/&-]+){{0,5}}?))"
    rf"\s*:?\s*{_MEANS}"
)


# fmt: off
_NO_TERMS = frozenset((
    "this", "that", "which", "it", "by", "such", "no", "any", "the", "these", "those", "what",
    "if", "and", "or", "he", "she", "they", "we", "you",
))
# fmt: on
"""Words with which no defined term begins."""


def find_objects(pages: list[PrintedPage], tables: list[ObjectDraft]) -> list[ObjectDraft]:
    """Return tables, captioned figures, attachments and definitions, in reading order."""
    captions = [found for page in pages for found in _captions(page)]
    _caption_tables(tables, captions)
    taken = {(table.page, table.label) for table in tables}
    objects = tables + [c for c in captions if (c.page, c.label) not in taken]
    for page in pages:
        objects.extend(_attachments(page))
        objects.extend(_definitions(page))
    objects.sort(key=lambda found: (found.page, found.line_start, found.line_end))
    return objects


def _captions(page: PrintedPage) -> list[ObjectDraft]:
    found: list[ObjectDraft] = []
    for i, line in enumerate(page.lines):
        if line.role != "caption":
            continue
        match = CAPTION.match(line.text)
        if match is None:
            continue
        end = i
        while end + 1 < len(page.lines) and _goes_on(page.lines[end], page.lines[end + 1]):
            end += 1
        text = join_lines([x.text for x in page.lines[i : end + 1]])[:MAX_CAPTION_CHARS]
        is_table = match["kind"].lower().startswith("ta") or match["kind"] == "表"
        kind = "table" if is_table else "figure"
        label = " ".join(match["label"].split())
        found.append(ObjectDraft(kind, label, text, page.page, i + 1, end + 1))
    return found


def _goes_on(line: PrintedLine, after: PrintedLine) -> bool:
    return (
        after.block == line.block
        and after.role in ("body", "caption")
        and (CAPTION.match(after.text) is None)
    )


def _caption_tables(tables: list[ObjectDraft], captions: list[ObjectDraft]) -> None:
    """Give each table the nearest table caption above it, or else below it."""
    free = [caption for caption in captions if caption.kind == "table"]
    for table in tables:
        near = [
            caption
            for caption in free
            if caption.page == table.page and _distance(caption, table) <= CAPTION_DISTANCE
        ]
        if not near:
            continue
        best = min(near, key=lambda c: (_distance(c, table), c.line_start > table.line_start))
        free.remove(best)
        table.label, table.caption = best.label, best.caption
        table.line_start = min(table.line_start, best.line_start)
        table.line_end = max(table.line_end, best.line_end)


def _distance(caption: ObjectDraft, table: ObjectDraft) -> int:
    if caption.line_end < table.line_start:
        return table.line_start - caption.line_end - 1
    return max(0, caption.line_start - table.line_end - 1)


def _attachments(page: PrintedPage) -> list[ObjectDraft]:
    """Return annexes and schedules that begin on a page; they reach to its last line."""
    found: list[ObjectDraft] = []
    for i, line in enumerate(page.lines, start=1):
        if line.role != "heading" or not (match := _ATTACHED.match(line.text)):
            continue
        if found:
            found[-1].line_end = i - 1
        kind = "schedule" if match["kind"].lower() == "schedule" else "annex"
        label = " ".join(match["label"].split())
        found.append(ObjectDraft(kind, label, line.text, page.page, i, len(page.lines)))
    return found


def _definitions(page: PrintedPage) -> list[ObjectDraft]:
    """Return the definitions of a page; one ends with its paragraph, or before the next one."""
    lines = page.lines
    terms = {i: term for i in range(len(lines)) if (term := _defined_term(lines, i))}
    found: list[ObjectDraft] = []
    for i, term in terms.items():
        end = i
        while (
            end + 1 < len(lines) and lines[end + 1].block == lines[i].block and end + 1 not in terms
        ):
            end += 1
        text = join_lines([x.text for x in lines[i : end + 1]])[:MAX_CAPTION_CHARS]
        found.append(ObjectDraft("definition", term, text, page.page, i + 1, end + 1))
    return found


def _defined_term(lines: list[PrintedLine], i: int) -> str | None:
    """Return the term that a line begins to define; "means" may stand on the line after it."""
    line = lines[i]
    after = lines[i + 1].text if i + 1 < len(lines) else ""
    if line.role in ("header", "footer", "table_row"):
        return None
    if not any(word in line.text or after.startswith(word) for word in _MEANS_WORDS):
        return None
    match = _DEFINITION.match(f"{line.text} {after}")
    if match is None:
        return None
    term = " ".join((match["quoted"] or match["plain"]).split())
    is_no_term = match["plain"] and term.split()[0].lower() in _NO_TERMS
    return None if is_no_term else term
