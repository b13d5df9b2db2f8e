"""From hits to candidates: fused, never overlapping, nothing twice, the same each time."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby, zip_longest
from operator import itemgetter

import polars as pl

from transforms.retrieval.fuse import fuse
from transforms.retrieval.geometry import Geometry
from transforms.retrieval.spans import Span, is_covered, overlap, span_of
from transforms.retrieval.two_hop import named_spans
from transforms.values import Candidate, CorpusFrames, RetrievalRequest


def make_candidates(
    requests: Sequence[RetrievalRequest],
    corpus: CorpusFrames,
    hit_df: pl.DataFrame,
) -> dict[str, tuple[Candidate, ...]]:
    """Return the candidates of each pair, best first; `hit_df` is what the first pass found."""
    sides = _spans_by_pair(fuse(hit_df))
    geometry = Geometry(corpus.line_df)
    found: dict[str, tuple[Candidate, ...]] = {}
    for request in requests:
        asked_for = _asked_for(request, corpus, geometry)
        ranked = _in_turn(sides.get(request.pair_id, []))
        found[request.pair_id] = _candidates(request, [*asked_for, *ranked])
    return found


def _spans_by_pair(fused_df: pl.DataFrame) -> dict[str, list[list[Span]]]:
    """Return for each pair the ranked spans of each of its sides."""
    columns = fused_df.select("pair_id", "side", *Span._fields).iter_rows()
    spans: dict[str, list[list[Span]]] = {}
    for (pair_id, _), rows in groupby(columns, key=itemgetter(0, 1)):
        ranked = [Span(*row[2:-1], detectors=tuple(row[-1])) for row in rows]
        spans.setdefault(pair_id, []).append(ranked)
    return spans


def _asked_for(request: RetrievalRequest, corpus: CorpusFrames, geometry: Geometry) -> list[Span]:
    """Return what the loop asked for by name: re-parsed pages, then references."""
    pages = [
        span
        for doc_id in request.doc_ids
        for page in request.pages
        for span in geometry.document(doc_id).tiles((page, 0), (page + 1, 0), at_most=request.k)
    ]
    named = named_spans(request.references, request.doc_ids, corpus, geometry)
    return [
        *(span._replace(detectors=("hints",)) for span in pages),
        *(span._replace(detectors=("two_hop",)) for span in named),
    ]


def _candidates(request: RetrievalRequest, spans: Iterable[Span]) -> tuple[Candidate, ...]:
    offered = [span_of(candidate) for candidate in (*request.seen, *request.dropped)]
    chosen: list[Span] = []
    for span in spans:
        if len(chosen) == request.k:
            break
        if not any(overlap(span, other) for other in chosen) and not is_covered(span, offered):
            chosen.append(span)
    return tuple(_candidate(span, rank) for rank, span in enumerate(chosen, 1))


def _in_turn(sides: Iterable[list[Span]]) -> Iterator[Span]:
    """Give each side its turn, so that none takes more than its share of K."""
    for spans in zip_longest(*sides):
        yield from (span for span in spans if span is not None)


def _candidate(span: Span, rank: int) -> Candidate:
    return Candidate(rank=rank, **span._asdict())
