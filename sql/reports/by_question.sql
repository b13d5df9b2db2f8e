-- One row per question of the run: how often it was answered and what it cost.
-- Reads: pair_cost, pair_df, question_df
-- Columns: question_id, question, tags, n_pairs, n_answered, n_partial, n_not_found, n_calls, tokens, cost_usd
select
    pair_df.question_id,
    any_value(question_df.text) as question,
    any_value(question_df.tags) as tags,
    count(*) as n_pairs,
    count(*) filter (where pair_cost.status = 'answered') as n_answered,
    count(*) filter (where pair_cost.status = 'partial') as n_partial,
    count(*) filter (where pair_cost.status = 'not_found') as n_not_found,
    cast(sum(pair_cost.n_calls) as bigint) as n_calls,
    cast(sum(pair_cost.prompt_tokens + pair_cost.completion_tokens) as bigint) as tokens,
    case when sum(pair_cost.n_calls_unpriced) = 0 then sum(pair_cost.cost_usd) end as cost_usd
from pair_cost
join pair_df using (run_id, pair_id)
left join question_df
    on question_df.set_id = pair_df.set_id
    and question_df.question_id = pair_df.question_id
    and question_df.question_version = pair_df.question_version
where pair_cost.run_id = $run_id and pair_df.run_id = $run_id
group by pair_df.question_id
order by pair_df.question_id
