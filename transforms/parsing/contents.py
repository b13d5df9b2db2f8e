"""Sections from a printed contents page: titles that end in page labels."""

import re
from collections import Counter
from itertools import pairwise
from typing import NamedTuple

from transforms.parsing.model import Place, PrintedLine, PrintedPage, SectionDraft
from transforms.parsing.titles import find_title, split_number, squash

FIRST_PAGES = 25
"""A contents page stands among the first pages."""

MIN_ENTRIES = 4

FOUND_SHARE = 0.4
"""Part of the entries whose titles must be found for the contents page to be believed."""

BARE_REACH = 8
"""Pages to look ahead for a title that has no page label."""

LABEL_ENDS = frozenset("0123456789ivxlcIVXLC.")
"""With what an entry can end."""

TAIL_CHARS = 16
"""Characters at the end of an entry that hold its label."""

_LABEL = re.compile(
    r"(?:^|[\s.·…_])(?:page\s+)?((?:[A-Z]{1,2}[-–.])?\d{1,4}|[ivxlc]{1,7})"
    r"(?:\s*[-–]\s*\d+)?\s*\.?$",
    re.IGNORECASE,
)
LEADERS = " .·…_"

_TITLE_WORDS = re.compile(
    r"(?:table\s+of\s+)?contents|inhalt(?:sverzeichnis|sübersicht)?|sommaire|table\s+des\s+mati[eè]res"
    r"|index|indice|índice|contenido",
    re.IGNORECASE,
)
_PART = re.compile(r"(?:part|teil|titre|partie)\s+[IVX\d]+\b", re.IGNORECASE)


class PrintedEntry(NamedTuple):
    """A line that ends in a page label; apart when leaders or a wide gap part the two."""

    title: str
    label: str
    is_apart: bool


class Entry(NamedTuple):
    """A line of the contents page."""

    title: str
    label: str | None
    """Page label as printed; null on a contents page without labels."""
    indent: float


def contents_pages(pages: list[PrintedPage]) -> list[int]:
    """Return the physical pages that print a table of contents."""
    found: list[int] = []
    for page in pages[:FIRST_PAGES]:
        entries = [entry for line in page.lines if (entry := _printed_entry(line))]
        n_leaders = sum(1 for entry in entries if entry.is_apart)
        has_title = any(_TITLE_WORDS.fullmatch(line.text.strip(" :.")) for line in page.lines[:12])
        goes_on = bool(found) and found[-1] == page.page - 1
        n_lines = sum(1 for line in page.lines if line.role not in ("header", "footer"))
        is_labelled = (
            n_leaders >= MIN_ENTRIES
            and _is_rising([entry.label for entry in entries])
            and (has_title or (n_leaders > 0.4 * n_lines and (goes_on or n_leaders >= 8)))
        )
        n_bare = _n_bare_titles(page) if has_title or goes_on else 0
        is_bare = n_bare >= 2 * MIN_ENTRIES and (has_title or n_bare > 0.6 * n_lines)
        if is_labelled or is_bare:
            found.append(page.page)
    return found


def _n_bare_titles(page: PrintedPage) -> int:
    """Return how many short numbered lines follow each other: a contents page without labels."""
    return sum(1 for line in page.lines if _is_bare_title(line))


def _is_bare_title(line: PrintedLine) -> bool:
    if line.role in ("header", "footer") or len(line.text) > 90 or line.text[-1] in ".;,":
        return False
    number, title = split_number(line.text)
    return number is not None and title[:1].isupper() and number[:1].isdigit()


def contents_sections(pages: list[PrintedPage], contents: list[int]) -> list[SectionDraft]:
    """Return the sections that a printed contents page names, where their titles are found."""
    if not contents:
        return []
    entries = [entry for number in contents for entry in _entries(pages[number - 1])]
    starts = _starts(entries, pages, after=contents[-1])
    n_found = sum(1 for start in starts if start is not None)
    if n_found < max(3, FOUND_SHARE * len(entries)):
        return []
    levels = _levels(entries)
    sections: list[SectionDraft] = []
    for entry, level, start in zip(entries, levels, starts, strict=True):
        if start is not None and (not sections or start >= sections[-1].start):
            number, title = split_number(entry.title)
            sections.append(SectionDraft(level, number, title, start))
    return sections


def _printed_entry(line: PrintedLine) -> PrintedEntry | None:
    """Return title, label and gap of a line that ends in a page label."""
    text = line.text
    if text[-1] not in LABEL_ENDS or line.role in ("header", "footer"):
        return None
    match = _LABEL.search(text[-TAIL_CHARS:])
    if match is None:
        return None
    head = text[: max(0, len(text) - TAIL_CHARS) + match.start(1)]
    title = head.rstrip(LEADERS)
    if not any(map(str.isalpha, title)):
        return None
    gap = len(head) - len(title)
    return PrintedEntry(title, match[1], is_apart=gap > 1)


