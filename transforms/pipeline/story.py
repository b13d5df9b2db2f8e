"""The whole story of one answer in words, from the rows of the tables that tell of it."""

from collections.abc import Sequence
from decimal import Decimal
from typing import Any

from transforms.pipeline.decide import PATTERNS
from transforms.values import StopReason, plain_decimal

Trace = dict[str, Any]
"""`pipeline_trace`: the rows of every table that say something about one pair, by table."""

STOPS: dict[StopReason, str] = {
    "sufficient": "found, complete, checked and not rejected",
    "exhausted": "all windows are read and nothing asks for more",
    "max_iterations": "the bound on passes is reached",
    "no_new_signal": "the same trigger asks for the same action",
    "no_new_candidates": "no action brings anything unread",
    "confidence_drop": "the last pass is clearly less sure than the one before",
    "drift": "new windows have left the question's own words",
    "budget": "the bound on tokens, money or time is reached",
    "needs_clarification": "the question cannot be answered as asked",
    "engine_failed": "the engine could not answer",
}


def narrate(trace: Trace) -> str:
    """Tell a trace in words, in the order in which it happened."""
    sections = (
        _question_in_words(trace),
        _dispatch_in_words(trace),
        *_passes_in_words(trace),
        _calls_in_words(trace),
        _answer_in_words(trace),
        _cost_in_words(trace),
    )
    return "\n\n".join("\n".join(lines) for lines in sections if lines)


def _question_in_words(trace: Trace) -> list[str]:
    question = trace["question_df"][0]
    lines = [
        f"PAIR {trace['pair_id']} in run {trace['run_id']}",
        f"QUESTION {question['question_id']}: {question['text']}",
        f"  understood as intent {question['intent']}, shape {question['answer_shape']},"
        f" type {question['answer_type']}, decomposition {question['decomposition']}"
        f" (language {question['language']}; by {question['parser']})",
        f"  cues: {_listed(question['cues'])}",
        f"  looks for: {_listed(question['keywords'])}",
    ]
    if question["anchor_keywords"]:
        lines.append(f"  never without: {_listed(question['anchor_keywords'])}")
    if question["sub_questions"]:
        lines.append(f"  parts: {_listed(question['sub_questions'])}")
    names = [
        f"{document['file_name']} ({document['side']})"
        if document["side"]
        else document["file_name"]
        for document in trace["document_df"]
    ]
    return [*lines, f"  asked of {_listed(names)}"]


def _dispatch_in_words(trace: Trace) -> list[str]:
    if not trace["dispatch_df"]:
        return ["ROUTE: none; the loop never ran"]
    dispatch = trace["dispatch_df"][0]
    patterns = [f"{row.name} ({row.when.words})" for row in PATTERNS if dispatch[row.name] is True]
    route = dispatch["route"] or "none"
    return [
        f"ROUTE {route} by rule {dispatch['route_rule'] or '–'}: {dispatch['reason']}",
        f"  patterns on: {_listed(patterns)}",
        *(
            [f"  without means: {_listed(dispatch['missing_means'])}"]
            * bool(dispatch["missing_means"])
        ),
        f"  bounds: {dispatch['k']} windows, {dispatch['max_iterations']} passes,"
        f" {dispatch['budget_tokens']} tokens, {_money(dispatch['budget_usd'])},"
        f" {dispatch['budget_ms']} ms",
    ]


def _passes_in_words(trace: Trace) -> list[list[str]]:
    told = []
    for record in trace["iteration_df"]:
        number = record["iteration_number"]
        windows = [row for row in trace["candidate_df"] if row["iteration_number"] == number]
        turned_on = record["patterns_activated"]
        told.append(
            [
                f"PASS {number}: {record['trigger']} → {record['action_taken']}",
                *([f"  turned on: {_listed(turned_on)}"] * bool(turned_on)),
                *(_window_in_words(row) for row in sorted(windows, key=lambda row: row["rank"])),
                f"  {record['narration']}",
            ]
        )
    return told


def _window_in_words(row: dict[str, Any]) -> str:
    read = "read" if row["is_read"] else "not read"
    return (
        f"  {row['rank']}. page {row['page_start']} line {row['line_start']} to"
        f" page {row['page_end']} line {row['line_end']}, {row['n_tokens']} tokens,"
        f" relevance {row['relevance']:.2f}, by {_listed(row['detectors'])}: {read}"
    )


