"""Human review: a sheet of answers goes out, verdicts come back, `eval` gets gold lines."""

import json
from collections.abc import Sequence
from hashlib import sha256
from pathlib import Path

import polars as pl

from flows.clock import now
from flows.export import export, to_excel, write_file
from flows.report import latest_run, read_report
from flows.sheets import read_sheet
from flows.warehouse import Warehouse
from transforms.errors import InputError
from transforms.pipeline.review import KEY_SEPARATOR, VERDICTS, gold_line, read_verdicts
from transforms.tables import Verdict
from transforms.values import Value

SHEET = (
    "answer", "question_id", "question", "file_name", "status", "value", "confidence", "reasons",
    "page", "quote", "caveats", "verdict", "right_value", "note", "reviewer",
)  # fmt: skip

MAX_MISTAKES = 20
"""Mistakes of a sheet that are told at once."""

SAME = ["run_id", "pair_id", "reviewer", "verdict", "right_value", "note"]
"""Columns in which a verdict that was imported before is the same."""


class Imported(Value):
    """What became of the rows of a sheet."""

    n_new: int
    n_known: int
    """Verdicts that were there already: a sheet may be imported again."""


def export_sheet(
    warehouse: Warehouse, path: Path, run_id: str | None = None, *, is_all: bool = False
) -> int:
    """Write the answers of a run that need a look, or all, as a sheet to fill in; return how many.

    Raises InputError when there is no run, or the file cannot be written.
    """
    run_id = run_id or latest_run(warehouse)
    if is_all:
        asked_df = warehouse.query(_ALL, {"run_id": run_id})
    else:
        asked_df = read_report(warehouse, "to_review", run_id).rows
    sheet_df = asked_df.with_columns(
        pl.concat_str("run_id", "pair_id", separator=KEY_SEPARATOR).alias("answer"),
        *(pl.lit(None, pl.String).alias(name) for name in SHEET[-4:]),
    ).select(SHEET)
    if path.suffix.lower() == ".xlsx":
        write_file(to_excel(sheet_df, choices={"verdict": VERDICTS}), path)
    else:
        export(sheet_df, path)
    return sheet_df.height


def import_sheet(warehouse: Warehouse, path: Path, *, reviewer: str | None = None) -> Imported:
    """Append the verdicts of a filled sheet, all or none.

    Raises InputError that names rows and columns when anything in it is wrong.
    """
    rows = [(row.number, row.cells) for row in read_sheet(path)]
    answer_df = warehouse.query("select distinct run_id, pair_id from answer_df")
    answers = {KEY_SEPARATOR.join(key) for key in answer_df.iter_rows()}
    verdicts, mistakes = read_verdicts(rows, answers, reviewer=reviewer, reviewed_at=now())
    if mistakes:
        raise InputError(_told(path, mistakes), hint="correct the sheet; nothing was imported")
    verdict_df = Verdict.frame(verdicts)
    latest_df = (
        warehouse.read("verdict_df")
        .sort("reviewed_at")
        .unique(["run_id", "pair_id", "reviewer"], keep="last")
    )
    new_df = verdict_df.join(latest_df, on=SAME, how="anti", nulls_equal=True)
    if new_df.height:
        told = f"{now().isoformat()}{new_df.write_json()}"
        warehouse.write_verdicts(f"verdicts-{sha256(told.encode()).hexdigest()[:16]}", new_df)
    return Imported(n_new=new_df.height, n_known=verdict_df.height - new_df.height)


def export_gold(warehouse: Warehouse, path: Path) -> int:
    """Write what verdicts make right as a gold file for `compline eval`; return how many lines."""
    lines = filter(None, map(gold_line, warehouse.query(_JUDGED).to_dicts()))
    texts = [json.dumps(line, ensure_ascii=False) + "\n" for line in lines]
    write_file("".join(texts).encode(), path)
    return len(texts)


def _told(path: Path, mistakes: Sequence[str]) -> str:
    more = len(mistakes) - MAX_MISTAKES
    shown = [*mistakes[:MAX_MISTAKES], *([f"… and {more} more"] if more > 0 else [])]
    return "\n  ".join([f"{path.name!r} has {len(mistakes)} mistakes:", *shown])


_ALL = """
with quoted_pair as (
    select
        pair_id,
        arg_min(page, (sub_question, item, seq)) as page,
        arg_min(quote, (sub_question, item, seq)) as quote
    from evidence_df
    where run_id = $run_id
    group by pair_id
)

select
    answer_history.run_id,
    answer_history.pair_id,
    answer_history.question_id,
    answer_history.question,
    answer_history.file_name,
    answer_history.status,
    answer_history.value,
    answer_history.confidence,
    []::varchar[] as reasons,
    answer_history.caveats,
    quoted_pair.page,
    quoted_pair.quote
from answer_history
left join quoted_pair using (pair_id)
where answer_history.run_id = $run_id and answer_history.sub_question = 0
order by answer_history.question_id, answer_history.file_name, answer_history.pair_id
"""
_JUDGED = """
with quoted_pair as (
    select
        run_id,
        pair_id,
        list(distinct quote order by quote) as quotes,
        list(distinct page order by page) as pages
    from evidence_df
    group by run_id, pair_id
)

select
    latest_verdict.question_id,
    latest_verdict.question,
    latest_verdict.file_name,
    latest_verdict.scope_key,
    latest_verdict.status,
    latest_verdict.value,
    latest_verdict.verdict,
    latest_verdict.right_value,
    latest_verdict.answer_shape,
    latest_verdict.answer_type,
    latest_verdict.route,
    question_df.intent,
    question_df.decomposition,
    answer_df.items,
    coalesce(quoted_pair.quotes, []) as quotes,
    coalesce(quoted_pair.pages, []) as pages
from latest_verdict
join pair_df using (run_id, pair_id)
join answer_df
    on answer_df.run_id = latest_verdict.run_id
    and answer_df.pair_id = latest_verdict.pair_id
    and answer_df.sub_question = 0
join question_df
    on question_df.set_id = pair_df.set_id
    and question_df.question_id = pair_df.question_id
    and question_df.question_version = pair_df.question_version
left join quoted_pair
    on quoted_pair.run_id = latest_verdict.run_id
    and quoted_pair.pair_id = latest_verdict.pair_id
where not latest_verdict.is_disputed
qualify row_number() over (
    partition by latest_verdict.pair_id order by latest_verdict.reviewed_at desc
) = 1
order by latest_verdict.question_id, latest_verdict.file_name, latest_verdict.scope_key
"""
