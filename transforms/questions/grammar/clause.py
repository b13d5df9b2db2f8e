"""Where in a question the question proper begins, and how its first words ask."""

from transforms.questions.lexicon.asking_words import (
    ASKS,
    COMPARE_VERBS,
    DEFINE_VERBS,
    EXPLAIN_VERBS,
    LIST_VERBS,
    NEEDS,
    POLITE,
    QUOTE_VERBS,
    SHOW_VERBS,
    WH_ASKS,
    Ask,
)
from transforms.questions.lexicon.function_words import (
    AUXILIARIES,
    DETERMINERS,
    PREPOSITIONS_BEFORE_ASK,
)
from transforms.text import word_set

_IMPERATIVES: tuple[tuple[frozenset[str], Ask], ...] = (
    (LIST_VERBS, "list"),
    (SHOW_VERBS, "show"),
    (EXPLAIN_VERBS, "explain"),
    (DEFINE_VERBS, "define"),
    (COMPARE_VERBS, "compare"),
    (QUOTE_VERBS, "quote"),
)
PARTICLES = {("down",), ("up",), ("out",)}
"""Belong to the verb before: "break down the costs", "set out the duties"."""
_POLITE = tuple(sorted((tuple(phrase.split()) for phrase in POLITE), key=len, reverse=True))
_NEEDS = tuple(sorted((tuple(phrase.split()) for phrase in NEEDS), key=len, reverse=True))
_ASKS: dict[str, tuple[tuple[tuple[str, ...], Ask], ...]] = {
    language: tuple(sorted(((tuple(phrase.split()), ask) for phrase, ask in rows),
                           key=lambda row: len(row[0]), reverse=True))
    for language, rows in ASKS.items()
}  # fmt: skip
_LOOKING = word_set("know see check confirm determine verify find out me us")
"""Before "if", these ask whether: "please check if assignment needs consent"."""
MIN_QUESTION_WORDS = 2
"""Words that follow where a question begins in the middle: "… or what?" asks nothing."""


def question_proper(words: tuple[str, ...], language: str) -> tuple[str, ...]:
    """Return the words from where the question begins.

    It begins at the first word, unless a phrase before a comma or colon ("In the endorsements, is
    …") or without one ("Across all filings which …") is followed by words that ask.
    """
    after_marks = [i + 1 for i, word in enumerate(words) if word in {",", ":", ";"}]
    starts = after_marks if _begins_condition(words, language) else (0, *after_marks)
    for start in starts:
        clause = _without_polite(words[start:], language)
        if how_it_asks(clause, language, is_question=False)[0] != "none":
            return clause
    for start in range(1, len(words) - MIN_QUESTION_WORDS):
        if (
            language == "en"
            and how_it_asks(words[start:], language, is_question=False)[0] in WH_ASKS
        ):
            return words[start:]
    return _without_polite(words, language)


def _begins_condition(words: tuple[str, ...], language: str) -> bool:
    """Return whether "when" or "where" begins a case and asks nothing: "where a party fails, …"."""
    first, following = (*words, "", "")[:2]
    is_verb = following in AUXILIARIES[language] or not following[:1].isalnum()
    if first in {"should", "sollte"}:
        asks = [how_it_asks(words[i + 1 :], language, is_question=False)[0]
                for i, word in enumerate(words) if word == ","]  # fmt: skip
        return not WH_ASKS.isdisjoint(asks)
    return first in {"when", "where", "quand", "cuando"} and not is_verb


def _without_polite(words: tuple[str, ...], language: str) -> tuple[str, ...]:
    """Return the words without "please", "can you tell me" and the like, while something asks."""
    for phrase in _POLITE:
        rest = words[len(phrase) :]
        if words[: len(phrase)] == phrase:
            shorter = _without_polite(rest, language)
            if rest[:1] == ("if",) and phrase[-1] in _LOOKING:
                return ("whether", *rest[1:])
            if how_it_asks(shorter, language, is_question=False)[0] != "none":
                return shorter
    for phrase in _NEEDS:
        rest = words[len(phrase) :]
        if words[: len(phrase)] == phrase and rest[:1] and rest[0] in DETERMINERS["en"]:
            return ("give", *rest)
    return words


def how_it_asks(words: tuple[str, ...], language: str, *, is_question: bool) -> tuple[Ask, int]:
    """Return how these words ask and how many of them do the asking."""
    skip = 0
    while skip < min(3, len(words)) and words[skip] in PREPOSITIONS_BEFORE_ASK:
        skip += 1
    for n_skipped in sorted({0, skip}):
        for phrase, ask in _ASKS[language]:
            if words[n_skipped : n_skipped + len(phrase)] == phrase:
                return ask, n_skipped + len(phrase)
    first = words[0] if words else ""
    for verbs, ask in _IMPERATIVES:
        if first in verbs:
            return ask, 2 if words[1:2] in PARTICLES else 1
    if first in AUXILIARIES[language] or (first and is_question and language != "en"):
        return "yes_no", 1
    return "none", 0
