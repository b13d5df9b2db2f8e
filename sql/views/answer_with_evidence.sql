-- One row per quote of an answer, and one for an answer without quotes; all runs.
-- Reads: answer_df, evidence_df, pair_df, question_df, document_df, page_df
-- Columns: run_id, pair_id, sub_question, question_id, question, status, value_text, item, item_text, seq, doc_id, file_name, page, page_label, line_start, line_end, quote, match_kind
select
    answer_df.run_id,
    answer_df.pair_id,
    answer_df.sub_question,
    answer_df.question_id,
    question_df.text as question,
    answer_df.status,
    answer_df.value_text,
    evidence_df.item,
    answer_df.items[evidence_df.item] as item_text,
    evidence_df.seq,
    coalesce(evidence_df.doc_id, answer_df.doc_id) as doc_id,
    document_df.file_name,
    evidence_df.page,
    page_df.page_label,
    evidence_df.line_start,
    evidence_df.line_end,
    evidence_df.quote,
    evidence_df.match_kind
from answer_df
left join evidence_df using (run_id, pair_id, sub_question)
left join pair_df using (run_id, pair_id)
left join question_df
    on pair_df.set_id = question_df.set_id
    and pair_df.question_id = question_df.question_id
    and pair_df.question_version = question_df.question_version
left join document_df on document_df.doc_id = coalesce(evidence_df.doc_id, answer_df.doc_id)
left join page_df
    on page_df.doc_id = evidence_df.doc_id
    and page_df.page = evidence_df.page
    and page_df.page_version = evidence_df.page_version
