"""Running headers, footers and page numbers: what repeats at one height at the edge of pages.

A sentence of the body that happens to repeat keeps its role: it does not stand at the same height
at the edge of page after page.
"""

import re
from collections import defaultdict
from typing import NamedTuple

from transforms.parsing.model import PrintedLine, PrintedPage
from transforms.parsing.numbering import step
from transforms.parsing.roles import body_size
from transforms.values import LineRole

EDGE_LINES = 6
"""Lines at the top and at the bottom of a page that can be running ones."""

EDGE_SHARE = 0.14
"""Part of the page height at each edge where running lines stand."""

MIN_REPEATS = 3

SAME_HEIGHT = 6.0
"""Points."""

OUTERMOST_SHARE = 0.3
"""Part of the pages on which an outermost line repeats when it is a running line anywhere."""

HEADING_SIZE = 1.2
"""Size against the body from which a line that repeats is rather a heading."""

SMALL_PRINT = 0.95
"""Size against the body below which a sentence may be a running line."""

MIN_PROSE_WORDS = 5

NEVER = 1_000_000
"""More pages than any document has."""

APART = 0.7
"""White space between a running line and the body, in line heights."""

PAGE_NUMBER = re.compile(
    r"(?:(?:page|seite|p\.|pg\.?)\s*)?[-–—|\[(]*\s*(?:[A-Z]{1,2}[-–.]?)?(?:\d{1,4}|[ivxlc]{1,7})"
    r"\s*(?:(?:/|of|von|sur|de)\s*\d{1,4})?\s*[-–—|\])]*\.?",
    re.IGNORECASE,
)
_LABEL = re.compile(r"((?:[A-Z]{1,2}[-–.])?\d{1,4}|\b[ivxlc]{1,7}\b)", re.IGNORECASE)
_DIGITS = re.compile(r"\d+")


def mark_running_lines(pages: list[PrintedPage]) -> None:
    """Give the role header or footer to running lines."""
    _mark_page_numbers(pages)
    seen: dict[tuple[LineRole, str], list[_EdgeLine]] = defaultdict(list)
    for page in pages:
        for role, edge in _edge_lines(page):
            for key in _keys(edge.line.text, page.page):
                seen[role, key].append(edge)
    many = max(MIN_REPEATS + 1, OUTERMOST_SHARE * len(pages))
    size = body_size(pages)
    for (role, key), edges in seen.items():
        is_number = key.startswith("page #") or PAGE_NUMBER.fullmatch(edges[0].line.text)
        for edge in edges:
            peers = {other.page for other in edges if abs(other.y0 - edge.y0) <= SAME_HEIGHT}
            if len(peers) >= _needed(len(pages), edge, size, is_number=bool(is_number)):
                edge.line.role = role
        outermost = [e for e in edges if e.is_outermost and e.is_apart]
        if len(outermost) >= many and not _is_prose(outermost[0].line, size):
            for edge in outermost:
                edge.line.role = role
    for page in pages:
        by_height = sorted(page.lines, key=lambda line: line.y0)
        _keep_outer(by_height, "header")
        _keep_outer(by_height[::-1], "footer")
        _put_at_the_edges(page)


def _keep_outer(lines: list[PrintedLine], role: LineRole) -> None:
    """Take the role from lines that have body text between them and the edge of the page.

    Such a line repeats under one heading after another: "(in millions)".
    """
    is_inside = False
    for line in lines:
        if line.role != role:
            is_upright = line.x1 - line.x0 >= line.y1 - line.y0
            is_inside = is_inside or is_upright
        elif is_inside:
            line.role = "body"


def _put_at_the_edges(page: PrintedPage) -> None:
    """Read headers first and footers last, whichever column they stand in."""
    rank = {"header": 0, "footer": 2}
    order = sorted(page.lines, key=lambda line: rank.get(line.role, 1))
    if all(a is b for a, b in zip(order, page.lines, strict=True)):
        return
    block, before = 0, None
    for line in order:
        if before is None or line.block != before:
            block += 1
        before, line.block = line.block, block
    page.lines = order


