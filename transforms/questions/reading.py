"""Read a question once: how it asks, its head noun, number, and what its words are.

The cues (`cues.py`) look at a `Reading` and never at the text itself.
"""

import re
from functools import cached_property

from pydantic import BaseModel, ConfigDict

from transforms.questions.asking import (
    ASKS,
    AUXILIARIES,
    COPULAS,
    DETERMINERS,
    OF,
    PHRASE_ENDS,
    POLITE,
    PREPOSITIONS_BEFORE_ASK,
    VERBS_OF_SUBJECT,
    WH_ASKS,
    Ask,
)
from transforms.questions.lexicon import (
    CHANGE_NOUNS,
    COMPARE_VERBS,
    DEFINE_VERBS,
    EXPLAIN_VERBS,
    LIST_VERBS,
    QUOTE_VERBS,
    SHOW_VERBS,
    TRANSPARENT_HEADS,
)
from transforms.questions.words import words
from transforms.text import fold

_WORD = re.compile(r"[^\s,;:?!¿¡()\"]+|[,;:?!]")
_POSSESSIVE = re.compile(r"'s?$")
_PARTICIPLES = re.compile(r".{3,}(?:ed|able|ible|ing)$")
_VERBS_AFTER_HEAD = words("""
        apply applies govern governs exist exists remain remains happen happens cover
        covers contain contains include includes require requires arise arises qualify
        qualifies participate participates provide provides receive receives appear
        appears result results interact interacts own owns pay pays use uses collect
        collects process processes sign signs
    """)
_NON_HEADS = words("""
        available payable due allowed open such
    """)
_IMPERATIVES: tuple[tuple[frozenset[str], Ask], ...] = (
    (LIST_VERBS, "list"),
    (SHOW_VERBS, "show"),
    (EXPLAIN_VERBS, "explain"),
    (DEFINE_VERBS, "define"),
    (COMPARE_VERBS, "compare"),
    (QUOTE_VERBS, "quote"),
)


class Reading(BaseModel):
    """A single question (no parts) as its cues see it: folded words and what they show."""

    model_config = ConfigDict(frozen=True)

    text: str
    language: str

    @cached_property
    def folded(self) -> str:
        """Return the whole text folded, single-spaced."""
        return " ".join(fold(self.text).split())

    @cached_property
    def words(self) -> tuple[str, ...]:
        """Return folded words and punctuation, in order."""
        return tuple(_WORD.findall(self.folded))

    @cached_property
    def clause(self) -> tuple[str, ...]:
        """Return the words of the question proper, without what stands politely before it."""
        return _question_proper(self.words, self.language)

    @cached_property
    def ask(self) -> Ask:
        """Return how the question asks."""
        return _ask(self.clause, self.language, is_question="?" in self.words)[0]

    @cached_property
    def after_ask(self) -> tuple[str, ...]:
        """Return the words of the clause that follow the asking words."""
        return self.clause[_ask(self.clause, self.language, is_question="?" in self.words)[1] :]

    @cached_property
    def noun_phrase(self) -> tuple[str, ...]:
        """Return the words of the noun phrase that is asked for, without determiners."""
        start, end = self._span
        return _bare(self.after_ask[start:end])

    @cached_property
    def complement(self) -> tuple[str, ...]:
        """Return what follows the noun phrase: "of the supplier", "in fiscal 2022"."""
        return self.after_ask[self._span[1] :]

    @cached_property
    def head_word(self) -> str:
        """Return the head noun of the noun phrase as it stands; empty when there is none."""
        return _head(self.noun_phrase, self.language)

    @cached_property
    def head(self) -> str:
        """Return the head noun in the singular."""
        return singular(self.head_word, self.language)

    @cached_property
    def modifiers(self) -> tuple[str, ...]:
        """Return the words of the noun phrase beside its head."""
        return tuple(word for word in self.noun_phrase if word != self.head_word)

    @cached_property
    def value_noun(self) -> str:
        """Return the noun that tells the type of the answer, as it stands.

        It is the head, unless the head only measures or gathers ("level of the deductible",
        "hierarchy of functions"): then it is the noun that follows, or else the one before.
        """
        joined_by = self.complement[0] if self.complement else ""
        if self.head not in TRANSPARENT_HEADS and not (
            self.head in CHANGE_NOUNS and joined_by == "in"
        ):
            return self.head_word
        if joined_by in OF[self.language] or joined_by == "in":
            start, end = _noun_span(self.complement[1:], self.language)
            return _head(_bare(self.complement[1:][start:end]), self.language) or self.head_word
        return self.modifiers[-1] if self.modifiers else self.head_word

    @cached_property
    def _span(self) -> tuple[int, int]:
        """Return where the noun phrase begins and ends in `after_ask`."""
        subject_is_missing = self.ask in {"what", "who"} and self.after_ask[:1] != ()
        if subject_is_missing and _is_verb(self.after_ask):
            return 0, 0
        return _noun_span(self.after_ask, self.language)

    @cached_property
    def is_plural(self) -> bool:
        """Return whether several things are asked for."""
        return _is_plural(self)

    def says(self, *phrases: str) -> bool:
        """Return whether any of the phrases stands in the text, on word boundaries."""
        padded = f" {' '.join(self.words)} "
        return any(f" {phrase} " in padded for phrase in phrases)

    def uses(self, vocabulary: frozenset[str]) -> bool:
        """Return whether any word of the clause is in the set."""
        return any(word in vocabulary for word in self.clause)


