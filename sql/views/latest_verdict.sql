-- One row per judged answer: the latest verdict, what was asked and answered, and whether reviewers disagree.
-- Reads: verdict_df, answer_df, pair_df, question_df, dispatch_df, document_df
-- Columns: run_id, pair_id, set_id, question_id, question, language, answer_shape, answer_type, route, route_rule, scope_key, doc_id, file_name, status, value, confidence, verdict, right_value, note, reviewer, reviewed_at, n_reviewers, is_disputed
with own_verdict as (
    select run_id, pair_id, reviewer, verdict, right_value, note, reviewed_at
    from verdict_df
    qualify row_number() over (partition by run_id, pair_id, reviewer order by reviewed_at desc) = 1
),

judged_pair as (
    select
        run_id,
        pair_id,
        max(reviewed_at) as reviewed_at,
        arg_max(reviewer, (reviewed_at, reviewer)) as reviewer,
        count(*) as n_reviewers,
        count(distinct verdict) > 1 as is_disputed
    from own_verdict
    group by run_id, pair_id
)

select
    judged_pair.run_id,
    judged_pair.pair_id,
    pair_df.set_id,
    pair_df.question_id,
    question_df.text as question,
    question_df.language,
    question_df.answer_shape,
    question_df.answer_type,
    dispatch_df.route,
    dispatch_df.route_rule,
    pair_df.scope_key,
    answer_df.doc_id,
    document_df.file_name,
    answer_df.status,
    case when len(answer_df.items) > 0 then array_to_string(answer_df.items, '; ') else answer_df.value_text end as value,
    answer_df.confidence,
    own_verdict.verdict,
    own_verdict.right_value,
    own_verdict.note,
    judged_pair.reviewer,
    judged_pair.reviewed_at,
    judged_pair.n_reviewers,
    judged_pair.is_disputed
from judged_pair
join own_verdict using (run_id, pair_id, reviewer)
join pair_df using (run_id, pair_id)
join answer_df
    on answer_df.run_id = judged_pair.run_id
    and answer_df.pair_id = judged_pair.pair_id
    and answer_df.sub_question = 0
left join dispatch_df on dispatch_df.run_id = judged_pair.run_id and dispatch_df.pair_id = judged_pair.pair_id
left join question_df
    on question_df.set_id = pair_df.set_id
    and question_df.question_id = pair_df.question_id
    and question_df.question_version = pair_df.question_version
left join document_df on document_df.doc_id = answer_df.doc_id
