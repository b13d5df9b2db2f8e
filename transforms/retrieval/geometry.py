"""Lay spans over a document: at a line, over a range, wider by a page or a section."""

from bisect import bisect_left, bisect_right
from itertools import groupby

import polars as pl

from transforms.retrieval.places import WINDOW_TOKENS, unit_lines
from transforms.retrieval.spans import Span

Position = tuple[int, int]
"""Page and line."""


class Geometry:
    """The lines of some documents, laid out when they are first asked for."""

    def __init__(self, line_df: pl.DataFrame) -> None:
        self._line_df = line_df
        self._documents: dict[str, DocumentLines] = {}

    def document(self, doc_id: str) -> "DocumentLines":
        """Return the lines of one document."""
        if doc_id not in self._documents:
            own_df = self._line_df.filter(pl.col("doc_id") == doc_id)
            self._documents[doc_id] = DocumentLines(doc_id, own_df)
        return self._documents[doc_id]


class DocumentLines:
    """The lines of one document in order, with their units."""

    def __init__(self, doc_id: str, line_df: pl.DataFrame) -> None:
        unit_line_df = unit_lines(line_df)
        self.doc_id = doc_id
        self.positions: list[Position] = list(unit_line_df.select("page", "line").iter_rows())
        self._n_tokens: list[int] = unit_line_df["n_tokens"].to_list()
        self._units: list[int] = unit_line_df["unit"].to_list()

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

    def _span(self, first: int, last: int) -> Span:
        """Return lines `first` up to but not including `last` as a span."""
        return Span(
            self.doc_id,
            *self.positions[first],
            *self.positions[last - 1],
            n_tokens=sum(self._n_tokens[first:last]),
        )
