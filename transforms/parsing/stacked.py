"""Vertical writing that a file sets glyph by glyph: columns of characters, read from the right.

Fonts with a vertical writing mode say so themselves. Where each character is placed on its own
instead, nothing says it but the places: characters follow each other downwards without a gap.
"""

from collections import defaultdict

from transforms.parsing.hyphens import FIRST_CJK
from transforms.parsing.model import Fragment

MAX_CHARS = 3
"""Characters in a fragment that may be neighbouring columns; more are a horizontal line."""

MIN_GLYPHS = 20

MAX_PITCH = 1.4
"""From one character of a column to the next, in font sizes: rows of text are further apart."""

STACKED_SHARE = 0.7
"""Part of the text of a page that is stacked when the page is written vertically."""


def parted_columns(fragments: list[Fragment]) -> tuple[list[Fragment], list[Fragment]]:
    """Return the fragments that stay horizontal, and the columns of stacked characters."""
    if "".join([f.text for f in fragments[:60]]).isascii():
        return fragments, []
    kept: list[Fragment] = []
    glyphs: list[Fragment] = []
    for fragment in fragments:
        if len(fragment.text) <= MAX_CHARS and fragment.text > FIRST_CJK:
            glyphs.extend(_glyphs(fragment))
        else:
            kept.append(fragment)
    if len(glyphs) < max(MIN_GLYPHS, STACKED_SHARE * sum(len(f.text) for f in fragments)):
        return fragments, []
    columns = [column for line in _by_middle(glyphs) for column in _columns(line)]
    n_stacked = sum(len(column) for column in columns if len(column) > MAX_CHARS)
    if n_stacked < STACKED_SHARE * len(glyphs):
        return fragments, []
    return kept, [_joined(column) for column in columns]


def _glyphs(fragment: Fragment) -> list[Fragment]:
    """Return each character of a fragment; CJK characters are all as wide."""
    width = (fragment.x1 - fragment.x0) / len(fragment.text)
    return [
        fragment._replace(
            text=char, x0=fragment.x0 + i * width, x1=fragment.x0 + (i + 1) * width
        )
        for i, char in enumerate(fragment.text)
    ]  # fmt: skip


def _by_middle(glyphs: list[Fragment]) -> list[list[Fragment]]:
    """Return the characters that stand below each other, top to bottom."""
    lines: dict[int, list[Fragment]] = defaultdict(list)
    number, last = 0, float("-inf")
    for glyph in sorted(glyphs, key=_middle):
        if _middle(glyph) - last > 0.25 * glyph.size:
            number += 1
        last = _middle(glyph)
        lines[number].append(glyph)
    return [sorted(line, key=lambda glyph: glyph.baseline) for line in lines.values()]


def _middle(glyph: Fragment) -> float:
    return (glyph.x0 + glyph.x1) / 2


def _columns(line: list[Fragment]) -> list[list[Fragment]]:
    """Part a line of characters where white space is left between them."""
    columns = [[line[0]]]
    for glyph in line[1:]:
        if glyph.baseline - columns[-1][-1].baseline <= MAX_PITCH * glyph.size:
            columns[-1].append(glyph)
        else:
            columns.append([glyph])
    return columns


def _joined(column: list[Fragment]) -> Fragment:
    """Return a column as one fragment."""
    return column[0]._replace(
        text="".join(glyph.text for glyph in column),
        x0=min(glyph.x0 for glyph in column),
        y0=column[0].y0,
        x1=max(glyph.x1 for glyph in column),
        y1=column[-1].y1,
    )
