"""Tell the language of a question by its function words."""

from transforms.questions.words import words
from transforms.text import STOP_WORDS, fold, tokens

# fmt: off
_ASKING_WORDS: dict[str, frozenset[str]] = {
    "en": words("""
        what who which when where how why list show give is are does do
    """),
    "fr": words("""
        quel quelle quels quelles qui quand combien comment pourquoi est-ce listez
        enumerez donnez
    """),
    "de": words("""
        was wer wie wann wo welche welcher welches warum nenne gib zeige
    """),
    "es": words("""
        cual cuales quien cuando cuanto cuanta cuantos donde como enumere indique
    """),
}
# fmt: on
_ASKING_WEIGHT = 2


def question_language(text: str) -> str:
    """Return en, fr, de or es; English when nothing speaks for another."""
    if "¿" in text:
        return "es"
    words = tokens(text)
    scores = {
        language: sum(word in STOP_WORDS[language] for word in words)
        + _ASKING_WEIGHT * sum(word in asking for word in words)
        for language, asking in _ASKING_WORDS.items()
    }
    return max(scores, key=lambda language: scores[language])


def is_folded_stop_word(word: str, language: str) -> bool:
    """Return whether a word, folded or not, is a stop word or an asking word."""
    plain = fold(word)
    return plain in STOP_WORDS[language] or plain in _ASKING_WORDS[language]
