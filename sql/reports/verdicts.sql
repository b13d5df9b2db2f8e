-- One row per judged answer with its latest verdict, the latest first.
-- Reads: latest_verdict
-- Columns: reviewed_at, reviewer, verdict, question_id, file_name, value, right_value, note, is_disputed, route_rule, run_id, pair_id
select
    reviewed_at,
    reviewer,
    verdict,
    question_id,
    file_name,
    value,
    right_value,
    note,
    is_disputed,
    route_rule,
    run_id,
    pair_id
from latest_verdict
order by reviewed_at desc, question_id, file_name, run_id, pair_id
