-- One row per attempt at a call of a model, with what it was made for.
-- Reads: run_call, pair_df, dispatch_df, document_df
-- Columns: call_id, attempt, called_at, day, run_id, pair_id, set_id, question_id, question_version, scope, scope_key, doc_id, file_name, route, route_rule, purpose, engine, endpoint, model, outcome, prompt_tokens, cached_tokens, completion_tokens, cost_usd, is_unpriced, latency_ms
select
    run_call.call_id,
    run_call.attempt,
    run_call.called_at,
    cast(run_call.called_at at time zone 'UTC' as date) as day,
    run_call.run_id,
    run_call.pair_id,
    pair_df.set_id,
    pair_df.question_id,
    pair_df.question_version,
    pair_df.scope,
    pair_df.scope_key,
    document_df.doc_id,
    document_df.file_name,
    dispatch_df.route,
    dispatch_df.route_rule,
    run_call.purpose,
    run_call.engine,
    run_call.endpoint,
    run_call.model,
    run_call.outcome,
    run_call.prompt_tokens,
    run_call.cached_tokens,
    run_call.completion_tokens,
    run_call.cost_usd,
    run_call.cost_usd is null and coalesce(run_call.http_status, 0) = 200 as is_unpriced,
    run_call.latency_ms
from run_call
left join pair_df on pair_df.run_id = run_call.run_id and pair_df.pair_id = run_call.pair_id
left join dispatch_df on dispatch_df.run_id = run_call.run_id and dispatch_df.pair_id = run_call.pair_id
left join document_df
    on document_df.doc_id = coalesce(run_call.doc_id, case when pair_df.scope = 'document' then pair_df.scope_key end)
