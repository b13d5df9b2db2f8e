-- One row per pass of a pair's loop, with what it was about.
-- Reads: iteration_df, pair_df, answer_df, document_df
-- Columns: run_id, pair_id, question_id, file_name, iteration_number, trigger, action_taken, result_summary, confidence_before, confidence_after, keywords_added, pages_added, patterns_activated, n_candidates, n_candidates_new, n_tokens, stop_reason, narration, status
select
    iteration_df.run_id,
    iteration_df.pair_id,
    pair_df.question_id,
    document_df.file_name,
    iteration_df.iteration_number,
    iteration_df.trigger,
    iteration_df.action_taken,
    iteration_df.result_summary,
    iteration_df.confidence_before,
    iteration_df.confidence_after,
    iteration_df.keywords_added,
    iteration_df.pages_added,
    iteration_df.patterns_activated,
    iteration_df.n_candidates,
    iteration_df.n_candidates_new,
    iteration_df.n_tokens,
    iteration_df.stop_reason,
    iteration_df.narration,
    answer_df.status
from iteration_df
join pair_df using (run_id, pair_id)
left join answer_df
    on answer_df.run_id = iteration_df.run_id
    and answer_df.pair_id = iteration_df.pair_id
    and answer_df.sub_question = 0
left join document_df on document_df.doc_id = answer_df.doc_id
