"""The bounded answer loop, without any I/O.

Rule 1: everything that decides what happens next lives in this package.
Rule 2: this file never calls a model, a store or a clock. It returns a command;
        the flow carries it out and hands the reply back.
Rule 3: the budget is read in one place, `bounds.has_budget`, and the number of passes in one
        place, `_next_action`. Nothing else can extend the loop.
Rule 4: a pass begins only with something unread, and every pass leaves one record (passes.py).
"""

from collections.abc import Sequence

from transforms.errors import ContractError
from transforms.pipeline.answers import (
    is_joined_sufficient,
    is_rejected_value,
    is_sufficient,
    with_known_answers,
)
from transforms.pipeline.bounds import budget_left, has_budget
from transforms.pipeline.decide import ROUTES, decide_route
from transforms.pipeline.feedback import has_confidence_drop, has_drifted, signals
from transforms.pipeline.overrides import overridden
from transforms.pipeline.passes import (
    begin_pass,
    close_pass,
    finished,
    fruitless,
    with_reparse,
    with_step,
)
from transforms.pipeline.state import JUDGE, Attempt, LoopState, Signal
from transforms.pipeline.steps import windows_of_step
from transforms.values import (
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

Step = tuple[LoopState, Command]


def start(state: LoopState) -> Step:
    """Return the first command of a pair whose state is new."""
    if state.question.needs_clarification:
        state = state.changed(route=_route(state, ()))
        return _finish(state, "needs_clarification")
    if state.rejection:
        rejected = {"trigger": "external_rejection", "says": state.rejection.says}
        state = state.changed(signal=state.signal.model_copy(update=rejected))
    return _retrieve(state, state.signal)


def advance(state: LoopState, reply: Reply) -> Step:
    """Return the next state and command, given the reply to the last command."""
    match state.phase, reply:
        case "retrieving", Retrieved():
            state = state.changed(retrieval_ms=state.retrieval_ms + reply.elapsed_ms)
            return _after_retrieval(_with_elapsed(state, reply), reply)
        case "reparsing", Reparsed():
            state = state.changed(parsing_ms=state.parsing_ms + reply.elapsed_ms)
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
        state = state.changed(route=_route(state, relevances))
    elif not new:
        return _next_action(fruitless(state))
    elif has_drifted(state.signal, new):
        return _finish(fruitless(state), "drift")
    return _next_step(begin_pass(state, reply.candidates, new))


def _next_step(state: LoopState) -> Step:
    """Read the next candidate (sequential) or all of them (batch); critique when none is left."""
    if not state.unread:
        return _after_pass(state)
    candidates = windows_of_step(state)
    if not has_budget(state, candidates):
        return _finish(close_pass(state), "budget")
    state = state.changed(
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
        budget_left=budget_left(state),
    )


def _after_step(state: LoopState, reply: Generated) -> Step:
    state = with_step(state, reply)
    if reply.is_over_budget:
        return _finish(close_pass(state), "budget")
    if reply.error is not None:
        state = close_pass(state.changed(error=reply.error))
        # a call that ends because the pair's time is up did not fail
        return _finish(state, "engine_failed" if has_budget(state) else "budget")
    attempt = Attempt(
        iteration_number=state.iteration_number,
        candidates=state.reading,
        answer=reply.answer,
        failures=reply.failures,
        cardinality_cue=reply.cardinality_cue,
        rejected_by=_rejected_by(state, reply),
    )
    state = state.changed(attempts=(*state.attempts, attempt))
    if is_sufficient(attempt) or is_joined_sufficient(state.attempts, state.question.answer_shape):
        return _finish(close_pass(state), "sufficient")
    return _next_step(state)


def _rejected_by(state: LoopState, reply: Generated) -> str | None:
    if state.rejection and is_rejected_value(state.rejection, reply.answer):
        return state.rejection.says
    return JUDGE if reply.is_rejected else None


# -- between passes --------------------------------------------------------------------------------


def _after_pass(state: LoopState) -> Step:
    state = close_pass(state)
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
        if not has_budget(state):
            return _finish(state, "budget")
        state = state.changed(signal=signal, tried=(*state.tried, signal))
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
        state = state.changed(activations=state.activations.model_copy(update=on))
    if signal.action == "expand_keywords":
        state = state.changed(question=with_known_answers(state.question, state.attempts))
    if signal.action == "reparse_pages" and signal.doc_id:
        state = state.changed(phase="reparsing")
        return state, Reparse(doc_id=signal.doc_id, pages=signal.pages, reason=signal.trigger)
    return _retrieve(state, signal)


def _after_reparse(state: LoopState, reply: Reparsed) -> Step:
    state = with_reparse(state, reply)
    if not reply.pages:
        return _next_action(fruitless(state))
    # what was seen of these pages was their old text: their windows are unread again
    seen = tuple(
        candidate
        for candidate in state.seen
        if candidate.doc_id != state.signal.doc_id
        or not any(candidate.covers(page) for page in reply.pages)
    )
    return _retrieve(state.changed(seen=seen), state.signal)


def _retrieve(state: LoopState, signal: Signal) -> Step:
    state = state.changed(
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


def _finish(state: LoopState, stop_reason: StopReason) -> Step:
    return finished(state, stop_reason), Finish(stop_reason=stop_reason)


def _route(state: LoopState, relevances: Sequence[float]) -> RouteDecision:
    routes = overridden(ROUTES, state.route_overrides)
    return decide_route(state.question, relevances, routes=routes)


def _with_elapsed(state: LoopState, reply: Reply) -> LoopState:
    return state.changed(elapsed_ms=state.elapsed_ms + reply.elapsed_ms)
