"""Everything the tables say about one answer, as data; story.py tells it in words."""

from flows.warehouse import Warehouse
from transforms.errors import InputError
from transforms.pipeline.story import Trace


def pipeline_trace(warehouse: Warehouse, pair: str) -> Trace:
    """Return the rows of a pair's latest run, by table.

    `pair` is a pair_id or its first digits. Raises InputError when no pair, or more than one, fits.
    """
    pair_id, run_id = find_pair(warehouse, pair)
    found = warehouse.query(_story(), {"pair_id": pair_id, "run_id": run_id}).row(0, named=True)
    rows = {name: found[name] or [] for name in (*OF_THE_PAIR, *BESIDE_IT)}
    asked = rows["pair_df"][0]
    question_df = warehouse.read("question_df").filter(
        set_id=asked["set_id"],
        question_id=asked["question_id"],
        question_version=asked["question_version"],
    )
    return {
        "pair_id": pair_id,
        "run_id": run_id,
        "reused_from_run_id": rows["answer_df"][0]["reused_from_run_id"],
        **rows,
        "question_df": question_df.to_dicts(),
    }


OF_THE_PAIR = (
    "pair_df", "dispatch_df", "candidate_df", "iteration_df", "answer_df", "evidence_df",
)  # fmt: skip
"""Tables of which the rows of the pair in the run are told."""

BESIDE_IT = {
    "document_df": """
        select d.doc_id, d.file_name, p.side, d.title, d.n_pages, d.language, d.suggested_strategy
        from pair_doc_df p join document_df d using (doc_id)
        where p.pair_id = $pair_id and p.run_id = $run_id
    """,
    "llm_call_df": """
        select * from run_call where pair_id = $pair_id and run_id in (
            select coalesce(reused_from_run_id, run_id) from answer_df
            where pair_id = $pair_id and run_id = $run_id
        )
    """,
}
ORDERS = {"document_df": "row.file_name"}
"""What rows are ordered by, where it is not their columns from left to right."""


def _story() -> str:
    """Return one select that gives each table's rows as a list: each select opens all views."""
    selects = {
        table: f"select * from {table} where pair_id = $pair_id and run_id = $run_id"  # noqa: S608
        for table in OF_THE_PAIR
    } | BESIDE_IT
    lists = (
        f"(select list(row order by {ORDERS.get(name, 'row')}) from ({select}) as row) as {name}"  # noqa: S608
        for name, select in selects.items()
    )
    return f"select {', '.join(lists)}"


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
