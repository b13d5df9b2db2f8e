"""From hits to candidates: fused, never overlapping, nothing twice, the same each time."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import accumulate, zip_longest

import polars as pl
from pydantic import TypeAdapter

from transforms.retrieval.found import Found
from transforms.retrieval.fuse import RRF_K, fuse, with_detectors
from transforms.retrieval.geometry import Geometry, tiled
from transforms.retrieval.hints import hinted_spans
from transforms.retrieval.listing import section_spans
from transforms.retrieval.picking import is_plain, pick
from transforms.retrieval.places import WINDOW_TOKENS
from transforms.retrieval.query import sides
from transforms.retrieval.spans import Span, overlap, overlaps_any, span_of
from transforms.retrieval.two_hop import followed_spans, named_spans
from transforms.values import Candidate, CorpusFrames, Detector, RetrievalRequest

LEAD_WEIGHT = 4.0
"""What is asked for by name comes before all that is only found: more than all detectors weigh."""
FOUND_WEIGHT = 1.0
"""What is found through another window counts as one more detector."""
FOLLOWED_SHARE = 3
"""One window in so many is given to what the others refer to."""

_CANDIDATES = TypeAdapter(tuple[Candidate, ...])
_FIELDS = ("rank", *Span._fields)
SPAN_COLUMNS = (
    "doc_id", "page_start", "line_start", "page_end", "line_end", "n_tokens", "relevance",
    "fused_score", "anchor_overlap",
)  # fmt: skip


def make_candidates(
    requests: Sequence[RetrievalRequest],
    corpus: CorpusFrames,
    hit_df: pl.DataFrame,
    place_df: pl.DataFrame,
) -> Mapping[str, tuple[Candidate, ...]]:
    """Return the candidates of each pair, best first; `hit_df` is what the first pass found.

    Those of plain requests stay rows until they are asked for.
    """
    first_asks: dict[str, int] = {}
    others: list[tuple[RetrievalRequest, range]] = []
    k_by_ask: list[int] = []
    for request in requests:
        first = first_asks[request.pair_id] = len(k_by_ask)
        if is_plain(request):
            k_by_ask.append(request.k)
        else:
            k_by_ask += [request.k] * len(sides(request))
            others.append((request, range(first, len(k_by_ask))))
    fused_df = fuse(hit_df)
    is_other = pl.col("ask_id").is_in([ask for _, asks in others for ask in asks])
    ranked = _spans_by_ask(_placed(fused_df.filter(is_other), place_df))
    picked_df = pick(fused_df.filter(~is_other), place_df, k_by_ask)
    picked = _spans_by_ask(_placed(picked_df, place_df))
    geometry = Geometry(corpus)
    chosen: dict[str, tuple[Candidate, ...]] = {}
    for request, asks in others:
        turns = list(_in_turn(map(ranked, asks)))
        spans = _rest_of_list(request, geometry) or _wide(
            request, _chosen(request, turns, corpus, geometry), geometry
        )
        chosen[request.pair_id] = _candidates(spans)

    def made(pair_id: str) -> tuple[Candidate, ...]:
        return chosen.get(pair_id) or _candidates(picked(first_asks[pair_id]))

    return Found(first_asks, made)


def _placed(fused_df: pl.DataFrame, place_df: pl.DataFrame) -> pl.DataFrame:
    """Return hits with the lines of their places and the detectors, as spans have them."""
    line_df = place_df.drop("unit_start", "unit_end", "value_share")
    placed_df = with_detectors(fused_df).join(
        line_df, on="place", how="left", maintain_order="left"
    )
    return placed_df.select("ask_id", *SPAN_COLUMNS, "detectors")


def _spans_by_ask(placed_df: pl.DataFrame) -> Callable[[int], Iterator[Span]]:
    """Return what gives the spans of an ask in order; its rows stand side by side."""
    size_df = placed_df.group_by("ask_id", maintain_order=True).agg(n_rows=pl.len())
    end = size_df["n_rows"].cum_sum()
    ranges = zip((end - size_df["n_rows"]).to_list(), end.to_list(), strict=True)
    rows = dict(zip(size_df["ask_id"].to_list(), ranges, strict=True))
    placed = placed_df.select(*SPAN_COLUMNS, "detectors").rows()

    def spans(ask: int) -> Iterator[Span]:
        start, end = rows.get(ask, (0, 0))
        for *row, detectors in placed[start:end]:
            yield Span(*row, detectors=tuple(detectors.split()))

    return spans


def _candidates(spans: Iterable[Span]) -> tuple[Candidate, ...]:
    rows = [dict(zip(_FIELDS, (rank, *span), strict=True)) for rank, span in enumerate(spans, 1)]
    return _CANDIDATES.validate_python(rows)


def _in_turn(sides: Iterable[Iterable[Span]]) -> Iterator[Span]:
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
