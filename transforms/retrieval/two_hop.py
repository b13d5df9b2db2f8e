"""Two-hop retrieval: from a reference in the text to the place that it names."""

import re
from collections.abc import Iterable, Sequence

import polars as pl

from transforms.retrieval.geometry import Geometry, Position
from transforms.retrieval.spans import Span
from transforms.text import fold
from transforms.values import CorpusFrames

_NUMBERED = re.compile(
    r"(?:section|sec|article|art|clause|chapter|part|item|paragraph|para|abschnitt|artikel|ziffer"
    r"|kapitel|chapitre|seccion|articulo|clausula|capitulo)?s?\.?\s*(?:§+\s*)?([\w.\-]+)"
)


def named_spans(
    labels: Sequence[str], doc_ids: Sequence[str], corpus: CorpusFrames, geometry: Geometry
) -> list[Span]:
    """Return the windows where the named tables, figures and sections begin, in label order."""
    starts = _object_starts(doc_ids, corpus.object_df) + _section_starts(doc_ids, corpus.toc_df)
    found = [
        (doc_id, start)
        for label in labels
        for names, doc_id, start in starts
        if names & _names(label)
    ]
    return _spans_at(dict.fromkeys(found), geometry)


def followed_spans(spans: Sequence[Span], corpus: CorpusFrames, geometry: Geometry) -> list[Span]:
    """Return the windows that the text of these spans refers to, in the order of the references."""
    targets = _targets(corpus)
    found: list[tuple[str, Position]] = []
    for span in spans:
        reference_df = corpus.cross_ref_df.filter(
            pl.col("doc_id") == span.doc_id,
            pl.col("page").is_between(span.page_start, span.page_end),
            pl.col("target_id").is_not_null(),
        ).sort("page", "line", "seq")
        for page, line, target_id in reference_df.select("page", "line", "target_id").iter_rows():
            is_inside = span.start <= (page, line) <= span.end
            if is_inside and (span.doc_id, target_id) in targets:
                found.append((span.doc_id, targets[span.doc_id, target_id]))
    return _spans_at(dict.fromkeys(found), geometry)


def _spans_at(places: Iterable[tuple[str, Position]], geometry: Geometry) -> list[Span]:
    spans = (geometry.document(doc_id).span_at(start) for doc_id, start in places)
    return [span for span in spans if span]


def _targets(corpus: CorpusFrames) -> dict[tuple[str, str], Position]:
    sections = corpus.toc_df.select("doc_id", "section_id", "page_start", "line_start")
    objects = corpus.object_df.select("doc_id", "object_id", "page", "line_start")
    return {
        (doc_id, target_id): (page, line)
        for frame in (sections, objects)
        for doc_id, target_id, page, line in frame.iter_rows()
    }


def _object_starts(
    doc_ids: Sequence[str], object_df: pl.DataFrame
) -> list[tuple[set[str], str, Position]]:
    rows = object_df.filter(pl.col("doc_id").is_in(doc_ids), pl.col("label").is_not_null())
    return [
        ({fold(label)}, doc_id, (page, line))
        for label, doc_id, page, line in rows.select(
            "label", "doc_id", "page", "line_start"
        ).iter_rows()
    ]


def _section_starts(
    doc_ids: Sequence[str], toc_df: pl.DataFrame
) -> list[tuple[set[str], str, Position]]:
    rows = toc_df.filter(pl.col("doc_id").is_in(doc_ids))
    return [
        ({fold(name).strip(" .") for name in (number, title) if name}, doc_id, (page, line))
        for number, title, doc_id, page, line in rows.select(
            "number", "title", "doc_id", "page_start", "line_start"
        ).iter_rows()
    ]


def _names(label: str) -> set[str]:
    """Return the forms under which a label may stand: as it is, and its bare number."""
    plain = fold(label).strip(" .")
    match = _NUMBERED.fullmatch(plain)
    return {plain, match.group(1).strip(".")} if match else {plain}
