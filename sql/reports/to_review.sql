-- One row per answer of the run that a person should look at, and has not judged yet: the least sure first.
-- Reads: answer_history, iteration_df, evidence_df, verdict_df
-- Columns: run_id, pair_id, question_id, question, file_name, scope_key, status, value, confidence, reasons, caveats, page, quote
with failed_check as (
    select distinct pair_id
    from iteration_df
    where run_id = $run_id and trigger = 'failed_validation'
),

quoted_pair as (
    select
        pair_id,
        bool_or(match_kind = 'fuzzy') as has_fuzzy,
        arg_min(page, (sub_question, item, seq)) as page,
        arg_min(quote, (sub_question, item, seq)) as quote
    from evidence_df
    where run_id = $run_id
    group by pair_id
),

whole_answer as (
    select
        answer_history.run_id,
        answer_history.pair_id,
        answer_history.question_id,
        answer_history.question,
        answer_history.file_name,
        answer_history.scope_key,
        answer_history.status,
        answer_history.value,
        answer_history.confidence,
        list_filter(
            [
                case when answer_history.status = 'partial' then 'partial' end,
                case when answer_history.status in ('answered', 'partial') and answer_history.confidence < 0.6 then 'low_confidence' end,
                case when array_to_string(answer_history.caveats, ' ') like '%followed%' then 'contradiction' end,
                case when failed_check.pair_id is not null then 'failed_validation' end,
                case when quoted_pair.has_fuzzy then 'fuzzy_quote' end
            ],
            lambda reason: reason is not null
        ) as reasons,
        answer_history.caveats,
        quoted_pair.page,
        quoted_pair.quote
    from answer_history
    left join failed_check on failed_check.pair_id = answer_history.pair_id
    left join quoted_pair on quoted_pair.pair_id = answer_history.pair_id
    where answer_history.run_id = $run_id and answer_history.sub_question = 0
),

judged_answer as (
    select distinct answer_history.pair_id, answer_history.status, answer_history.value
    from verdict_df
    join answer_history using (run_id, pair_id)
    where answer_history.sub_question = 0
)

select
    whole_answer.run_id,
    whole_answer.pair_id,
    whole_answer.question_id,
    whole_answer.question,
    whole_answer.file_name,
    whole_answer.scope_key,
    whole_answer.status,
    whole_answer.value,
    whole_answer.confidence,
    whole_answer.reasons,
    whole_answer.caveats,
    whole_answer.page,
    whole_answer.quote
from whole_answer
anti join judged_answer
    on judged_answer.pair_id = whole_answer.pair_id
    and judged_answer.status = whole_answer.status
    and judged_answer.value is not distinct from whole_answer.value
where len(whole_answer.reasons) > 0
order by whole_answer.confidence, whole_answer.question_id, whole_answer.file_name, whole_answer.pair_id
