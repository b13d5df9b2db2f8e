-- One row per pair of the run whose loop ended at a bound (passes, windows, budget), with what was kept.
-- Reads: answer_df, document_df
-- Columns: stop_reason, question_id, file_name, status, value_text, n_iterations, n_steps, tokens, pair_id
select
    answer_df.stop_reason,
    answer_df.question_id,
    document_df.file_name,
    answer_df.status,
    answer_df.value_text,
    answer_df.n_iterations,
    answer_df.n_steps,
    answer_df.prompt_tokens + answer_df.completion_tokens as tokens,
    answer_df.pair_id
from answer_df
left join document_df using (doc_id)
where answer_df.run_id = $run_id and answer_df.sub_question = 0
and (answer_df.is_exhausted or answer_df.status = 'over_budget')
order by answer_df.stop_reason, answer_df.question_id, document_df.file_name, answer_df.pair_id
