"""Read a question once: how it asks, its head noun, number, and what its words are.

The cues (`cues.py`) look at a `Reading` and never at the text itself.
"""

import re
from functools import cached_property
from itertools import pairwise

from pydantic import BaseModel, ConfigDict

from transforms.questions.grammar.clause import PARTICLES, how_it_asks, question_proper
from transforms.questions.grammar.noun_phrases import (
    bare,
    before,
    ends_in_verb,
    head_of,
    looks_plural,
    noun_kind,
    noun_span,
    singular,
)
from transforms.questions.lexicon.asking_words import Ask
from transforms.questions.lexicon.comparing_words import CHANGE_NOUNS, CHANGING_VERBS, CONTRASTS
from transforms.questions.lexicon.function_words import (
    AUXILIARIES,
    COPULAS,
    DETERMINERS,
    OF,
    VERBS_OF_SUBJECT,
)
from transforms.questions.lexicon.noun_roles import TRANSPARENT_HEADS
from transforms.text import fold

_WORD = re.compile(r"[^\s,;:?!¿¡()\"]+|[,;:?!]")
_ASIDE = re.compile(r"\([^()]*\)")
_VALUE_OF_EACH = re.compile(
    r"\b(?:with|and) (?:their|its) ((?:\w+ )*?\w+)(?= and\b| \?|$)"
    r"|\bwith the ((?:\w+ )*?\w+) (?:of|for) each\b"
)
_REPORTED = re.compile(
    r"\b(?:report|record|state|disclose|show|list|post|book|give|quote|set|use|carry)(?:ed)? "
    r"(?:as|for) (?:its|the|their|an?|our) (.+)"
)
_DO = AUXILIARIES["en"] - COPULAS["en"]
"""Behind "what", these begin what somebody does: the noun that follows is not asked for."""
MAX_NOUN_WORDS = 10
"""Words of a question that is only a noun phrase, "Notice period for termination?"."""
_PLURAL_WORDS = {
    "fr": frozenset({"quels", "quelles", "les", "tous", "toutes", "lesquels"}),
    "es": frozenset({"cuales", "los", "las", "todos", "todas"}),
}


