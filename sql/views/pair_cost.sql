-- One row per pair of a run: what it was allowed and what its calls cost. Cost is null when a price is unknown.
-- Reads: pair_df, answer_df, dispatch_df, run_call
-- Columns: run_id, pair_id, question_id, doc_id, route, route_rule, status, is_reused, n_calls, n_calls_failed, prompt_tokens, cached_tokens, completion_tokens, cost_usd, n_calls_unpriced, latency_ms, budget_tokens, budget_usd
with call_cost as (
    select
        run_id,
        pair_id,
        count(*) as n_calls,
        count(*) filter (where outcome <> 'ok') as n_calls_failed,
        sum(prompt_tokens) as prompt_tokens,
        sum(cached_tokens) as cached_tokens,
        sum(completion_tokens) as completion_tokens,
        sum(cost_usd) as cost_usd,
        count(*) filter (where cost_usd is null and http_status = 200) as n_calls_unpriced,
        sum(latency_ms) as latency_ms
    from run_call
    where run_id is not null
    group by run_id, pair_id
)

select
    pair_df.run_id,
    pair_df.pair_id,
    pair_df.question_id,
    answer_df.doc_id,
    dispatch_df.route,
    dispatch_df.route_rule,
    answer_df.status,
    answer_df.reused_from_run_id is not null as is_reused,
    coalesce(call_cost.n_calls, 0) as n_calls,
    coalesce(call_cost.n_calls_failed, 0) as n_calls_failed,
    cast(coalesce(call_cost.prompt_tokens, 0) as bigint) as prompt_tokens,
    cast(coalesce(call_cost.cached_tokens, 0) as bigint) as cached_tokens,
    cast(coalesce(call_cost.completion_tokens, 0) as bigint) as completion_tokens,
    case when coalesce(call_cost.n_calls_unpriced, 0) = 0 then coalesce(call_cost.cost_usd, 0) end as cost_usd,
    coalesce(call_cost.n_calls_unpriced, 0) as n_calls_unpriced,
    cast(coalesce(call_cost.latency_ms, 0) as bigint) as latency_ms,
    dispatch_df.budget_tokens,
    dispatch_df.budget_usd
from pair_df
left join answer_df
    on answer_df.run_id = pair_df.run_id
    and answer_df.pair_id = pair_df.pair_id
    and answer_df.sub_question = 0
left join dispatch_df on dispatch_df.run_id = pair_df.run_id and dispatch_df.pair_id = pair_df.pair_id
left join call_cost on call_cost.run_id = pair_df.run_id and call_cost.pair_id = pair_df.pair_id
