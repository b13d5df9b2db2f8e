"""The whole story of one answer, from the tables: as data, and in words."""

from collections.abc import Sequence
from typing import Any

import polars as pl

from flows.warehouse import Warehouse
from transforms.errors import InputError

Trace = dict[str, Any]
"""`pipeline_trace`: the rows of every table that say something about one pair."""


def pipeline_trace(warehouse: Warehouse, pair: str) -> Trace:
    """Return the rows of a pair's latest run, by table.

    `pair` is a pair_id or its first digits. Raises InputError when no pair, or more than one, fits.
    """
    pair_id, run_id = find_pair(warehouse, pair)
    answer_df = _rows(warehouse, "answer_df", pair_id, run_id)
    source_run_id = answer_df["reused_from_run_id"][0] or run_id
    trace: Trace = {
        "pair_id": pair_id,
        "run_id": run_id,
        "reused_from_run_id": answer_df["reused_from_run_id"][0],
    }
    for table in (
        "pair_df", "dispatch_df", "candidate_df", "iteration_df", "answer_df", "evidence_df",
    ):  # fmt: skip
        trace[table] = _rows(warehouse, table, pair_id, run_id).to_dicts()
    asked = trace["pair_df"][0]
    question_df = warehouse.read("question_df").filter(
        set_id=asked["set_id"],
        question_id=asked["question_id"],
        question_version=asked["question_version"],
    )
    trace["question_df"] = question_df.to_dicts()
    trace["document_df"] = _documents(warehouse, pair_id, run_id).to_dicts()
    trace["llm_call_df"] = _rows(warehouse, "llm_call_df", pair_id, source_run_id).to_dicts()
    return trace


def find_pair(warehouse: Warehouse, pair: str) -> tuple[str, str]:
    """Return pair_id and run_id of the latest answer whose pair_id begins so.

    Raises InputError when no pair, or more than one, fits.
    """
    found_df = warehouse.query(
        "select pair_id, run_id from latest_answer where starts_with(pair_id, $pair)"
        " and sub_question = 0",
        {"pair": pair},
    )
    if found_df.is_empty():
        raise InputError(
            f"no answer has a pair_id that begins with {pair!r}",
            hint='`compline sql "select pair_id, question_id from latest_answer"` lists them',
        )
    if found_df.height > 1:
        raise InputError(
            f"{found_df.height} pairs begin with {pair!r}", hint="give more of the pair_id"
        )
    return found_df.row(0)


def narrate(trace: Trace) -> str:
    """Tell a trace in words, in the order in which it happened."""
    sections = (
        _question_in_words(trace),
        _dispatch_in_words(trace),
        *_passes_in_words(trace),
        _calls_in_words(trace),
        _answer_in_words(trace),
    )
    return "\n\n".join("\n".join(lines) for lines in sections if lines)


def _rows(warehouse: Warehouse, table: str, pair_id: str, run_id: str) -> pl.DataFrame:
    return warehouse.query(
        f"select * from {table} where pair_id = $pair_id and run_id = $run_id order by all",  # noqa: S608
        {"pair_id": pair_id, "run_id": run_id},
    )


def _documents(warehouse: Warehouse, pair_id: str, run_id: str) -> pl.DataFrame:
    return warehouse.query(
        "select d.doc_id, d.file_name, p.side, d.title, d.n_pages, d.language, d.suggested_strategy"
        " from pair_doc_df p join document_df d using (doc_id)"
        " where p.pair_id = $pair_id and p.run_id = $run_id order by d.file_name",
        {"pair_id": pair_id, "run_id": run_id},
    )


def _question_in_words(trace: Trace) -> list[str]:
    question = trace["question_df"][0]
    lines = [
        f"QUESTION {question['question_id']}: {question['text']}",
        f"  understood as {question['intent']}, {question['answer_shape']},"
        f" {question['answer_type']}, {question['decomposition']} ({question['language']};"
        f" by {question['parser']})",
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
    patterns = [name for name, value in dispatch.items() if value is True]
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
        told.append(
            [
                f"PASS {number}: {record['trigger']} → {record['action_taken']}",
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
    calls = trace["llm_call_df"]
    if not calls:
        return ["CALLS: none"]
    return [
        f"CALLS: {len(calls)}",
        *(
            f"  pass {call['iteration_number']} step {call['step']} {call['purpose']}, attempt"
            f" {call['attempt']} at {call['model']}: {call['outcome']},"
            f" {call['prompt_tokens']} + {call['completion_tokens']} tokens,"
            f" {_money(call['cost_usd'])}, {call['latency_ms']} ms"
            for call in calls
        ),
    ]


def _answer_in_words(trace: Trace) -> list[str]:
    lines: list[str] = []
    for answer in trace["answer_df"]:
        number = answer["sub_question"]
        name = f"ANSWER to part {number}" if number else "ANSWER"
        value = _listed(answer["items"]) if answer["items"] else answer["value_text"] or "–"
        lines.append(f"{name}: {answer['status']}: {value}")
        lines += [
            f"  page {quote['page']} line {quote['line_start']} ({quote['match_kind']}):"
            f" {quote['quote']!r}"
            for quote in trace["evidence_df"]
            if quote["sub_question"] == number
        ]
        lines += [f"  caveat: {caveat}" for caveat in answer["caveats"]]
    whole = trace["answer_df"][0]
    lines.append(
        f"STOPPED by {whole['stop_reason'] or '–'} after {whole['n_iterations']} passes and"
        f" {whole['n_steps']} steps: {whole['prompt_tokens']} + {whole['completion_tokens']}"
        f" tokens, {_money(whole['cost_usd'])}, {whole['latency_ms']} ms"
    )
    if trace["reused_from_run_id"]:
        lines.append(
            f"REUSED from run {trace['reused_from_run_id']}: nothing it depends on changed"
        )
    return lines


def _listed(values: Sequence[str]) -> str:
    return ", ".join(values) if values else "–"


def _money(cost_usd: object) -> str:
    if cost_usd is None:
        return "price unknown"
    text = f"{cost_usd:f}"
    return f"{text.rstrip('0').rstrip('.') if '.' in text else text} USD"
