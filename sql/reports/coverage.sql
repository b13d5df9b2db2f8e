-- One row per current document: whether the latest answers cover it.
-- Reads: document_df, source_df, latest_answer
-- Columns: file_name, doc_id, parse_status, n_pages, n_questions, n_answered, n_partial, n_not_found, answered_share
with current_document as (
    select
        document_df.doc_id,
        document_df.file_name,
        document_df.parse_status,
        document_df.n_pages
    from document_df
    left join source_df using (doc_id)
    where document_df.error_code is distinct from 'forgotten'
    group by all
    having coalesce(bool_or(source_df.status = 'current'), true)
),

answered_document as (
    select
        doc_id,
        count(*) as n_questions,
        count(*) filter (where status = 'answered') as n_answered,
        count(*) filter (where status = 'partial') as n_partial,
        count(*) filter (where status = 'not_found') as n_not_found
    from latest_answer
    where sub_question = 0 and doc_id is not null
    group by doc_id
)

select
    current_document.file_name,
    current_document.doc_id,
    current_document.parse_status,
    current_document.n_pages,
    coalesce(answered_document.n_questions, 0) as n_questions,
    coalesce(answered_document.n_answered, 0) as n_answered,
    coalesce(answered_document.n_partial, 0) as n_partial,
    coalesce(answered_document.n_not_found, 0) as n_not_found,
    answered_document.n_answered / nullif(answered_document.n_questions, 0) as answered_share
from current_document
left join answered_document using (doc_id)
order by current_document.file_name, current_document.doc_id
