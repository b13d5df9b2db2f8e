-- One row per route, routing rule, answer type, question and reviewer: how often people agreed with the answers.
-- Reads: latest_verdict
-- Columns: breakdown, name, n_judged, n_right, n_incomplete, n_wrong, right_share, confidence_mean, n_disputed
with named_verdict as (
    select
        unnest(['all', 'route', 'route_rule', 'answer_type', 'answer_shape', 'question', 'reviewer']) as breakdown,
        unnest(['all', coalesce(route, 'none'), coalesce(route_rule, 'none'), answer_type, answer_shape, question_id, reviewer]) as name,
        verdict,
        confidence,
        is_disputed
    from latest_verdict
)

select
    breakdown,
    name,
    count(*) as n_judged,
    count(*) filter (where verdict = 'right') as n_right,
    count(*) filter (where verdict = 'incomplete') as n_incomplete,
    count(*) filter (where verdict = 'wrong') as n_wrong,
    count(*) filter (where verdict = 'right') / count(*) as right_share,
    avg(confidence) as confidence_mean,
    count(*) filter (where is_disputed) as n_disputed
from named_verdict
group by breakdown, name
