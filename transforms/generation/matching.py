"""Find a quote in the lines of a document, so that it stands there and nothing is cut off."""

from bisect import bisect_right
from collections.abc import Collection, Iterator, Sequence
from functools import lru_cache
from itertools import groupby
from typing import Any

import polars as pl

from transforms.generation.edges import is_cut
from transforms.generation.folding import Folded, collapse, gaps_agree, negations
from transforms.generation.fuzzy import find_fuzzy
from transforms.values import MatchKind, Value

_GAP = "\n\0\n"
"""Stands between lines that do not follow each other: no quote goes across it."""
_RUNNING = ("header", "footer")
_PAGES_BEHIND = 3
"""A quote that touches a page may begin on the page before and end this many pages behind."""
_COLUMNS = ("doc_id", "page", "page_version", "line", "text", "role", "x0", "y0", "x1", "y1")
Row = dict[str, Any]
"""A line with `_COLUMNS`, and the number of the `run` of lines without a gap that it is in."""


class Match(Value):
    """Where a quote stands on one page.

    `char_start` counts in the text of `line_start`, `char_end` (exclusive) in that of `line_end`.
    What runs over to following pages stands in `continued`, one match a page.
    """

    match_kind: MatchKind
    doc_id: str
    page: int
    page_version: int
    line_start: int
    line_end: int
    char_start: int
    char_end: int
    quote: str
    """The text as it stands, lines joined by line breaks."""
    bboxes: tuple[tuple[float, float, float, float], ...] = ()
    """One box a line: x0, y0, x1, y1."""
    continued: tuple["Match", ...] = ()

    @property
    def pages(self) -> tuple[int, ...]:
        """Return the pages that the quote touches, in order."""
        return (self.page, *(match.page for match in self.continued))


def find_quote(
    line_df: pl.DataFrame,
    quote: str,
    *,
    page: int | None = None,
    lines: Collection[int] | None = None,
) -> Match | None:
    """Return the best place where the quote stands, or None.

    `page` asks for a match that touches the page, `lines` for one that touches the stretch from
    the first to the last of these lines. Exact goes before normalized before fuzzy, then the
    first in reading order. Headers and footers between the lines of a quote are skipped. Of
    several parses of a page the last counts.
    """
    if page is not None:
        line_df = line_df.filter(pl.col("page").is_between(page - 1, page + _PAGES_BEHIND))
    return QuoteFinder(line_df).find(quote, page=page, lines=lines)


class QuoteFinder:
    """Lines of documents, prepared once for any number of quotes; see `find_quote`."""

    def __init__(self, line_df: pl.DataFrame) -> None:
        self._streams = list(_streams(line_df))

    def find(
        self, quote: str, *, page: int | None = None, lines: Collection[int] | None = None
    ) -> Match | None:
        """Return the best place where the quote stands, or None."""
        if not any(character.isalnum() for character in quote):
            return None
        folded, wanted = _folded_quote(quote), _Wanted(page, lines)
        for look in (_find_folded, _find_fuzzy):
            found = (match for stream in self._streams for match in look(stream, folded, wanted))
            if match := _best(found):
                return match
        return None


def _best(matches: Iterator[Match]) -> Match | None:
    """Return the first exact match, else the first of all; looks no further than needed."""
    best: Match | None = None
    for match in matches:
        if match.match_kind == "exact":
            return match
        best = best or match
    return best


class _Wanted:
    """The page and lines that a match has to touch."""

    def __init__(self, page: int | None, lines: Collection[int] | None) -> None:
        self.page = page
        self.lines = lines

    def __call__(self, match: Match) -> bool:
        return any(self._touches(part) for part in (match, *match.continued))

    def _touches(self, part: Match) -> bool:
        if self.page is not None and part.page != self.page:
            return False
        return not self.lines or (
            part.line_start <= max(self.lines) and min(self.lines) <= part.line_end
        )


