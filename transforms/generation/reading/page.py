"""What one reading works on: the question, and the windows as units with what they say of it."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from transforms.generation.reading.brief import Brief, make_brief, term_set
from transforms.generation.reading.match import Sight, sight_units
from transforms.generation.reading.units import Unit, read_units
from transforms.text import STOP_WORDS, tokens
from transforms.values import ParsedQuestion, Window

LANGUAGE_SAMPLE_UNITS = 40


@dataclass(frozen=True)
class Reading:
    """A question and the text that is offered for it."""

    question: ParsedQuestion
    windows: tuple[Window, ...]
    units: tuple[Unit, ...]
    language: str
    """Language of the text, not of the question."""

    @cached_property
    def brief(self) -> Brief:
        """Return the question as weights."""
        listed = (unit.text for unit in self.units if unit.kind in ("row", "item"))
        row_terms = frozenset(t for text in listed for t in term_set(text, self.language))
        return make_brief(self.question, self.language, row_terms)

    @cached_property
    def sights(self) -> list[Sight]:
        """Return what each unit says of the question, in order."""
        return sight_units(self.brief, self.units)

    @property
    def ranked(self) -> list[Sight]:
        """Return all sights but headings, the one that says most first."""
        return sorted(
            (sight for sight in self.sights if sight.unit.kind != "heading"),
            key=lambda sight: (-sight.coverage, sight.unit.rank, sight.unit.order),
        )

    @property
    def text(self) -> str:
        """Return the question as understood."""
        return self.question.corrected_text or self.question.text

    def about(self, question: ParsedQuestion) -> "Reading":
        """Return a reading of the same text for another question."""
        return Reading(question, self.windows, self.units, self.language)

    def of_document(self, doc: int) -> "Reading":
        """Return a reading of one document's part of the text."""
        units = tuple(unit for unit in self.units if unit.doc == doc)
        doc_ids = list(dict.fromkeys(window.candidate.doc_id for window in self.windows))
        windows = tuple(w for w in self.windows if w.candidate.doc_id == doc_ids[doc - 1])
        return Reading(self.question, windows, units, self.language)


def make_reading(question: ParsedQuestion, windows: Sequence[Window]) -> Reading:
    """Return a reading of the windows for a question."""
    units = tuple(read_units(windows))
    return Reading(question, tuple(windows), units, text_language(units))


def text_language(units: Sequence[Unit]) -> str:
    """Return the language whose function words are most frequent; English when none are."""
    words = [word for unit in units[:LANGUAGE_SAMPLE_UNITS] for word in tokens(unit.text)]
    counts = {
        language: sum(word in stop_words for word in words)
        for language, stop_words in STOP_WORDS.items()
    }
    return max(counts, key=lambda language: (counts[language], language == "en"))
