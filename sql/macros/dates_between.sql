-- One row per latest answer that is a date of a period, the earliest first: what begins, ends or is due.
-- Reads: latest_answer
-- Columns: value_date, question_id, file_name, policy_number, insurer, pair_id
-- Parameters: first_day, last_day
select
    value_date,
    question_id,
    file_name,
    policy_number,
    insurer,
    pair_id
from latest_answer
where sub_question = 0
and value_date between cast($first_day as date) and cast($last_day as date)
order by value_date, question_id, file_name
