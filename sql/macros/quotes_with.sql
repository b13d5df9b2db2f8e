-- One row per quote of the latest answers that contains a text.
-- Reads: answer_with_evidence, latest_answer
-- Columns: file_name, page, question_id, value, quote, pair_id
-- Parameters: wanted_text
select
    answer_with_evidence.file_name,
    answer_with_evidence.page,
    answer_with_evidence.question_id,
    coalesce(answer_with_evidence.item_text, answer_with_evidence.value_text) as value,
    answer_with_evidence.quote,
    answer_with_evidence.pair_id
from answer_with_evidence
semi join latest_answer using (run_id, pair_id)
where contains(lower(answer_with_evidence.quote), lower($wanted_text))
order by answer_with_evidence.file_name, answer_with_evidence.page, answer_with_evidence.question_id, answer_with_evidence.item, answer_with_evidence.seq