def _calls_in_words(trace: Trace) -> list[str]:
    calls = sorted(trace["llm_call_df"], key=lambda call: (call["called_at"], call["attempt"]))
    if not calls:
        return ["CALLS: none"]
    return [
        f"CALLS: {len(calls)}",
        *(
            f"  pass {call['iteration_number']} step {call['step']} {call['purpose']}, attempt"
            f" {call['attempt']} at {call['model']}: {call['outcome']},"
            f" {call['prompt_tokens']} prompt + {call['completion_tokens']} completion tokens,"
            f" {_money(call['cost_usd'])}, {call['latency_ms']} ms"
            for call in calls
        ),
    ]


def _answer_in_words(trace: Trace) -> list[str]:
    lines: list[str] = []
    for answer in trace["answer_df"]:
        number = answer["sub_question"]
        name = f"ANSWER to part {number}" if number else "ANSWER"
        items = answer["items"]
        value = answer["value_text"] or (_counted(len(items), "item") if items else "–")
        lines.append(f"{name}: {answer['status']}: {value}")
        quotes = [row for row in trace["evidence_df"] if row["sub_question"] == number]
        for position, item in enumerate(items, start=1):
            lines.append(f"  {position}. {item}")
            lines += [f"   {_quoted(row)}" for row in quotes if row["item"] == position]
        lines += [_quoted(row) for row in quotes if not items]
        lines += [f"  caveat: {caveat}" for caveat in answer["caveats"]]
    whole = trace["answer_df"][0]
    lines.append(
        f"STOPPED by {whole['stop_reason'] or '–'}: {_why(whole['stop_reason'])}; after"
        f" {_counted(whole['n_iterations'], 'pass', 'passes')} and"
        f" {_counted(whole['n_steps'], 'step')}"
    )
    if trace["reused_from_run_id"]:
        lines.append(
            f"REUSED from run {trace['reused_from_run_id']}: nothing it depends on changed"
        )
    return lines


def _quoted(quote: dict[str, Any]) -> str:
    """Tell a quote on one line: its breaks and wide spaces become one space each."""
    return (
        f"  page {quote['page']} line {quote['line_start']} ({quote['match_kind']}):"
        f" '{' '.join(quote['quote'].split())}'"
    )


def _cost_in_words(trace: Trace) -> list[str]:
    """Tell tokens, money and time by stage; a reused answer shows what it took when it was made."""
    whole, passes = trace["answer_df"][0], trace["iteration_df"]
    spent = {
        name: sum(record[f"{name}_ms"] or 0 for record in passes)
        for name in ("retrieval", "parsing", "generation")
    }
    lines = [
        f"COST: {whole['prompt_tokens']} prompt + {whole['completion_tokens']} completion tokens,"
        f" {_money(whole['cost_usd'])}, {whole['latency_ms']} ms",
        f"  retrieval: {spent['retrieval']} ms",
    ]
    if spent["parsing"]:
        lines.append(f"  reading pages again: {spent['parsing']} ms")
    reused = whole["n_calls_reused"]
    lines.append(
        f"  generation: {sum(record['n_tokens'] for record in passes)} tokens,"
        f" {spent['generation']} ms"
        + (f", {_counted(reused, 'reply', 'replies')} from the ledger at no cost" if reused else "")
    )
    by_purpose: dict[str, list[dict[str, Any]]] = {}
    for call in trace["llm_call_df"]:
        by_purpose.setdefault(call["purpose"], []).append(call)
    for purpose, calls in by_purpose.items():
        costs = [call["cost_usd"] for call in calls]
        n_tokens = sum((c["prompt_tokens"] or 0) + (c["completion_tokens"] or 0) for c in calls)
        lines.append(
            f"    {purpose}: {_counted(len(calls), 'call')}, {n_tokens} tokens,"
            f" {_money(None if None in costs else sum(costs, Decimal(0)))},"
            f" {sum(call['latency_ms'] for call in calls)} ms"
        )
    return lines


def _why(stop_reason: StopReason | None) -> str:
    return STOPS[stop_reason] if stop_reason else "the loop never ran"


def _counted(number: int, one: str, several: str | None = None) -> str:
    return f"{number} {one if number == 1 else several or one + 's'}"


def _listed(values: Sequence[str]) -> str:
    return ", ".join(values) if values else "–"


def _money(cost_usd: Decimal | None) -> str:
    return "price unknown" if cost_usd is None else f"{plain_decimal(cost_usd)} USD"
