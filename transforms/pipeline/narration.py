"""A pass of the loop in words: its outcome and its narration."""

from transforms.pipeline.state import LoopState, PassRecord, Signal
from transforms.values import AnswerWithEvidence


def summarise_pass(state: LoopState, answer: AnswerWithEvidence) -> str:
    """Say in a few words what the pass under way has brought."""
    windows = {c.place for attempt in state.pass_attempts for c in attempt.candidates}
    again = windows & {
        candidate.place
        for attempt in state.attempts
        if attempt.iteration_number < state.iteration_number
        for candidate in attempt.candidates
    }
    checks = {failure.check for attempt in state.pass_attempts for failure in attempt.failures}
    n_new = len(windows - again)
    read = "1 window read" if n_new == 1 else f"{n_new} windows read"
    read += f" with {len(again)} read before" if again else ""
    said = [f"{read}: {_in_words(answer)}"]
    said += [f"failed checks: {', '.join(sorted(checks))}"] if checks else []
    said += dict.fromkeys(
        f"rejected ({each.rejected_by})" for each in state.pass_attempts if each.rejected_by
    )
    return ", ".join(said)


def narration(record: PassRecord) -> str:
    """Tell a pass in one line: why it began, what it brought, what was tried then, why it ended."""
    told = [f"pass {record.iteration_number}: {_reason_in_words(record.signal)}", record.outcome]
    for signal in record.fruitless:
        has_left = record.stop_reason == "drift" and signal is record.fruitless[-1]
        what = "only windows without the question's words" if has_left else "nothing unread"
        told.append(f"then {_reason_in_words(signal)}: {what}")
    if record.stop_reason:
        told.append(f"stopped: {record.stop_reason}")
    return "; ".join(told)


def _reason_in_words(signal: Signal) -> str:
    """Say trigger and action: "vocabulary_gap → expand_keywords (excess)"."""
    if signal.trigger == "initial":
        return "first retrieval"
    by = f" ({signal.says})" if signal.says else ""
    detail = signal.keywords or signal.references or signal.pages
    if signal.action == "turn_on_pattern" and signal.pattern:
        detail = (signal.pattern,)
    named = f" ({', '.join(map(str, detail))})" if detail else ""
    return f"{signal.trigger}{by} → {signal.action}{named}"


def _in_words(answer: AnswerWithEvidence) -> str:
    if not answer.answer_found:
        return "not found"
    what = f"{len(answer.items)} items" if answer.items else repr(answer.value_text or "")
    return f"found {what}, {'complete' if answer.complete_answer_found else 'incomplete'}"
