"""Correct spelling against the words of the corpus, never against a dictionary.

What the documents do not contain cannot be found, so a word that is close to one that they do
contain is most likely that one. Known words, codes, numbers and short words stay as they are.
"""

import re

from rapidfuzz import process
from rapidfuzz.distance import OSA

from transforms.questions.language import is_folded_stop_word
from transforms.text import fold, has_digit, terms

MIN_LETTERS = 5
"""Shorter words have too many neighbours one letter away."""
LETTERS_FOR_TWO = 8
"""From this length on, two letters may be wrong."""

_WORD = re.compile(r"[^\W\d_]+(?:'[^\W\d_]+)?")


def corrected(text: str, language: str, corpus_terms: frozenset[str]) -> str:
    """Return the text with words that the corpus does not have replaced by their nearest there."""
    if not corpus_terms:
        return text

    def replacement(match: re.Match[str]) -> str:
        return _nearest(match.group(), language, corpus_terms) or match.group()

    return _WORD.sub(replacement, text)


def _nearest(word: str, language: str, corpus_terms: frozenset[str]) -> str | None:
    if len(word) < MIN_LETTERS or has_digit(word) or is_folded_stop_word(word, language):
        return None
    stems = terms(word, language)
    if len(stems) != 1 or stems[0] in corpus_terms:
        return None
    bound = 1 if len(word) < LETTERS_FOR_TWO else 2
    folded = fold(word)
    candidates = [
        (int(distance), term)
        for stem in {stems[0], folded}
        for term, distance, _ in process.extract(
            stem, _alike(stem, corpus_terms), scorer=OSA.distance, score_cutoff=bound, limit=5
        )
    ]
    return min(candidates)[1] if candidates else None


def _alike(word: str, corpus_terms: frozenset[str]) -> list[str]:
    """Return plain words that begin with the same letter, sorted: ties resolve the same always."""
    return sorted(
        term
        for term in corpus_terms
        if term[:1] == word[:1] and abs(len(term) - len(word)) <= 2 and term.isalpha()
    )
