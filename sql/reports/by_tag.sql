-- One row per tag of the run's questions: what to charge back. A pair with several tags counts for each.
-- Reads: pair_cost, pair_df, question_df
-- Columns: tag, n_pairs, n_calls, tokens, cost_usd, n_calls_unpriced
with tagged_pair as (
    select
        pair_df.pair_id,
        unnest(case when len(question_df.tags) > 0 then question_df.tags else ['untagged'] end) as tag
    from pair_df
    join question_df using (set_id, question_id, question_version)
    where pair_df.run_id = $run_id
)

select
    tagged_pair.tag,
    count(*) as n_pairs,
    cast(sum(pair_cost.n_calls) as bigint) as n_calls,
    cast(sum(pair_cost.prompt_tokens + pair_cost.completion_tokens) as bigint) as tokens,
    case when sum(pair_cost.n_calls_unpriced) = 0 then sum(pair_cost.cost_usd) end as cost_usd,
    cast(sum(pair_cost.n_calls_unpriced) as bigint) as n_calls_unpriced
from tagged_pair
join pair_cost using (pair_id)
where pair_cost.run_id = $run_id
group by tagged_pair.tag
order by tagged_pair.tag
