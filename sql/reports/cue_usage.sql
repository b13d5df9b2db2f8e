-- One row per cue that read the run's questions: how often it fired, with what success.
-- Reads: pair_df, question_df, answer_df
-- Columns: cue, n_questions, n_pairs, found_share
with fired_cue as (
    select
        pair_df.run_id,
        pair_df.pair_id,
        pair_df.question_id,
        unnest(question_df.cues) as cue
    from pair_df
    join question_df using (set_id, question_id, question_version)
    where pair_df.run_id = $run_id
)

select
    fired_cue.cue,
    count(distinct fired_cue.question_id) as n_questions,
    count(*) as n_pairs,
    count(*) filter (where answer_df.status in ('answered', 'partial')) / count(*) as found_share
from fired_cue
join answer_df
    on answer_df.run_id = fired_cue.run_id
    and answer_df.pair_id = fired_cue.pair_id
    and answer_df.sub_question = 0
group by fired_cue.cue
order by n_pairs desc, fired_cue.cue
