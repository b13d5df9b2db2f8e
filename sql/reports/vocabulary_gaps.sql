-- One row per keyword that the vocabulary lacks, the most useful first.
-- Reads: vocabulary_gap
-- Columns: keyword, language, n_pairs, n_questions, n_found, question_ids
select
    keyword,
    language,
    n_pairs,
    n_questions,
    n_found,
    question_ids
from vocabulary_gap
order by n_found desc, n_pairs desc, keyword, language
