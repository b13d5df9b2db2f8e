"""Two-hop retrieval: from a reference in the text to the place that it names."""

import re
from collections.abc import Iterable, Sequence

import polars as pl

from transforms.retrieval.geometry import Geometry, Position
from transforms.retrieval.spans import Span
from transforms.text import fold
from transforms.values import CorpusFrames

_NUMBERED = re.compile(
    r"(?:section|sec|article|art|clause|chapter|part|item|paragraph|para|rule|note|annex|annexe"
    r"|appendix|schedule|exhibit|abschnitt|artikel|ziffer|kapitel|paragraf|anhang|anlage|chapitre"
    r"|paragraphe|seccion|articulo|clausula|capitulo|anexo)?s?\.?\s*(?:no\.?\s*)?(?:§+\s*)?"
    r"([\w.\-]*\d[\w.\-]*|[ivxlc]+|[a-z])"
)

_OPENING = "first page"
"""Label of where a document begins: its date, its parties, its title stand there."""


def named_spans(
    labels: Sequence[str], doc_ids: Sequence[str], corpus: CorpusFrames, geometry: Geometry
) -> list[Span]:
    """Return the windows where the named places begin, in label order: tables, figures, sections,
    the first page.
    """
    found: list[tuple[str, Position]] = []
    for label in labels:
        if fold(label) == _OPENING:
            found += [(doc_id, (1, 1)) for doc_id in doc_ids]
            continue
        objects = _named_objects(label, doc_ids, corpus.object_df)
        sections = named_sections(label, doc_ids, corpus.toc_df)
        found += objects or [(doc_id, start) for doc_id, start, _ in sections]
    return _spans_at(dict.fromkeys(found), geometry)


def named_sections(
    label: str, doc_ids: Sequence[str], toc_df: pl.DataFrame
) -> list[tuple[str, Position, Position]]:
    """Return document, first and last line of the sections with this number or title.

    A number names its section, else a title that is the label, else titles that hold all of it.
    """
    names = _names(label)
    by_strength: tuple[list[tuple[str, Position, Position]], ...] = ([], [], [])
    is_asked = pl.col("doc_id").is_in(doc_ids)
    for row in toc_df.filter(is_asked).iter_rows(named=True):
        start = (row["page_start"], row["line_start"])
        place = (row["doc_id"], start, (row["page_end"], row["line_end"]))
        title = fold(row["title"]).strip(" .")
        if names & _names(row["number"] or ""):
            by_strength[0].append(place)
        elif title in names:
            by_strength[1].append(place)
        elif set(fold(label).split()) <= set(re.findall(r"\w+", title)):
            by_strength[2].append(place)
    return next((places for places in by_strength if places), [])


def followed_spans(spans: Sequence[Span], corpus: CorpusFrames, geometry: Geometry) -> list[Span]:
    """Return the windows that the text of these spans refers to, in the order of the references."""
    doc_ids = {span.doc_id for span in spans}
    reference_df = corpus.cross_ref_df.filter(
        pl.col("doc_id").is_in(doc_ids), pl.col("target_id").is_not_null()
    ).sort("doc_id", "page", "line", "seq")
    if reference_df.is_empty():
        return []
    references = reference_df.select("doc_id", "page", "line", "target_id").rows()
    targets = _targets(doc_ids, corpus)
    found = [
        (span.doc_id, targets[span.doc_id, target_id])
        for span in spans
        for doc_id, page, line, target_id in references
        if doc_id == span.doc_id
        and span.start <= (page, line) <= span.end
        and (doc_id, target_id) in targets
    ]
    return _spans_at(dict.fromkeys(found), geometry)


def _spans_at(places: Iterable[tuple[str, Position]], geometry: Geometry) -> list[Span]:
    spans = (geometry.document(doc_id).span_at(start) for doc_id, start in places)
    return [span for span in spans if span]


def _targets(doc_ids: set[str], corpus: CorpusFrames) -> dict[tuple[str, str], Position]:
    sections = corpus.toc_df.select("doc_id", "section_id", "page_start", "line_start")
    objects = corpus.object_df.select("doc_id", "object_id", "page", "line_start")
    return {
        (doc_id, target_id): (page, line)
        for frame in (sections, objects)
        for doc_id, target_id, page, line in frame.iter_rows()
        if doc_id in doc_ids
    }


def _named_objects(
    label: str, doc_ids: Sequence[str], object_df: pl.DataFrame
) -> list[tuple[str, Position]]:
    is_asked = pl.col("doc_id").is_in(doc_ids) & pl.col("label").is_not_null()
    wanted = fold(label).strip(" .")
    rows = object_df.filter(is_asked).select("label", "doc_id", "page", "line_start").iter_rows()
    return [(doc_id, (page, line)) for name, doc_id, page, line in rows if fold(name) == wanted]


def _names(label: str) -> set[str]:
    """Return the forms under which a label may stand: as it is, and its bare number."""
    plain = fold(label).strip(" .")
    match = _NUMBERED.fullmatch(plain)
    return {plain, match.group(1).strip(".")} - {""} if match else {plain} - {""}
