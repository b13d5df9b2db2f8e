-- One row per minute of the run in which calls were made: what was spent so far and what is left.
-- Reads: run_call, run_df
-- Columns: minute, n_calls, tokens, cost_usd, tokens_left, usd_left
with minute_cost as (
    select
        date_trunc('minute', called_at) as minute,
        count(*) as n_calls,
        coalesce(sum(prompt_tokens), 0) + coalesce(sum(completion_tokens), 0) as tokens,
        count(*) filter (where cost_usd is null and http_status = 200) as n_unpriced,
        case when n_unpriced = 0 then coalesce(sum(cost_usd), 0) end as cost_usd
    from run_call
    where run_id = $run_id
    group by minute
)

select
    minute_cost.minute,
    minute_cost.n_calls,
    cast(minute_cost.tokens as bigint) as tokens,
    minute_cost.cost_usd,
    cast(run_df.budget_tokens - sum(minute_cost.tokens) over (order by minute_cost.minute) as bigint) as tokens_left,
    case
        when sum(minute_cost.n_unpriced) over (order by minute_cost.minute) = 0
            then run_df.budget_usd - sum(minute_cost.cost_usd) over (order by minute_cost.minute)
    end as usd_left
from minute_cost
join run_df on run_df.run_id = $run_id
order by minute_cost.minute
