-- One row per answer of the run that differs from the answer before it, and why.
-- Reads: answer_change, document_df
-- Columns: question_id, file_name, scope_key, sub_question, previous_status, status, previous_value, value, reason, previous_run_id, pair_id
select
    answer_change.question_id,
    document_df.file_name,
    answer_change.scope_key,
    answer_change.sub_question,
    answer_change.previous_status,
    answer_change.status,
    answer_change.previous_value,
    answer_change.value,
    answer_change.reason,
    answer_change.previous_run_id,
    answer_change.pair_id
from answer_change
left join document_df using (doc_id)
where answer_change.run_id = $run_id
order by answer_change.question_id, document_df.file_name, answer_change.scope_key, answer_change.sub_question
