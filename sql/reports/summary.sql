-- One row for the run: what was asked, how it ended, what it cost and saved.
-- Reads: run_df, answer_df, saving
-- Columns: run_id, set_id, engine, model, status, started_at, finished_at, n_pairs, n_answered, n_partial, n_not_found, n_needs_clarification, n_over_budget, n_failed, n_not_run, n_reused, spent_tokens, spent_usd, baseline_tokens, saved_share
with answer_count as (
    select
        run_id,
        count(*) filter (where status = 'answered') as n_answered,
        count(*) filter (where status = 'partial') as n_partial,
        count(*) filter (where status = 'not_found') as n_not_found,
        count(*) filter (where status = 'needs_clarification') as n_needs_clarification,
        count(*) filter (where status = 'over_budget') as n_over_budget,
        count(*) filter (where status = 'failed') as n_failed,
        count(*) filter (where status = 'not_run') as n_not_run
    from answer_df
    where run_id = $run_id and sub_question = 0
    group by run_id
),

saved_run as (
    select
        run_id,
        cast(sum(baseline_tokens) as bigint) as baseline_tokens,
        sum(saved_tokens) / nullif(sum(baseline_tokens), 0) as saved_share
    from saving
    where run_id = $run_id
    group by run_id
)

select
    run_df.run_id,
    run_df.set_id,
    run_df.engine,
    run_df.model,
    run_df.status,
    run_df.started_at,
    run_df.finished_at,
    run_df.n_pairs,
    coalesce(answer_count.n_answered, 0) as n_answered,
    coalesce(answer_count.n_partial, 0) as n_partial,
    coalesce(answer_count.n_not_found, 0) as n_not_found,
    coalesce(answer_count.n_needs_clarification, 0) as n_needs_clarification,
    coalesce(answer_count.n_over_budget, 0) as n_over_budget,
    coalesce(answer_count.n_failed, 0) as n_failed,
    coalesce(answer_count.n_not_run, 0) as n_not_run,
    run_df.n_reused,
    run_df.spent_tokens,
    run_df.spent_usd,
    saved_run.baseline_tokens,
    saved_run.saved_share
from run_df
left join answer_count using (run_id)
left join saved_run using (run_id)
where run_df.run_id = $run_id
order by run_df.run_id
