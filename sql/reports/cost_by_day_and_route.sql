-- One row per UTC day and route, all runs; calls made outside of a route are 'none'.
-- Reads: llm_call_df, dispatch_df
-- Columns: day, route, n_calls, prompt_tokens, cached_tokens, completion_tokens, cost_usd, n_calls_unpriced
select
    cast(llm_call_df.called_at at time zone 'UTC' as date) as day,
    coalesce(dispatch_df.route, 'none') as route,
    count(*) as n_calls,
    cast(coalesce(sum(llm_call_df.prompt_tokens), 0) as bigint) as prompt_tokens,
    cast(coalesce(sum(llm_call_df.cached_tokens), 0) as bigint) as cached_tokens,
    cast(coalesce(sum(llm_call_df.completion_tokens), 0) as bigint) as completion_tokens,
    case when count(*) filter (where llm_call_df.cost_usd is null and llm_call_df.http_status = 200) = 0 then coalesce(sum(llm_call_df.cost_usd), 0) end as cost_usd,
    count(*) filter (where llm_call_df.cost_usd is null and llm_call_df.http_status = 200) as n_calls_unpriced
from llm_call_df
left join dispatch_df on dispatch_df.run_id = llm_call_df.run_id and dispatch_df.pair_id = llm_call_df.pair_id
group by all
order by day, route
