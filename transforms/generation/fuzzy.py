"""Nearly a quote: at least 95 % alike, and alike in every number, negation and exception."""

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator
from statistics import median

from rapidfuzz import fuzz
from rapidfuzz.distance import Indel

from transforms.generation.edges import is_beside_digit, token_spans
from transforms.generation.folding import (
    Folded,
    fold_token,
    is_protected,
    numbers,
    protected_words,
)

MIN_SIMILARITY = 95.0
"""Percent of characters alike; below it a reading error cannot be told from another text."""
MIN_CHARACTERS = 24
"""Shorter quotes are too short to tell a misreading from another statement."""
_GRAM = 10
"""Characters in a row that show where a quote stands."""


def find_fuzzy(text: Folded, quote: Folded) -> tuple[int, int] | None:
    """Return the span in `text.raw` that is nearly the quote, or None.

    Words may differ in some letters, be missing or be too many, and may change places between
    two numbers, as the lines of a column heading do. Numbers with their signs and units,
    negations and exceptions have to be the same, in the same order.
    """
    if len(quote.skeleton) < MIN_CHARACTERS:
        return None
    near = _nearest_stretch(text, quote)
    if near is None:
        return None
    span = _whole_words(text, *near)
    if span is None:
        return None
    found = Folded(text.raw[slice(*span)])
    is_safe = numbers(found.raw) == numbers(quote.raw) and protected_words(
        found.raw
    ) == protected_words(quote.raw)
    return span if is_safe and (_is_alike(found, quote) or _is_reordered(found, quote)) else None


def _nearest_stretch(text: Folded, quote: Folded) -> tuple[int, int] | None:
    """Return the skeleton stretch on which most pieces of the quote lie, in their order."""
    n_grams = len(quote.skeleton) - _GRAM + 1
    wanted = {quote.skeleton[i : i + _GRAM]: i for i in range(n_grams)}
    shifts: list[tuple[int, int]] = []
    for place in range(len(text.skeleton) - _GRAM + 1):
        i = wanted.get(text.skeleton[place : place + _GRAM])
        if i is not None:
            shifts.append((place - i, i))
    if not shifts:
        return None
    slack = max(_GRAM, n_grams // 10)
    middle = _densest(sorted(shift for shift, _ in shifts), slack)
    near = sorted((i, shift) for shift, i in shifts if abs(shift - middle) <= slack)
    first, last = near[0], near[-1]
    return max(0, first[1]), min(len(text.skeleton), last[1] + len(quote.skeleton))


def _densest(shifts: list[int], slack: int) -> float:
    """Return the middle of the run of shifts, at most two slacks wide, that has most of them."""
    stops = [bisect_left(shifts, shift + 2 * slack) for shift in shifts]
    start = max(range(len(shifts)), key=lambda i: stops[i] - i)
    return median(shifts[start : stops[start]])


def _whole_words(text: Folded, start: int, end: int) -> tuple[int, int] | None:
    """Return the raw span of the words and numbers that begin and end nearest to the stretch."""
    origin = text.origin
    first, last = origin[start], origin[end - 1] + 1
    line_start = text.raw.rfind("\n", 0, max(0, first - 1)) + 1
    line_end = text.raw.find("\n", last + 1)
    stretch = text.raw[line_start : line_end if line_end >= 0 else len(text.raw)]
    spans = [(a + line_start, b + line_start) for a, b in token_spans(stretch)]
    if not spans:
        return None
    left = min((a for a, _ in spans), key=lambda a: abs(a - first))
    right = min((b for _, b in spans), key=lambda b: abs(b - last))
    return (left, right) if left < right else None


def _is_alike(found: Folded, quote: Folded) -> bool:
    if fuzz.ratio(found.skeleton, quote.skeleton) < MIN_SIMILARITY:
        return False
    return not any(
        is_beside_digit(side.skeleton, place) for side, place in _edited_places(found, quote)
    )


def _edited_places(found: Folded, quote: Folded) -> Iterator[tuple[Folded, int]]:
    """Yield the places that one text has and the other has not."""
    for step in Indel.opcodes(found.skeleton, quote.skeleton):
        if step.tag != "equal":
            yield from ((found, place) for place in range(step.src_start, step.src_end))
            yield from ((quote, place) for place in range(step.dest_start, step.dest_end))


def _is_reordered(found: Folded, quote: Folded) -> bool:
    """Tell whether the same words stand between the same numbers, in another order.

    Where a negation or an exception stands between two numbers the order counts.
    """
    n_alike = n_all = 0
    for stretch, other in zip(_between_numbers(found), _between_numbers(quote), strict=True):
        if stretch != other and any(map(is_protected, (*stretch, *other))):
            return False
        shared = Counter(stretch) & Counter(other)
        n_alike += 2 * sum(len(word) * n for word, n in shared.items())
        n_all += sum(map(len, (*stretch, *other)))
    return n_all > 0 and 100 * n_alike / n_all >= MIN_SIMILARITY


def _between_numbers(text: Folded) -> list[list[str]]:
    stretches: list[list[str]] = [[]]
    for start, end in token_spans(text.raw):
        token = fold_token(text.raw[start:end])
        if any(character.isdigit() for character in token):
            stretches.append([])
        else:
            stretches[-1].append(token)
    return stretches