class Reading(BaseModel):
    """A single question (no parts) as its cues see it: folded words and what they show."""

    model_config = ConfigDict(frozen=True)

    text: str
    language: str

    @cached_property
    def words(self) -> tuple[str, ...]:
        """Return folded words and punctuation, without full stops and asides in brackets."""
        plain = _ASIDE.sub(" ", fold(self.text)).replace("per diem", "per-diem")
        plain = plain.replace("one or more ", "").replace("two or more ", "")
        found = (word.rstrip(".") for word in _WORD.findall(plain))
        return tuple(word for word in found if word)

    @cached_property
    def clause(self) -> tuple[str, ...]:
        """Return the words of the question proper, without what stands politely before it."""
        return question_proper(self.words, self.language)

    @property
    def ask(self) -> Ask:
        """Return how the question asks."""
        return self._asked[0]

    @property
    def has_asking_words(self) -> bool:
        """Return whether words ask, and not only a noun phrase that stands alone."""
        return how_it_asks(self.clause, self.language, is_question="?" in self.words)[0] != "none"

    @cached_property
    def after_ask(self) -> tuple[str, ...]:
        """Return the words of the clause that follow the asking words."""
        return self.clause[self._asked[1] :]

    @cached_property
    def noun_phrase(self) -> tuple[str, ...]:
        """Return the words of the noun phrase that is asked for, without determiners."""
        start, end = self._span
        return bare(self.after_ask[start:end])

    @cached_property
    def complement(self) -> tuple[str, ...]:
        """Return what follows the noun phrase: "of the supplier", "in fiscal 2022"."""
        return self.after_ask[self._span[1] :]

    @cached_property
    def head_word(self) -> str:
        """Return the head noun of the noun phrase as it stands; empty when there is none."""
        if self.language != "en":
            return head_of(self.noun_phrase, self.language)
        phrase = self.noun_phrase
        if self.after_ask[:1] in {("are",), ("were",)}:
            plurals = [word for word in phrase if looks_plural(word)]
            return plurals[-1] if plurals else head_of(phrase, "en")
        objects = DETERMINERS["en"] - OF["en"]
        takes_object = len(phrase) > 1 and not objects.isdisjoint(self.complement[:1])
        if self.is_determined and (takes_object or ends_in_verb(phrase, self.complement)):
            phrase = phrase[:-2] if phrase[-1:] in PARTICLES and len(phrase) > 2 else phrase[:-1]
        is_subject = self.complement[:1] and self.complement[0] in AUXILIARIES["en"]
        return head_of(phrase, "en", has_verb=self.is_determined and not is_subject)

    @cached_property
    def head(self) -> str:
        """Return the head noun in the singular."""
        return singular(self.head_word, self.language)

    @cached_property
    def modifiers(self) -> tuple[str, ...]:
        """Return the words of the noun phrase before its head."""
        return before(self.head_word, self.noun_phrase)

    @cached_property
    def value_nouns(self) -> tuple[tuple[str, str], ...]:
        """Return the nouns that may tell the type of the answer, each with the word before it.

        When the head only measures or gathers ("level of the deductible", "hierarchy of
        functions"), the noun that follows or else the one before comes first; then the head. What
        is wanted of each ("projects with their budgets") comes before what is listed.
        """
        head = (self.head_word, _last(self.modifiers))
        term = (" ".join((self.head, *self.complement[:2])), "")
        if self.complement[:1] in {("of",), ("into",), ("in",)} and noun_kind(*term, self.language):
            return (term,)
        if self.ask in {"list", "show"} and (each := _VALUE_OF_EACH.search(" ".join(self.words))):
            words = (each.group(1) or each.group(2)).split()
            return ((words[-1], _last(tuple(words[:-1]))), head)
        if self.reported:
            return (self.reported,)
        if self.ask == "how_much" and (changed := _changed(self.after_ask)):
            return changed
        joined_by = self.complement[0] if self.complement else ""
        is_change = self.head in CHANGE_NOUNS - {"growth"} and joined_by in {"in", "between"}
        is_described = self.language == "en" and _last(self.noun_phrase) == "insured"
        if not is_change and (is_described or self.head not in TRANSPARENT_HEADS):
            return (head,)
        if _last(self.modifiers) in {"percentage", "percent"}:
            return ((_last(self.modifiers), ""),)
        is_sum_for = joined_by == "for" and noun_kind(*head, "en") == "amount"
        if is_change or (joined_by in OF[self.language] and not is_sum_for):
            rest = self.complement[1:]
            start, end = noun_span(rest, self.language)
            phrase = bare(rest[start:end])
            inner = head_of(phrase, self.language)
            noun = (inner, _last(before(inner, phrase)))
            is_told_apart = is_change and noun_kind(*noun, self.language) in {"name", "text"}
            return (head,) if is_told_apart else (noun, head)
        measured = (_last(self.modifiers), _last(self.modifiers[:-1]))
        is_measured = noun_kind(*measured, self.language) in {"amount", "percent", "duration"}
        return (measured, head) if is_measured else (head,)

    @cached_property
    def reported(self) -> tuple[str, str] | None:
        """Return the noun of "what did the company report as its total equity", and the one before.

        Null when nothing is reported as something.
        """
        is_done = self.ask == "what" and self.after_ask[:1] and self.after_ask[0] in _DO
        told = _REPORTED.search(" ".join(self.after_ask)) if is_done else None
        if not told:
            return None
        return _noun(tuple(told.group(1).split()))

    @cached_property
    def is_plural(self) -> bool:
        """Return whether several things are asked for."""
        first = self.after_ask[0] if self.after_ask else ""
        if self.language in _PLURAL_WORDS:
            if self.ask == "who":
                return first in {"sont", "son"} or self.clause[:1] == ("quienes",)
            if not {"quel", "quelle"}.isdisjoint(self.clause[:3]):
                return False
            is_counted = (
                self.language == "es" and self.ask == "what" and looks_plural(self.head_word)
            )
            return is_counted or any(
                word in _PLURAL_WORDS[self.language] for word in self.clause[:4]
            )
        if self.language == "de":
            verb = self.complement[0] if self.complement else ""
            is_plural_noun = self.clause[:1] == ("welche",) and self.head_word.endswith("en")
            is_plural_verb = is_plural_noun or verb.endswith("en") or verb in {"sind", "waren"}
            return first in {"sind", "waren", "alle"} or (
                self.ask in {"which", "list"} and is_plural_verb
            )
        if self.clause[1:2] == ("whom",):
            return self.clause[0] in {"with", "between", "among"}
        if first in {"is", "was"} or (self.ask == "who" and first not in {"are", "were"}):
            return False
        return looks_plural(self.head_word) or "every" in self.after_ask[:2]

    def says(self, *phrases: str) -> bool:
        """Return whether any of the phrases stands in the text, on word boundaries."""
        padded = f" {' '.join(self.words)} "
        return any(f" {phrase} " in padded for phrase in phrases)

    def uses(self, vocabulary: frozenset[str]) -> bool:
        """Return whether any word of the clause is in the set."""
        return any(word in vocabulary for word in self.clause)

    @cached_property
    def _asked(self) -> tuple[Ask, int]:
        ask, n_words = how_it_asks(self.clause, self.language, is_question="?" in self.words)
        if ask != "none" or self.uses(AUXILIARIES[self.language] | {"not"}):
            return ask, n_words
        start, end = noun_span(self.clause, self.language)
        noun = head_of(bare(self.clause[start:end]), self.language)
        is_noun = len(self.clause) <= MAX_NOUN_WORDS and noun_kind(noun, "", self.language)
        return ("show" if is_noun else ask), n_words

    @property
    def is_determined(self) -> bool:
        """Return whether the asking word belongs to the noun: "which perils", not "what is"."""
        asks = {"what", "which", "how_much", "how_big", "how_many"}
        return (
            self.ask in asks
            and bool(self.after_ask)
            and self.after_ask[0] not in AUXILIARIES[self.language]
        )

    @property
    def is_subject(self) -> bool:
        """Return whether "what" or "who" is the subject itself: "what drove", "who audited"."""
        return self.ask in {"what", "who"} and _is_verb(self.after_ask)

    @cached_property
    def _span(self) -> tuple[int, int]:
        """Return where the noun phrase begins and ends in `after_ask`."""
        if self.is_subject:
            return 0, 0
        is_stated = self.after_ask[1:2] in {("be",), ("been",)}
        if self.ask == "what" and _DO.issuperset(self.after_ask[:1]) and not is_stated:
            return 0, 0
        start, end = noun_span(self.after_ask, self.language)
        if self.language == "en":
            return start, self._end_of_joined(start, end)
        return start, self._end_of_german_nouns(start, end) if self.language == "de" else end

    def _end_of_joined(self, start: int, end: int) -> int:
        """Return where two words before one noun end: "minimum and maximum age"."""
        if self.after_ask[end : end + 1] == (",",):
            return self._end_of_enumerated(start, end)
        last = _last(self.after_ask[start:end])
        is_noun = looks_plural(last) or noun_kind(last, "", "en")
        if self.after_ask[end : end + 1] != ("and",) or (is_noun and last not in TRANSPARENT_HEADS):
            return end
        rest = self.after_ask[end + 1 :]
        first, size = noun_span(rest, "en")
        is_next = first == 0 or (first == 1 and last in CONTRASTS)
        is_typed = is_next and noun_kind(_last(rest[:size]), "", "en") is not None
        return end + 1 + size if is_typed else end

    def _end_of_enumerated(self, start: int, end: int) -> int:
        """Return where adjectives before one noun end: "selling, general and other expenses"."""
        is_noun = noun_kind(_last(self.after_ask[start:end]), "", "en") is not None
        rest = self.after_ask[end + 1 :]
        if is_noun or "and" not in rest[:3] or end - start != 1:
            return end
        joined = rest.index("and") + 1
        first, size = noun_span(rest[joined:], "en")
        head = _last(rest[joined : joined + size])
        return end + 1 + joined + size if first == 0 and noun_kind(head, "", "en") else end

    def _end_of_german_nouns(self, start: int, end: int) -> int:
        """Return where capitalised nouns end and the verb begins."""
        nouns = {fold(word) for word in re.findall(r"\b[A-ZÄÖÜ]\w+", self.text)}
        for at, (word, following) in enumerate(pairwise(self.after_ask[start:end]), start):
            if word in nouns and following not in nouns:
                return at + 1
        return end


