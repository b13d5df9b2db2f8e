-- One row per route of the run: tokens against the naive top-K batch for the same pairs.
-- Reads: saving
-- Columns: route, n_pairs, n_reused, baseline_tokens, tokens, saved_tokens, saved_share
select
    coalesce(route, 'none') as route,
    count(*) as n_pairs,
    count(*) filter (where is_reused) as n_reused,
    cast(coalesce(sum(baseline_tokens), 0) as bigint) as baseline_tokens,
    cast(coalesce(sum(tokens), 0) as bigint) as tokens,
    cast(coalesce(sum(saved_tokens), 0) as bigint) as saved_tokens,
    sum(saved_tokens) / nullif(sum(baseline_tokens), 0) as saved_share
from saving
where run_id = $run_id
group by route
order by route
