-- One row per pair of a run: tokens sent and received against the naive way, all top K windows in one call.
-- Reads: answer_df, dispatch_df
-- Columns: run_id, pair_id, question_id, route, status, is_reused, baseline_tokens, tokens, saved_tokens, saved_share
with spent_pair as (
    select
        answer_df.run_id,
        answer_df.pair_id,
        answer_df.question_id,
        dispatch_df.route,
        answer_df.status,
        answer_df.reused_from_run_id is not null as is_reused,
        dispatch_df.baseline_tokens,
        case when answer_df.reused_from_run_id is null then answer_df.prompt_tokens + answer_df.completion_tokens else 0 end as tokens
    from answer_df
    join dispatch_df using (run_id, pair_id)
    where answer_df.sub_question = 0
)

select
    run_id,
    pair_id,
    question_id,
    route,
    status,
    is_reused,
    baseline_tokens,
    tokens,
    baseline_tokens - tokens as saved_tokens,
    (baseline_tokens - tokens) / nullif(baseline_tokens, 0) as saved_share
from spent_pair
