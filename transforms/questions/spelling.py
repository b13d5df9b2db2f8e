"""Correct spelling against the words of the corpus, never against a dictionary.

What the documents do not contain cannot be found, so a word that is close to one that they do
contain is most likely that one. Words of the corpus or of the vocabulary, codes, numbers, names in
capitals and short words stay as they are.
"""

import re
from collections.abc import Mapping
from functools import lru_cache

from rapidfuzz import process
from rapidfuzz.distance import OSA

from transforms.questions.language import is_folded_stop_word
from transforms.questions.lexicon import HEADS
from transforms.text import terms

MIN_LETTERS = 5
"""Shorter words have too many neighbours one letter away."""
LETTERS_FOR_TWO = 8
"""From this length of the stem on, two letters may be wrong."""

_WORD = re.compile(r"(?<![\w.\-/])[^\W\d_]+(?![\w\-/])")
_KNOWN_NOUNS = frozenset(word for nouns in HEADS.values() for word in nouns)


def corrected(
    text: str,
    language: str,
    corpus_terms: frozenset[str],
    known_words: Mapping[str, str],
) -> str:
    """Return the text with words that the corpus does not have replaced by their nearest there.

    `known_words` gives a well-spelt word for an index term; what has none is written as the term.
    """
    if not corpus_terms:
        return text

    def replacement(match: re.Match[str]) -> str:
        word = match.group()
        term = _nearest(word, language, corpus_terms, known_words)
        return word if term is None else known_words.get(term, term)

    return _WORD.sub(replacement, text)


def _nearest(
    word: str, language: str, corpus_terms: frozenset[str], known_words: Mapping[str, str]
) -> str | None:
    """Return the term of the corpus that is meant; null when it is fine or nothing is near."""
    if len(word) < MIN_LETTERS or word.isupper() or is_folded_stop_word(word, language):
        return None
    stems = terms(word, language)
    if len(stems) != 1 or stems[0] in corpus_terms or stems[0] in known_words:
        return None
    if word.casefold() in _KNOWN_NOUNS:
        return None
    bound = 1 if len(stems[0]) < LETTERS_FOR_TWO else 2
    near = process.extract(
        stems[0],
        _by_letter(corpus_terms).get(stems[0][0], ()),
        scorer=OSA.distance,
        score_cutoff=bound,
        limit=5,
    )
    ranked = [
        (distance, OSA.distance(word.casefold(), known_words.get(term, term)), term)
        for term, distance, _ in near
    ]
    return min(ranked)[2] if ranked else None


@lru_cache(maxsize=2)
def _by_letter(corpus_terms: frozenset[str]) -> dict[str, tuple[str, ...]]:
    """Return plain words by first letter, sorted: ties resolve the same always."""
    found: dict[str, list[str]] = {}
    for term in sorted(corpus_terms):
        if term.isalpha():
            found.setdefault(term[0], []).append(term)
    return {letter: tuple(words) for letter, words in found.items()}
