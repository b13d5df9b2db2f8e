"""The words to retrieve with, most informative first."""

import re

from transforms.questions.grammar.language import is_folded_stop_word
from transforms.questions.grammar.nouns import singular
from transforms.questions.grammar.reading import Reading
from transforms.questions.lexicon.asking_words import (
    COMPARE_VERBS,
    DEFINE_VERBS,
    EXPLAIN_VERBS,
    LIST_VERBS,
    POLITE,
    SHOW_VERBS,
)
from transforms.questions.lexicon.document_words import DOCUMENT_NOUNS
from transforms.text import fold, has_digit, word_set

_WORD = re.compile(r"\w+(?:[.,/&'’\-]\w+)*")
_ASKING_VERBS = SHOW_VERBS | EXPLAIN_VERBS | DEFINE_VERBS | COMPARE_VERBS | LIST_VERBS
_EMPTY = word_set("""
        name please tell know question answer answering response according following
        mention mentioned stated say says much many long often happen happens contain
        contains apply applies s'il plait pouvez-vous bitte favor y-a-t-il est-ce hoch
        viel viele lange gibt one ones
    """)
_POLITE_WORDS = frozenset(word for phrase in POLITE for word in phrase.split())


def keywords(text: str, reading: Reading, anchors: tuple[str, ...]) -> tuple[str, ...]:
    """Return the words of a text that carry meaning: anchors, noun phrase, then the rest.

    Stop words, asking words and verbs of asking are left out; what the document is called
    ("policy") comes last. Each word once, as it stands in the question.
    """
    anchor_words = {fold(word) for anchor in anchors for word in (anchor, *anchor.split())}
    phrase = set(reading.noun_phrase)
    ranked: dict[str, tuple[int, int, str]] = {}
    for match in _WORD.finditer(text):
        word = re.sub(r"['’]s$", "", match.group())
        word = re.sub(r"^(?:l|d|qu|n|s)['’]", "", word, flags=re.IGNORECASE)
        plain = fold(word)
        if _is_empty(plain, reading, keep=plain in anchor_words):
            continue
        ranked.setdefault(plain, (_rank(plain, anchor_words, phrase, reading), match.start(), word))
    return tuple(word for _, _, word in sorted(ranked.values()))


def _is_empty(word: str, reading: Reading, *, keep: bool) -> bool:
    if keep and not is_folded_stop_word(word, reading.language):
        return False
    if is_folded_stop_word(word, reading.language) or word in _EMPTY:
        return True
    is_first = bool(reading.clause) and word == reading.clause[0]
    return (is_first and word in _ASKING_VERBS) or (len(word) == 1 and not word.isdigit())


def _rank(word: str, anchor_words: set[str], phrase: set[str], reading: Reading) -> int:
    if singular(word, reading.language) in DOCUMENT_NOUNS and word not in anchor_words:
        return 4
    if word in anchor_words or has_digit(word):
        return 0
    if word in phrase:
        return 1
    return 3 if word in _POLITE_WORDS else 2
