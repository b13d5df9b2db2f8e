"""Noun phrases of a question: where they begin and end, their head, its number and its kind."""

import re
from itertools import pairwise

from transforms.questions.lexicon.function_words import (
    AUXILIARIES,
    COPULAS,
    DETERMINERS,
    PHRASE_ENDS,
)
from transforms.questions.lexicon.noun_kinds import FALSE_FRIENDS, NOUN_KINDS
from transforms.questions.lexicon.noun_roles import FIXED_PAIRS
from transforms.text import word_set

GERMAN_TAIL = 4
"""Letters that a German noun needs to count as the end of a compound."""

MIN_CLAUSE_WORDS = 2
"""A noun and its verb."""

_POSSESSIVE = re.compile(r"'s?$")
_PARTICIPLE = re.compile(r".{3,}(?:ed|able|ible|ing)$")
_IRREGULAR = {
    "criteria": "criterion", "people": "person", "children": "child", "cookies": "cookie",
    "calories": "calorie", "movies": "movie",
}  # fmt: skip
_NO_VERBS = word_set("premises headquarters series species")
_VERBS = word_set("""
    apply applies govern governs exist exists remain remains happen happens cover covers contain
    contains include includes require requires arise arises qualify qualifies participate provide
    provides receive receives appear appears result results interact interacts own owns pay pays
    use uses collect collects process processes sign signs accrue accrues accept trigger affect
    survive expire terminate amend change changes grow grew exceed achieve achieves fall rise
    address addresses mention mentions exclude excludes define defines permit permits
""")
_VERBS_OF_MANY = word_set("form list name state limit fund cost charge")
"""Verbs behind a plural ("which schedules form part of"), nouns behind a singular."""
_AFTERTHOUGHTS = word_set("""
    available payable due allowed open such precedent outstanding annually monthly currently
    respectively thereof therein overall alone today used paid held owed sold made shown given
    known borne taken written drawn kept found won built spent sent bought chosen met seen
""")
_NO_PARTICIPLES = word_set("""
    speed need seed deed feed breed bed variable table cable timetable deductible hundred
""")
"""Nouns that end as a participle does."""
_ADJECTIVES_FIRST = word_set("applicable related stated")
"""Before a noun these describe it ("the applicable law"); behind one they begin what follows."""


def singular(word: str, language: str) -> str:
    """Return a noun in the singular, by the common endings only."""
    if language == "de" or len(word) < 4:
        return word
    if language == "en" and word in _IRREGULAR:
        return _IRREGULAR[word]
    if language == "es" and word.endswith("es") and len(word) > 5:
        return word[:-2] if word[-3] not in "aeiou" else word[:-1]
    if language == "en" and word.endswith("ies"):
        return f"{word[:-3]}y"
    if language == "en" and word.endswith(("sses", "xes", "ches", "shes")):
        return word[:-2]
    return word[:-1] if looks_plural(word) and word not in _IRREGULAR else word


def looks_plural(word: str) -> bool:
    """Return whether a word has a plural ending."""
    if word in _IRREGULAR:
        return True
    return len(word) > 3 and word.endswith("s") and not word.endswith(("ss", "us", "is", "'s"))


def noun_kind(noun: str, before: str, language: str) -> str | None:
    """Return the kind of a folded noun; with the word before it when the two make a term."""
    one = singular(noun, language)
    if (language, noun) in FALSE_FRIENDS:
        return FALSE_FRIENDS[language, noun]
    for word in (f"{before} {noun}", f"{before} {one}", noun, one):
        for kind, nouns in NOUN_KINDS.items():
            if word in nouns:
                return kind
    if language == "de":
        return next((kind for kind, nouns in NOUN_KINDS.items() if _ends_with(noun, nouns)), None)
    return None


def noun_span(after_ask: tuple[str, ...], language: str) -> tuple[int, int]:
    """Return where the first noun phrase begins, behind copula and determiners, and ends."""
    opening = COPULAS[language] | DETERMINERS[language]
    if language == "en":
        opening |= AUXILIARIES["en"] | {"be", "been"}
    start = next((i for i, word in enumerate(after_ask) if word not in opening), len(after_ask))
    closing = PHRASE_ENDS[language] | DETERMINERS[language] | set(",;:?!")
    for end in range(start, len(after_ask)):
        if end == start and after_ask[end] in _ADJECTIVES_FIRST:
            continue
        if after_ask[end] in closing and not _is_inside_pair(after_ask, end):
            return start, end
    return start, len(after_ask)


