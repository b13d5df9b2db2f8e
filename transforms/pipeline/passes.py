"""The pass under way and its record: opened, counted, closed; one record a pass."""

from transforms.pipeline.answers import best_answer
from transforms.pipeline.narration import summarise_pass
from transforms.pipeline.state import LoopState, PassRecord
from transforms.values import Candidate, Generated, Reparsed, StopReason, Usage


def begin_pass(
    state: LoopState, candidates: tuple[Candidate, ...], new: tuple[Candidate, ...]
) -> LoopState:
    """Open the next pass: what was retrieved for it, and what of that is unread."""
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
    return state.changed(
        iteration_number=record.iteration_number,
        step=0,
        unread=new,
        seen=(*state.seen, *new),
        is_fruitless=False,
        retrieval_ms=0,
        parsing_ms=0,
        records=(*state.records, record),
    )


def with_step(state: LoopState, reply: Generated) -> LoopState:
    """Count a step that came back."""
    last = state.records[-1]
    counted = _with_last(
        state,
        n_steps=last.n_steps + 1,
        generation_ms=last.generation_ms + reply.elapsed_ms,
    )
    version = reply.prompt_version or state.prompt_version
    return _with_usage(counted, reply.usage).changed(prompt_version=version)


def with_reparse(state: LoopState, reply: Reparsed) -> LoopState:
    """Count pages read again: a model that looked at them was asked on behalf of the last pass."""
    tried = tuple((state.signal.doc_id or "", page) for page in state.signal.pages)
    return _with_usage(state, reply.usage).changed(reparsed=(*state.reparsed, *tried))


def fruitless(state: LoopState) -> LoopState:
    """Note in the last record that the action under way begins no pass."""
    noted = (*state.records[-1].fruitless, state.signal)
    return _with_last(state, fruitless=noted).changed(is_fruitless=True)


def close_pass(state: LoopState) -> LoopState:
    """Write what the pass brought into its record."""
    answer = best_answer(state.pass_attempts, state.question.answer_shape)
    return _with_last(
        state,
        confidence_after=answer.confidence if state.pass_attempts else None,
        outcome=summarise_pass(state, answer),
    )


def finished(state: LoopState, stop_reason: StopReason) -> LoopState:
    """End the loop: the last record says why, and holds the time that no pass has yet."""
    state = state.changed(phase="finished", stop_reason=stop_reason)
    if not state.records:
        return state
    last = state.records[-1]
    return _with_last(
        state,
        stop_reason=stop_reason,
        retrieval_ms=last.retrieval_ms + state.retrieval_ms,
        parsing_ms=last.parsing_ms + state.parsing_ms,
    )


def _with_usage(state: LoopState, usage: Usage) -> LoopState:
    n_tokens = state.records[-1].n_tokens + usage.tokens
    return _with_last(state, n_tokens=n_tokens).changed(usage=state.usage + usage)


def _with_last(state: LoopState, **changes: object) -> LoopState:
    last = state.records[-1].model_copy(update=changes)
    return state.changed(records=(*state.records[:-1], last))
