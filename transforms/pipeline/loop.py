"""The bounded answer loop, without any I/O.

Rule 1: everything that decides what happens next lives in this package.
Rule 2: this file never calls a model, a store or a clock. It returns a command;
        the flow carries it out and hands the reply back.
Rule 3: the budget is read in one place, `_has_budget`, and the number of passes in one place,
        `_next_action`. Nothing else can extend the loop.
Rule 4: a pass begins only with something unread, and every pass leaves one record.
"""

from collections.abc import Sequence
from decimal import Decimal

from transforms.errors import ContractError
from transforms.pipeline.answers import best_answer, is_sufficient
from transforms.pipeline.decide import ROUTES, decide_route, overridden
from transforms.pipeline.feedback import has_confidence_drop, has_drifted, signals
from transforms.pipeline.records import summarise_pass
from transforms.pipeline.state import Attempt, LoopState, PassRecord, Signal
from transforms.values import (
    Budget,
    Candidate,
    Command,
    Finish,
    Generate,
    Generated,
    Reparse,
    Reparsed,
    Reply,
    RetrievalRequest,
    Retrieve,
    Retrieved,
    RouteDecision,
    StopReason,
)

STEP_OVERHEAD_TOKENS = 250
"""Fixed part of a prompt, question and a short reply: the least that a step costs beside its
windows."""

Step = tuple[LoopState, Command]


def start(state: LoopState) -> Step:
    """Return the first command of a pair whose state is new."""
    if state.question.needs_clarification:
        state = _with(state, route=_route(state, ()))
        return _finish(state, "needs_clarification")
    return _retrieve(state, state.signal)


def advance(state: LoopState, reply: Reply) -> Step:
    """Return the next state and command, given the reply to the last command."""
    match state.phase, reply:
        case "retrieving", Retrieved():
            return _after_retrieval(_with_elapsed(state, reply), reply)
        case "reparsing", Reparsed():
            return _after_reparse(_with_elapsed(state, reply), reply)
        case "generating", Generated():
            return _after_step(_with_elapsed(state, reply), reply)
        case _:
            raise ContractError(f"loop is {state.phase}, but got {type(reply).__name__}")


# -- within a pass ---------------------------------------------------------------------------------


def _after_retrieval(state: LoopState, reply: Retrieved) -> Step:
    known = {candidate.place for candidate in (*state.seen, *state.dropped)}
    new = tuple(c for c in reply.candidates if c.place not in known)
    if state.iteration_number == 0:
        relevances = [candidate.relevance for candidate in reply.candidates]
        state = _with(state, route=_route(state, relevances))
    elif not new:
        return _next_action(_with(state, is_fruitless=True))
    elif has_drifted(state.signal, new):
        return _finish(state, "drift")
    return _next_step(_begin_pass(state, reply.candidates, new))


def _begin_pass(
    state: LoopState, candidates: tuple[Candidate, ...], new: tuple[Candidate, ...]
) -> LoopState:
    record = PassRecord(
        iteration_number=state.iteration_number + 1,
        signal=state.signal,
        candidates=candidates,
        n_candidates_new=len(new),
        confidence_before=state.records[-1].confidence_after if state.records else None,
    )
    return _with(
        state,
        iteration_number=record.iteration_number,
        step=0,
        unread=new,
        seen=(*state.seen, *new),
        is_fruitless=False,
        records=(*state.records, record),
    )


def _next_step(state: LoopState) -> Step:
    """Read the next candidate (sequential) or all of them (batch); critique when none is left."""
    if not state.unread:
        return _after_pass(state)
    candidates = _single(state) if _is_sequential(state) else _batch(state)
    if not _has_budget(state, candidates):
        return _finish(_close_pass(state), "budget")
    state = _with(
        state,
        phase="generating",
        step=state.step + 1,
        n_steps=state.n_steps + 1,
        unread=tuple(c for c in state.unread if c not in candidates),
        reading=candidates,
        read=tuple(dict.fromkeys((*state.read, *candidates))),
    )
    return state, Generate(
        iteration_number=state.iteration_number,
        step=state.step,
        candidates=candidates,
        budget_left=_budget_left(state),
    )


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
        and any(doc == candidate.doc_id and _covers(candidate, page) for doc, page in cited)
    ]
    return (*state.unread, *kept)[: max(state.plan.k, len(state.unread))]


def _covers(candidate: Candidate, page: int) -> bool:
    return candidate.page_start <= page <= candidate.page_end


def _after_step(state: LoopState, reply: Generated) -> Step:
    state = _count(state, reply)
    if reply.is_over_budget:
        return _finish(_close_pass(state), "budget")
    if reply.error is not None:
        return _finish(_close_pass(_with(state, error=reply.error)), "engine_failed")
    attempt = Attempt(
        iteration_number=state.iteration_number,
        candidates=state.reading,
        answer=reply.answer,
        failures=reply.failures,
        cardinality_cue=reply.cardinality_cue,
        is_rejected=reply.is_rejected,
    )
    state = _with(state, attempts=(*state.attempts, attempt))
    if is_sufficient(attempt):
        return _finish(_close_pass(state), "sufficient")
    return _next_step(state)