class _Stream:
    """The lines of one document as one text, in which places map back to lines."""

    def __init__(self, rows: Sequence[Row]) -> None:
        self.rows = rows
        self._nearly: dict[str, tuple[int, int] | None] = {}
        self.starts: list[int] = []
        pieces: list[str] = []
        place = 0
        for before, row in zip((None, *self.rows), self.rows, strict=False):
            if before is not None:
                pieces.append("\n" if before["run"] == row["run"] else _GAP)
                place += len(pieces[-1])
            self.starts.append(place)
            pieces.append(row["text"].replace("\n", " "))
            place += len(pieces[-1])
        self.text = Folded("".join(pieces))

    def nearest(self, quote: Folded) -> tuple[int, int] | None:
        """Return the span that is nearly the quote; it is looked for once, wherever it is cited."""
        if quote.raw not in self._nearly:
            self._nearly[quote.raw] = find_fuzzy(self.text, quote)
        return self._nearly[quote.raw]

    def row_number(self, place: int) -> int:
        return bisect_right(self.starts, place) - 1

    def is_cut(self, start: int, end: int) -> bool:
        is_table_row = self.rows[self.row_number(start)]["role"] == "table_row"
        return is_cut(self.text.raw, start, end, is_table_row=is_table_row)

    def match(self, start: int, end: int, match_kind: MatchKind) -> Match:
        first, last = self.row_number(start), self.row_number(end - 1)
        parts: list[Match] = []
        while first <= last:
            page = self.rows[first]["page"]
            stop = first
            while stop < last and self.rows[stop + 1]["page"] == page:
                stop += 1
            part_start = max(start, self.starts[first])
            part_end = min(end, self.starts[stop] + len(self.rows[stop]["text"]))
            parts.append(self._part(first, stop, (part_start, part_end), match_kind))
            first = stop + 1
        return parts[0].model_copy(update={"continued": tuple(parts[1:])})

    def _part(self, first: int, last: int, span: tuple[int, int], kind: MatchKind) -> Match:
        rows = self.rows[first : last + 1]
        return Match(
            match_kind=kind,
            doc_id=rows[0]["doc_id"],
            page=rows[0]["page"],
            page_version=rows[0]["page_version"],
            line_start=rows[0]["line"],
            line_end=rows[-1]["line"],
            char_start=span[0] - self.starts[first],
            char_end=span[1] - self.starts[last],
            quote=self.text.raw[span[0] : span[1]],
            bboxes=tuple(
                (row["x0"], row["y0"], row["x1"], row["y1"])
                for row in rows
                if row["x0"] is not None
            ),
        )


def _streams(line_df: pl.DataFrame) -> Iterator[_Stream]:
    """Yield each document twice: all its lines, and without headers and footers."""
    rows = line_df.select(_COLUMNS).rows(named=True)
    last: dict[tuple[str, int], int] = {}
    for row in rows:
        page = row["doc_id"], row["page"]
        last[page] = max(row["page_version"], last.get(page, 0))
    current = [row for row in rows if row["page_version"] == last[row["doc_id"], row["page"]]]
    current.sort(key=lambda row: (row["doc_id"], row["page"], row["line"]))
    for _, lines in groupby(current, key=lambda row: row["doc_id"]):
        document = _in_runs(list(lines))
        yield _Stream(document)
        flow = [row for row in document if row["role"] not in _RUNNING]
        if 0 < len(flow) < len(document):
            yield _Stream(flow)


def follows(before: tuple[int, int], place: tuple[int, int]) -> bool:
    """Tell whether no line is missing between two places, each a page and a line."""
    return place in ((before[0], before[1] + 1), (before[0] + 1, 1))


def _in_runs(rows: list[Row]) -> list[Row]:
    """Number the run of each line: a new one begins where lines are missing before it."""
    run, before = 0, None
    for row in rows:
        place = row["page"], row["line"]
        if before and not follows(before, place):
            run += 1
        row["run"], before = run, place
    return rows


@lru_cache(maxsize=64)
def _folded_quote(quote: str) -> Folded:
    """Return the quote folded; it cannot spell a gap. All passages are asked for the same few."""
    return Folded(quote.replace("\0", " ").strip())


def _find_folded(stream: _Stream, folded: Folded, wanted: _Wanted) -> Iterator[Match]:
    """Yield places where the quote stands but for white space, quotes, dashes and line ends."""
    text = stream.text
    found = text.skeleton.find(folded.skeleton)
    while found >= 0:
        start = text.origin[found]
        end = text.origin[found + len(folded.skeleton) - 1] + 1
        if gaps_agree(text, found, folded) and not stream.is_cut(start, end):
            raw = text.raw[start:end]
            is_exact = collapse(raw) == collapse(folded.raw)
            if is_exact or negations(raw) == negations(folded.raw):
                match = stream.match(start, end, "exact" if is_exact else "normalized")
                if wanted(match):
                    yield match
        found = text.skeleton.find(folded.skeleton, found + 1)


def _find_fuzzy(stream: _Stream, folded: Folded, wanted: _Wanted) -> Iterator[Match]:
    span = stream.nearest(folded)
    if span is None or _GAP in stream.text.raw[slice(*span)]:
        return
    if not stream.is_cut(*span):
        match = stream.match(*span, "fuzzy")
        if wanted(match):
            yield match
