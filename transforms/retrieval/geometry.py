"""Lay spans over a document: at a line, over a range, wider by a page or a section."""

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from itertools import groupby
from typing import Any

import polars as pl

from transforms.retrieval.places import WINDOW_TOKENS, unit_lines
from transforms.retrieval.spans import Span
from transforms.values import CorpusFrames

Position = tuple[int, int]
"""Page and line."""
SECTION_TOKENS = 3 * WINDOW_TOKENS
"""A section up to this length is offered whole when windows are widened."""


class Geometry:
    """The documents of a corpus, laid out when they are first asked for."""

    def __init__(self, corpus: CorpusFrames) -> None:
        self._corpus = corpus
        self._documents: dict[str, Layout] = {}

    def document(self, doc_id: str) -> "Layout":
        """Return the layout of one document."""
        if doc_id not in self._documents:
            is_own = pl.col("doc_id") == doc_id
            line_df = self._corpus.line_df.filter(is_own)
            self._documents[doc_id] = Layout(doc_id, line_df, self._corpus.toc_df.filter(is_own))
        return self._documents[doc_id]


class Layout:
    """The lines of one document in order, with their units, and its sections."""

    def __init__(self, doc_id: str, line_df: pl.DataFrame, toc_df: pl.DataFrame) -> None:
        unit_line_df = unit_lines(line_df)
        self.doc_id = doc_id
        self.positions: list[Position] = list(unit_line_df.select("page", "line").iter_rows())
        self._n_tokens: list[int] = unit_line_df["n_tokens"].to_list()
        self._units: list[int] = unit_line_df["unit"].to_list()
        self._sections = [
            ((page_start, line_start), (page_end, line_end))
            for page_start, line_start, page_end, line_end in toc_df.select(
                "page_start", "line_start", "page_end", "line_end"
            ).iter_rows()
        ]

    def span(self, start: Position, end: Position) -> Span | None:
        """Return the lines from start to end as one span, however long; null without lines."""
        first, last = bisect_left(self.positions, start), bisect_right(self.positions, end)
        return self._span(first, last) if first < last else None

    def span_at(self, start: Position) -> Span | None:
        """Return the window that begins at a line."""
        tiles = self.tiles(start, self.positions[-1], at_most=1) if self.positions else []
        return tiles[0] if tiles else None

    def tiles(self, start: Position, end: Position, *, at_most: int) -> list[Span]:
        """Return windows side by side over a range, cut where units end."""
        first, last = bisect_left(self.positions, start), bisect_right(self.positions, end)
        spans: list[Span] = []
        begin, total = first, 0
        for _, members in groupby(range(first, last), key=self._units.__getitem__):
            indexes = list(members)
            size = sum(self._n_tokens[i] for i in indexes)
            if total and total + size > WINDOW_TOKENS:
                spans.append(self._span(begin, indexes[0]))
                begin, total = indexes[0], 0
                if len(spans) == at_most:
                    return spans
            total += size
        return [*spans, self._span(begin, last)] if begin < last else spans

    def pages(self, first: int, last: int) -> Span | None:
        """Return whole pages as one span."""
        return self.span((first, 0), (last + 1, 0))

    def section_around(self, span: Span) -> Span | None:
        """Return the innermost section that shares most lines with a span."""
        shared = [
            (self._n_shared(span, start, end), -self._n_lines(start, end), start, end)
            for start, end in self._sections
            if start <= span.end and span.start <= end
        ]
        if not shared:
            return None
        _, _, start, end = max(shared)
        return self.span(start, end)

    def wider(self, span: Span, widen: int) -> Span:
        """Return a span with more context: 1 its section or its pages, 2 the pages around it."""
        section = self.section_around(span) if widen == 1 else None
        if section and span.n_tokens < section.n_tokens <= SECTION_TOKENS:
            start, end = min(span.start, section.start), max(span.end, section.end)
        else:
            start, end = (span.page_start - widen + 1, 0), (span.page_end + widen, 0)
        wide = self.span(start, end)
        if wide is None:
            return span
        return wide._replace(**_scores(span))

    def holds_unread(self, span: Span, read: Sequence[Span]) -> bool:
        """Return whether some line of a span is in none of the spans that were read."""
        first = bisect_left(self.positions, span.start)
        last = bisect_right(self.positions, span.end)
        own = [other for other in read if other.doc_id == self.doc_id]
        return any(
            not any(other.start <= position <= other.end for other in own)
            for position in self.positions[first:last]
        )

    def unread(self, within: Span, around: Span, read: Sequence[Span]) -> list[Span]:
        """Return what is unread within a span as windows, each with the scores of `around`.

        What follows `around` comes before what precedes it.
        """
        first = bisect_left(self.positions, within.start)
        last = bisect_right(self.positions, within.end)
        own = [other for other in read if other.doc_id == self.doc_id]
        runs: list[list[Position]] = [
            list(members)
            for is_read, members in groupby(
                self.positions[first:last],
                key=lambda place: any(other.start <= place <= other.end for other in own),
            )
            if not is_read
        ]
        tiles = [
            tile._replace(**_scores(around))
            for run in runs
            for tile in self.tiles(run[0], run[-1], at_most=len(run))
        ]
        return sorted(tiles, key=lambda tile: tile.end < around.start)

    def _n_shared(self, span: Span, start: Position, end: Position) -> int:
        return self._n_lines(max(span.start, start), min(span.end, end))

    def _n_lines(self, start: Position, end: Position) -> int:
        return bisect_right(self.positions, end) - bisect_left(self.positions, start)

    def _span(self, first: int, last: int) -> Span:
        """Return lines `first` up to but not including `last` as a span."""
        return Span(
            self.doc_id,
            *self.positions[first],
            *self.positions[last - 1],
            n_tokens=sum(self._n_tokens[first:last]),
        )


def _scores(span: Span) -> dict[str, Any]:
    """Return what is known of a span beside its place and length."""
    names = Span._fields[Span._fields.index("relevance") :]
    return {name: getattr(span, name) for name in names}


def tiled(spans: Iterable[Span], geometry: Geometry, *, at_most: int) -> list[Span]:
    """Return long spans as windows side by side, at most so many of each."""
    return [
        tile
        for span in spans
        for tile in geometry.document(span.doc_id).tiles(span.start, span.end, at_most=at_most)
    ]
