"""Hyphens at the end of lines: soft ones part a word, real ones belong to it.

A soft one becomes U+00AD, which says so and prints alike: whoever joins lines drops it there and
keeps every other hyphen ("capabili-/ties" is capabilities, "price-/determining" is not).
"""

import re
from collections.abc import Iterator

from transforms.parsing.language import detect_language
from transforms.parsing.model import PrintedLine, PrintedPage
from transforms.text import count_tokens

SOFT = "\u00ad"
HYPHENS = frozenset("-\u2010")
FIRST_CJK = "\u2e80"
"""From here on, letters are written without spaces."""

_LAST = re.compile(r"([^\W\d_]{2,})[-\u2010]$")
_FIRST = re.compile(r"[^\W\d_]{2,}")
_WORDS = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)*")
_HYPHENATED = frozenset(("non", "self", "well"))
"""Beginnings that keep their hyphen before nearly every word."""

MIN_WORD_CHARS = 4
"""A shorter word is as often the end of another one: "pay-able", "re-fer"."""

COMPOUNDING = frozenset(("de", "nl", "sv", "da", "no", "nb", "nn", "fi", "hu"))
"""Languages that write compounds as one word: what goes on in lower case was one."""

_AND = frozenset(("and", "or", "to", "und", "oder", "bis", "et", "ou", "bzw"))


def mark_soft_hyphens(pages: list[PrintedPage]) -> None:
    """Turn the hyphens that only break a line into soft hyphens."""
    broken = [pair for pair in _neighbours(pages) if pair[0].text[-1] in HYPHENS]
    if not broken:
        return
    text = "\n".join([line.text for page in pages for line in page.lines])
    words = set(_WORDS.findall(text.lower()))
    is_compounding = detect_language(pages) in COMPOUNDING
    for line, after in broken:
        left, right = _LAST.search(line.text), _FIRST.match(after.text)
        if left is None or right is None:
            continue
        if is_compounding and f"{left[1]}-{right[0]}".lower() not in words:
            is_soft = right[0][0].islower() and right[0] not in _AND
        else:
            is_soft = _is_soft(left[1], right[0], words)
        if is_soft:
            line.text = line.text[:-1] + SOFT


def join_lines(texts: list[str], *, is_marked: bool = True) -> str:
    """Return lines as one text: soft hyphens are dropped, real ones keep their word together.

    Where soft hyphens are not marked yet, each pair of halves speaks for itself.
    """
    text = texts[0] if texts else ""
    for after in texts[1:]:
        left = _LAST.search(text[-40:]) if text[-1:] in HYPHENS else None
        right = _FIRST.match(after)
        if left and right:
            is_soft = not is_marked and _is_soft(left[1], right[0], set())
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
    knows the words of many languages: a word takes fewer tokens than its halves, and the end of
    a compound ("price-determining") is a word of its own.
    """
    if right[0].isupper() or right.lower() in _AND:
        return False
    joined = f"{left}{right}".lower()
    if joined in words:
        return True
    if f"{left}-{right}".lower() in words or left.lower() in _HYPHENATED:
        return False
    n_left, n_right = count_tokens(f" {left}"), count_tokens(f" {right}")
    if count_tokens(f" {left}{right}") < n_left + n_right:
        return True
    is_compound = n_right == 1 or right in words
    if len(right) < MIN_WORD_CHARS:
        is_compound = is_compound and (n_left == 1 or left.lower() in words)
    return not is_compound
