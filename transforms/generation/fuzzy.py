"""Nearly a quote: at least 95 % alike, and alike in every number and negation."""

from rapidfuzz import fuzz
from rapidfuzz.distance import Indel

from transforms.generation.edges import token_spans
from transforms.generation.folding import EXCEPTIONS, fold_token, is_negation, words

MIN_SIMILARITY = 95.0
"""Percent of characters alike; below it a reading error cannot be told from another text."""
MIN_WORDS = 5
"""Fewer words are too few to tell a misreading from another statement."""
_MISS = 0.6
"""What a word of the document that is not in the quote weighs against one that is."""


def find_fuzzy(raw: str, quote: str) -> tuple[int, int] | None:
    """Return the span of the text that is nearly the quote, or None.

    Words may differ in some letters, be missing or be too many; numbers with their signs and
    units, negations and exceptions may not.
    """
    spans = token_spans(raw)
    tokens = [fold_token(raw[start:end]) for start, end in spans]
    wanted = [fold_token(quote[start:end]) for start, end in token_spans(quote)]
    if len(wanted) < MIN_WORDS:
        return None
    stretch = _densest_stretch(tokens, wanted)
    if stretch is None:
        return None
    first, last = stretch
    found = tokens[first : last + 1]
    if fuzz.ratio(" ".join(found), " ".join(wanted)) < MIN_SIMILARITY:
        return None
    if any(_is_protected(token) for token in _edited(found, wanted)):
        return None
    return spans[first][0], spans[last][1]


def _densest_stretch(tokens: list[str], wanted: list[str]) -> tuple[int, int] | None:
    """Return first and last token of the stretch that shares most with the quote, in order."""
    matched: set[int] = set()
    for step in Indel.opcodes(tokens, wanted):
        if step.tag == "equal":
            matched.update(range(step.src_start, step.src_end))
    best, best_range, score, first = 0.0, None, 0.0, 0
    for i in range(len(tokens)):
        if score <= 0:
            score, first = 0.0, i
        score += 1.0 if i in matched else -_MISS
        if score > best:
            best, best_range = score, (first, i)
    return best_range


def _edited(found: list[str], wanted: list[str]) -> list[str]:
    """Return the tokens that one of the two has and the other has not, at their place."""
    edited: list[str] = []
    for step in Indel.opcodes(found, wanted):
        if step.tag != "equal":
            edited += found[step.src_start : step.src_end]
            edited += wanted[step.dest_start : step.dest_end]
    return edited


def _is_protected(token: str) -> bool:
    if any(character.isdigit() for character in token):
        return True
    return any(is_negation(word) or word in EXCEPTIONS for word in words(token) or [token])
