-- One row per UTC month and tag, all runs and ingests: what to charge back; the tags add up to the bill.
-- Reads: tag_cost
-- Columns: month, tag, n_runs, n_questions, n_calls, tokens, cost_usd, n_calls_unpriced
select
    strftime(day, '%Y-%m') as month,
    tag,
    count(distinct run_id) as n_runs,
    count(distinct question_id) as n_questions,
    cast(sum(n_calls) as bigint) as n_calls,
    cast(sum(tokens) as bigint) as tokens,
    case when sum(n_calls_unpriced) = 0 then sum(cost_usd) end as cost_usd,
    cast(sum(n_calls_unpriced) as bigint) as n_calls_unpriced
from tag_cost
group by month, tag
order by month desc, tag
