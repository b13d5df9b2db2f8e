-- One row per keyword and language that passes had to add because neither question nor vocabulary had it.
-- Reads: iteration_df, pair_df, question_df, answer_df
-- Columns: keyword, language, n_pairs, n_questions, n_found, question_ids, last_run_id
with added_keyword as (
    select run_id, pair_id, lower(unnest(keywords_added)) as keyword
    from iteration_df
    where trigger = 'vocabulary_gap'
)

select
    added_keyword.keyword,
    question_df.language,
    count(distinct added_keyword.pair_id) as n_pairs,
    count(distinct pair_df.question_id) as n_questions,
    count(distinct added_keyword.pair_id) filter (where answer_df.status in ('answered', 'partial')) as n_found,
    list(distinct pair_df.question_id order by pair_df.question_id) as question_ids,
    max(added_keyword.run_id) as last_run_id
from added_keyword
join pair_df using (run_id, pair_id)
left join question_df using (set_id, question_id, question_version)
left join answer_df
    on answer_df.run_id = added_keyword.run_id
    and answer_df.pair_id = added_keyword.pair_id
    and answer_df.sub_question = 0
group by added_keyword.keyword, question_df.language
