"""Whether two texts are nearly the same: 95 % alike, and alike in all that must not differ."""

from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

from rapidfuzz import fuzz
from rapidfuzz.distance import Indel

from transforms.generation.edges import is_numeric, token_spans
from transforms.generation.folding import (
    Folded,
    fold_token,
    is_protected,
    protected_words,
    words,
)
from transforms.generation.numerals import ARTICLES, WORDS
from transforms.text import word_set

MIN_SIMILARITY = 95.0
"""Percent of characters alike; below it a reading error cannot be told from another text."""
_SHORTEST_MOVE = 8
"""Characters that make a stretch the same one in two places, and not by chance."""
_OPPOSITES = word_set("un in im il ir dis mis non non- a")
"""What turns a word round when it is put before it."""
_NUMBER_WORDS = frozenset().union(*WORDS.values()) - ARTICLES | word_set("hundreds thousands")


def is_like(found: Folded, quote: Folded) -> bool:
    """Tell whether a text is nearly the quote.

    Words may differ in some letters, be missing or be too many, or else change places between
    two numbers, as the lines of a column heading do. Numbers with their signs and units,
    negations and exceptions have to be the same, in the same order; so have numbers in words and
    scales, in any order, and no word may be the opposite of what it was.
    """
    if found.digits != quote.digits or found.numbers != quote.numbers:
        return False
    if protected_words(found.raw) != protected_words(quote.raw):
        return False
    if _number_words(found.raw) != _number_words(quote.raw) or _has_opposites(found.raw, quote.raw):
        return False
    return _is_edited(found, quote) or _is_reordered(found, quote)


def _number_words(text: str) -> Counter[str]:
    """Return the numbers in words and the scales of a text ("two", "twenty-five", "million")."""
    return Counter(
        part for word in words(text) for part in word.split("-") if part in _NUMBER_WORDS
    )


def _has_opposites(text: str, other: str) -> bool:
    """Tell whether one text has a word where the other has its opposite: limited, unlimited."""
    mine, theirs = Counter(words(text)), Counter(words(other))
    only_mine, only_theirs = mine - theirs, theirs - mine
    return any(
        prefix + word in turned
        for plain, turned in ((only_mine, only_theirs), (only_theirs, only_mine))
        for word in plain
        for prefix in _OPPOSITES
    )


def _is_edited(found: Folded, quote: Folded) -> bool:
    if fuzz.ratio(found.skeleton, quote.skeleton) < MIN_SIMILARITY:
        return False
    edits = list(_edits(found, quote))
    deleted = {edit.said: edit for edit in edits if edit.text is found}
    inserted = {edit.said: edit for edit in edits if edit.text is quote}
    moved = {
        said
        for said in deleted.keys() & inserted.keys()
        if len(said) >= _SHORTEST_MOVE and not _jumps_number(deleted[said], inserted[said].place)
    }
    return all(edit.said in moved or _is_harmless(edit) for edit in edits)


class _Edit(NamedTuple):
    """A skeleton stretch that one text has and the other has not, at a place of the one found."""

    text: Folded
    start: int
    end: int
    place: int

    @property
    def said(self) -> str:
        return self.text.skeleton[self.start : self.end]


def _edits(found: Folded, quote: Folded) -> Iterator[_Edit]:
    for step in Indel.opcodes(found.skeleton, quote.skeleton):
        if step.src_start < step.src_end and step.tag != "equal":
            yield _Edit(found, step.src_start, step.src_end, step.src_start)
        if step.dest_start < step.dest_end and step.tag != "equal":
            yield _Edit(quote, step.dest_start, step.dest_end, step.src_start)


def _jumps_number(deleted: _Edit, place: int) -> bool:
    """Tell whether a stretch was moved over a number: numbers would change their order then."""
    first, last = (place, deleted.start) if place < deleted.start else (deleted.end, place)
    return any(character.isdigit() for character in deleted.text.skeleton[first:last])


def _is_harmless(edit: _Edit) -> bool:
    """Tell whether an edit leaves numbers alone and makes no word its opposite."""
    if edit.said.lower() in _OPPOSITES:
        return False
    return not any(_is_numeric(edit.text, place) for place in range(edit.start, edit.end))


def _is_numeric(text: Folded, place: int) -> bool:
    return is_numeric(text.skeleton, place) and not _is_long_dash(text, place)


def _is_long_dash(text: Folded, place: int) -> bool:
    """Tell whether a character is a long dash by itself, as tables print for nothing, or between
    words, and so no sign."""
    before, dash, after = f" {text.raw} "[text.origin[place] : text.origin[place] + 3]
    return (dash in "–—" and before.isspace() and after.isspace()) or (
        dash == "—" and not before.isspace()
    )


def _is_reordered(found: Folded, quote: Folded) -> bool:
    """Tell whether the very same words stand between the same numbers, in another order.

    Where a negation or an exception stands between two numbers the order counts.
    """
    if _numeric_characters(found) != _numeric_characters(quote):
        return False
    return all(
        stretch == other
        or (Counter(stretch) == Counter(other) and not any(map(is_protected, stretch)))
        for stretch, other in zip(_between_numbers(found), _between_numbers(quote), strict=False)
    )


def _numeric_characters(text: Folded) -> list[str]:
    return [c for place, c in enumerate(text.skeleton) if _is_numeric(text, place)]


def _between_numbers(text: Folded) -> list[list[str]]:
    stretches: list[list[str]] = [[]]
    for start, end in token_spans(text.raw):
        token = fold_token(text.raw[start:end])
        if any(character.isdigit() for character in token):
            stretches.append([])
        else:
            stretches[-1].append(token)
    return stretches
