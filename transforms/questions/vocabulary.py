"""Expert vocabulary: other wordings of what a question asks, by concept and language."""

from collections.abc import Iterable, Mapping
from functools import cached_property

from pydantic import Field

from transforms.errors import InputError
from transforms.text import known_language, terms
from transforms.values import Value

MAX_REWRITES = 24
"""Bound on the wordings added to one question."""
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
        """Return the concepts that the text names in this language, most specific first."""
        asked = terms(text, language)
        sizes: dict[str, int] = {}
        for words, concept in self._index.get(known_language(language), ()):
            if _contains(asked, words):
                sizes[concept] = max(sizes.get(concept, 0), len(words))
        return tuple(sorted(sizes, key=lambda concept: (-sizes[concept], concept)))

    def rewrites(
        self, text: str, language: str, corpus_terms: frozenset[str] = frozenset()
    ) -> tuple[str, ...]:
        """Return other wordings of the concepts in a text: own language first, by priority.

        With the terms of a corpus given, wordings whose words it does not have are left out.
        """
        concepts = self.concepts_in(text, language)
        asked = set(terms(text, language))
        chosen: dict[str, tuple[int, int, int, str]] = {}
        for wording in self.wordings:
            if wording.concept not in concepts:
                continue
            words = terms(wording.keyword, wording.language)
            if set(words) <= asked or (corpus_terms and not set(words) <= corpus_terms):
                continue
            order = (int(wording.language != language), wording.priority)
            rank = (*order, concepts.index(wording.concept), wording.keyword)
            chosen[wording.keyword] = min(rank, chosen.get(wording.keyword, rank))
        return tuple(sorted(chosen, key=lambda keyword: chosen[keyword]))[:MAX_REWRITES]

    @cached_property
    def _index(self) -> dict[str, tuple[tuple[tuple[str, ...], str], ...]]:
        """Return per language the term sequences of keywords with their concepts."""
        index: dict[str, list[tuple[tuple[str, ...], str]]] = {}
        for wording in self.wordings:
            words = tuple(terms(wording.keyword, wording.language))
            if words:
                index.setdefault(wording.language, []).append((words, wording.concept))
        return {language: tuple(entries) for language, entries in index.items()}


def _contains(asked: list[str], words: tuple[str, ...]) -> bool:
    size = len(words)
    return any(tuple(asked[i : i + size]) == words for i in range(len(asked) - size + 1))


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
