-- One row per answer that differs from the answer before it: same question, same file, group or corpus.
-- Reads: answer_df, pair_df, pair_doc_df, run_df, source_df, page_df
-- Columns: run_id, previous_run_id, set_id, question_id, scope, scope_key, sub_question, doc_id, previous_doc_id, previous_status, status, previous_value, value, reason, pair_id
with document_uri as (
    select doc_id, min(uri) as uri
    from source_df
    group by doc_id
),

pair_step as (
    select
        pair_df.run_id,
        pair_df.pair_id,
        pair_df.set_id,
        pair_df.question_id,
        pair_df.question_version,
        pair_df.scope,
        pair_df.scope_key,
        lag(pair_df.run_id) over earlier as previous_run_id,
        lag(pair_df.pair_id) over earlier as previous_pair_id,
        lag(pair_df.scope_key) over earlier as previous_scope_key,
        lag(pair_df.question_version) over earlier as previous_question_version,
        lag(run_df.started_at) over earlier as previous_started_at
    from pair_df
    join run_df using (run_id)
    left join document_uri on pair_df.scope = 'document' and pair_df.scope_key = document_uri.doc_id
    window earlier as (
        partition by hash(pair_df.set_id, pair_df.question_id, pair_df.scope, coalesce(document_uri.uri, pair_df.scope_key))
        order by run_df.started_at, pair_df.run_id
    )
),

told_answer as not materialized (
    select
        run_id,
        pair_id,
        sub_question,
        doc_id,
        status,
        case when len(items) > 0 then array_to_string(items, ' | ') else value_text end as value,
        prompt_version,
        concat_ws(' ', engine, model) as reader
    from answer_df
),

pair_document as not materialized (
    select pair_doc_df.run_id, pair_doc_df.pair_id, bit_xor(hash(pair_doc_df.doc_id)) as doc_ids
    from pair_doc_df
    join pair_df using (run_id, pair_id)
    where pair_df.scope <> 'document'
    group by pair_doc_df.run_id, pair_doc_df.pair_id
),

new_page as (
    select doc_id, parsed_at
    from page_df
    where page_version > 1
    group by doc_id, parsed_at
),

reparsed_pair as (
    select pair_doc_df.run_id, pair_doc_df.pair_id, max(new_page.parsed_at) as parsed_at
    from pair_doc_df
    join new_page on new_page.doc_id = pair_doc_df.doc_id and new_page.parsed_at <= pair_doc_df.as_of
    group by pair_doc_df.run_id, pair_doc_df.pair_id
)

select
    pair_step.run_id,
    pair_step.previous_run_id,
    pair_step.set_id,
    pair_step.question_id,
    pair_step.scope,
    pair_step.scope_key,
    new_answer.sub_question,
    new_answer.doc_id,
    old_answer.doc_id as previous_doc_id,
    old_answer.status as previous_status,
    new_answer.status,
    old_answer.value as previous_value,
    new_answer.value,
    case
        when pair_step.scope_key is distinct from pair_step.previous_scope_key then 'document'
        when new_document.doc_ids is distinct from old_document.doc_ids then 'document'
        when pair_step.question_version is distinct from pair_step.previous_question_version then 'question'
        when new_answer.prompt_version is distinct from old_answer.prompt_version then 'prompt'
        when new_answer.reader is distinct from old_answer.reader then 'model'
        when reparsed_pair.parsed_at > pair_step.previous_started_at then 'parser'
        else 'unexplained'
    end as reason,
    pair_step.pair_id
from pair_step
join told_answer as new_answer
    on new_answer.run_id = pair_step.run_id
    and new_answer.pair_id = pair_step.pair_id
join told_answer as old_answer
    on old_answer.run_id = pair_step.previous_run_id
    and old_answer.pair_id = pair_step.previous_pair_id
    and old_answer.sub_question = new_answer.sub_question
left join pair_document as new_document
    on new_document.run_id = pair_step.run_id
    and new_document.pair_id = pair_step.pair_id
left join pair_document as old_document
    on old_document.run_id = pair_step.previous_run_id
    and old_document.pair_id = pair_step.previous_pair_id
left join reparsed_pair
    on reparsed_pair.run_id = pair_step.run_id
    and reparsed_pair.pair_id = pair_step.pair_id
where old_answer.status is distinct from new_answer.status
or old_answer.value is distinct from new_answer.value
