"""Sections from headings alone, when a document has neither outline nor contents page."""

from collections import Counter

from transforms.parsing.model import Place, PrintedLine, PrintedPage, SectionDraft
from transforms.parsing.titles import split_number

MAX_LEVELS = 4


def heading_sections(pages: list[PrintedPage], skipped: frozenset[int]) -> list[SectionDraft]:
    """Return a section per heading, at the level of its number or of the rank of its size."""
    found: list[tuple[Place, PrintedLine, str]] = []
    for page in pages:
        if page.page in skipped:
            continue
        before: PrintedLine | None = None
        for number, line in enumerate(page.lines, start=1):
            if line.role == "heading":
                if before is not None and _runs_on(before, line):
                    place, first, text = found[-1]
                    found[-1] = (place, first, f"{text} {line.text}")
                else:
                    found.append((Place(page.page, number), line, line.text))
            before = line if line.role == "heading" else None
    ranks = _size_ranks([line for _, line, _ in found])
    levels: dict[str, int] = {}
    return [_section(place, line, text, ranks, levels) for place, line, text in found]


def _runs_on(before: PrintedLine, line: PrintedLine) -> bool:
    """Return whether a heading goes on with the heading in the line before."""
    return (
        before.block == line.block
        and abs(before.size - line.size) < 0.5
        and before.is_bold == line.is_bold
        and split_number(line.text)[0] is None
    )


def _size_ranks(lines: list[PrintedLine]) -> dict[tuple[int, bool], int]:
    """Return levels by style, largest first.

    Styles that occur once (a title page has several) share a level with their neighbours: those
    larger than all others are the title together.
    """
    counts = Counter(_style(line) for line in lines)
    repeated = [style for style, n in counts.items() if n > 1] or list(counts)
    largest = max(repeated, default=(0, False))
    n_titles = 1 if any(style > largest for style in counts) else 0
    return {
        style: 1
        if style > largest
        else min(n_titles + 1 + sum(1 for other in repeated if other > style), MAX_LEVELS)
        for style in counts
    }


def _style(line: PrintedLine) -> tuple[int, bool]:
    return (round(line.size), line.is_bold)


def _section(
    place: Place,
    line: PrintedLine,
    text: str,
    ranks: dict[tuple[int, bool], int],
    levels: dict[str, int],
) -> SectionDraft:
    """Return a section; 2.1 is one level below 2, where that has been met."""
    number, title = split_number(" ".join(text.split()))
    level = ranks[_style(line)]
    if number is not None and number[-1].isdigit() and "." in number:
        parent = number.rpartition(".")[0]
        level = levels.get(parent, number.count(".")) + 1
    if number is not None:
        levels[number] = level
    return SectionDraft(level, number, title, place)
