"""A span is a contiguous range of lines of one document; here is what spans do to each other."""

from collections.abc import Iterable
from typing import NamedTuple

from transforms.values import Candidate, Detector


class Span(NamedTuple):
    """A range of lines with what is known about it; `detectors` in their fixed order."""

    doc_id: str
    page_start: int
    line_start: int
    page_end: int
    line_end: int
    n_tokens: int
    relevance: float = 0.0
    fused_score: float = 0.0
    anchor_overlap: float = 1.0
    detectors: tuple[Detector, ...] = ()

    @property
    def start(self) -> tuple[int, int]:
        """Return page and line of the first line."""
        return (self.page_start, self.line_start)

    @property
    def end(self) -> tuple[int, int]:
        """Return page and line of the last line."""
        return (self.page_end, self.line_end)


def span_of(candidate: Candidate) -> Span:
    """Return the place of a candidate as a span."""
    return Span(*candidate.place, n_tokens=candidate.n_tokens)


def overlap(one: Span, other: Span) -> bool:
    """Return whether two spans share a line."""
    return one.doc_id == other.doc_id and one.start <= other.end and other.start <= one.end


def overlaps_any(span: Span, others: Iterable[Span]) -> bool:
    """Return whether a span shares a line with one of the others."""
    return any(overlap(span, other) for other in others)