def _count(state: LoopState, reply: Generated) -> LoopState:
    record = state.records[-1]
    record = record.model_copy(
        update={"n_tokens": record.n_tokens + reply.usage.tokens, "n_steps": record.n_steps + 1}
    )
    return _with(
        state,
        usage=state.usage + reply.usage,
        prompt_version=reply.prompt_version or state.prompt_version,
        records=(*state.records[:-1], record),
    )


# -- between passes --------------------------------------------------------------------------------


def _after_pass(state: LoopState) -> Step:
    state = _close_pass(state)
    if has_confidence_drop(state):
        return _finish(state, "confidence_drop")
    return _next_action(state)


def _next_action(state: LoopState) -> Step:
    """Carry out the highest action not tried yet, within the bound on passes."""
    offered = list(signals(state))
    for signal in offered:
        if signal in state.tried:
            continue
        if not _may_iterate(state):
            return _finish(state, "max_iterations")
        state = _with(state, signal=signal, tried=(*state.tried, signal))
        return _carry_out(state, signal)
    if state.is_fruitless:
        return _finish(state, "no_new_candidates")
    return _finish(state, "no_new_signal" if offered else "exhausted")


def _may_iterate(state: LoopState) -> bool:
    return (
        state.activations.iterative_feedback and state.iteration_number < state.plan.max_iterations
    )


def _carry_out(state: LoopState, signal: Signal) -> Step:
    patterns = {
        "reparse_pages": "adaptive_parsing",
        "follow_references": "two_hop_references",
        "widen_listing": "listing_aggregation",
    }
    pattern = signal.pattern or patterns.get(signal.action)
    if pattern:
        state = _with(state, activations=state.activations.model_copy(update={pattern: True}))
    if signal.action == "reparse_pages" and signal.doc_id:
        state = _with(state, phase="reparsing")
        return state, Reparse(doc_id=signal.doc_id, pages=signal.pages, reason=signal.trigger)
    return _retrieve(state, signal)


def _after_reparse(state: LoopState, reply: Reparsed) -> Step:
    tried = tuple((state.signal.doc_id or "", page) for page in state.signal.pages)
    state = _with(state, reparsed=(*state.reparsed, *tried), usage=state.usage + reply.usage)
    if not reply.pages:
        return _next_action(_with(state, is_fruitless=True))
    # what was seen of these pages was their old text: their windows are unread again
    seen = tuple(
        candidate
        for candidate in state.seen
        if candidate.doc_id != state.signal.doc_id
        or not any(_covers(candidate, page) for page in reply.pages)
    )
    return _retrieve(_with(state, seen=seen), state.signal)


def _retrieve(state: LoopState, signal: Signal) -> Step:
    state = _with(
        state,
        phase="retrieving",
        keywords_added=(*state.keywords_added, *signal.keywords),
        dropped=(*state.dropped, *signal.dropped),
    )
    return state, Retrieve(
        request=RetrievalRequest(
            pair_id=state.pair_id,
            doc_ids=state.doc_ids,
            question=state.question,
            activations=state.activations,
            k=state.plan.k,
            iteration_number=state.iteration_number + 1,
            keywords_added=state.keywords_added,
            references=signal.references,
            widen=signal.widen,
            seen=state.seen,
            dropped=state.dropped,
            pages=signal.pages,
        )
    )


# -- ends and bounds -------------------------------------------------------------------------------


def _close_pass(state: LoopState) -> LoopState:
    """Write what the pass brought into its record."""
    answer = best_answer(state.pass_attempts, state.question.answer_shape)
    record = state.records[-1].model_copy(
        update={
            "confidence_after": answer.confidence if state.pass_attempts else None,
            "outcome": summarise_pass(state, answer),
        }
    )
    return _with(state, records=(*state.records[:-1], record))


def _finish(state: LoopState, stop_reason: StopReason) -> Step:
    records = state.records
    if records:
        last = records[-1].model_copy(update={"stop_reason": stop_reason})
        records = (*records[:-1], last)
    state = _with(state, phase="finished", stop_reason=stop_reason, records=records)
    return state, Finish(stop_reason=stop_reason)


def _has_budget(state: LoopState, candidates: tuple[Candidate, ...]) -> bool:
    left = _budget_left(state)
    needed = sum(candidate.n_tokens for candidate in candidates) + STEP_OVERHEAD_TOKENS
    has_money = left.usd > 0 or not state.usage.cost_usd
    return left.tokens >= needed and left.ms > 0 and has_money


def _budget_left(state: LoopState) -> Budget:
    budget, usage = state.plan.budget, state.usage
    return Budget(
        tokens=max(budget.tokens - usage.tokens, 0),
        usd=max(budget.usd - (usage.cost_usd or 0), Decimal(0)),
        ms=max(budget.ms - state.elapsed_ms, 0),
    )


def _route(state: LoopState, relevances: Sequence[float]) -> RouteDecision:
    routes = overridden(ROUTES, state.route_overrides)
    return decide_route(state.question, relevances, routes=routes)


def _is_sequential(state: LoopState) -> bool:
    return state.route is not None and state.route.route == "sequential"


def _with_elapsed(state: LoopState, reply: Reply) -> LoopState:
    return _with(state, elapsed_ms=state.elapsed_ms + reply.elapsed_ms)


def _with(state: LoopState, **changes: object) -> LoopState:
    return state.model_copy(update=changes)
