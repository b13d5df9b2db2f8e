"""Read a question once: how it asks, its head noun, number, and what its words are.

The cues (`cues.py`) look at a `Reading` and never at the text itself.
"""

import re
from dataclasses import dataclass
from functools import cached_property

from transforms.questions.grammar.clause import PARTICLES, how_it_asks, question_proper
from transforms.questions.grammar.noun_phrases import (
    bare,
    before,
    ends_in_verb,
    head_of,
    noun_span,
    whole_span,
)
from transforms.questions.grammar.nouns import is_known, looks_plural, noun_kind, singular
from transforms.questions.lexicon.asking_words import Ask
from transforms.questions.lexicon.function_words import (
    AUXILIARIES,
    COPULAS,
    DETERMINERS,
    OF,
    VERBS_OF_SUBJECT,
)
from transforms.text import fold, word_set

_WORD = re.compile(r"[^\s,;:?!¿¡()\"]+|[,;:?!]")
_ASIDE = re.compile(r"\([^()]*\)")
DO = AUXILIARIES["en"] - COPULAS["en"]
"""Behind "what", these begin what somebody does: the noun that follows is not asked for."""
_BEFORE_OBJECTS = DETERMINERS["en"] - OF["en"] - {"out", "all", "each", "any", "every"}
"""Behind a verb, these begin what it is done to."""
MAX_NOUN_WORDS = 10
"""Words of a question that is only a noun phrase, "Notice period for termination?"."""
_SINGULAR_IN_EN = word_set("schaden namen rahmen hafen boden graben wagen garten laden unternehmen")
"""German nouns that end as most plurals do."""
_PLURAL_WORDS = {
    "fr": frozenset({"quels", "quelles", "les", "tous", "toutes", "lesquels"}),
    "es": frozenset({"cuales", "los", "las", "todos", "todas"}),
}


@dataclass(frozen=True)
class Reading:
    """A single question (no parts) as its cues see it: folded words and what they show."""

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
    def is_plural(self) -> bool:
        """Return whether several things are asked for."""
        first = _first(self.after_ask)
        if self.language in _PLURAL_WORDS:
            return self._is_plural_in_romance(first)
        if self.language == "de":
            verb = _first(self.complement)
            asking = {"welche", "welchen"} & set(self.clause[:2])
            is_plural_noun = bool(asking) and self.head_word.endswith("en")
            is_plural_noun &= self.head_word not in _SINGULAR_IN_EN
            is_plural_verb = is_plural_noun or verb.endswith("en") or verb in {"sind", "waren"}
            is_open = self.ask in {"which", "list"}
            return first in {"sind", "waren", "alle"} or (is_open and is_plural_verb)
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
            and self.after_ask[0] not in AUXILIARIES[self.language] | COPULAS[self.language]
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
        if self.ask == "what" and DO.issuperset(self.after_ask[:1]) and not is_stated:
            return 0, 0
        return whole_span(self.after_ask, self.language, self.text)

    def _is_plural_in_romance(self, first: str) -> bool:
        if self.ask == "who":
            return first in {"sont", "son"} or self.clause[:1] == ("quienes",)
        if not {"quel", "quelle"}.isdisjoint(self.clause[:3]):
            return False
        is_counted = self.language == "es" and self.ask == "what" and looks_plural(self.head_word)
        return is_counted or not _PLURAL_WORDS[self.language].isdisjoint(self.clause[:4])


def _is_verb(after_ask: tuple[str, ...]) -> bool:
    """Return whether "what" or "who" is the subject itself: "what happens to", "who audited".

    So it is before any verb with its object: "what protects the buyer".
    """
    first = _first(after_ask)
    takes_object = after_ask[1:2] and after_ask[1] in _BEFORE_OBJECTS
    is_third_person = looks_plural(first) and not is_known(first)
    is_verb = first in VERBS_OF_SUBJECT or (first.endswith("ed") and len(first) > 4)
    is_verb |= bool(takes_object) and is_third_person
    return is_verb and not any(word in AUXILIARIES["en"] for word in after_ask[1:3])


def _first(words: tuple[str, ...]) -> str:
    return words[0] if words else ""