def _is_verb(after_ask: tuple[str, ...]) -> bool:
    """Return whether "what" or "who" is the subject itself: "what happens to", "who audited"."""
    first = after_ask[0] if after_ask else ""
    is_verb = first in VERBS_OF_SUBJECT or (first.endswith("ed") and len(first) > 4)
    return is_verb and not any(word in AUXILIARIES["en"] for word in after_ask[1:3])


def _changed(after_ask: tuple[str, ...]) -> tuple[tuple[str, str], ...]:
    """Return the noun that changes, with the word before it: "does the margin rise".

    It is the object of the verb when that has a measure ("reduce the error rate"), else its
    subject; empty when nothing changes.
    """
    verb = next((at for at, word in enumerate(after_ask) if word in CHANGING_VERBS), 0)
    if not verb or after_ask[0] not in AUXILIARIES["en"]:
        return ()
    changed, changing = _noun(after_ask[verb + 1 :]), _noun(after_ask[1:verb])
    is_measured = noun_kind(*changed, "en") in {"amount", "percent", "number", "duration"}
    return (changed,) if is_measured else (changing,)


def _noun(words: tuple[str, ...]) -> tuple[str, str]:
    """Return the head of the first noun phrase, and the word before it."""
    start, end = noun_span(words, "en")
    phrase = bare(words[start:end])
    noun = head_of(phrase, "en")
    return noun, _last(before(noun, phrase))


def _last(words: tuple[str, ...]) -> str:
    return words[-1] if words else ""