def singular(word: str, language: str) -> str:
    """Return a noun in the singular, by the common endings only."""
    if language == "de" or len(word) < 4:
        return word
    if language == "en" and word.endswith("ies"):
        return f"{word[:-3]}y"
    if language == "en" and word.endswith(("sses", "xes", "ches", "shes")):
        return word[:-2]
    if language == "es" and word.endswith("es") and len(word) > 5:
        return word[:-2] if word[-3] not in "aeiou" else word[:-1]
    if looks_plural(word):
        return word[:-1]
    return {"criteria": "criterion", "people": "person"}.get(word, word)


def looks_plural(word: str) -> bool:
    """Return whether an English word has a plural ending."""
    return word in {"criteria", "people", "children", "media"} or (
        len(word) > 3 and word.endswith("s") and not word.endswith(("ss", "us", "is", "'s"))
    )


def _question_proper(words: tuple[str, ...], language: str) -> tuple[str, ...]:
    """Return the words from where the question begins.

    It begins at the first word, unless a phrase before a comma or colon ("In the endorsements, is
    …") is followed by words that ask.
    """
    starts = [0, *(i + 1 for i, word in enumerate(words) if word in {",", ":", ";"})]
    for start in starts:
        clause = _without_polite(words[start:], language)
        if _ask(clause, language, is_question=False)[0] != "none":
            return clause
    return _without_polite(words, language)


def _without_polite(words: tuple[str, ...], language: str) -> tuple[str, ...]:
    changed = True
    while changed and words:
        changed = False
        for phrase in sorted(POLITE, key=len, reverse=True):
            parts = tuple(phrase.split())
            rest = words[len(parts) :]
            if (
                words[: len(parts)] == parts
                and _ask(rest, language, is_question=False)[0] != "none"
            ):
                words, changed = rest, True
                break
    return words


def _ask(words: tuple[str, ...], language: str, *, is_question: bool) -> tuple[Ask, int]:
    """Return how these words ask and how many of them do the asking."""
    skip = 0
    while skip < min(3, len(words)) and words[skip] in PREPOSITIONS_BEFORE_ASK:
        skip += 1
    for n_skipped in {0, skip}:
        text = " ".join(words[n_skipped : n_skipped + 4])
        for phrase, ask in sorted(ASKS[language], key=lambda row: len(row[0]), reverse=True):
            if f"{text} ".startswith(f"{phrase} "):
                return ask, n_skipped + len(phrase.split())
    if not words:
        return "none", 0
    for verbs, ask in _IMPERATIVES:
        if words[0] in verbs:
            return ask, 1
    if words[0] in AUXILIARIES[language] or (is_question and language != "en"):
        return "yes_no", 1
    return "none", 0


def _noun_span(words: tuple[str, ...], language: str) -> tuple[int, int]:
    """Return where the first noun phrase begins, behind copula and determiners, and ends."""
    opening = COPULAS[language] | DETERMINERS[language]
    if language == "en":
        opening |= AUXILIARIES["en"]
    start = next((i for i, word in enumerate(words) if word not in opening), len(words))
    for end in range(start, len(words)):
        word = words[end]
        if word in PHRASE_ENDS[language] or word in ",;:?!":
            return start, end
        if word.endswith("."):
            return start, end + 1
    return start, len(words)


def _bare(phrase: tuple[str, ...]) -> tuple[str, ...]:
    """Return the words of a phrase without possessive endings and full stops."""
    return tuple(_POSSESSIVE.sub("", word.rstrip(".")) for word in phrase)


def _is_verb(after_ask: tuple[str, ...]) -> bool:
    """Return whether "what" or "who" is the subject itself: "what happens to", "who audited"."""
    first = after_ask[0]
    is_verb = first in VERBS_OF_SUBJECT or (first.endswith("ed") and len(first) > 4)
    return is_verb and not any(word in AUXILIARIES["en"] for word in after_ask[1:3])


def _head(phrase: tuple[str, ...], language: str) -> str:
    """Return the head: the last noun, but the first one in French and Spanish."""
    if not phrase:
        return ""
    if language in {"fr", "es"}:
        return phrase[0].removeprefix("l'").removeprefix("d'")
    if language == "de":
        return phrase[-1]
    words = list(phrase)
    while len(words) > 1 and (
        words[-1] in _NON_HEADS
        or words[-1] in _VERBS_AFTER_HEAD
        or (_PARTICIPLES.fullmatch(words[-1]) and not looks_plural(words[-1]))
    ):
        words.pop()
    return words[-1]


def _is_plural(reading: Reading) -> bool:
    first = reading.after_ask[0] if reading.after_ask else ""
    if reading.language == "fr":
        return any(
            word in {"quels", "quelles", "les", "tous", "toutes"} for word in reading.clause[:4]
        )
    if reading.language == "es":
        return any(
            word in {"cuales", "los", "las", "todos", "todas"} for word in reading.clause[:4]
        )
    if reading.language == "de":
        following = reading.complement[0] if reading.complement else ""
        return first in {"sind", "waren", "alle"} or (
            reading.ask in {"which", "list"} and following.endswith("en")
        )
    if first in {"is", "was", "'s"} or (reading.ask == "who" and first not in {"are", "were"}):
        return False
    return looks_plural(reading.head_word) or "every" in reading.after_ask[:2]


__all__ = ["WH_ASKS", "Reading", "looks_plural", "singular"]
