-- One row per pair of the run that failed, was not run, or was stopped by a bound before anything was kept.
-- Reads: answer_df, document_df
-- Columns: status, question_id, file_name, stop_reason, caveats, pair_id
select
    answer_df.status,
    answer_df.question_id,
    document_df.file_name,
    answer_df.stop_reason,
    answer_df.caveats,
    answer_df.pair_id
from answer_df
left join document_df using (doc_id)
where answer_df.run_id = $run_id
and answer_df.sub_question = 0
and answer_df.status in ('failed', 'not_run', 'over_budget')
order by answer_df.status, answer_df.question_id, document_df.file_name, answer_df.pair_id
