"""Correct spelling against the words of the corpus, never against a dictionary.

What the documents do not contain cannot be found, so a word that is close to one that they do
contain is most likely that one. Words of the corpus or of the vocabulary, common words, codes,
numbers, names in capitals and short words stay as they are.

The corpus is known by its index terms, which are stems. What is shown is a word: one of the
vocabulary, or the stem with an ending when that makes a more common word than what was typed. What
has neither stays as typed.
"""

import re
from collections.abc import Iterable, Mapping
from functools import lru_cache

from rapidfuzz import process
from rapidfuzz.distance import OSA

from transforms.questions.grammar.language import is_folded_stop_word
from transforms.questions.grammar.nouns import singular
from transforms.questions.lexicon.asking_words import (
    COMPARE_VERBS,
    DEFINE_VERBS,
    EXPLAIN_VERBS,
    LIST_VERBS,
    OVERVIEWS,
    QUOTE_VERBS,
    SHOW_VERBS,
)
from transforms.questions.lexicon.comparing_words import CHANGING_VERBS, COMPARATIVES, SUPERLATIVES
from transforms.questions.lexicon.document_words import DOCUMENT_NOUNS
from transforms.questions.lexicon.noun_kinds import NOUN_KINDS
from transforms.text import count_tokens, fold, terms

MIN_LETTERS = 5
"""Shorter words have too many neighbours one letter away."""
LETTERS_FOR_TWO = 8
"""From this length on, two letters may be wrong."""

_WORD = re.compile(r"(?<![\w.\-/])[^\W\d_]+(?![\w\-/])")
_KNOWN_NOUNS = frozenset(word for nouns in NOUN_KINDS.values() for word in nouns) | DOCUMENT_NOUNS
_ASKING_WORDS = frozenset().union(
    LIST_VERBS, SHOW_VERBS, EXPLAIN_VERBS, DEFINE_VERBS, COMPARE_VERBS, QUOTE_VERBS, OVERVIEWS,
    COMPARATIVES, SUPERLATIVES, CHANGING_VERBS,
)  # fmt: skip
"""Words that the cues read: whatever the corpus contains, these are meant."""
_ENDINGS: Mapping[str, tuple[str, ...]] = {
    "en": ("e", "y", "s", "es", "ed", "ing", "ion", "ions", "ity", "al", "er", "ment", "able",
           "ance", "ence", "ive", "ies"),
    "fr": ("e", "s", "es", "ion", "ions", "ité", "ement", "able", "ance"),
    "de": ("e", "en", "er", "es", "ung", "ungen", "keit"),
    "es": ("o", "a", "os", "as", "ión", "iones", "idad"),
}  # fmt: skip
"""What a stemmer takes off, most often."""


def corrected(
    text: str, language: str, corpus_terms: frozenset[str], spellings: Mapping[str, str]
) -> str:
    """Return the text with words that the corpus does not have replaced by their nearest there.

    `spellings` are well-spelt words, each with its index term.
    """
    if not corpus_terms:
        return text

    def replacement(match: re.Match[str]) -> str:
        word = match.group()
        meant = _meant(word, language, corpus_terms, spellings)
        is_name = word[0].isupper() and match.start() > 0 and language != "de"
        if meant is None or (is_name and meant not in spellings):
            return word
        return meant.capitalize() if word[0].isupper() else meant

    return _WORD.sub(replacement, text)


def _meant(
    word: str, language: str, corpus_terms: frozenset[str], spellings: Mapping[str, str]
) -> str | None:
    """Return the word of the corpus that is meant; null when it is fine or nothing is near."""
    if len(word) < MIN_LETTERS or word.isupper() or is_folded_stop_word(word, language):
        return None
    typed = word.lower()
    stems = terms(word, language)
    if len(stems) != 1 or stems[0] in corpus_terms or _is_well_spelt(typed, language):
        return None
    known_terms = frozenset(spellings.values())
    if stems[0] in known_terms:
        return None
    known = {known for known in _near(typed, spellings) if spellings[known] in corpus_terms}
    made = {
        made
        for term in _near(stems[0], corpus_terms)
        for made in _spelt(term, typed, stems[0], language)
        if _n_pieces(made) < _n_pieces(typed)
        and (made != term or made in spellings or term not in known_terms)
    }
    return min(known | made, key=lambda other: _unlikeness(typed, other, spellings), default=None)


def _is_well_spelt(typed: str, language: str) -> bool:
    """Return whether the word is one that people write: whole in the tokens of language models.

    A misspelt word is in pieces there; so are rare words, which may be corrected.
    """
    is_known = singular(typed, language) in _KNOWN_NOUNS or fold(typed) in _ASKING_WORDS
    return is_known or _n_pieces(typed) == 1


def _n_pieces(word: str) -> int:
    return count_tokens(f" {word}")


def _unlikeness(
    typed: str, other: str, spellings: Mapping[str, str]
) -> tuple[int | bool | str, ...]:
    """Return what orders candidates: letters that differ, known spelling, common word, ending."""
    n_wrong = OSA.distance(fold(typed), fold(other))
    return n_wrong, other not in spellings, _n_pieces(other), typed[-1] != other[-1], other


def _spelt(term: str, typed: str, stem: str, language: str) -> Iterable[str]:
    """Return the words that have the index term: with the ending as typed, and with common ones."""
    plain = fold(typed)
    n_shared = next((n for n, letter in enumerate(stem) if plain[n : n + 1] != letter), len(stem))
    words = [term + ending for ending in _ENDINGS[language]]
    if term.endswith(stem[n_shared:]):
        words.append(term[: len(term) - len(stem) + n_shared] + plain[n_shared:])
    return (word for word in words if terms(word, language) == [term])


def _near(word: str, others: Iterable[str]) -> list[str]:
    """Return what begins alike and differs in one letter, or in two when the word is long."""
    near = process.extract(
        word,
        _by_letter(frozenset(others)).get(word[0], ()),
        scorer=OSA.distance,
        score_cutoff=1 if len(word) < LETTERS_FOR_TWO else 2,
        limit=5,
    )
    return [other for other, _, _ in near]


@lru_cache(maxsize=8)
def _by_letter(words: frozenset[str]) -> dict[str, tuple[str, ...]]:
    """Return plain words by first letter, sorted: ties resolve the same always."""
    found: dict[str, list[str]] = {}
    for word in sorted(words):
        if word.isalpha():
            found.setdefault(word[0], []).append(word)
    return {letter: tuple(words) for letter, words in found.items()}
