"""Sections from the outline that the file carries."""

import re

import pymupdf

from transforms.parsing.formats import MUPDF_ERRORS
from transforms.parsing.model import Place, PrintedPage, SectionDraft
from transforms.parsing.titles import find_title, split_number

MAX_TITLE_CHARS = 300


def outline_sections(document: pymupdf.Document, pages: list[PrintedPage]) -> list[SectionDraft]:
    """Return the entries that point into the document, in reading order.

    Entries without a title or a page, and entries that would run backwards, are refused.
    """
    try:
        entries = document.get_toc(simple=False)
    except (*MUPDF_ERRORS, KeyError, IndexError, TypeError):
        return []
    sections = [
        section
        for level, title, page, target in entries
        if 1 <= page <= len(pages)
        and (section := _section(level, title, pages[page - 1], target)) is not None
    ]
    if len(sections) < 0.5 * len(entries):
        return []
    return _running_forward(sections)


def _section(
    level: int, title: str, page: PrintedPage, target: dict[str, object]
) -> SectionDraft | None:
    title = re.sub(r"\s+", " ", title.replace("\x00", "")).strip()[:MAX_TITLE_CHARS]
    if not title:
        return None
    point = target.get("to")
    height = point.y if isinstance(point, pymupdf.Point) and 0 < point.y < page.height else None
    line = find_title(page, title, at=height)
    number, bare = split_number(title)
    if line is None:
        line = _line_at(page, height)
    else:
        printed, _ = split_number(page.lines[line - 1].text, title=bare)
        number = printed or number
    return SectionDraft(level, number, bare, Place(page.page, line))


def _line_at(page: PrintedPage, height: float | None) -> int:
    """Return the first line at or below the target of an entry; the first line without one."""
    if height is not None:
        for number, line in enumerate(page.lines, start=1):
            if line.y1 >= height and line.role not in ("header", "footer"):
                return number
    for number, line in enumerate(page.lines, start=1):
        if line.role not in ("header", "footer"):
            return number
    return 1


def _running_forward(sections: list[SectionDraft]) -> list[SectionDraft]:
    """Keep the longest stretch of entries whose places do not run backwards."""
    best: list[int] = []
    lengths: list[int] = []
    previous: list[int] = []
    tails: list[int] = []
    for i, section in enumerate(sections):
        low, high = 0, len(tails)
        while low < high:
            middle = (low + high) // 2
            if sections[tails[middle]].start <= section.start:
                low = middle + 1
            else:
                high = middle
        previous.append(tails[low - 1] if low else -1)
        lengths.append(low + 1)
        if low == len(tails):
            tails.append(i)
        else:
            tails[low] = i
    at = tails[-1] if tails else -1
    while at >= 0:
        best.append(at)
        at = previous[at]
    return [sections[i] for i in reversed(best)]
