-- One row per question that cannot be answered as asked, in its newest version.
-- Reads: question_df, pair_df, run_df
-- Columns: set_id, question_id, question, suggested_clarification, cues, n_pairs, run_id
with asked_question as (
    select
        pair_df.set_id,
        pair_df.question_id,
        pair_df.question_version,
        pair_df.run_id,
        run_df.started_at,
        count(*) as n_pairs
    from pair_df
    join run_df using (run_id)
    group by pair_df.set_id, pair_df.question_id, pair_df.question_version, pair_df.run_id, run_df.started_at
    qualify row_number() over (
        partition by pair_df.set_id, pair_df.question_id order by run_df.started_at desc, pair_df.run_id desc
    ) = 1
)

select
    question_df.set_id,
    question_df.question_id,
    question_df.text as question,
    question_df.suggested_clarification,
    question_df.cues,
    asked_question.n_pairs,
    asked_question.run_id
from asked_question
join question_df using (set_id, question_id, question_version)
where question_df.needs_clarification
