-- One row per run: its bounds, what was spent of them, and the pairs that a bound stopped.
-- Reads: run_df, answer_df
-- Columns: run_id, set_id, started_at, status, budget_tokens, spent_tokens, tokens_share, budget_usd, spent_usd, usd_share, n_pairs, n_over_budget, n_partial_for_budget
with stopped_pair as (
    select
        run_id,
        count(*) filter (where status = 'over_budget') as n_over_budget,
        count(*) filter (where status = 'partial' and stop_reason = 'budget') as n_partial_for_budget
    from answer_df
    where sub_question = 0
    group by run_id
)

select
    run_df.run_id,
    run_df.set_id,
    run_df.started_at,
    run_df.status,
    run_df.budget_tokens,
    run_df.spent_tokens,
    run_df.spent_tokens / nullif(run_df.budget_tokens, 0) as tokens_share,
    run_df.budget_usd,
    run_df.spent_usd,
    cast(run_df.spent_usd as double) / nullif(cast(run_df.budget_usd as double), 0) as usd_share,
    run_df.n_pairs,
    coalesce(stopped_pair.n_over_budget, 0) as n_over_budget,
    coalesce(stopped_pair.n_partial_for_budget, 0) as n_partial_for_budget
from run_df
left join stopped_pair using (run_id)
