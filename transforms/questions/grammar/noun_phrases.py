"""Noun phrases of a question: where they begin and end, and which word is their head."""

import re
from itertools import pairwise

from transforms.questions.grammar.nouns import is_known, looks_plural, noun_kind
from transforms.questions.lexicon.comparing_words import CONTRASTS
from transforms.questions.lexicon.function_words import (
    AUXILIARIES,
    COPULAS,
    DETERMINERS,
    PHRASE_ENDS,
)
from transforms.questions.lexicon.noun_roles import FIXED_PAIRS, TRANSPARENT_HEADS
from transforms.text import fold, word_set

MIN_CLAUSE_WORDS = 2
"""A noun and its verb."""

_POSSESSIVE = re.compile(r"'s?$")
_PARTICIPLE = re.compile(r".{3,}(?:ed|able|ible|ing)$")
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


def whole_span(after_ask: tuple[str, ...], language: str, text: str) -> tuple[int, int]:
    """Return where the noun phrase begins, and where it ends with all that is joined to it."""
    start, end = noun_span(after_ask, language)
    if language == "en":
        return start, _end_of_joined(after_ask, start, end)
    return start, _end_of_german_nouns(after_ask, start, end, text) if language == "de" else end


def first_noun(words: tuple[str, ...], language: str) -> tuple[str, str]:
    """Return the head of the first noun phrase, and the word before it."""
    start, end = noun_span(words, language)
    phrase = bare(words[start:end])
    noun = head_of(phrase, language)
    return noun, last(before(noun, phrase))


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
    is_third_person = looks_plural(last) and not looks_plural(noun) and is_known(noun)
    return is_third_person and not any(_is_any_verb(word) for word in complement)


def before(head: str, phrase: tuple[str, ...]) -> tuple[str, ...]:
    """Return the words of the phrase before its head."""
    return phrase[: phrase.index(head)] if head in phrase else ()


def last(words: tuple[str, ...]) -> str:
    """Return the last word; empty when there is none."""
    return words[-1] if words else ""


def _end_of_joined(after_ask: tuple[str, ...], start: int, end: int) -> int:
    """Return where two words before one noun end: "minimum and maximum age"."""
    if after_ask[end : end + 1] == (",",):
        return _end_of_enumerated(after_ask, start, end)
    word = last(after_ask[start:end])
    is_noun = looks_plural(word) or noun_kind(word, "", "en")
    if after_ask[end : end + 1] != ("and",) or (is_noun and word not in TRANSPARENT_HEADS):
        return end
    rest = after_ask[end + 1 :]
    first, size = noun_span(rest, "en")
    is_next = first == 0 or (first == 1 and word in CONTRASTS)
    is_typed = is_next and noun_kind(last(rest[:size]), "", "en") is not None
    return end + 1 + size if is_typed else end


def _end_of_enumerated(after_ask: tuple[str, ...], start: int, end: int) -> int:
    """Return where adjectives before one noun end: "selling, general and other expenses"."""
    is_noun = noun_kind(last(after_ask[start:end]), "", "en") is not None
    rest = after_ask[end + 1 :]
    if is_noun or "and" not in rest[:3] or end - start != 1:
        return end
    joined = rest.index("and") + 1
    first, size = noun_span(rest[joined:], "en")
    head = last(rest[joined : joined + size])
    return end + 1 + joined + size if first == 0 and noun_kind(head, "", "en") else end


def _end_of_german_nouns(after_ask: tuple[str, ...], start: int, end: int, text: str) -> int:
    """Return where capitalised nouns end and the verb begins."""
    nouns = {fold(word) for word in re.findall(r"\b[A-ZÄÖÜ]\w+", text)}
    for at, (word, following) in enumerate(pairwise(after_ask[start:end]), start):
        if word in nouns and following not in nouns:
            return at + 1
    return end


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
        if is_known(following) and not is_verb:
            continue
        ends_like_verb = following.endswith(("s", "ed")) or following in _VERBS
        if looks_plural(noun) or (is_known(noun) and ends_like_verb):
            return noun
    return None


def _is_any_verb(word: str) -> bool:
    return word in AUXILIARIES["en"] or word in _VERBS or word.endswith("ed")


def _is_verb_of_many(words: tuple[str, ...]) -> bool:
    """Return whether a plural, a verb and its object stand here."""
    noun, verb, following = words
    return looks_plural(noun) and verb in _VERBS_OF_MANY and following not in _VERBS


def _describes(noun: str, word: str) -> bool:
    """Return whether a word behind a noun only describes it: "fees payable", "limit required".

    It is the noun itself where what stands before is none ("accounts payable") or where it is one
    in its own right ("policy wording", "family deductible").
    """
    is_noun = word.endswith("ing") or not is_known(noun)
    if word in _NO_PARTICIPLES or (is_known(word) and is_noun):
        return False
    return word in _AFTERTHOUGHTS or bool(_PARTICIPLE.fullmatch(word) and not looks_plural(word))


def _is_inside_pair(phrase: tuple[str, ...], at: int) -> bool:
    """Return whether the word joins two that name one thing: "research and development"."""
    return " ".join(phrase[max(0, at - 1) : at + 2]) in FIXED_PAIRS
