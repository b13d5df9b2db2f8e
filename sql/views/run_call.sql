-- One row per attempt at a call of a model, under the run that it counts for: of a killed run, the one that went on.
-- Reads: llm_call_df, run_df
-- Columns: call_id, attempt, run_id, pair_id, doc_id, iteration_number, step, purpose, engine, endpoint, model, request_hash, prompt_tokens, cached_tokens, completion_tokens, reasoning_tokens, reserved_tokens, cost_usd, price_source, latency_ms, outcome, http_status, finish_reason, budget_left_tokens, budget_left_usd, called_at
with killed_run as (
    select
        unnest(killed_run_ids) as killed_run_id,
        run_id
    from run_df
),

heir as (
    select
        killed_run_id,
        min(run_id) as run_id
    from killed_run
    group by killed_run_id
)

select llm_call_df.* replace (coalesce(heir.run_id, llm_call_df.run_id) as run_id)
from llm_call_df
left join heir on heir.killed_run_id = llm_call_df.run_id
