"""Ligatures that a font maps to nothing: "bene\ufffdt" is benefit.

Letters are put back only where exactly one reading is a word of the document, or takes fewest
tokens of a language model; what stays unreadable is left as it is, and counts against the page.
"""

import re
from functools import cache
from itertools import product

from transforms.parsing.model import PrintedPage
from transforms.text import count_tokens

LIGATURES = ("ffi", "ffl", "ff", "fi", "fl", "ti", "tt", "ft", "Th")
MAX_GAPS = 2
_GAP = "\ufffd"
_BROKEN = re.compile("[^\\W_]*[\ufffd\x00][^\\W_]*(?:[\ufffd\x00][^\\W_]*)*")
_WORDS = re.compile(r"[^\W\d_]{3,}")


def mend_ligatures(pages: list[PrintedPage]) -> None:
    """Put letters back into words in which a font left a gap."""
    damaged = [
        line for page in pages for line in page.lines if _GAP in line.text or "\x00" in line.text
    ]
    if not damaged:
        return
    words = frozenset(
        word for page in pages for line in page.lines for word in _WORDS.findall(line.text.lower())
    )
    for line in damaged:
        line.text = _mended(line.text, words)
        line.cells = tuple(cell._replace(text=_mended(cell.text, words)) for cell in line.cells)


def _mended(text: str, words: frozenset[str]) -> str:
    return _BROKEN.sub(lambda match: _mended_word(match.group().replace("\x00", _GAP), words), text)


def _mended_word(broken: str, words: frozenset[str]) -> str:
    n_gaps = broken.count(_GAP)
    if n_gaps > MAX_GAPS or len(broken) < n_gaps + 2:
        return broken
    readings = _readings(broken)
    if known := [word for word in readings if word.lower() in words]:
        return known[0]
    ranked = sorted((count_tokens(f" {word}"), i) for i, word in enumerate(readings))
    if ranked[0][0] > 1 + len(broken) // 8:
        return broken
    return readings[ranked[0][1]]


@cache
def _readings(broken: str) -> tuple[str, ...]:
    """Return the word with every choice of ligatures, longer ligatures first."""
    pieces = broken.split(_GAP)
    readings: list[str] = []
    for choice in product(LIGATURES, repeat=len(pieces) - 1):
        word = pieces[0]
        for ligature, piece in zip(choice, pieces[1:], strict=True):
            word += ligature + piece
        readings.append(word)
    return tuple(readings)
