-- One row per run, the latest first.
-- Reads: run_df, budget_status
-- Columns: run_id, set_id, started_at, seconds, engine, model, status, n_pairs, n_reused, n_failed, spent_tokens, spent_usd, tokens_share, usd_share
select
    run_df.run_id,
    run_df.set_id,
    run_df.started_at,
    epoch(run_df.finished_at) - epoch(run_df.started_at) as seconds,
    run_df.engine,
    run_df.model,
    run_df.status,
    run_df.n_pairs,
    run_df.n_reused,
    run_df.n_failed,
    run_df.spent_tokens,
    run_df.spent_usd,
    budget_status.tokens_share,
    budget_status.usd_share
from run_df
join budget_status using (run_id)
order by run_df.started_at desc, run_df.run_id
