"""Find what is nearly a quote: where its pieces lie, then whether the two are alike."""

from bisect import bisect_left
from collections.abc import Iterator
from itertools import chain, pairwise
from statistics import median

from rapidfuzz.distance import Indel

from transforms.generation.edges import token_spans
from transforms.generation.folding import Folded
from transforms.generation.likeness import is_like

MIN_CHARACTERS = 24
"""Shorter quotes are too short to tell a misreading from another statement."""
_GRAM = 10
"""Characters in a row that show where a quote stands."""
_N_GRAMS = 100
"""Pieces of a quote that are looked for."""
_MOST_PLACES = 50
_CELL_GAP = "  "
"""Between the cells of a visual row."""
_MOST_STACKED = 4
"""Lines of a column heading, or above a stretch that begins inside one."""


def find_fuzzy(text: Folded, quote: Folded) -> tuple[int, int] | None:
    """Return the span in `text.raw` that is nearly the quote, or None."""
    if len(quote.skeleton) < MIN_CHARACTERS:
        return None
    near = _nearest_stretch(text, quote)
    span = near and _whole_words(text, *_trimmed(text, quote, near))
    if not span:
        return None
    for start in dict.fromkeys((span[0], *_line_starts(text.raw, span[0]))):
        found = text.raw[start : span[1]]
        if any(is_like(Folded(reading), quote) for reading in _readings(found)):
            return start, span[1]
    return None


def _nearest_stretch(text: Folded, quote: Folded) -> tuple[int, int] | None:
    """Return the skeleton stretch on which most pieces of the quote lie, in their order."""
    n_grams = len(quote.skeleton) - _GRAM + 1
    shifts = [
        (place - i, i)
        for i in range(0, n_grams, max(1, n_grams // _N_GRAMS))
        for place in _places(text.skeleton, quote.skeleton[i : i + _GRAM])
    ]
    if not shifts:
        return None
    slack = max(_GRAM, n_grams // 10)
    middle = _densest(sorted(shift for shift, _ in shifts), slack)
    near = sorted((i, shift) for shift, i in shifts if abs(shift - middle) <= slack)
    first, last = near[0], near[-1]
    return max(0, first[1]), min(len(text.skeleton), last[1] + len(quote.skeleton))


def _places(text: str, gram: str) -> Iterator[int]:
    """Yield the first places of a gram: one that stands in many places tells nothing."""
    place = -1
    for _ in range(_MOST_PLACES):
        place = text.find(gram, place + 1)
        if place < 0:
            return
        yield place


def _densest(shifts: list[int], slack: int) -> float:
    """Return the middle of the run of shifts, at most two slacks wide, that has most of them."""
    stops = [bisect_left(shifts, shift + 2 * slack) for shift in shifts]
    start = max(range(len(shifts)), key=lambda i: stops[i] - i)
    return median(shifts[start : stops[start]])


def _trimmed(text: Folded, quote: Folded, near: tuple[int, int]) -> tuple[int, int]:
    """Return the stretch without what stands before and after all that it shares with the quote."""
    start, end = near
    steps = Indel.opcodes(text.skeleton[start:end], quote.skeleton)
    equal = [step for step in steps if step.tag == "equal"]
    return start + equal[0].src_start, start + equal[-1].src_end


def _whole_words(text: Folded, start: int, end: int) -> tuple[int, int] | None:
    """Return the raw span of the words and numbers that begin and end nearest to the stretch."""
    first, last = text.origin[start], text.origin[end - 1] + 1
    line_start = text.raw.rfind("\n", 0, max(0, first - 1)) + 1
    line_end = text.raw.find("\n", last + 1)
    stretch = text.raw[line_start : line_end if line_end >= 0 else len(text.raw)]
    spans = [(a + line_start, b + line_start) for a, b in token_spans(stretch)]
    if not spans:
        return None
    left = min((a for a, _ in spans), key=lambda a: abs(a - first))
    right = min((b for _, b in spans), key=lambda b: abs(b - last))
    return (left, right) if left < right else None


def _line_starts(raw: str, place: int) -> Iterator[int]:
    """Yield where the line of a place begins, and the lines above it."""
    for _ in range(_MOST_STACKED):
        place = raw.rfind("\n", 0, place) + 1
        yield place
        place = max(0, place - 1)


def _readings(found: str) -> Iterator[str]:
    """Yield the text as read, then with one stack of cells read column by column.

    "Dec 2,  Dec 3," over "2022  2021" is read "Dec 2, 2022 Dec 3, 2021" as well.
    """
    yield found
    rows = [line.split(_CELL_GAP) for line in found.split("\n")]
    starts = [i + 1 for i, (row, below) in enumerate(pairwise(rows)) if len(row) != len(below)]
    for first, stop in pairwise((0, *starts, len(rows))):
        is_stack = len(rows[first]) > 1 and 1 < stop - first <= _MOST_STACKED
        if is_stack:
            turned = chain.from_iterable(zip(*rows[first:stop], strict=True))
            yield "\n".join(
                [*map(_CELL_GAP.join, rows[:first]), *turned, *map(_CELL_GAP.join, rows[stop:])]
            )
