-- One row per latest answer that was found, with a confidence of at most some value: the least sure first.
-- Reads: latest_answer
-- Columns: confidence, question_id, file_name, value, caveats, pair_id
-- Parameters: at_most := 0.6
select
    confidence,
    question_id,
    file_name,
    case when len(items) > 0 then array_to_string(items, '; ') else value_text end as value,
    caveats,
    pair_id
from latest_answer
where sub_question = 0 and status in ('answered', 'partial') and confidence <= $at_most
order by confidence, question_id, file_name
