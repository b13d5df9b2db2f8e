"""From hits to candidates: fused, never overlapping, nothing twice, the same each time."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate, groupby, zip_longest
from operator import itemgetter

import polars as pl
from pydantic import TypeAdapter

from transforms.retrieval.fuse import RRF_K, fuse
from transforms.retrieval.geometry import Geometry, tiled
from transforms.retrieval.hints import hinted_spans
from transforms.retrieval.listing import section_spans
from transforms.retrieval.picking import SPAN_COLUMNS, is_plain, pick
from transforms.retrieval.places import WINDOW_TOKENS
from transforms.retrieval.query import sides
from transforms.retrieval.spans import Span, overlap, overlaps_any, span_of
from transforms.retrieval.two_hop import followed_spans, named_spans
from transforms.values import Candidate, CorpusFrames, Detector, RetrievalRequest

_CANDIDATES = TypeAdapter(list[Candidate])

LEAD_WEIGHT = 4.0
"""What is asked for by name comes before all that is only found: more than all detectors weigh."""
FOUND_WEIGHT = 1.0
"""What is found through another window counts as one more detector."""
FOLLOWED_SHARE = 3
"""One window in so many is given to what the others refer to."""


def make_candidates(
    requests: Sequence[RetrievalRequest],
    corpus: CorpusFrames,
    hit_df: pl.DataFrame,
) -> dict[str, tuple[Candidate, ...]]:
    """Return the candidates of each pair, best first; `hit_df` is what the first pass found."""
    asks = [request for request in requests for _ in sides(request)]
    plain = {ask: request for ask, request in enumerate(asks) if is_plain(request)}
    fused_df = fuse(hit_df)
    is_of_plain = pl.col("ask_id").is_in(plain.keys())
    picked_df = pick(fused_df.filter(is_of_plain), [request.k for request in asks])
    picked = _candidates(picked_df)
    ranked = _spans(fused_df.filter(~is_of_plain))
    geometry = Geometry(corpus)
    found: dict[str, tuple[Candidate, ...]] = {}
    ask = 0
    for request in requests:
        n_sides = len(sides(request))
        if ask in plain:
            found[request.pair_id] = picked.get(ask, ())
        else:
            turns = list(_in_turn(ranked.get(side, []) for side in range(ask, ask + n_sides)))
            spans = _rest_of_list(request, geometry) or _wide(
                request, _chosen(request, turns, corpus, geometry), geometry
            )
            found[request.pair_id] = tuple(
                Candidate(rank=rank, **span._asdict()) for rank, span in enumerate(spans, 1)
            )
        ask += n_sides
    return found


def _candidates(picked_df: pl.DataFrame) -> dict[int, tuple[Candidate, ...]]:
    """Return the candidates of each ask; all are made in one call and by column, for speed."""
    names = {text: tuple(text.split()) for text in picked_df["detectors"].unique()}
    ranks = picked_df.select(pl.int_range(1, pl.len() + 1).over("ask_id")).to_series().to_list()
    columns = (picked_df[name].to_list() for name in SPAN_COLUMNS)
    detectors = map(names.__getitem__, picked_df["detectors"].to_list())
    fields = ("rank", *SPAN_COLUMNS, "detectors")
    rows = zip(ranks, *columns, detectors, strict=True)
    made = _CANDIDATES.validate_python([dict(zip(fields, row, strict=True)) for row in rows])
    asks = groupby(zip(picked_df["ask_id"].to_list(), made, strict=True), key=itemgetter(0))
    return {ask: tuple(candidate for _, candidate in members) for ask, members in asks}


def _spans(fused_df: pl.DataFrame) -> dict[int, list[Span]]:
    """Return the spans of each ask in order."""
    spans: dict[int, list[Span]] = {}
    names = {text: tuple(text.split()) for text in fused_df["detectors"].unique()}
    columns = fused_df.select("ask_id", *SPAN_COLUMNS, "detectors")
    for ask, *row, detectors in columns.iter_rows():
        spans.setdefault(ask, []).append(Span(*row, detectors=names[detectors]))
    return spans


def _in_turn(sides: Iterable[list[Span]]) -> Iterator[Span]:
    """Give each side its turn, so that none takes more than its share of K."""
    for spans in zip_longest(*sides):
        yield from (span for span in spans if span is not None)


def _chosen(
    request: RetrievalRequest, ranked: list[Span], corpus: CorpusFrames, geometry: Geometry
) -> list[Span]:
    """Return at most K spans that do not overlap: what is named, then what ranks best."""
    question, activations = request.question, request.activations
    lead = _named(request, corpus, geometry)
    if question.section_hint or question.page_hint or question.layout_hint:
        hinted = hinted_spans(request, ranked, corpus, geometry)
        lead += [_found_by("hints", span) for span in hinted]
    spans = [*_scored(lead, ranked, LEAD_WEIGHT), *ranked]
    chosen = _apart(request, spans, geometry)
    if activations.two_hop_references and not request.references:
        room = request.k // FOLLOWED_SHARE
        found = [_found_by("two_hop", span) for span in followed_spans(chosen, corpus, geometry)]
        followed = _scored(found, ranked, FOUND_WEIGHT)
        kept = chosen[: request.k - min(room, len(followed))]
        chosen = _apart(request, [*kept, *followed[:room], *spans], geometry)
    if activations.listing_aggregation and not request.references:
        spans = [*_listed(request, ranked, chosen, geometry), *spans]
        chosen = _apart(request, spans, geometry)
    return chosen


def _listed(
    request: RetrievalRequest, ranked: Sequence[Span], chosen: Sequence[Span], geometry: Geometry
) -> list[Span]:
    """Return what is chosen with the rest of its section behind the best window."""
    if not chosen:
        return []
    spans = section_spans(request, chosen[0], geometry)
    listed = _scored([_found_by("listing", span) for span in spans], ranked, FOUND_WEIGHT)
    return [_found_by("listing", chosen[0]), *listed, *chosen[1:]]


def _rest_of_list(request: RetrievalRequest, geometry: Geometry) -> list[Span]:
    """Return what is unread of the section that a widened list began in; nothing when all is.

    At most half of K: a list that goes on there gives reason to go on.
    """
    is_widened = request.widen and request.seen and request.activations.listing_aggregation
    if not is_widened or request.references:
        return []
    best = span_of(request.seen[0])
    layout = geometry.document(best.doc_id)
    section = layout.section_around(best)
    if section is None:
        return []
    unread = layout.unread(section, best, _read(request))[: max(1, request.k // 2)]
    return [_found_by("listing", span) for span in unread]


def _named(request: RetrievalRequest, corpus: CorpusFrames, geometry: Geometry) -> list[Span]:
    """Return what the loop asks for: pages that were re-parsed, references to follow."""
    if not (request.pages or request.references):
        return []
    pages = [
        span
        for doc_id in request.doc_ids
        for page in request.pages
        if (span := geometry.document(doc_id).pages(page, page))
    ]
    named = named_spans(request.references, request.doc_ids, corpus, geometry)
    return [
        *(_found_by("hints", span) for span in tiled(pages, geometry, at_most=request.k)),
        *(_found_by("two_hop", span) for span in named),
    ]


def _found_by(detector: Detector, span: Span) -> Span:
    return span._replace(detectors=(*span.detectors, detector))


def _scored(spans: Sequence[Span], ranked: Sequence[Span], weight: float) -> list[Span]:
    """Return spans with their rank's part and the relevance of the best span they overlap."""
    scored: list[Span] = []
    for position, span in enumerate(spans, 1):
        best = next((other for other in ranked if overlap(span, other)), None)
        scored.append(
            span._replace(
                relevance=best.relevance if best else 0.0,
                anchor_overlap=best.anchor_overlap if best else 0.0,
                fused_score=weight / (RRF_K + position),
            )
        )
    return scored