def _is_rising(labels: list[str]) -> bool:
    """Return whether most arabic labels do not fall."""
    numbers = [int(label) for label in labels if label.isdigit()]
    steps = list(pairwise(numbers))
    return sum(1 for a, b in steps if b >= a) >= 0.8 * len(steps)


def _entries(page: PrintedPage) -> list[Entry]:
    """Return the entries of a page; a title that runs over lines is joined."""
    entries: list[Entry] = []
    pending: PrintedLine | None = None
    is_bare = _n_bare_titles(page) >= 2 * MIN_ENTRIES
    for line in page.lines:
        if line.role in ("header", "footer"):
            continue
        match = _printed_entry(line)
        if match is None and is_bare and _is_bare_title(line):
            entries.append(Entry(" ".join(line.text.split()), None, line.x0))
            continue
        if match is None or not (match.is_apart or entries):
            is_title = _TITLE_WORDS.fullmatch(line.text.strip(" :."))
            pending = None if is_title or _PART.match(line.text) else line
            continue
        title = re.sub(r"\s+", " ", match.title).strip(" .·…_")
        if pending is not None and _runs_on(pending, line):
            title = f"{pending.text.strip()} {title}"
            title = re.sub(r"\s+", " ", title)
        indent = pending.x0 if pending is not None and _runs_on(pending, line) else line.x0
        entries.append(Entry(title, match.label, indent))
        pending = None
    return entries


def _runs_on(before: PrintedLine, line: PrintedLine) -> bool:
    """Return whether a line without a label is the beginning of the title that follows."""
    number, _ = split_number(line.text)
    if number is not None or before.column != line.column:
        return False
    first, _ = split_number(before.text)
    close = 0 < line.y0 - before.y0 < 1.6 * max(before.size, line.size)
    return close and (first is not None or line.x0 >= before.x0 - 2)


def _starts(entries: list[Entry], pages: list[PrintedPage], *, after: int) -> list[Place | None]:
    """Return where each entry begins: its title on or near the page with its label."""
    by_label: dict[str, list[int]] = {}
    for page in pages[after:]:
        if page.label:
            by_label.setdefault(page.label.lower(), []).append(page.page)
    offset = None if by_label else _offset(entries, pages, after=after)
    starts: list[Place | None] = []
    last = Place(after + 1, 0)
    for entry in entries:
        if entry.label is None:
            start = _next_place(entry.title, pages, last)
        else:
            targets = [p for p in by_label.get(entry.label.lower(), []) if p >= last.page]
            if not targets and entry.label.isdigit() and offset is not None:
                targets = [int(entry.label) + offset]
            start = _near(entry.title, targets[:2], pages, after=after)
        last = max(last, start or last)
        starts.append(start)
    return starts


def _next_place(title: str, pages: list[PrintedPage], last: Place) -> Place | None:
    """Return the next line, within a few pages, that is this title and nothing else."""
    wanted = squash(title)
    for page in pages[last.page - 1 : last.page + BARE_REACH]:
        for number, line in enumerate(page.lines, start=1):
            is_later = (page.page, number) > last
            if (
                is_later
                and line.text[:1] == title[:1]
                and squash(line.text[: len(title) + 9]).startswith(wanted)
            ):
                return Place(page.page, number)
    return None


def _near(title: str, targets: list[int], pages: list[PrintedPage], *, after: int) -> Place | None:
    for target in targets:
        for number in (target, target + 1, target - 1):
            if after < number <= len(pages) and (line := find_title(pages[number - 1], title)):
                return Place(number, line)
    return None


def _offset(entries: list[Entry], pages: list[PrintedPage], *, after: int) -> int | None:
    """Return physical minus printed page number, by looking for titles."""
    votes: Counter[int] = Counter()
    numbered = [
        entry for entry in entries if (entry.label or "").isdigit() and len(entry.title) > 5
    ]
    for entry in numbered[:12]:
        for page in pages[after:]:
            line = find_title(page, entry.title)
            if line is not None and page.lines[line - 1].role == "heading":
                votes[page.page - int(entry.label or 0)] += 1
    if not votes:
        return None
    offset, n_votes = votes.most_common(1)[0]
    return offset if n_votes >= min(3, len(numbered)) else None


def _levels(entries: list[Entry]) -> list[int]:
    """Return levels by the depth of numbers where most have one, else by indent."""
    numbers = [split_number(entry.title)[0] for entry in entries]
    depths = [number.rstrip(".").count(".") + 1 if number else None for number in numbers]
    dotted = [depth for depth in depths if depth]
    if len(dotted) > 0.6 * len(entries) and max(dotted) > 1:
        return [depth or 1 for depth in depths]
    indents = sorted({round(entry.indent / 6) for entry in entries})
    rank = {indent: min(i + 1, 6) for i, indent in enumerate(indents)}
    return [rank[round(entry.indent / 6)] for entry in entries]
