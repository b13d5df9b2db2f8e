-- One row per UTC day and route, all runs; calls made outside of a route are 'none'.
-- Reads: run_call, dispatch_df
-- Columns: day, route, n_calls, prompt_tokens, cached_tokens, completion_tokens, cost_usd, n_calls_unpriced
select
    cast(run_call.called_at at time zone 'UTC' as date) as day,
    coalesce(dispatch_df.route, 'none') as route,
    count(*) as n_calls,
    cast(coalesce(sum(run_call.prompt_tokens), 0) as bigint) as prompt_tokens,
    cast(coalesce(sum(run_call.cached_tokens), 0) as bigint) as cached_tokens,
    cast(coalesce(sum(run_call.completion_tokens), 0) as bigint) as completion_tokens,
    case when count(*) filter (where run_call.cost_usd is null and run_call.http_status = 200) = 0 then coalesce(sum(run_call.cost_usd), 0) end as cost_usd,
    count(*) filter (where run_call.cost_usd is null and run_call.http_status = 200) as n_calls_unpriced
from run_call
left join dispatch_df on dispatch_df.run_id = run_call.run_id and dispatch_df.pair_id = run_call.pair_id
group by all
order by day, route
