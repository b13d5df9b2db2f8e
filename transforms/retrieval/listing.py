"""Listing aggregation: the whole section of the best match, and how much of it was examined."""

from collections.abc import Sequence

import polars as pl

from transforms.retrieval.geometry import Geometry
from transforms.retrieval.spans import Span, span_of
from transforms.text import terms
from transforms.values import Candidate, ParsedQuestion, RetrievalRequest, Value


class Coverage(Value):
    """How much of what matches a listing was offered."""

    n_pages_examined: int
    n_pages_matching: int
    """Pages with at least half of the question's words."""
    n_matching_examined: int

    def in_words(self) -> str:
        """Return what a reader of the answer is told."""
        return (
            f"pages examined: {self.n_pages_examined}; pages that match the question: "
            f"{self.n_pages_matching}, {self.n_matching_examined} of them examined"
        )


def section_spans(request: RetrievalRequest, best: Span, geometry: Geometry) -> list[Span]:
    """Return what is unread of the section around the best window, as windows in reading order.

    What follows comes before what precedes. It takes at most half of K.
    """
    layout = geometry.document(best.doc_id)
    section = layout.section_around(best)
    if section is None:
        return []
    room = request.k // 2
    next_line = (best.page_end, best.line_end + 1)
    line_before = (best.page_start, best.line_start - 1)
    seen = [span_of(candidate) for candidate in request.seen]
    at_most = room + len(seen)
    tiles = [
        *layout.tiles(next_line, section.end, at_most=at_most),
        *layout.tiles(section.start, line_before, at_most=at_most),
    ]
    return [tile for tile in tiles if not seen or layout.holds_unread(tile, seen)][:room]


def listing_coverage(
    question: ParsedQuestion,
    doc_ids: Sequence[str],
    read: Sequence[Candidate],
    document_df: pl.DataFrame,
    term_df: pl.DataFrame,
) -> Coverage:
    """Return how many pages of these documents match, and how many the windows read cover."""
    examined = {
        (candidate.doc_id, page)
        for candidate in read
        for page in range(candidate.page_start, candidate.page_end + 1)
    }
    matching: set[tuple[str, int]] = set()
    asked_df = document_df.filter(pl.col("doc_id").is_in(doc_ids))
    for language, one_language_df in asked_df.group_by("language"):
        wanted = set(terms(" ".join(question.keywords), language[0]))
        found_df = (
            term_df.filter(
                pl.col("doc_id").is_in(one_language_df["doc_id"].implode()),
                pl.col("term").is_in(wanted),
            )
            .group_by("doc_id", "page")
            .agg(n_found=pl.col("term").n_unique())
            .filter(2 * pl.col("n_found") >= len(wanted))
        )
        matching.update(found_df.select("doc_id", "page").iter_rows())
    return Coverage(
        n_pages_examined=len(examined),
        n_pages_matching=len(matching),
        n_matching_examined=len(matching & examined),
    )
