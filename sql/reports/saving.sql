-- One row per route of the run: tokens and cost against the naive top-K batch for the same pairs.
-- Reads: saving
-- Columns: route, n_pairs, n_reused, baseline_tokens, tokens, saved_tokens, saved_share, cost_usd
select
    route,
    n_pairs,
    n_reused,
    baseline_tokens,
    tokens,
    saved_tokens,
    saved_share,
    cost_usd
from saving
where run_id = $run_id
order by route
