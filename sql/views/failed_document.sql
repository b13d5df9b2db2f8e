-- One row per file that is there now and was not, or not wholly, parsed.
-- Reads: document_df, source_df
-- Columns: uri, file_name, doc_id, parse_status, error_code, error_message, n_bytes, media_type, parsed_at, seen_at
select
    source_df.uri,
    coalesce(source_df.file_name, document_df.file_name) as file_name,
    document_df.doc_id,
    document_df.parse_status,
    document_df.error_code,
    document_df.error_message,
    document_df.n_bytes,
    document_df.media_type,
    document_df.parsed_at,
    source_df.seen_at
from document_df
left join source_df using (doc_id)
where document_df.parse_status <> 'parsed'
and document_df.error_code is distinct from 'forgotten'
and coalesce(source_df.status, 'current') = 'current'
