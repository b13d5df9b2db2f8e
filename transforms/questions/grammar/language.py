"""Tell the language of a question by its function words."""

from transforms.text import STOP_WORDS, fold, tokens, word_set

# fmt: off
_ASKING_WORDS: dict[str, frozenset[str]] = {
    "en": word_set("""
        what who which when where how why list show give is are does do
    """),
    "fr": word_set("""
        quel quelle quels quelles qui quand combien comment pourquoi est-ce listez
        enumerez donnez
    """),
    "de": word_set("""
        wer wie wann wo welche welcher welches warum nenne gib zeige
        steht sagt besagt regelt lautet betragt
    """),
    "es": word_set("""
        cual cuales quien cuando cuanto cuanta cuantos donde como enumere indique
    """),
}
# fmt: on
_WORDS = {language: STOP_WORDS[language] | asking for language, asking in _ASKING_WORDS.items()}


def question_language(text: str) -> str:
    """Return en, fr, de or es; English when nothing speaks for another.

    A word that several languages share ("was", "de") speaks for each of them in part.
    """
    if "¿" in text:
        return "es"
    scores = dict.fromkeys(_WORDS, 0.0)
    for word in tokens(text):
        speaks_for = [language for language, known in _WORDS.items() if word in known]
        for language in speaks_for:
            scores[language] += 1 / len(speaks_for)
    return max(scores, key=lambda language: scores[language])


def is_folded_stop_word(word: str, language: str) -> bool:
    """Return whether a word, folded or not, is a stop word or an asking word."""
    plain = fold(word)
    return plain in STOP_WORDS[language] or plain in _ASKING_WORDS[language]
