-- One row per line of a current document that contains a text, whether or not an answer quotes it.
-- Reads: line_df, page_df, document_df, source_df
-- Columns: file_name, page, line, text
-- Parameters: wanted_text
with current_page as (
    select doc_id, page, max(page_version) as page_version
    from page_df
    group by doc_id, page
),

gone_document as (
    select doc_id
    from source_df
    group by doc_id
    having not bool_or(status = 'current')
)

select
    document_df.file_name,
    line_df.page,
    line_df.line,
    line_df.text
from line_df
join current_page using (doc_id, page, page_version)
join document_df using (doc_id)
anti join gone_document using (doc_id)
where contains(lower(line_df.text), lower($wanted_text))
order by document_df.file_name, line_df.page, line_df.line
