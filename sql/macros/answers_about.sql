-- One row per latest answer about documents whose file name contains a text.
-- Reads: latest_answer
-- Columns: file_name, question_id, question, status, value, confidence, pair_id
-- Parameters: part_of_name
select
    file_name,
    question_id,
    question,
    status,
    case when len(items) > 0 then array_to_string(items, '; ') else value_text end as value,
    confidence,
    pair_id
from latest_answer
where sub_question = 0 and contains(lower(file_name), lower($part_of_name))
order by file_name, question_id
