-- One row per UTC day and model of a period, ingest included.
-- Reads: daily_cost
-- Columns: day, model, n_calls, prompt_tokens, completion_tokens, cost_usd
-- Parameters: first_day, last_day
select
    day,
    model,
    cast(sum(n_calls) as bigint) as n_calls,
    cast(sum(prompt_tokens) as bigint) as prompt_tokens,
    cast(sum(completion_tokens) as bigint) as completion_tokens,
    case when sum(n_calls_unpriced) = 0 then sum(cost_usd) end as cost_usd
from daily_cost
where day between cast($first_day as date) and cast($last_day as date)
group by day, model
order by day, model
