"""Answers that are made of several: parts of a question, and comparisons."""

from collections.abc import Callable, Iterable
from datetime import date

from transforms.generation.reading.answers import NOT_FOUND, plain
from transforms.generation.reading.page import Reading
from transforms.values import AnswerWithEvidence

Reader = Callable[[Reading], AnswerWithEvidence]


def read_parts(reading: Reading, read: Reader) -> AnswerWithEvidence:
    """Return one answer per part of the question, and what they say together."""
    parts = tuple(read(reading.about(part)) for part in reading.question.parts)
    found = [part for part in parts if part.answer_found]
    if not found:
        return AnswerWithEvidence(
            parts=parts,
            pending_references=_all(part.pending_references for part in parts),
            llm_discovered_keywords=_all(part.llm_discovered_keywords for part in parts),
        )
    return AnswerWithEvidence(
        value_text="; ".join(_said(part) for part in found),
        parts=parts,
        cited=tuple(quote for part in found for quote in part.cited),
        answer_found=True,
        complete_answer_found=all(part.complete_answer_found for part in parts),
        is_likely_complete=all(part.is_likely_complete for part in parts),
        confidence=min(part.confidence for part in found),
        caveats=_all(part.caveats for part in parts),
        pending_references=_all(part.pending_references for part in parts),
        llm_discovered_keywords=_all(part.llm_discovered_keywords for part in parts),
    )


def _all(groups: Iterable[tuple[str, ...]]) -> tuple[str, ...]:
    """Return what all groups hold, once each, in order."""
    return tuple(dict.fromkeys(text for group in groups for text in group))


def read_comparison(reading: Reading, read: Reader) -> AnswerWithEvidence:
    """Return what each document says, and the difference when both are values of one kind."""
    n_docs = max((unit.doc for unit in reading.units), default=0)
    if n_docs < 2:
        return read(reading)
    sides = [read(reading.of_document(doc)) for doc in range(1, n_docs + 1)]
    found = [(doc, side) for doc, side in enumerate(sides, start=1) if side.answer_found]
    if not found:
        return NOT_FOUND.model_copy(
            update={"llm_discovered_keywords": _all(s.llm_discovered_keywords for s in sides)}
        )
    said = [f"document {doc}: {_said(side)}" for doc, side in found]
    if (change := _difference([side for _, side in found])) is not None:
        said.append(change)
    is_whole = len(found) == n_docs
    return AnswerWithEvidence(
        value_text="; ".join(said),
        cited=tuple(quote for _, side in found for quote in side.cited),
        answer_found=True,
        complete_answer_found=is_whole and all(side.complete_answer_found for _, side in found),
        is_likely_complete=is_whole,
        confidence=min(side.confidence for _, side in found),
        caveats=() if is_whole else ("not every document says something about it",),
    )


def _said(answer: AnswerWithEvidence) -> str:
    if answer.items:
        return ", ".join(item.value for item in answer.items)
    return plain(answer.value_text or "")


def _difference(sides: list[AnswerWithEvidence]) -> str | None:
    """Say how the last value differs from the first."""
    first, last = sides[0], sides[-1]
    if len(sides) < 2:
        return None
    if first.value_number is not None and last.value_number is not None:
        change = last.value_number - first.value_number
        return "no difference" if change == 0 else f"difference {change:+,.10g}"
    if first.value_date and last.value_date:
        return _days(first.value_date, last.value_date)
    return "no difference" if _said(first) == _said(last) else None


def _days(first: date, last: date) -> str:
    return "no difference" if first == last else f"difference {(last - first).days:+d} days"
