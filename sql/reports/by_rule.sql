-- One row per row of the routing table that fired in the run, and how its pairs ended.
-- Reads: dispatch_df, answer_df, pair_cost
-- Columns: route_rule, route, n_pairs, n_answered, n_partial, n_not_found, found_share, n_iterations_mean, tokens_mean, n_calls, cost_usd
select
    coalesce(dispatch_df.route_rule, 'none') as route_rule,
    coalesce(dispatch_df.route, 'none') as route,
    count(*) as n_pairs,
    count(*) filter (where answer_df.status = 'answered') as n_answered,
    count(*) filter (where answer_df.status = 'partial') as n_partial,
    count(*) filter (where answer_df.status = 'not_found') as n_not_found,
    count(*) filter (where answer_df.status in ('answered', 'partial')) / count(*) as found_share,
    avg(answer_df.n_iterations) as n_iterations_mean,
    avg(answer_df.prompt_tokens + answer_df.completion_tokens) as tokens_mean,
    cast(sum(pair_cost.n_calls) as bigint) as n_calls,
    case when sum(pair_cost.n_calls_unpriced) = 0 then sum(pair_cost.cost_usd) end as cost_usd
from dispatch_df
join answer_df using (run_id, pair_id)
join pair_cost using (run_id, pair_id)
where dispatch_df.run_id = $run_id and pair_cost.run_id = $run_id and answer_df.sub_question = 0
group by dispatch_df.route_rule, dispatch_df.route
order by n_pairs desc, route_rule
