"""Reports from sql/reports/, for a terminal, a page or an artifact."""

import polars as pl

from flows.database import sql_names, statement
from flows.warehouse import Warehouse
from transforms.errors import InputError
from transforms.values import Value

ABOUT_A_RUN = (
    "summary", "by_status", "by_route", "by_rule", "saving", "changes", "failed_pairs",
    "exhausted_pairs", "clarifications", "failed_documents", "vocabulary_gaps",
)  # fmt: skip
"""What the report of a run shows, in this order; those without rows are left out."""


class Report(Value):
    """One report with its rows."""

    name: str
    title: str
    """What one row is, as the file's header says."""
    rows: pl.DataFrame


def report_names() -> list[str]:
    """Return the names of all reports."""
    return [name.rpartition("/")[2] for name in sql_names("reports")]


def run_of(warehouse: Warehouse, run_id: str | None = None) -> str:
    """Return the run that is named, else the latest. Raises InputError when there is none."""
    if run_id is None:
        return latest_run(warehouse)
    if warehouse.query(
        "select 1 from run_df where run_id = $run_id", {"run_id": run_id}
    ).is_empty():
        raise InputError(f"there is no run {run_id!r}", hint="`compline report runs` lists them")
    return run_id


def latest_run(warehouse: Warehouse) -> str:
    """Return the run that began last. Raises InputError when there is none."""
    found_df = warehouse.query("select run_id from run_df order by started_at desc limit 1")
    if found_df.is_empty():
        raise InputError(
            f"the warehouse {warehouse.root!r} has no run yet", hint="run `compline run` first"
        )
    return found_df.item()


def read_report(warehouse: Warehouse, name: str, run_id: str | None = None) -> Report:
    """Return one report, about a run or the latest one. Raises InputError for an unknown name."""
    if name not in report_names():
        raise InputError(
            f"there is no report {name!r}", hint=f"name one of: {', '.join(report_names())}"
        )
    text = statement(f"reports/{name}")
    parameters = {"run_id": run_of(warehouse, run_id)} if "$run_id" in text else {}
    title = text.partition("\n")[0].removeprefix("-- ")
    return Report(name=name, title=title, rows=warehouse.query(text, parameters))


def run_reports(warehouse: Warehouse, run_id: str | None = None) -> list[Report]:
    """Return all that is to be seen about a run, the latest by default."""
    run_id = run_of(warehouse, run_id)
    reports = (read_report(warehouse, name, run_id) for name in ABOUT_A_RUN)
    return [report for report in reports if report.rows.height]


def answers_by_document(warehouse: Warehouse, set_id: str | None = None) -> pl.DataFrame:
    """Return the latest answers as a sheet: a column per question.

    One row per document. A cell holds the value, or the items of a listing joined by "; "; it is
    empty when nothing was found.
    """
    answer_df = warehouse.query(_ANSWERS, {"set_id": set_id})
    questions = answer_df["question_id"].unique().sort().to_list()
    about = [name for name in answer_df.columns if name not in ("question_id", "value")]
    return (
        answer_df.pivot("question_id", index=about, values="value", aggregate_function="first")
        .select(*about, *questions)
        .sort("file_name", "doc_id")
    )


_ANSWERS = """
select
    file_name,
    doc_id,
    policy_number,
    insurer,
    question_id,
    case when len(items) > 0 then array_to_string(items, '; ') else value_text end as value
from latest_answer
where sub_question = 0
and scope = 'document'
and ($set_id is null or set_id = $set_id)
order by file_name, doc_id, question_id
"""
