"""Hyphens at the end of lines: soft ones part a word, real ones belong to it.

A soft one becomes U+00AD, which says so and prints alike: whoever joins lines drops it there and
keeps every other hyphen ("capabili-/ties" is capabilities, "price-/determining" is not).
"""

import re
from collections.abc import Iterator

from transforms.parsing.model import PrintedLine, PrintedPage
from transforms.text import count_tokens

SOFT = "\u00ad"
HYPHENS = frozenset("-\u2010")
FIRST_CJK = "\u2e80"
"""From here on, letters are written without spaces."""

_LAST = re.compile(r"([^\W\d_]{2,})[-\u2010]$")
_FIRST = re.compile(r"[^\W\d_]{2,}")
_WORDS = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)*")
_AND = frozenset(("and", "or", "to", "und", "oder", "bis", "et", "ou", "bzw"))


def mark_soft_hyphens(pages: list[PrintedPage]) -> None:
    """Turn the hyphens that only break a line into soft hyphens."""
    broken = [pair for pair in _neighbours(pages) if pair[0].text[-1] in HYPHENS]
    if not broken:
        return
    text = "\n".join([line.text for page in pages for line in page.lines])
    words = set(_WORDS.findall(text.lower()))
    for line, after in broken:
        left, right = _LAST.search(line.text), _FIRST.match(after.text)
        if left and right and _is_soft(left[1], right[0], words):
            line.text = line.text[:-1] + SOFT


def join_lines(texts: list[str]) -> str:
    """Return lines as one text: soft hyphens are dropped, real ones keep their word together."""
    text = texts[0] if texts else ""
    for after in texts[1:]:
        left = _LAST.search(text[-40:]) if text[-1:] in HYPHENS else None
        right = _FIRST.match(after)
        if left and right:
            is_soft = _is_soft(left[1], right[0], set())
            text = f"{text[:-1] if is_soft else text}{after}"
        elif text.endswith(SOFT):
            text = f"{text[:-1]}{after}"
        elif text[-1:] > FIRST_CJK and after[:1] > FIRST_CJK:
            text = f"{text}{after}"
        else:
            text = f"{text} {after}"
    return text


def _neighbours(pages: list[PrintedPage]) -> Iterator[tuple[PrintedLine, PrintedLine]]:
    """Return each line with the line that is read after it, running lines left out."""
    before: PrintedLine | None = None
    for page in pages:
        for line in page.lines:
            if line.role in ("header", "footer"):
                continue
            if before is not None:
                yield before, line
            before = line


def _is_soft(left: str, right: str, words: set[str]) -> bool:
    """Return whether two halves are one word.

    What stands elsewhere in the document decides; else the tokens of a language model, which
    knows the words of many languages: a word takes fewer tokens than its halves.
    """
    if right[0].isupper() or right.lower() in _AND:
        return False
    joined = f"{left}{right}".lower()
    if joined in words:
        return True
    if f"{left}-{right}".lower() in words:
        return False
    n_halves = count_tokens(f" {left}") + count_tokens(f" {right}")
    return count_tokens(f" {left}{right}") < n_halves or not {left.lower(), right} <= words | {
        half for half in (left.lower(), right) if count_tokens(f" {half}") == 1
    }
