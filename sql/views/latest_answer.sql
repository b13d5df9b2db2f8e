-- One row per answer (whole or part) to the newest version of a question about what is current.
-- Reads: answer_df, pair_df, question_df, run_df, document_df, source_df
-- Columns: set_id, question_id, question, scope, scope_key, doc_id, file_name, policy_number, insurer, sub_question, status, value_text, value_number, value_date, value_bool, unit, currency, items, confidence, caveats, stop_reason, route, engine, model, cost_usd, answered_at, reused_from_run_id, run_id, pair_id
with gone_document as (
    select doc_id
    from source_df
    group by doc_id
    having not bool_or(status = 'current')

    union all

    select doc_id
    from document_df
    where error_code = 'forgotten'
),

latest_pair as (
    select
        pair_df.set_id,
        pair_df.question_id,
        pair_df.scope,
        pair_df.scope_key,
        max(run_df.started_at) as started_at,
        arg_max(pair_df.run_id, (run_df.started_at, pair_df.run_id)) as run_id,
        arg_max(pair_df.pair_id, (run_df.started_at, pair_df.run_id)) as pair_id,
        arg_max(pair_df.question_version, (run_df.started_at, pair_df.run_id)) as question_version
    from pair_df
    join run_df using (run_id)
    anti join gone_document on pair_df.scope = 'document' and pair_df.scope_key = gone_document.doc_id
    group by pair_df.set_id, pair_df.question_id, pair_df.scope, pair_df.scope_key
)

select
    latest_pair.set_id,
    latest_pair.question_id,
    question_df.text as question,
    latest_pair.scope,
    latest_pair.scope_key,
    answer_df.doc_id,
    document_df.file_name,
    document_df.policy_number,
    document_df.insurer,
    answer_df.sub_question,
    answer_df.status,
    answer_df.value_text,
    answer_df.value_number,
    answer_df.value_date,
    answer_df.value_bool,
    answer_df.unit,
    answer_df.currency,
    answer_df.items,
    answer_df.confidence,
    answer_df.caveats,
    answer_df.stop_reason,
    answer_df.route,
    answer_df.engine,
    answer_df.model,
    answer_df.cost_usd,
    latest_pair.started_at as answered_at,
    answer_df.reused_from_run_id,
    latest_pair.run_id,
    latest_pair.pair_id
from latest_pair
join answer_df using (run_id, pair_id)
left join question_df
    on question_df.set_id = latest_pair.set_id
    and question_df.question_id = latest_pair.question_id
    and question_df.question_version = latest_pair.question_version
left join document_df on answer_df.doc_id = document_df.doc_id
