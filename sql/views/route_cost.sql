-- One row per run and route; pairs that need clarification have no route and spend nothing.
-- Reads: pair_cost
-- Columns: run_id, route, n_pairs, n_reused, n_found, n_calls, prompt_tokens, completion_tokens, cost_usd, n_calls_unpriced, usd_per_pair, latency_ms
select
    run_id,
    route,
    count(*) as n_pairs,
    count(*) filter (where is_reused) as n_reused,
    count(*) filter (where status in ('answered', 'partial')) as n_found,
    cast(sum(n_calls) as bigint) as n_calls,
    cast(sum(prompt_tokens) as bigint) as prompt_tokens,
    cast(sum(completion_tokens) as bigint) as completion_tokens,
    case when sum(n_calls_unpriced) = 0 then sum(cost_usd) end as cost_usd,
    cast(sum(n_calls_unpriced) as bigint) as n_calls_unpriced,
    case when sum(n_calls_unpriced) = 0 then cast(sum(cost_usd) as double) / count(*) end as usd_per_pair,
    cast(sum(latency_ms) as bigint) as latency_ms
from pair_cost
group by run_id, route
