-- One row per attempt at a call of a model, with what it was made for.
-- Reads: llm_call_df, pair_df, dispatch_df, document_df
-- Columns: call_id, attempt, called_at, day, run_id, pair_id, set_id, question_id, question_version, scope, scope_key, doc_id, file_name, route, route_rule, purpose, engine, endpoint, model, outcome, prompt_tokens, cached_tokens, completion_tokens, cost_usd, is_unpriced, latency_ms
select
    llm_call_df.call_id,
    llm_call_df.attempt,
    llm_call_df.called_at,
    cast(llm_call_df.called_at at time zone 'UTC' as date) as day,
    llm_call_df.run_id,
    llm_call_df.pair_id,
    pair_df.set_id,
    pair_df.question_id,
    pair_df.question_version,
    pair_df.scope,
    pair_df.scope_key,
    document_df.doc_id,
    document_df.file_name,
    dispatch_df.route,
    dispatch_df.route_rule,
    llm_call_df.purpose,
    llm_call_df.engine,
    llm_call_df.endpoint,
    llm_call_df.model,
    llm_call_df.outcome,
    llm_call_df.prompt_tokens,
    llm_call_df.cached_tokens,
    llm_call_df.completion_tokens,
    llm_call_df.cost_usd,
    llm_call_df.cost_usd is null and coalesce(llm_call_df.http_status, 0) = 200 as is_unpriced,
    llm_call_df.latency_ms
from llm_call_df
left join pair_df on pair_df.run_id = llm_call_df.run_id and pair_df.pair_id = llm_call_df.pair_id
left join dispatch_df on dispatch_df.run_id = llm_call_df.run_id and dispatch_df.pair_id = llm_call_df.pair_id
left join document_df
    on document_df.doc_id = coalesce(llm_call_df.doc_id, case when pair_df.scope = 'document' then pair_df.scope_key end)
