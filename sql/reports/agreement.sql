-- One row per route, rule, answer type, shape, question and reviewer: how often people agreed with the answers.
-- Reads: agreement
-- Columns: breakdown, name, n_judged, n_right, n_incomplete, n_wrong, right_share, confidence_mean, n_disputed
select
    breakdown,
    name,
    n_judged,
    n_right,
    n_incomplete,
    n_wrong,
    right_share,
    confidence_mean,
    n_disputed
from agreement
order by breakdown, n_judged desc, name
