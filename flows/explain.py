"""Everything the tables say about one answer, as data; story.py tells it in words."""

import polars as pl

from flows.warehouse import Warehouse
from transforms.errors import InputError
from transforms.pipeline.story import Trace


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
    trace["llm_call_df"] = _rows(warehouse, "run_call", pair_id, source_run_id).to_dicts()
    return trace


def find_pair(warehouse: Warehouse, pair: str) -> tuple[str, str]:
    """Return pair_id and run_id of the latest answer whose pair_id begins so.

    Raises InputError when no pair, or more than one, fits.
    """
    found_df = warehouse.query(
        "select pair_id, run_id, question_id from latest_answer where starts_with(pair_id, $pair)"
        " and sub_question = 0 order by pair_id",
        {"pair": pair},
    )
    if found_df.is_empty():
        raise InputError(
            f"no answer has a pair_id that begins with {pair!r}",
            hint='`compline sql "select pair_id, question_id from latest_answer"` lists them',
        )
    if found_df.height > 1:
        shown = [
            f"{pair_id} ({question_id})" for pair_id, _, question_id in found_df.head(5).rows()
        ]
        more = ", …" if found_df.height > len(shown) else ""
        raise InputError(
            f"{found_df.height} pairs begin with {pair!r}",
            hint=f"give more of the pair_id: {', '.join(shown)}{more}",
        )
    pair_id, run_id, _ = found_df.row(0)
    return pair_id, run_id


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
