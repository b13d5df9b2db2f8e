-- One row per latest answer to one question, by file.
-- Reads: latest_answer
-- Columns: file_name, scope_key, status, value, value_number, value_date, value_bool, unit, currency, confidence, pair_id
-- Parameters: one_question
select
    file_name,
    scope_key,
    status,
    case when len(items) > 0 then array_to_string(items, '; ') else value_text end as value,
    value_number,
    value_date,
    value_bool,
    unit,
    currency,
    confidence,
    pair_id
from latest_answer
where sub_question = 0 and question_id = $one_question
order by file_name, scope_key
