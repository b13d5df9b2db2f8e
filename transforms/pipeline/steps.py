"""Which windows one generation step reads: an ordered table with named rows, first match wins.

A call costs some 450 tokens around its windows. The first window answers most questions that its
document answers at all, so it is read alone; of those behind it each is too unlikely to hold the
answer to pay for a call of its own.
"""

from collections.abc import Callable
from dataclasses import dataclass

from transforms.pipeline.bounds import STEP_OVERHEAD_TOKENS, budget_left
from transforms.pipeline.state import LoopState
from transforms.values import Candidate, EvidenceSpan

REST_TOKENS = 2400
"""Most that a sequential step reads at once: four windows of at most 600, which is what is left of
the five that a batch step reads."""

Windows = tuple[Candidate, ...]


@dataclass(frozen=True)
class StepRule:
    """One row: when it holds, and what of the unread windows a step then reads, both in words."""

    name: str
    when: str
    reads: str
    holds: Callable[[LoopState], bool]
    windows: Callable[[LoopState], Windows]


def windows_of_step(state: LoopState) -> Windows:
    """Return what the next step reads: unread windows, in later passes also the evidence so far."""
    rule = next(rule for rule in STEPS if rule.holds(state))
    return (*rule.windows(state), *_cited(state))


def _all(state: LoopState) -> Windows:
    return state.unread


def _first(state: LoopState) -> Windows:
    """Return the first window, with an amendment of what is asked about.

    What an endorsement changes must not be answered from the body alone.
    """
    first, *others = state.unread
    amending = [candidate for candidate in others if candidate.is_amending]
    return (first,) if first.is_amending else (first, *amending[:1])


def _rest(state: LoopState) -> Windows:
    """Return as many windows, in order, as fit into one step and into the budget; at least one."""
    room = min(REST_TOKENS, budget_left(state).tokens - STEP_OVERHEAD_TOKENS)
    fitting = 1
    n_tokens = state.unread[0].n_tokens
    for candidate in state.unread[1:]:
        n_tokens += candidate.n_tokens
        if n_tokens > room:
            break
        fitting += 1
    return state.unread[:fitting]


def _is_batch(state: LoopState) -> bool:
    return state.route is not None and state.route.route == "batch"


# fmt: off
STEPS: tuple[StepRule, ...] = (
    #        name       when                           reads
    StepRule("batch",   "the route is batch",          "all unread windows",
             _is_batch, _all),
    StepRule("opening", "nothing is read yet",         "the first, with an amendment of it",
             lambda state: state.n_steps == 0, _first),
    StepRule("rest",    "always",                      f"as many as fit into {REST_TOKENS} tokens",
             lambda _: True, _rest),
)
# fmt: on


def _cited(state: LoopState) -> Windows:
    """Return the windows that hold the evidence of earlier passes, at most K."""
    cited: list[EvidenceSpan] = [
        span
        for attempt in state.attempts
        if attempt.iteration_number < state.iteration_number
        for span in (
            *attempt.answer.evidence,
            *(span for item in attempt.answer.items for span in item.evidence),
        )
    ]
    kept = [
        candidate
        for candidate in state.read
        if candidate not in state.dropped and any(_holds(candidate, span) for span in cited)
    ]
    return tuple(kept[: state.plan.k])


def _holds(candidate: Candidate, span: EvidenceSpan) -> bool:
    place = (span.page, span.line_start)
    start = (candidate.page_start, candidate.line_start)
    end = (candidate.page_end, candidate.line_end)
    return candidate.doc_id == span.doc_id and start <= place <= end
