-- One row per endpoint, model and purpose of the run's calls.
-- Reads: run_call
-- Columns: endpoint, model, purpose, n_calls, n_calls_failed, prompt_tokens, cached_tokens, completion_tokens, cost_usd, n_calls_unpriced, latency_ms_p50, latency_ms_p95
select
    endpoint,
    model,
    purpose,
    count(*) as n_calls,
    count(*) filter (where outcome <> 'ok') as n_calls_failed,
    cast(coalesce(sum(prompt_tokens), 0) as bigint) as prompt_tokens,
    cast(coalesce(sum(cached_tokens), 0) as bigint) as cached_tokens,
    cast(coalesce(sum(completion_tokens), 0) as bigint) as completion_tokens,
    case when count(*) filter (where cost_usd is null and http_status = 200) = 0 then coalesce(sum(cost_usd), 0) end as cost_usd,
    count(*) filter (where cost_usd is null and http_status = 200) as n_calls_unpriced,
    quantile_cont(latency_ms, 0.5) as latency_ms_p50,
    quantile_cont(latency_ms, 0.95) as latency_ms_p95
from run_call
where run_id = $run_id
group by endpoint, model, purpose
order by endpoint, model, purpose
