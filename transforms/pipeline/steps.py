"""Which windows one generation step reads."""

from transforms.pipeline.state import LoopState
from transforms.values import Candidate


def windows_of_step(state: LoopState) -> tuple[Candidate, ...]:
    """Return what the next step reads of what is unread: one window (sequential) or all (batch)."""
    is_sequential = state.route is not None and state.route.route == "sequential"
    return _single(state) if is_sequential else _batch(state)


def _single(state: LoopState) -> tuple[Candidate, ...]:
    """Return the next candidate, and with the first one an amendment of what is asked about.

    What an endorsement changes must not be answered from the body alone.
    """
    first, *others = state.unread
    is_opening = state.n_steps == 0 and not first.is_amending
    amending = [candidate for candidate in others if candidate.is_amending]
    return (first, *amending[:1]) if is_opening else (first,)


def _batch(state: LoopState) -> tuple[Candidate, ...]:
    """Return what is unread, and in later passes also the windows that carry evidence so far."""
    cited = {
        (span.doc_id, span.page)
        for attempt in state.attempts
        for span in (
            *attempt.answer.evidence,
            *(span for item in attempt.answer.items for span in item.evidence),
        )
    }
    kept = [
        candidate
        for candidate in state.read
        if candidate not in state.dropped
        and any(doc == candidate.doc_id and candidate.covers(page) for doc, page in cited)
    ]
    return (*state.unread, *kept)[: max(state.plan.k, len(state.unread))]
