-- One row per question that cannot be answered as asked, with the one question to ask back.
-- Reads: clarification_needed
-- Columns: set_id, question_id, question, suggested_clarification, n_pairs
select
    set_id,
    question_id,
    question,
    suggested_clarification,
    n_pairs
from clarification_needed
order by set_id, question_id
