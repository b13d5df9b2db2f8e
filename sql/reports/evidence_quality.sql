-- One row per way in which the run's quotes were found in their documents.
-- Reads: evidence_df
-- Columns: match_kind, n_quotes, share, n_pairs
select
    match_kind,
    count(*) as n_quotes,
    count(*) / sum(count(*)) over () as share,
    count(distinct pair_id) as n_pairs
from evidence_df
where run_id = $run_id
group by match_kind
order by n_quotes desc, match_kind
