-- One row per answer that differs from the answer before it: same question, same file, group or corpus.
-- Reads: answer_df, pair_df, pair_doc_df, run_df, source_df, page_df
-- Columns: run_id, previous_run_id, set_id, question_id, scope, scope_key, sub_question, doc_id, previous_doc_id, previous_status, status, previous_value, value, reason, pair_id
with document_uri as (
    select doc_id, min(uri) as uri
    from source_df
    group by doc_id
),

pair_document as (
    select run_id, pair_id, string_agg(doc_id, ' ' order by doc_id) as doc_ids, min(as_of) as as_of
    from pair_doc_df
    group by run_id, pair_id
),

asked_answer as (
    select
        pair_df.set_id,
        pair_df.question_id,
        pair_df.question_version,
        pair_df.scope,
        pair_df.scope_key,
        coalesce(document_uri.uri, pair_df.scope_key) as subject,
        answer_df.run_id,
        answer_df.pair_id,
        answer_df.sub_question,
        answer_df.doc_id,
        answer_df.status,
        case when len(answer_df.items) > 0 then array_to_string(answer_df.items, ' | ') else answer_df.value_text end as value,
        answer_df.prompt_version,
        concat_ws(' ', answer_df.engine, answer_df.model) as reader,
        coalesce(pair_document.doc_ids, answer_df.doc_id) as doc_ids,
        coalesce(pair_document.as_of, run_df.started_at) as as_of,
        run_df.started_at
    from answer_df
    join pair_df using (run_id, pair_id)
    join run_df using (run_id)
    left join pair_document using (run_id, pair_id)
    left join document_uri on pair_df.scope = 'document' and pair_df.scope_key = document_uri.doc_id
),

answer_pair as (
    select
        *,
        lag(run_id) over earlier as previous_run_id,
        lag(doc_id) over earlier as previous_doc_id,
        lag(status) over earlier as previous_status,
        lag(value) over earlier as previous_value,
        lag(question_version) over earlier as previous_question_version,
        lag(prompt_version) over earlier as previous_prompt_version,
        lag(reader) over earlier as previous_reader,
        lag(doc_ids) over earlier as previous_doc_ids,
        lag(as_of) over earlier as previous_as_of
    from asked_answer
    window earlier as (
        partition by set_id, question_id, scope, subject, sub_question
        order by started_at, run_id
    )
),

changed_answer as (
    select *
    from answer_pair
    where previous_run_id is not null
    and (status is distinct from previous_status or value is distinct from previous_value)
),

reparsed_pair as (
    select distinct changed_answer.run_id, changed_answer.pair_id
    from changed_answer
    join pair_doc_df using (run_id, pair_id)
    join page_df on page_df.doc_id = pair_doc_df.doc_id
    where page_df.page_version > 1
    and page_df.parsed_at > changed_answer.previous_as_of
    and page_df.parsed_at <= changed_answer.as_of
)

select
    changed_answer.run_id,
    previous_run_id,
    set_id,
    question_id,
    scope,
    scope_key,
    sub_question,
    doc_id,
    previous_doc_id,
    previous_status,
    status,
    previous_value,
    value,
    case
        when doc_ids is distinct from previous_doc_ids then 'document'
        when question_version is distinct from previous_question_version then 'question'
        when prompt_version is distinct from previous_prompt_version then 'prompt'
        when reader is distinct from previous_reader then 'model'
        when reparsed_pair.pair_id is not null then 'parser'
        else 'unexplained'
    end as reason,
    changed_answer.pair_id
from changed_answer
left join reparsed_pair using (run_id, pair_id)
