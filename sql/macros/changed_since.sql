-- One row per answer that changed in a run since a time, and why.
-- Reads: answer_change, run_df
-- Columns: started_at, question_id, doc_id, previous_value, value, previous_status, status, reason, pair_id
-- Parameters: first_moment
select
    run_df.started_at,
    answer_change.question_id,
    answer_change.doc_id,
    answer_change.previous_value,
    answer_change.value,
    answer_change.previous_status,
    answer_change.status,
    answer_change.reason,
    answer_change.pair_id
from answer_change
join run_df using (run_id)
where run_df.started_at >= cast($first_moment as timestamptz)
order by run_df.started_at, answer_change.question_id, answer_change.doc_id, answer_change.pair_id
