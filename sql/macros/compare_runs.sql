-- One row per pair that ended differently in two runs; what only one run has is null on the other side.
-- Reads: answer_history
-- Columns: question_id, file_name, scope_key, old_status, new_status, old_value, new_value, pair_id
-- Parameters: old_run, new_run
with old_answer as (
    select pair_id, question_id, file_name, scope_key, status, value
    from answer_history
    where run_id = $old_run and sub_question = 0
),

new_answer as (
    select pair_id, question_id, file_name, scope_key, status, value
    from answer_history
    where run_id = $new_run and sub_question = 0
)

select
    coalesce(new_answer.question_id, old_answer.question_id) as question_id,
    coalesce(new_answer.file_name, old_answer.file_name) as file_name,
    coalesce(new_answer.scope_key, old_answer.scope_key) as scope_key,
    old_answer.status as old_status,
    new_answer.status as new_status,
    old_answer.value as old_value,
    new_answer.value as new_value,
    coalesce(new_answer.pair_id, old_answer.pair_id) as pair_id
from old_answer
full join new_answer using (pair_id)
where old_answer.status is distinct from new_answer.status
or old_answer.value is distinct from new_answer.value
order by question_id, file_name, scope_key
