"""Drop old runs: what they answered goes, what they cost stays in llm_call_df."""

from datetime import datetime

from flows.clock import now
from flows.storage.swaps import merged_name
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


def drop_old_runs(warehouse: Warehouse, keep: int, *, at: datetime | None = None) -> list[str]:
    """Drop all runs but the newest `keep` of each question set; return what was dropped.

    A run that holds the latest answer to anything is kept, however old: a pilot or a run of
    failed pairs alone does not replace the full run before it. Runs are gone at once for whoever
    looks from then on; on a disk their files go with a later tidying, for readers that have begun.
    """
    old = warehouse.query(_OLD, {"keep": keep})["run_id"].to_list()
    if old and warehouse.parts.swaps.are_possible:
        warehouse.parts.swaps.swap("runs", merged_name(at or now()), old)
    else:
        delete_runs(warehouse, old)
    return old


def delete_runs(warehouse: Warehouse, run_ids: list[str]) -> None:
    """Delete the files of runs; the run_df part goes first, so that no reader sees half a run."""
    commit = COMMITS["runs"]
    for run_id in run_ids:
        warehouse.parts.delete(commit, run_id)
        for table in (row.table for row in RUN_TABLES if area(row.table) == "runs"):
            if table not in (commit, "verdict_df"):
                warehouse.parts.delete(table, run_id)
