"""Drop old runs: what they answered goes, what they cost stays in llm_call_df."""

from flows.storage.views import COMMITS, area
from flows.warehouse import Warehouse
from transforms.tables import RUN_TABLES

_OLD = """
with numbered_run as (
    select
        run_id,
        row_number() over (partition by set_id order by started_at desc, run_id desc) as age
    from run_df
)

select run_id
from numbered_run
where age > $keep
and run_id not in (select run_id from latest_answer)
order by run_id
"""


def drop_old_runs(warehouse: Warehouse, keep: int) -> list[str]:
    """Drop all runs but the newest `keep` of each question set; return what was dropped.

    A run that holds the latest answer to anything is kept, however old: a pilot or a run of
    failed pairs alone does not replace the full run before it. Safe beside readers: the run_df
    part goes first, so that a run is gone at once for whoever looks from then on.
    """
    old = warehouse.query(_OLD, {"keep": keep})["run_id"].to_list()
    commit = COMMITS["runs"]
    for run_id in old:
        warehouse.parts.delete(commit, run_id)
        for table in (row.table for row in RUN_TABLES if area(row.table) == "runs"):
            if table not in (commit, "verdict_df"):
                warehouse.parts.delete(table, run_id)
    return old
