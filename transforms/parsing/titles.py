"""Titles and their numbers: "5.4 Regularization" is number 5.4 and title Regularization."""

import re

from rapidfuzz import fuzz

from transforms.parsing.model import PrintedPage
from transforms.parsing.roles import NUMBERED

_NOT_ALNUM = re.compile(r"[\W_]+")
_KIND_WORD = re.compile(r"[a-zäéß§]{4,}", re.IGNORECASE)


TARGET_REACH = 12.0
"""Points between the target of a bookmark and the top of its heading."""


def squash(text: str) -> str:
    """Return letters and digits only, in lower case: what two printings of a title share."""
    return _NOT_ALNUM.sub("", text.lower())


def split_number(text: str, *, title: str | None = None) -> tuple[str | None, str]:
    """Return the number of a heading as printed, and the rest.

    A single letter or Roman number counts only before a dot or bracket, or when the rest is
    the title that is known already.
    """
    text = text.strip()
    match = NUMBERED.match(text)
    if match is None:
        return None, text
    number, rest = match["number"].strip(), (match["title"] or "").strip()
    if title is not None:
        return (number, rest) if squash(rest) == squash(title) else (None, text)
    if number.isalpha() and len(number) <= 4 and text[len(number) : len(number) + 1] not in ".):":
        return None, text
    if not rest:
        return (number, text) if _KIND_WORD.match(number) else (None, text)
    return number, rest


def find_title(page: PrintedPage, title: str, *, at: float | None = None) -> int | None:
    """Return the number of the line that prints a title, headings before other lines.

    Of lines that are nearly as like, the one at the height that a bookmark points to is taken.
    """
    wanted = squash(title)
    if not wanted:
        return None
    bare = squash(split_number(title)[1])
    best: tuple[float, int] | None = None
    if len(page.squashed) != len(page.lines):
        page.squashed = [squash(line.text) for line in page.lines]
    is_printed = wanted in page.squashed or bare in page.squashed
    for number, (line, printed) in enumerate(zip(page.lines, page.squashed, strict=True), start=1):
        is_target = at is not None and abs(line.y0 - at) <= TARGET_REACH
        if is_printed and printed not in (wanted, bare) and not is_target:
            continue
        score = _likeness(printed, wanted, bare)
        if score < 0.8:
            continue
        if line.role == "heading":
            score += 0.3
        elif line.role in ("header", "footer"):
            score -= 0.35
        if is_target:
            score += 0.2
        if best is None or score > best[0]:
            best = (score, number)
    return best[1] if best and best[0] >= 0.6 else None


def _likeness(printed: str, wanted: str, bare: str) -> float:
    """Return 1 for the title, less for a line that begins, ends or nearly is it."""
    if not printed:
        return 0.0
    if printed == wanted:
        return 1.0
    if printed == bare:
        return 0.98
    if printed.endswith(bare) and len(printed) - len(bare) <= 12:
        number = printed[: len(printed) - len(bare)]
        if number.isdigit() or len(bare) >= 4:
            return 0.97
    if len(wanted) >= 6 and printed.startswith(wanted):
        return 0.9 if len(printed) > 2 * len(wanted) else 0.95
    if len(printed) >= 10 and (wanted.startswith(printed) or bare.startswith(printed)):
        return 0.88
    if len(printed) > 6 and abs(len(printed) - len(wanted)) <= 6:
        return fuzz.ratio(printed, wanted) / 100 - 0.08
    return 0.0
