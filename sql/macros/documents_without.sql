-- One row per document in which one question was not answered.
-- Reads: latest_answer
-- Columns: file_name, status, caveats, pair_id
-- Parameters: one_question
select
    file_name,
    status,
    caveats,
    pair_id
from latest_answer
where sub_question = 0 and question_id = $one_question and status <> 'answered'
order by file_name
