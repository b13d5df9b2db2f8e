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
from transforms.pipeline.answers import (
    best_answer,
    is_joined_sufficient,
    is_rejected_value,
    is_sufficient,
    with_known_answers,
)
from transforms.pipeline.decide import ROUTES, decide_route, overridden
from transforms.pipeline.feedback import has_confidence_drop, has_drifted, signals
from transforms.pipeline.narration import summarise_pass
from transforms.pipeline.state import JUDGE, Attempt, LoopState, PassRecord, Signal
from transforms.pipeline.steps import windows_of_step
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
    if state.rejection:
        rejected = {"trigger": "external_rejection", "says": state.rejection.says}
        state = _with(state, signal=state.signal.model_copy(update=rejected))
    return _retrieve(state, state.signal)


def advance(state: LoopState, reply: Reply) -> Step:
    """Return the next state and command, given the reply to the last command."""
    match state.phase, reply:
        case "retrieving", Retrieved():
            state = _with(state, retrieval_ms=state.retrieval_ms + reply.elapsed_ms)
            return _after_retrieval(_with_elapsed(state, reply), reply)
        case "reparsing", Reparsed():
            state = _with(state, parsing_ms=state.parsing_ms + reply.elapsed_ms)
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
        return _next_action(_fruitless(state))
    elif has_drifted(state.signal, new):
        return _finish(_fruitless(state), "drift")
    return _next_step(_begin_pass(state, reply.candidates, new))


def _begin_pass(
    state: LoopState, candidates: tuple[Candidate, ...], new: tuple[Candidate, ...]
) -> LoopState:
    record = PassRecord(
        iteration_number=state.iteration_number + 1,
        signal=state.signal,
        candidates=candidates,
        n_candidates_new=len(new),
        activations=state.activations,
        retrieval_ms=state.retrieval_ms,
        parsing_ms=state.parsing_ms,
        confidence_before=state.records[-1].confidence_after if state.records else None,
    )
    return _with(
        state,
        iteration_number=record.iteration_number,
        step=0,
        unread=new,
        seen=(*state.seen, *new),
        is_fruitless=False,
        retrieval_ms=0,
        parsing_ms=0,
        records=(*state.records, record),
    )


def _next_step(state: LoopState) -> Step:
    """Read the next candidate (sequential) or all of them (batch); critique when none is left."""
    if not state.unread:
        return _after_pass(state)
    candidates = windows_of_step(state)
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


def _after_step(state: LoopState, reply: Generated) -> Step:
    state = _count(state, reply)
    if reply.is_over_budget:
        return _finish(_close_pass(state), "budget")
    if reply.error is not None:
        state = _close_pass(_with(state, error=reply.error))
        # a call that ends because the pair's time is up did not fail
        return _finish(state, "engine_failed" if _has_budget(state, ()) else "budget")
    attempt = Attempt(
        iteration_number=state.iteration_number,
        candidates=state.reading,
        answer=reply.answer,
        failures=reply.failures,
        cardinality_cue=reply.cardinality_cue,
        rejected_by=_rejected_by(state, reply),
    )
    state = _with(state, attempts=(*state.attempts, attempt))
    if is_sufficient(attempt) or is_joined_sufficient(state.attempts, state.question.answer_shape):
        return _finish(_close_pass(state), "sufficient")
    return _next_step(state)


def _rejected_by(state: LoopState, reply: Generated) -> str | None:
    if state.rejection and is_rejected_value(state.rejection, reply.answer):
        return state.rejection.says
    return JUDGE if reply.is_rejected else None


def _count(state: LoopState, reply: Generated) -> LoopState:
    record = state.records[-1]
    record = record.model_copy(
        update={
            "n_tokens": record.n_tokens + reply.usage.tokens,
            "n_steps": record.n_steps + 1,
            "generation_ms": record.generation_ms + reply.elapsed_ms,
        }
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
        if signal.is_repeat or signal in state.tried:
            continue
        if not _may_iterate(state):
            return _finish(state, "max_iterations")
        if not _has_budget(state, ()):
            return _finish(state, "budget")
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
    if signal.pattern:
        on = {signal.pattern: True}
        state = _with(state, activations=state.activations.model_copy(update=on))
    if signal.action == "expand_keywords":
        state = _with(state, question=with_known_answers(state.question, state.attempts))
    if signal.action == "reparse_pages" and signal.doc_id:
        state = _with(state, phase="reparsing")
        return state, Reparse(doc_id=signal.doc_id, pages=signal.pages, reason=signal.trigger)
    return _retrieve(state, signal)


def _after_reparse(state: LoopState, reply: Reparsed) -> Step:
    tried = tuple((state.signal.doc_id or "", page) for page in state.signal.pages)
    last = state.records[-1]  # a model that looked at pages was asked on behalf of this pass
    last = last.model_copy(update={"n_tokens": last.n_tokens + reply.usage.tokens})
    state = _with(
        state,
        reparsed=(*state.reparsed, *tried),
        usage=state.usage + reply.usage,
        records=(*state.records[:-1], last),
    )
    if not reply.pages:
        return _next_action(_fruitless(state))
    # what was seen of these pages was their old text: their windows are unread again
    seen = tuple(
        candidate
        for candidate in state.seen
        if candidate.doc_id != state.signal.doc_id
        or not any(candidate.covers(page) for page in reply.pages)
    )
    return _retrieve(_with(state, seen=seen), state.signal)


def _fruitless(state: LoopState) -> LoopState:
    """Note in the last record that the action under way begins no pass."""
    last = state.records[-1]
    last = last.model_copy(update={"fruitless": (*last.fruitless, state.signal)})
    return _with(state, is_fruitless=True, records=(*state.records[:-1], last))


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
        last = records[-1]
        last = last.model_copy(
            update={
                "stop_reason": stop_reason,
                "retrieval_ms": last.retrieval_ms + state.retrieval_ms,
                "parsing_ms": last.parsing_ms + state.parsing_ms,
            }
        )
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


def _with_elapsed(state: LoopState, reply: Reply) -> LoopState:
    return _with(state, elapsed_ms=state.elapsed_ms + reply.elapsed_ms)


def _with(state: LoopState, **changes: object) -> LoopState:
    return state.model_copy(update=changes)
