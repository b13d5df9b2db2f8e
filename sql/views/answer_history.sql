-- One row per answer (whole or part) of any run, with the wording of the question that it answered.
-- Reads: answer_df, pair_df, question_df, run_df, document_df
-- Columns: run_id, answered_at, pair_id, set_id, question_id, question_version, question, scope, scope_key, doc_id, file_name, sub_question, status, value, value_number, value_date, value_bool, confidence, caveats, stop_reason, is_exhausted, route, engine, model, reused_from_run_id
select
    answer_df.run_id,
    run_df.started_at as answered_at,
    answer_df.pair_id,
    pair_df.set_id,
    pair_df.question_id,
    pair_df.question_version,
    question_df.text as question,
    pair_df.scope,
    pair_df.scope_key,
    answer_df.doc_id,
    document_df.file_name,
    answer_df.sub_question,
    answer_df.status,
    case when len(answer_df.items) > 0 then array_to_string(answer_df.items, '; ') else answer_df.value_text end as value,
    answer_df.value_number,
    answer_df.value_date,
    answer_df.value_bool,
    answer_df.confidence,
    answer_df.caveats,
    answer_df.stop_reason,
    answer_df.is_exhausted,
    answer_df.route,
    answer_df.engine,
    answer_df.model,
    answer_df.reused_from_run_id
from answer_df
join pair_df using (run_id, pair_id)
join run_df using (run_id)
left join question_df
    on question_df.set_id = pair_df.set_id
    and question_df.question_id = pair_df.question_id
    and question_df.question_version = pair_df.question_version
left join document_df on document_df.doc_id = answer_df.doc_id
