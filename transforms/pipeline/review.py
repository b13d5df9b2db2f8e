"""What people say of answers: filled sheets to verdicts, verdicts to gold lines."""

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from typing import Any, get_args

from transforms.row import unwrapped
from transforms.tables import Verdict

VERDICTS: tuple[str, ...] = get_args(unwrapped(Verdict.model_fields["verdict"].annotation)[0])

ABSENT = "not found"
"""What a reviewer writes as right value when the document does not say it."""

KEY_SEPARATOR = "/"
"""Between run_id and pair_id in the sheet: a bare pair_id of digits would become a number."""

FILLED = ("verdict", "right_value", "note")
"""Columns for the reviewer."""

NUMBERED_ROW = tuple[int, Mapping[str, str]]
"""Row of the sheet as a spreadsheet counts, and its cells."""


def read_verdicts(
    rows: Sequence[NUMBERED_ROW],
    answers: Collection[str],
    *,
    reviewer: str | None,
    reviewed_at: datetime,
) -> tuple[list[dict[str, Any]], list[str]]:
    """Return the rows of verdict_df that a filled sheet makes, and all that is wrong with it.

    `answers` are the keys (run_id/pair_id) that there are. A row in which nothing was filled in is
    left out. Mistakes name row and column. A reviewer says one word about a pair in a sheet, of
    one run or of several: verdict_df tells verdicts apart by their time.
    """
    verdicts: list[dict[str, Any]] = []
    mistakes: list[str] = []
    seen: dict[tuple[str, str], int] = {}
    for number, cells in rows:
        if not any(cells.get(name) for name in FILLED):
            continue
        who = cells.get("reviewer") or reviewer or ""
        answer = cells.get("answer", "")
        wrong = _mistakes(cells, answers, who)
        run_id, _, pair_id = answer.partition(KEY_SEPARATOR)
        if not wrong and (first := seen.setdefault((pair_id, who), number)) != number:
            wrong = [("answer", f"was judged by {who!r} in row {first} already")]
        mistakes += [f"row {number}, column {column}: {what}" for column, what in wrong]
        if not wrong:
            verdicts.append(
                {
                    "run_id": run_id,
                    "pair_id": pair_id,
                    "reviewer": who,
                    "reviewed_at": reviewed_at,
                    "verdict": cells["verdict"].lower(),
                    "right_value": cells.get("right_value"),
                    "note": cells.get("note"),
                }
            )
    return verdicts, mistakes


def _mistakes(
    cells: Mapping[str, str], answers: Collection[str], who: str
) -> list[tuple[str, str]]:
    """Return column and mistake for all that is wrong in one row."""
    wrong: list[tuple[str, str]] = []
    verdict = cells.get("verdict", "").lower()
    if cells.get("answer", "") not in answers:
        wrong.append(("answer", f"{cells.get('answer', '')!r} is no answer of this warehouse"))
    if verdict not in VERDICTS:
        wrong.append(("verdict", f"{cells.get('verdict', '')!r} is none of {', '.join(VERDICTS)}"))
    if verdict == "right" and cells.get("right_value"):
        wrong.append(("right_value", "an answer that is right needs none"))
    if not who:
        wrong.append(("reviewer", "nobody is named"))
    return wrong


def gold_line(judged: Mapping[str, Any]) -> dict[str, Any] | None:
    """Return the line of a gold file that a verdict makes; null when it says only what is wrong.

    `judged` is a row of latest_verdict with intent, decomposition, items, quotes and pages. What
    was judged right also fixes how the question was dispatched.
    """
    is_right = judged["verdict"] == "right"
    if not is_right and not judged["right_value"]:
        return None
    is_absent = _is_absent(judged)
    line = {
        "question_id": judged["question_id"],
        "doc": judged["file_name"],
        "scope_key": None if judged["file_name"] else judged["scope_key"],
        "question": judged["question"],
        "gold_answer": None if is_absent else _gold_answer(judged),
        "gold_evidence": judged["quotes"] if is_right else [],
        "gold_pages": judged["pages"] if is_right else None,
        "answer_kind": "none" if is_absent else _kind(judged),
    }
    if is_right:
        line |= {name: judged[name] for name in DISPATCHED}
    return line


DISPATCHED = ("intent", "answer_shape", "answer_type", "decomposition", "route")

KINDS = {
    "date": "date", "amount": "number", "number": "number", "percent": "number",
    "duration": "duration", "boolean": "yes_no",
}  # fmt: skip
"""How `compline eval` compares values of a type; others are spans of text."""


def _is_absent(judged: Mapping[str, Any]) -> bool:
    if judged["verdict"] == "right":
        return judged["status"] not in ("answered", "partial")
    return judged["right_value"].strip().lower() == ABSENT


def _gold_answer(judged: Mapping[str, Any]) -> str | list[str]:
    is_right = judged["verdict"] == "right"
    if _kind(judged) != "name_list":
        return judged["value"] if is_right else judged["right_value"]
    if is_right:
        return list(judged["items"])
    return [item.strip() for item in judged["right_value"].split(";") if item.strip()]


def _kind(judged: Mapping[str, Any]) -> str:
    if judged["answer_shape"] != "single":
        return "name_list"
    return KINDS.get(judged["answer_type"], "span")
