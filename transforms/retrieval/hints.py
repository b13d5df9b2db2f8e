"""Windows that a question points to itself: a section, a page, a table or figure by name."""

import re
from collections.abc import Sequence

import polars as pl

from transforms.retrieval.geometry import Geometry, tiled
from transforms.retrieval.spans import Span, overlaps_any
from transforms.retrieval.two_hop import named_sections, named_spans
from transforms.text import fold
from transforms.values import CorpusFrames, RetrievalRequest

OBJECT_KINDS = {
    "table": "table",
    "figure": "figure",
    "chart": "figure",
    "diagram": "figure",
    "caption": "figure",
}
"""Layout words that stand for a kind of object."""
LINE_ROLES = {"footnote": "footnote", "header": "header", "footer": "footer", "caption": "caption"}
"""Layout words that stand for the role of a line."""
_IS_LABEL = re.compile(r".*\d|.*\b[ivx]+$")


def hinted_spans(
    request: RetrievalRequest, ranked: Sequence[Span], corpus: CorpusFrames, geometry: Geometry
) -> list[Span]:
    """Return the windows that the question points to, best first."""
    question = request.question
    found: list[Span] = []
    if question.page_hint:
        found += _on_page(question.page_hint, request, corpus, geometry)
    if question.section_hint:
        found += _in_section(question.section_hint, request, ranked, corpus, geometry)
    if question.layout_hint:
        found += _in_layout(fold(question.layout_hint), request, ranked, corpus, geometry)
    return found


def _on_page(
    hint: str, request: RetrievalRequest, corpus: CorpusFrames, geometry: Geometry
) -> list[Span]:
    """Return the windows of a page: by its printed label, else by its number in the file."""
    found: list[Span] = []
    for doc_id in request.doc_ids:
        page_df = corpus.page_df.filter(pl.col("doc_id") == doc_id)
        labels = page_df.select("page", pl.col("page_label").fill_null("")).rows()
        last = max((page for page, _ in labels), default=1)
        numbers = {"first": 1, "last": last}
        named = [page for page, label in labels if fold(label) == fold(hint)]
        number = numbers.get(hint, int(hint) if hint.isdigit() else 0)
        pages = named[:1] or [number]
        whole = (geometry.document(doc_id).pages(page, page) for page in pages)
        found += tiled((span for span in whole if span), geometry, at_most=request.k)
    return found


def _in_section(
    hint: str,
    request: RetrievalRequest,
    ranked: Sequence[Span],
    corpus: CorpusFrames,
    geometry: Geometry,
) -> list[Span]:
    """Return a named section whole when K windows hold it, else its windows that rank best."""
    whole = [
        span
        for doc_id, start, end in named_sections(hint, request.doc_ids, corpus.toc_df)
        if (span := geometry.document(doc_id).span(start, end))
    ]
    tiles = tiled(whole, geometry, at_most=request.k + 1)
    if len(tiles) <= request.k:
        return tiles
    return [span for span in ranked if overlaps_any(span, whole)] or tiles[: request.k]


def _in_layout(
    hint: str,
    request: RetrievalRequest,
    ranked: Sequence[Span],
    corpus: CorpusFrames,
    geometry: Geometry,
) -> list[Span]:
    """Return a labelled object, or of the ranked windows those with such an object or line."""
    if _IS_LABEL.fullmatch(hint):
        return named_spans([hint], request.doc_ids, corpus, geometry)
    is_asked = pl.col("doc_id").is_in(request.doc_ids)
    place_dfs = [
        corpus.object_df.filter(is_asked, pl.col("kind") == OBJECT_KINDS.get(hint, "")).select(
            "doc_id", "page", "line_start", "line_end"
        ),
        corpus.line_df.filter(is_asked, pl.col("role") == LINE_ROLES.get(hint, "")).select(
            "doc_id", "page", line_start="line", line_end="line"
        ),
    ]
    objects = [
        Span(doc_id, page, first, page, last, n_tokens=0)
        for doc_id, page, first, last in pl.concat(place_dfs).iter_rows()
    ]
    return [span for span in ranked if overlaps_any(span, objects)]
