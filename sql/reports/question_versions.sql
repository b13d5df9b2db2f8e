-- One row per version of a question that was asked: its wording, when it was first and last asked, how it fared.
-- Reads: answer_history
-- Columns: set_id, question_id, question_version, question, first_asked_at, last_asked_at, n_runs, n_pairs, n_answered
select
    set_id,
    question_id,
    question_version,
    any_value(question) as question,
    min(answered_at) as first_asked_at,
    max(answered_at) as last_asked_at,
    count(distinct run_id) as n_runs,
    count(distinct pair_id) as n_pairs,
    count(distinct pair_id) filter (where status = 'answered') as n_answered
from answer_history
where sub_question = 0
group by set_id, question_id, question_version
order by set_id, question_id, last_asked_at desc, question_version
