-- One row per run and route: tokens and cost against the naive way, all top K windows of a pair in one call.
-- Reads: answer_df, dispatch_df, candidate_df
-- Columns: run_id, route, n_pairs, n_reused, baseline_tokens, tokens, saved_tokens, saved_share, cost_usd
-- The offline reader sends nothing: for it, tokens are what the windows that it read, each step with a
-- prompt of 250 tokens around them, would have taken. baseline_tokens counts in the same way.
with read_pair as (
    select run_id, pair_id, sum(n_tokens) as n_tokens
    from candidate_df
    where is_read
    group by run_id, pair_id
),

spent_pair as (
    select
        answer_df.run_id,
        coalesce(dispatch_df.route, 'none') as route,
        answer_df.reused_from_run_id is not null as is_reused,
        coalesce(dispatch_df.baseline_tokens, 0) as baseline_tokens,
        case
            when answer_df.reused_from_run_id is not null then 0
            when answer_df.engine = 'offline' then coalesce(read_pair.n_tokens, 0) + 250 * answer_df.n_steps
            else answer_df.prompt_tokens + answer_df.completion_tokens
        end as tokens,
        case when answer_df.reused_from_run_id is null then answer_df.cost_usd else 0 end as cost_usd
    from answer_df
    join dispatch_df using (run_id, pair_id)
    left join read_pair using (run_id, pair_id)
    where answer_df.sub_question = 0
)

select
    run_id,
    route,
    count(*) as n_pairs,
    count(*) filter (where is_reused) as n_reused,
    cast(sum(baseline_tokens) as bigint) as baseline_tokens,
    cast(sum(tokens) as bigint) as tokens,
    cast(sum(baseline_tokens) - sum(tokens) as bigint) as saved_tokens,
    (sum(baseline_tokens) - sum(tokens)) / nullif(sum(baseline_tokens), 0) as saved_share,
    case when count(*) = count(cost_usd) then sum(cost_usd) end as cost_usd
from spent_pair
group by run_id, route