def _keys(text: str, page: int) -> list[str]:
    """Return what a line must share with lines of other pages to be a running one.

    Its text; or its text but for a number that counts the pages. "Schedule 1", "Schedule 2" at
    the top of pages share neither: they are headings.
    """
    text = text.lower()[:100]
    keys = [text]
    for number in set(_DIGITS.findall(text)):
        if len(number) <= 6:
            keys.append(f"{_DIGITS.sub('#', text)} {int(number) - page}")
    return keys


def _mark_page_numbers(pages: list[PrintedPage]) -> None:
    """Mark bare numbers at the edge of the text that run on from page to page.

    Their height does not matter: in documents made from web pages the text ends anywhere.
    """
    found = [_bare_numbers(page) for page in pages]
    for i, numbers in enumerate(found):
        before = found[i - 1] if i else {}
        after = found[i + 1] if i + 1 < len(found) else {}
        for label, (role, line) in numbers.items():
            if step(label, 1) in after or step(label, -1) in before:
                line.role = role


def _bare_numbers(page: PrintedPage) -> dict[str, tuple[LineRole, PrintedLine]]:
    """Return the outermost lines of a page that are nothing but a page number, by label."""
    by_height = sorted(page.lines, key=lambda line: line.y0)
    numbers: dict[str, tuple[LineRole, PrintedLine]] = {}
    edges: tuple[tuple[LineRole, list[PrintedLine]], ...] = (
        ("header", by_height[:2]),
        ("footer", by_height[-2:]),
    )
    for role, lines in edges:
        for line in lines:
            if PAGE_NUMBER.fullmatch(line.text) and (label := _LABEL.search(line.text)):
                numbers[label.group(1)] = (role, line)
    return numbers


class _EdgeLine(NamedTuple):
    """A line at the edge of a page; apart when white space parts it from the body.

    The outermost line may be running wherever it stands: in documents made from web pages the
    text ends anywhere on the page.
    """

    page: int
    y0: float
    is_apart: bool
    is_outermost: bool
    line: PrintedLine


def _needed(n_pages: int, edge: _EdgeLine, size: float, *, is_number: bool) -> int:
    """Return on how many pages a line must repeat to be a running line."""
    if is_number:
        return 1 if n_pages == 1 and edge.is_apart else 2
    if edge.line.size >= HEADING_SIZE * size:
        return max(MIN_REPEATS, (2 * n_pages) // 3)
    if _is_prose(edge.line, size):
        return NEVER
    if edge.is_apart:
        return 2 if n_pages == 2 else MIN_REPEATS
    return NEVER


def _is_prose(line: PrintedLine, size: float) -> bool:
    """Return whether a line in the type of the body reads like a part of a sentence."""
    words = line.text.split()
    if line.size < SMALL_PRINT * size or len(words) < MIN_PROSE_WORDS:
        return False
    n_small = sum(1 for word in words if word[0].islower())
    return line.text[-1] in ".;:," or n_small >= 0.6 * len(words)


def _edge_lines(page: PrintedPage) -> list[tuple[LineRole, _EdgeLine]]:
    by_height = sorted(page.lines, key=lambda line: line.y0)
    top = [
        line for line in by_height[:EDGE_LINES] if line.y1 < EDGE_SHARE * page.height
    ] or by_height[:1]
    foot = (1 - EDGE_SHARE) * page.height
    bottom = [line for line in by_height[-EDGE_LINES:] if line.y0 > foot] or by_height[-1:]
    n_top = _n_apart(by_height)
    n_bottom = _n_apart(by_height[::-1])
    found: list[tuple[LineRole, _EdgeLine]] = []
    for i, line in enumerate(top):
        found.append(("header", _EdgeLine(page.page, line.y0, i < n_top, i == 0, line)))
    for i, line in enumerate(reversed(bottom)):
        found.append(("footer", _EdgeLine(page.page, line.y0, i < n_bottom, i == 0, line)))
    return found


def _n_apart(lines: list[PrintedLine]) -> int:
    """Return how many lines from the edge stand before the last gap or change of size."""
    n_apart = 0
    for i in range(min(EDGE_LINES, len(lines) - 1)):
        line, inner = lines[i], lines[i + 1]
        gap = max(inner.y0 - line.y1, line.y0 - inner.y1)
        is_other_size = abs(line.size - inner.size) > 0.08 * inner.size
        if gap > APART * (line.y1 - line.y0) or is_other_size:
            n_apart = i + 1
    return n_apart
