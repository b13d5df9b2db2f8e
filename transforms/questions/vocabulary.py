"""Expert vocabulary: other wordings of what a question asks, by concept and language."""

import re
from collections.abc import Iterable, Mapping
from functools import cached_property

from pydantic import Field

from transforms.errors import InputError
from transforms.text import fold, terms
from transforms.values import Value

MAX_REWRITES = 16
"""Bound on the wordings added to one question."""
ASKED_PRIORITY = 2
"""Wordings up to this priority name their concept in a question; the others only stand in texts."""
_WORD = re.compile(r"[^\W\d_]+")
COLUMNS = ("concept", "language", "keyword", "priority", "weight")


class Wording(Value):
    """One wording of a concept in one language; priority 1 comes first."""

    concept: str
    language: str
    keyword: str
    priority: int = Field(ge=1)
    weight: float = Field(gt=0, le=1)


class Vocabulary(Value):
    """All wordings; those of one concept can stand for each other."""

    wordings: tuple[Wording, ...] = ()

    @classmethod
    def from_rows(cls, rows: Iterable[Mapping[str, str]]) -> "Vocabulary":
        """Return the vocabulary of rows with the columns of `data/vocabulary/*.csv`.

        Raises InputError that names the row when a value is missing or does not fit.
        """
        return cls(wordings=tuple(_wording(row, n) for n, row in enumerate(rows, start=1)))

    def concepts_in(self, text: str, language: str) -> tuple[str, ...]:
        """Return the concepts that the text names in this language, most specific first.

        A longer wording wins over what it contains: "tax rate" is not also a "rate".
        """
        asked = terms(text, language)
        found = [
            (at, len(words), concept)
            for at, first in enumerate(asked)
            for words, concept in self._triggers.get((language, first), ())
            if tuple(asked[at : at + len(words)]) == words
        ]
        sizes: dict[str, int] = {}
        for at, size, concept in found:
            if not any(_covers(other, (at, size)) for other in found):
                sizes[concept] = max(size, sizes.get(concept, 0))
        return tuple(sorted(sizes, key=lambda concept: (-sizes[concept], concept)))

    def rewrites(
        self, text: str, language: str, corpus_terms: frozenset[str] = frozenset()
    ) -> tuple[str, ...]:
        """Return other wordings of the concepts in a text: own language first, by priority.

        With the terms of a corpus given, wordings whose words it does not have are left out.
        """
        asked = set(terms(text, language))
        ranks: dict[str, tuple[int, int, int, float]] = {}
        for position, concept in enumerate(self.concepts_in(text, language)):
            for wording, words in self._by_concept[concept]:
                if words <= asked or (corpus_terms and not words <= corpus_terms):
                    continue
                is_foreign = int(wording.language != language)
                rank = (is_foreign, wording.priority, position, -wording.weight)
                ranks[wording.keyword] = min(rank, ranks.get(wording.keyword, rank))
        return tuple(sorted(ranks, key=lambda keyword: (ranks[keyword], keyword)))[:MAX_REWRITES]

    def spellings(self, language: str) -> Mapping[str, str]:
        """Return the words of the vocabulary as they are spelt, each with its index term."""
        return self._spellings.get(language, {})

    @cached_property
    def _spellings(self) -> dict[str, dict[str, str]]:
        found: dict[str, dict[str, str]] = {}
        for wording in self.wordings:
            of_language = found.setdefault(wording.language, {})
            for word in _WORD.findall(wording.keyword.lower()):
                if len(stems := terms(word, wording.language)) == 1:
                    of_language[word] = stems[0]
        return found

    @cached_property
    def _triggers(self) -> dict[tuple[str, str], tuple[tuple[tuple[str, ...], str], ...]]:
        """Return by language and first term the keywords that name a concept in a question."""
        index: dict[tuple[str, str], list[tuple[tuple[str, ...], str]]] = {}
        for wording in self.wordings:
            words = tuple(terms(wording.keyword, wording.language))
            if _names_concept(wording, words):
                index.setdefault((wording.language, words[0]), []).append((words, wording.concept))
        return {key: tuple(entries) for key, entries in index.items()}

    @cached_property
    def _by_concept(self) -> dict[str, tuple[tuple[Wording, frozenset[str]], ...]]:
        """Return the wordings of each concept with their terms."""
        index: dict[str, list[tuple[Wording, frozenset[str]]]] = {}
        for wording in self.wordings:
            words = frozenset(terms(wording.keyword, wording.language))
            if words:
                index.setdefault(wording.concept, []).append((wording, words))
        return {concept: tuple(entries) for concept, entries in index.items()}


def _names_concept(wording: Wording, words: tuple[str, ...]) -> bool:
    """Return whether a wording is definite enough to name its concept in a question.

    One word alone is so only with priority 1, and not when it is what stop words left of a phrase.
    """
    if wording.priority > ASKED_PRIORITY or not words:
        return False
    return len(words) > 1 or (wording.priority == 1 and fold(wording.keyword).isalnum())


def _covers(other: tuple[int, int, str], span: tuple[int, int]) -> bool:
    """Return whether the other match holds the span and more."""
    at, size = span
    return other[0] <= at and at + size <= other[0] + other[1] and size < other[1]


def _wording(row: Mapping[str, str], number: int) -> Wording:
    if missing := [name for name in COLUMNS if not str(row.get(name) or "").strip()]:
        raise InputError(
            f"vocabulary row {number}: {missing[0]!r} is missing",
            hint=f"each row needs {', '.join(COLUMNS)}",
        )
    try:
        return Wording(
            concept=row["concept"].strip(),
            language=row["language"].strip(),
            keyword=row["keyword"].strip(),
            priority=int(row["priority"]),
            weight=float(row["weight"]),
        )
    except ValueError as error:
        raise InputError(
            f"vocabulary row {number} ({row['keyword']!r}): priority or weight does not fit",
            hint="priority is a whole number from 1, weight a number above 0 and at most 1",
        ) from error
