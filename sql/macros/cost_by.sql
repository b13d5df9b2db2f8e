-- One row per value of a column of call_detail, such as day, model, route, route_rule, question_id or file_name.
-- Reads: call_detail
-- Columns: name, n_calls, prompt_tokens, cached_tokens, completion_tokens, cost_usd, n_calls_unpriced
-- Parameters: one_column
select
    $one_column as name,
    count(*) as n_calls,
    cast(coalesce(sum(prompt_tokens), 0) as bigint) as prompt_tokens,
    cast(coalesce(sum(cached_tokens), 0) as bigint) as cached_tokens,
    cast(coalesce(sum(completion_tokens), 0) as bigint) as completion_tokens,
    case when count(*) filter (where is_unpriced) = 0 then coalesce(sum(cost_usd), 0) end as cost_usd,
    count(*) filter (where is_unpriced) as n_calls_unpriced
from call_detail
group by name
order by cost_usd desc, n_calls desc, name
