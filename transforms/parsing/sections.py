"""The sections of a document, from the best source it has, and the section of each line."""

import pymupdf

from transforms.parsing.contents import contents_sections
from transforms.parsing.headings import heading_sections
from transforms.parsing.model import FIRST_PLACE, Place, PrintedPage, SectionDraft
from transforms.parsing.outline import outline_sections
from transforms.values import SectionSource

MIN_SECTIONS = 3
"""An outline or contents page with fewer entries says less than the headings do."""


def find_sections(
    pages: list[PrintedPage], document: pymupdf.Document | None, contents: list[int]
) -> tuple[list[SectionDraft], SectionSource]:
    """Return the sections in reading order with parents and ends, and their source."""
    source: SectionSource = "outline"
    sections = outline_sections(document, pages) if document is not None else []
    if len(sections) < MIN_SECTIONS:
        source = "printed_toc"
        sections = contents_sections(pages, contents)
    if len(sections) < MIN_SECTIONS:
        source = "headings"
        sections = heading_sections(pages, frozenset(contents))
    close_sections(sections, pages)
    return sections, source


def mark_sections(pages: list[PrintedPage], sections: list[SectionDraft]) -> None:
    """Give each line the id of the innermost section it stands in; running lines have none."""
    starts = [(section.start, f"s{i}") for i, section in enumerate(sections, start=1)]
    at = 0
    current: str | None = None
    for page in pages:
        for number, line in enumerate(page.lines, start=1):
            while at < len(starts) and starts[at][0] <= (page.page, number):
                current = starts[at][1]
                at += 1
            if line.role not in ("header", "footer"):
                line.section_id = current


def close_sections(sections: list[SectionDraft], pages: list[PrintedPage]) -> None:
    """Set parents and ends; a section ends before the next one that is not below it."""
    stack: list[int] = []
    for i, section in enumerate(sections):
        while stack and sections[stack[-1]].level >= section.level:
            sections[stack.pop()].end = _before(section.start, pages)
        section.parent = stack[-1] if stack else None
        stack.append(i)
    last = _before(Place(len(pages) + 1, 1), [*pages, PrintedPage(len(pages) + 1, 0, 0)])
    for i in stack:
        sections[i].end = last
    for section in sections:
        section.end = max(section.end, section.start)


def _before(place: Place, pages: list[PrintedPage]) -> Place:
    """Return the last line before a place that is not a running line."""
    for page in range(place.page, 0, -1):
        lines = pages[page - 1].lines
        stop = place.line - 1 if page == place.page else len(lines)
        for number in range(stop, 0, -1):
            if lines[number - 1].role not in ("header", "footer"):
                return Place(page, number)
    return FIRST_PLACE
