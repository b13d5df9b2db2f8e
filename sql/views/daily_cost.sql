-- One row per UTC day, endpoint, model and purpose of calls, those made at ingest too.
-- Reads: llm_call_df
-- Columns: day, endpoint, model, purpose, n_calls, n_calls_failed, prompt_tokens, cached_tokens, completion_tokens, cost_usd, n_calls_unpriced
select
    cast(called_at at time zone 'UTC' as date) as day,
    endpoint,
    model,
    purpose,
    count(*) as n_calls,
    count(*) filter (where outcome <> 'ok') as n_calls_failed,
    cast(coalesce(sum(prompt_tokens), 0) as bigint) as prompt_tokens,
    cast(coalesce(sum(cached_tokens), 0) as bigint) as cached_tokens,
    cast(coalesce(sum(completion_tokens), 0) as bigint) as completion_tokens,
    case when count(*) filter (where cost_usd is null and http_status = 200) = 0 then coalesce(sum(cost_usd), 0) end as cost_usd,
    count(*) filter (where cost_usd is null and http_status = 200) as n_calls_unpriced
from llm_call_df
group by day, endpoint, model, purpose
