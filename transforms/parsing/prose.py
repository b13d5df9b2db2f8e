"""Prose or cells: what tells two columns of text from two columns of a table."""

import re
from itertools import pairwise
from statistics import median

from transforms.parsing.model import Fragment

MIN_SIDE_LINES = 4
"""A column has at least this many lines; a side note, two."""

MIN_WORDS = 2.0
"""Median words of a fragment in a column of prose, but for bare numbers."""

MARGIN_SHARE = 0.35
"""Width of side notes against the text beside them, at most."""

SMALL_PRINT = 0.92

MIN_FILL = 0.8
"""How far a line of a column is filled, headings and last lines aside; cells differ more."""

SOME_FILL = 0.7
"""The same where lines of the two sides do not share their baselines."""

MIN_DENSITY = 0.5
"""Part of the steps from line to line that are no longer than usual."""

_LETTER = re.compile(r"[^\W\d_]")


def is_prose_pair(left: list[Fragment], right: list[Fragment], *, n_rules: int) -> bool:
    """Return whether two sides are columns of text, not cells of one table."""
    small, large = (left, right) if len(left) < len(right) else (right, left)
    if len(large) < MIN_SIDE_LINES or len(small) < 2:
        return False
    if _is_side_note(small, large):
        return True
    if not (_is_wordy(left) and _is_wordy(right)):
        return False
    if _aligned_share(small, large) < 0.5:
        return len(small) >= MIN_SIDE_LINES or _fill(large) > SOME_FILL
    if len(small) < MIN_SIDE_LINES or n_rules >= 2:
        return False
    is_even = len(small) >= 0.5 * len(large) or _height(small) < 0.6 * _height(large)
    fills = min(_fill(left), _fill(right))
    return is_even and fills > MIN_FILL and min(_density(left), _density(right)) > MIN_DENSITY


def _is_side_note(small: list[Fragment], large: list[Fragment]) -> bool:
    """Return whether one side is small print in a narrow margin beside prose."""
    return (
        _width(small) < MARGIN_SHARE * _width(large)
        and median(f.size for f in small) < SMALL_PRINT * median(f.size for f in large)
        and median(len(f.text) for f in large) > 40
        and not all(is_number(f.text) for f in small)
    )


def _width(side: list[Fragment]) -> float:
    return max(f.x1 for f in side) - min(f.x0 for f in side)


def _height(side: list[Fragment]) -> float:
    return max(f.y1 for f in side) - min(f.y0 for f in side)


def _is_wordy(side: list[Fragment]) -> bool:
    n_words = [f.text.count(" ") + 1 for f in side if not is_number(f.text)]
    if 2 * len(n_words) >= len(side) and median(n_words) >= MIN_WORDS:
        return True
    return median([sum(1 for c in f.text[:20] if c > "\u2e80") for f in side]) >= 6


def is_number(text: str) -> bool:
    return _LETTER.search(text) is None


def _aligned_share(small: list[Fragment], large: list[Fragment]) -> float:
    """Return the part of the smaller side's fragments that share a baseline with the other."""
    baselines = {round(f.baseline) for f in large}
    shared = sum(1 for f in small if {round(f.baseline) + d for d in (-1, 0, 1)} & baselines)
    return shared / len(small)


def _fill(side: list[Fragment]) -> float:
    """Return the width of most lines against that of the long ones: near 1 in prose.

    Numbers of clauses that stand on a line of their own are left out.
    """
    widths = sorted(f.x1 - f.x0 for f in side if not is_number(f.text))
    if not widths:
        return 0.0
    return widths[int(0.6 * len(widths))] / max(widths[int(0.85 * len(widths))], 1.0)


def _density(side: list[Fragment]) -> float:
    """Return the part of the steps from line to line that are no longer than usual."""
    baselines = sorted({round(f.baseline) for f in side})
    steps = [b - a for a, b in pairwise(baselines) if b - a > 2]
    if not steps:
        return 1.0
    usual = sorted(steps)[len(steps) // 3]
    return sum(1 for step in steps if step <= 1.7 * usual) / len(steps)
