"""What a run came to, in words and as an exit code."""

from pathlib import Path

import polars as pl

from flows.command_line.output import print_rows, say, say_error
from flows.database import statement
from flows.outcome import STATUSES, exit_code, stopped_by
from flows.question_file import read_question_file
from flows.ready_by import lateness
from flows.settings import Settings
from flows.warehouse import Warehouse

MAX_LISTED = 20
"""Rows of the summary's list of what somebody has to look at."""

MAX_NAMED = 5
"""Questions that a warning names."""

N_ANSWERS = 12
"""Answers that the summary shows, of different questions."""

SOME_ANSWERS = """
with shown as (
    select question_id, file_name, coalesce(item_text, value_text) as answer, page, quote,
        left(pair_id, 6) as pair,
        row_number() over (partition by question_id order by hash(file_name)) as nth
    from answer_with_evidence
    where run_id = $run_id and status = 'answered' and seq = 1 and item <= 1
    and coalesce(item_text, value_text) is not null
)
select question_id, file_name, answer, page, quote, pair
from shown where nth = 1 order by question_id limit $n
"""

ATTENTION = """
select a.status, a.question_id, count(*) as pairs, any_value(d.file_name) as one_of,
    any_value(array_to_string(a.caveats, '; ')) as why
from answer_df a left join document_df d using (doc_id)
where a.run_id = $run_id and a.sub_question = 0
    and a.status in ('failed', 'over_budget', 'not_run', 'needs_clarification')
group by a.status, a.question_id
order by a.status, a.question_id
"""


def print_summary(warehouse: Warehouse, run_id: str, *, as_json: bool, is_quiet: bool) -> int:
    """Print what a run came to and return the exit code.

    As JSON: the rows of answer_df. For people: status counts, cost by route, and every pair that
    somebody has to look at.
    """
    answer_df = warehouse.read("answer_df", run_ids=[run_id])
    whole_df = answer_df.filter(pl.col("sub_question") == 0)
    if as_json:
        print_rows(answer_df, as_json=True)
    elif not is_quiet:
        _print_for_people(warehouse, run_id, whole_df)
    if error := stopped_by(whole_df):
        say_error(error)
    _say_how_it_ended(warehouse, run_id, whole_df)
    return exit_code(whole_df)


def print_whole(questions: str, settings: Settings, run_id: str) -> None:
    """Say what the whole set takes, told by the pilot that a run was."""
    from flows.answering.forecast import extrapolated

    whole = extrapolated(questions, settings, run_id)
    if whole is None:
        say("the pilot asked nothing anew: what the whole set takes cannot be told by it")
        return
    cost = "at an unknown price" if whole.cost_usd is None else f"{whole.cost_usd:.2f} USD"
    say(
        f"the whole set has {whole.n_pairs} pairs; as the {whole.n_asked} of the pilot they take"
        f" about {whole.tokens:,} tokens, {cost}, {whole.minutes:.0f} minutes"
    )


def say_unasked(questions: Path, asked_df: pl.DataFrame) -> None:
    """Warn of questions of a file that no pair asks: their choice of documents is empty."""
    ids = [str(row["question_id"]).strip() for row in read_question_file(questions)]
    asked_ids = set(asked_df["question_id"])
    left = [each for each in ids if each not in asked_ids]
    if left:
        named = ", ".join(left[:MAX_NAMED]) + (", …" if len(left) > MAX_NAMED else "")
        say(
            f"warning: {len(left)} of {len(ids)} questions are asked of no document ({named}):"
            " check `documents`, parted by commas, and `where`"
        )


def _say_how_it_ended(warehouse: Warehouse, run_id: str, answer_df: pl.DataFrame) -> None:
    run = warehouse.read("run_df", run_ids=[run_id]).row(0, named=True)
    if run["status"] == "cancelled":
        n_left = answer_df.filter(status="not_run").height
        say(
            f"cancelled: {answer_df.height - n_left} of {answer_df.height} answers are kept;"
            f" run the same command again for the other {n_left}"
        )
    if late := lateness(run):
        say(f"warning: {late}")


def _print_for_people(warehouse: Warehouse, run_id: str, answer_df: pl.DataFrame) -> None:
    shown_df = warehouse.query(SOME_ANSWERS, {"run_id": run_id, "n": N_ANSWERS})
    if shown_df.height:
        print_rows(shown_df, as_json=False, title="some answers")
    counts = dict(answer_df["status"].value_counts().iter_rows())
    n_reused = answer_df["reused_from_run_id"].count()
    print_rows(
        [{"status": status, "pairs": counts.get(status, 0)} for status in STATUSES],
        as_json=False,
        title=f"run {run_id}: {answer_df.height} pairs, {n_reused} reused",
    )
    print_rows(
        warehouse.query(statement("reports/saving"), {"run_id": run_id}),
        as_json=False,
        title="tokens and cost by route, against sending all windows at once",
    )
    attention_df = warehouse.query(ATTENTION, {"run_id": run_id})
    if attention_df.height:
        print_rows(attention_df.head(MAX_LISTED), as_json=False, title="to look at")
        if attention_df.height > MAX_LISTED:
            say(f"… and {attention_df.height - MAX_LISTED} more: `compline report` lists them all")
    say(f"warehouse: {warehouse.root}  (duckdb {warehouse.database_path})")
    if shown_df.height:
        say("all answers: `compline sql \"from answers_about('')\"`")
        say(f"one of them: `compline explain {shown_df['pair'][0]}`")
