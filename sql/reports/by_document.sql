-- One row per document of the run: how many questions it answered and what they cost.
-- Reads: pair_cost, document_df
-- Columns: doc_id, file_name, n_pairs, n_answered, n_partial, n_not_found, n_failed, n_calls, tokens, cost_usd
select
    pair_cost.doc_id,
    any_value(document_df.file_name) as file_name,
    count(*) as n_pairs,
    count(*) filter (where pair_cost.status = 'answered') as n_answered,
    count(*) filter (where pair_cost.status = 'partial') as n_partial,
    count(*) filter (where pair_cost.status = 'not_found') as n_not_found,
    count(*) filter (where pair_cost.status = 'failed') as n_failed,
    cast(sum(pair_cost.n_calls) as bigint) as n_calls,
    cast(sum(pair_cost.prompt_tokens + pair_cost.completion_tokens) as bigint) as tokens,
    case when sum(pair_cost.n_calls_unpriced) = 0 then sum(pair_cost.cost_usd) end as cost_usd
from pair_cost
left join document_df using (doc_id)
where pair_cost.run_id = $run_id
group by pair_cost.doc_id
order by file_name, pair_cost.doc_id
