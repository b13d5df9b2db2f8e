-- One row per route of the run.
-- Reads: route_cost
-- Columns: route, n_pairs, n_reused, n_found, n_calls, prompt_tokens, completion_tokens, cost_usd, usd_per_pair, n_calls_unpriced
select
    coalesce(route, 'none') as route,
    n_pairs,
    n_reused,
    n_found,
    n_calls,
    prompt_tokens,
    completion_tokens,
    cost_usd,
    usd_per_pair,
    n_calls_unpriced
from route_cost
where run_id = $run_id
order by n_pairs desc, route
