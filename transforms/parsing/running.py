"""Running headers, footers and page numbers: what repeats at one height at the edge of pages.

A sentence of the body that happens to repeat keeps its role: it does not stand at the same height
at the edge of page after page.
"""

import re
from collections import defaultdict
from typing import NamedTuple

from transforms.parsing.model import PrintedLine, PrintedPage
from transforms.values import LineRole

EDGE_LINES = 4
"""Lines at the top and at the bottom of a page that can be running ones."""

EDGE_SHARE = 0.14
"""Part of the page height at each edge where running lines stand."""

MIN_REPEATS = 3

SAME_HEIGHT = 6.0
"""Points."""

APART = 0.7
"""White space between a running line and the body, in line heights."""

PAGE_NUMBER = re.compile(
    r"(?:(?:page|seite|p\.|pg\.?)\s*)?[-–—|\[(]*\s*(?:[A-Z]{1,2}[-–.]?)?(?:\d{1,4}|[ivxlc]{1,7})"
    r"\s*(?:(?:/|of|von|sur|de)\s*\d{1,4})?\s*[-–—|\])]*\.?",
    re.IGNORECASE,
)
_DIGITS = re.compile(r"\d+|\b[ivxlc]+\b")


def mark_running_lines(pages: list[PrintedPage]) -> None:
    """Give the role header or footer to running lines."""
    seen: dict[tuple[LineRole, str], list[_EdgeLine]] = defaultdict(list)
    for page in pages:
        for role, edge in _edge_lines(page):
            key = _DIGITS.sub("#", edge.line.text.lower())[:80]
            seen[role, key].append(edge)
    for (role, key), edges in seen.items():
        is_number = bool(PAGE_NUMBER.fullmatch(edges[0].line.text)) or key.startswith("page #")
        for edge in edges:
            peers = {other.page for other in edges if abs(other.y0 - edge.y0) <= SAME_HEIGHT}
            if len(peers) >= _needed(len(pages), edge, is_number=is_number):
                edge.line.role = role


class _EdgeLine(NamedTuple):
    """A line at the edge of a page; apart when white space parts it from the body."""

    page: int
    y0: float
    is_apart: bool
    line: PrintedLine


def _needed(n_pages: int, edge: _EdgeLine, *, is_number: bool) -> int:
    """Return on how many pages a line must repeat to be a running line."""
    if is_number:
        return 1 if n_pages == 1 else 2
    if edge.is_apart:
        return 2 if n_pages == 2 else MIN_REPEATS
    return max(MIN_REPEATS + 1, (2 * n_pages) // 3)


def _edge_lines(page: PrintedPage) -> list[tuple[LineRole, _EdgeLine]]:
    by_height = sorted(page.lines, key=lambda line: line.y0)
    foot = (1 - EDGE_SHARE) * page.height
    top = [line for line in by_height[: EDGE_LINES + 1] if line.y1 < EDGE_SHARE * page.height]
    bottom = [line for line in by_height[-EDGE_LINES - 1 :] if line.y0 > foot]
    n_top = _n_apart([line.y0 for line in by_height], [line.y1 for line in by_height])
    n_bottom = _n_apart(
        [-line.y1 for line in reversed(by_height)], [-line.y0 for line in reversed(by_height)]
    )
    found: list[tuple[LineRole, _EdgeLine]] = []
    for i, line in enumerate(top[:EDGE_LINES]):
        found.append(("header", _EdgeLine(page.page, line.y0, i < n_top, line)))
    for i, line in enumerate(reversed(bottom[-EDGE_LINES:])):
        found.append(("footer", _EdgeLine(page.page, line.y0, i < n_bottom, line)))
    return found


def _n_apart(starts: list[float], ends: list[float]) -> int:
    """Return how many lines from the edge stand before the last gap among the edge lines."""
    n_apart = 0
    for i in range(min(EDGE_LINES, len(starts) - 1)):
        if starts[i + 1] - ends[i] > APART * (ends[i] - starts[i]):
            n_apart = i + 1
    return n_apart
