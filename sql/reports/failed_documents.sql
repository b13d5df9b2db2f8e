-- One row per file that is there now and was not, or not wholly, parsed.
-- Reads: failed_document
-- Columns: file_name, parse_status, error_code, error_message, uri
select
    file_name,
    parse_status,
    error_code,
    error_message,
    uri
from failed_document
order by parse_status, file_name, uri
