-- One row per answer to one question about files whose name contains a text, the oldest first, as it was asked then.
-- Reads: answer_history
-- Columns: answered_at, run_id, file_name, question, status, value
-- Parameters: one_question, part_of_name
select
    answered_at,
    run_id,
    file_name,
    question,
    status,
    value
from answer_history
where sub_question = 0
and question_id = $one_question
and contains(lower(file_name), lower($part_of_name))
order by file_name, answered_at, run_id