def bare(phrase: tuple[str, ...]) -> tuple[str, ...]:
    """Return the words of a phrase without possessive endings."""
    return tuple(_POSSESSIVE.sub("", word) for word in phrase)


def head_of(phrase: tuple[str, ...], language: str, *, has_verb: bool = False) -> str:
    """Return the head of a noun phrase: its last noun, but the first in French and Spanish.

    `has_verb` says that the phrase may run into a verb: "what obligations survive termination".
    """
    if not phrase:
        return ""
    if language in {"fr", "es"}:
        return phrase[0].removeprefix("l'").removeprefix("d'")
    if language == "de":
        return phrase[-1]
    if has_verb and (subject := _before_verb(phrase)):
        return subject
    end = len(phrase)
    while end > 1 and (
        _describes(*phrase[end - 2 : end]) or (has_verb and phrase[end - 1] in _VERBS)
    ):
        end -= 1
    return phrase[end - 1]


def ends_in_verb(phrase: tuple[str, ...], complement: tuple[str, ...]) -> bool:
    """Return whether a phrase ends in the only verb: "which bank acts as", "items count as"."""
    if len(phrase) < MIN_CLAUSE_WORDS or not complement or complement[0] in {"of", "?"}:
        return False
    noun, last = phrase[-2:]
    if looks_plural(noun) and not looks_plural(last) and complement[0] in PHRASE_ENDS["en"]:
        return not any(_is_any_verb(word) for word in complement)
    is_third_person = looks_plural(last) and not looks_plural(noun) and _is_known(noun)
    return is_third_person and not any(_is_any_verb(word) for word in complement)


def before(head: str, phrase: tuple[str, ...]) -> tuple[str, ...]:
    """Return the words of the phrase before its head."""
    return phrase[: phrase.index(head)] if head in phrase else ()


def _before_verb(phrase: tuple[str, ...]) -> str | None:
    """Return the noun that a verb follows: a plural before what is no noun, a noun before "-s"."""
    for at, (noun, following) in enumerate(pairwise(phrase)):
        if following in _NO_VERBS:
            continue
        has_object = at + 2 < len(phrase)
        takes_plural = has_object and looks_plural(following) and looks_plural(phrase[at + 2])
        is_verb = has_object and (
            following in _VERBS or takes_plural or _is_verb_of_many(phrase[at : at + 3])
        )
        if _is_known(following) and not is_verb:
            continue
        ends_like_verb = following.endswith(("s", "ed")) or following in _VERBS
        if looks_plural(noun) or (_is_known(noun) and ends_like_verb):
            return noun
    return None


def _is_any_verb(word: str) -> bool:
    return word in AUXILIARIES["en"] or word in _VERBS or word.endswith("ed")


def _is_verb_of_many(words: tuple[str, ...]) -> bool:
    """Return whether a plural, a verb and its object stand here."""
    noun, verb, following = words
    return looks_plural(noun) and verb in _VERBS_OF_MANY and following not in _VERBS


def _is_known(word: str) -> bool:
    one = singular(word, "en")
    return any(word in nouns or one in nouns for nouns in NOUN_KINDS.values())


def _describes(noun: str, word: str) -> bool:
    """Return whether a word behind a noun only describes it: "fees payable", "limit required".

    It is the noun itself where what stands before is none ("accounts payable") or where it is one
    in its own right ("policy wording", "family deductible").
    """
    is_noun = word.endswith("ing") or not _is_known(noun)
    if word in _NO_PARTICIPLES or (_is_known(word) and is_noun):
        return False
    return word in _AFTERTHOUGHTS or bool(_PARTICIPLE.fullmatch(word) and not looks_plural(word))


def _is_inside_pair(phrase: tuple[str, ...], at: int) -> bool:
    """Return whether the word joins two that name one thing: "research and development"."""
    return " ".join(phrase[max(0, at - 1) : at + 2]) in FIXED_PAIRS


def _ends_with(word: str, nouns: frozenset[str]) -> bool:
    """Return whether a German compound ends with one of the nouns."""
    return any(len(noun) >= GERMAN_TAIL and word.endswith(noun) for noun in nouns)
