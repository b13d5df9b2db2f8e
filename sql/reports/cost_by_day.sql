-- One row per UTC day and model, all runs and ingests.
-- Reads: daily_cost
-- Columns: day, model, n_calls, n_calls_failed, prompt_tokens, completion_tokens, cost_usd, n_calls_unpriced
select
    day,
    model,
    cast(sum(n_calls) as bigint) as n_calls,
    cast(sum(n_calls_failed) as bigint) as n_calls_failed,
    cast(sum(prompt_tokens) as bigint) as prompt_tokens,
    cast(sum(completion_tokens) as bigint) as completion_tokens,
    case when sum(n_calls_unpriced) = 0 then sum(cost_usd) end as cost_usd,
    cast(sum(n_calls_unpriced) as bigint) as n_calls_unpriced
from daily_cost
group by day, model
order by day desc, model
