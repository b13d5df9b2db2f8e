-- One row per question and word that stands on the line of a right value that was missed, and is in no keyword of the question.
-- Reads: latest_verdict, line_df, question_df, pair_df
-- Columns: question_id, language, keyword, n_pairs, right_values
-- Words of which the vocabulary may be short: a person weighs them, nothing is added by itself.
with missed_answer as (
    select
        latest_verdict.question_id,
        latest_verdict.language,
        latest_verdict.pair_id,
        latest_verdict.doc_id,
        latest_verdict.right_value,
        list_distinct(
            regexp_extract_all(
                lower(array_to_string(list_concat([question_df.text], question_df.keywords, question_df.rewrites), ' ')), '[\p{L}]+'
            )
        ) as known_words
    from latest_verdict
    join pair_df using (run_id, pair_id)
    join question_df
        on question_df.set_id = pair_df.set_id
        and question_df.question_id = pair_df.question_id
        and question_df.question_version = pair_df.question_version
    where latest_verdict.verdict <> 'right' and len(trim(latest_verdict.right_value)) >= 3
),

missed_line as (
    select
        missed_answer.question_id,
        missed_answer.language,
        missed_answer.pair_id,
        missed_answer.right_value,
        missed_answer.known_words,
        unnest(
            regexp_extract_all(replace(lower(line_df.text), lower(trim(missed_answer.right_value)), ' '), '[\p{L}]{4,}')
        ) as keyword
    from missed_answer
    join line_df on line_df.doc_id = missed_answer.doc_id
    where contains(lower(line_df.text), lower(trim(missed_answer.right_value)))
)

select
    question_id,
    language,
    keyword,
    count(distinct pair_id) as n_pairs,
    list(distinct right_value order by right_value) as right_values
from missed_line
where not list_contains(known_words, keyword)
group by question_id, language, keyword
order by n_pairs desc, question_id, keyword, language
