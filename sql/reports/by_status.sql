-- One row per answer status of the run.
-- Reads: answer_df
-- Columns: status, n_pairs, share, n_exhausted
select
    status,
    count(*) as n_pairs,
    count(*) / sum(count(*)) over () as share,
    count(*) filter (where is_exhausted) as n_exhausted
from answer_df
where run_id = $run_id and sub_question = 0
group by status
order by n_pairs desc, status