def _apart(request: RetrievalRequest, spans: Iterable[Span], geometry: Geometry) -> list[Span]:
    """Return the first K spans that hold something unread and share no line with each other.

    Both are judged with the context that the spans will have when the loop asks for wider ones.
    What was dropped never comes back, not in part either.
    """
    dropped = [span_of(candidate) for candidate in request.dropped]
    read = _read(request)
    chosen: list[Span] = []
    taken: list[Span] = []
    for span in spans:
        if len(chosen) == request.k:
            break
        if overlaps_any(span, dropped):
            continue
        layout = geometry.document(span.doc_id)
        wide = layout.wider(span, request.widen) if request.widen else span
        is_new = not read or layout.holds_unread(wide, read)
        if is_new and not overlaps_any(wide, taken):
            chosen.append(span)
            taken.append(wide)
    return chosen


def _wide(request: RetrievalRequest, spans: Sequence[Span], geometry: Geometry) -> list[Span]:
    """Return what is unread of spans and of the context that the loop asks for.

    What was read is not offered again: the loop itself keeps what holds evidence. For that there
    is room: the pieces, however many, have no more tokens than K - 1 windows, or than two, one
    before and one behind.
    """
    if not request.widen:
        return list(spans)
    read = _read(request)
    pieces = [
        piece
        for span in spans
        for layout in [geometry.document(span.doc_id)]
        for piece in layout.unread(layout.wider(span, request.widen), span, read)
    ]
    sizes = accumulate(piece.n_tokens for piece in pieces)
    n_fitting = sum(size <= max(request.k - 1, 2) * WINDOW_TOKENS for size in sizes)
    return pieces[: max(1, n_fitting)]


def _read(request: RetrievalRequest) -> list[Span]:
    return [span_of(candidate) for candidate in (*request.seen, *request.dropped)]
