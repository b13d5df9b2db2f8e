"""Listing aggregation: the whole section of the best match, and how much of it was examined."""

from collections.abc import Sequence

import polars as pl

from transforms.retrieval.geometry import Geometry
from transforms.retrieval.spans import Span, span_of
from transforms.text import terms
from transforms.values import Candidate, CorpusFrames, ParsedQuestion, RetrievalRequest, Value


class Coverage(Value):
    """How much of what matches a listing was offered."""

    n_pages_examined: int
    n_pages_matching: int
    """Pages with at least half of the question's words."""
    n_matching_examined: int


def section_spans(request: RetrievalRequest, best: Span, geometry: Geometry) -> list[Span]:
    """Return what is unread of the section around the best window, as windows in reading order.

    What follows comes before what precedes. It takes at most half of K, or all but one window
    when the listing is widened.
    """
    layout = geometry.document(best.doc_id)
    section = layout.section_around(best)
    if section is None:
        return []
    room = request.k - 1 if request.widen else request.k // 2
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
    question: ParsedQuestion, candidates: Sequence[Candidate], corpus: CorpusFrames
) -> Coverage:
    """Return how many pages of the candidates' documents match, and how many were examined."""
    doc_ids = {candidate.doc_id for candidate in candidates}
    languages = dict(corpus.document_df.select("doc_id", "language").iter_rows())
    examined = {
        (candidate.doc_id, page)
        for candidate in candidates
        for page in range(candidate.page_start, candidate.page_end + 1)
    }
    page_text_df = (
        corpus.line_df.filter(pl.col("doc_id").is_in(doc_ids))
        .sort("doc_id", "page", "line")
        .group_by("doc_id", "page", maintain_order=True)
        .agg(pl.col("text").str.join(" "))
    )
    matching: set[tuple[str, int]] = set()
    for doc_id, page, text in page_text_df.iter_rows():
        wanted = set(terms(" ".join(question.keywords), languages.get(doc_id)))
        if wanted and len(wanted.intersection(terms(text, languages.get(doc_id)))) * 2 >= len(
            wanted
        ):
            matching.add((doc_id, page))
    return Coverage(
        n_pages_examined=len(examined),
        n_pages_matching=len(matching),
        n_matching_examined=len(matching & examined),
    )
