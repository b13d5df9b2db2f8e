-- One row per UTC day, run, question and tag: what to charge back. With several tags the cost is shared evenly.
-- Reads: run_call, pair_df, question_df
-- Columns: day, run_id, set_id, question_id, tag, n_tags, n_calls, tokens, cost_usd, n_calls_unpriced
-- Calls of questions without a tag are 'untagged', those made outside of runs 'ingest', so that tags add up to the bill.
with question_cost as (
    select
        cast(run_call.called_at at time zone 'UTC' as date) as day,
        run_call.run_id,
        pair_df.set_id,
        pair_df.question_id,
        pair_df.question_version,
        count(*) as n_calls,
        coalesce(sum(run_call.prompt_tokens), 0) + coalesce(sum(run_call.completion_tokens), 0) as tokens,
        coalesce(sum(run_call.cost_usd), 0) as cost_usd,
        count(*) filter (where run_call.cost_usd is null and run_call.http_status = 200) as n_calls_unpriced
    from run_call
    left join pair_df on pair_df.run_id = run_call.run_id and pair_df.pair_id = run_call.pair_id
    group by all
),

tagged_cost as (
    select
        question_cost.day,
        question_cost.run_id,
        question_cost.set_id,
        question_cost.question_id,
        question_cost.n_calls,
        question_cost.tokens,
        question_cost.cost_usd,
        question_cost.n_calls_unpriced,
        greatest(coalesce(len(question_df.tags), 0), 1) as n_tags,
        unnest(
            case
                when len(question_df.tags) > 0 then question_df.tags
                when question_cost.run_id is null then ['ingest']
                else ['untagged']
            end
        ) as tag
    from question_cost
    left join question_df using (set_id, question_id, question_version)
)

select
    day,
    run_id,
    set_id,
    question_id,
    tag,
    n_tags,
    n_calls,
    cast(tokens as bigint) as tokens,
    case when n_calls_unpriced = 0 then cast(cost_usd / n_tags as decimal(18, 9)) end as cost_usd,
    n_calls_unpriced
from tagged_cost
