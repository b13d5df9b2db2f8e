"""Verdicts of people against answers of earlier runs: such an answer is not reused."""

from collections.abc import Collection
from datetime import datetime

from flows.warehouse import Warehouse
from transforms.pipeline.state import Rejection

REJECTED = """
with answered as (
    select
        pair_id,
        answer_df.run_id,
        coalesce(reused_from_run_id, answer_df.run_id) as origin_run_id,
        answer_found,
        value_text,
        value_number,
        value_date,
        value_bool,
        items,
        started_at
    from answer_df
    join run_df using (run_id)
    where sub_question = 0 and started_at < $before
),
latest as (
    select pair_id, arg_max(origin_run_id, (started_at, run_id)) as origin_run_id
    from answered
    group by pair_id
),
verdict as (
    select *
    from verdict_df
    where reviewed_at < $before
    qualify row_number() over (partition by pair_id order by reviewed_at desc, reviewer) = 1
)
select
    pair_id,
    verdict.verdict,
    verdict.reviewer,
    verdict.reviewed_at,
    verdict.note,
    verdict.right_value,
    answered.answer_found,
    answered.value_text,
    answered.value_number,
    answered.value_date,
    answered.value_bool,
    answered.items
from verdict
join answered using (pair_id, run_id)
join latest using (pair_id, origin_run_id)
where verdict.verdict <> 'right'
"""
"""The last word on the latest answer of each pair, where that word is no. A later answer, even an
equal one, is judged by itself: a verdict makes a pair be answered anew once."""


def rejections(
    pair_ids: Collection[str], warehouse: Warehouse, *, before: datetime
) -> dict[str, Rejection]:
    """Return, by pair_id, the verdicts given before a time against what stood then."""
    if warehouse.read("verdict_df").is_empty():
        return {}
    rejected_df = warehouse.query(REJECTED, {"before": before})
    return {
        row.pop("pair_id"): Rejection.model_validate(row)
        for row in rejected_df.to_dicts()
        if row["pair_id"] in pair_ids
    }
