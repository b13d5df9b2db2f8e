"""Pick the windows of plain requests for a whole chunk at once.

A request is plain when it asks once, of one set of documents, for what ranks best: most first
passes. Units are numbered over all documents, so two places overlap when their units do.
"""

from collections.abc import Sequence

import polars as pl

from transforms.values import RetrievalRequest

SPAN_COLUMNS = (
    "doc_id", "page_start", "line_start", "page_end", "line_end", "n_tokens", "relevance",
    "fused_score", "anchor_overlap",
)  # fmt: skip


def is_plain(request: RetrievalRequest) -> bool:
    """Return whether ranks alone decide which windows a request gets."""
    question, activations = request.question, request.activations
    hints = (question.section_hint, question.page_hint, question.layout_hint)
    history = (request.references, request.seen, request.dropped, request.pages, request.widen)
    patterns = (activations.two_hop_references, activations.listing_aggregation)
    return not (any(hints) or any(history) or any(patterns) or question.parts) and (
        question.intent != "comparison"
    )


def pick(fused_df: pl.DataFrame, k_by_ask: Sequence[int]) -> pl.DataFrame:
    """Return of each ask the best K places that do not overlap, in order.

    One row per ask and place picked. `k_by_ask` has K of each ask, by its number.
    """
    picked: list[int] = []
    taken: list[tuple[int, int]] = []
    ask_before, room = -1, 0
    rows = zip(
        fused_df["ask_id"].to_list(),
        fused_df["unit_start"].to_list(),
        fused_df["unit_end"].to_list(),
        strict=True,
    )
    for index, (ask, start, end) in enumerate(rows):
        if ask != ask_before:
            ask_before, room = ask, k_by_ask[ask]
            taken.clear()
        if not room:
            continue
        for first, last in taken:
            if start <= last and first <= end:
                break
        else:
            taken.append((start, end))
            picked.append(index)
            room -= 1
    return fused_df[picked]
