-- One row per ask and place that holds something asked, in no order: BM25 over places, statistics of the ask's own documents.
-- Reads: posting_df, place_df, title_term_df, section_place_df, ask_df, query_feature_df, feature_term_df, collection_doc_df; $k1, $b, $title_share, $question_share.
-- Columns: ask_id, place, body_score, boost, anchor_overlap, section_score
with document as (
    select distinct doc_id, language from collection_doc_df
),
term as (
    select distinct term, language, term_id from feature_term_df
),
-- where the terms stand; from here on all keys are numbers, and what is read twice is kept
sighting as materialized (
    select term_id, line_id, first_place, last_place, tf, value_tf
    from posting_df
    join document using (doc_id)
    join term using (term, language)
),
-- a feature of several terms stands in a line when all of them do: look where the rarest is
rarest as materialized (
    select feature_id, n_terms, arg_min(term_id, n_lines) as term_id
    from feature_term_df
    join (select term_id, count(*) as n_lines from sighting group by term_id) using (term_id)
    where n_terms > 1
    group by feature_id, n_terms
),
feature_line as (
    select feature_id, first_place, last_place, tf, value_tf
    from feature_term_df
    join sighting using (term_id)
    where n_terms = 1
    union all
    select
        rarest.feature_id,
        any_value(one.first_place),
        any_value(one.last_place),
        least(any_value(one.tf), min(other.tf)),
        least(any_value(one.value_tf), min(other.value_tf))
    from rarest
    join sighting as one using (term_id)
    join feature_term_df as feature
        on feature.feature_id = rarest.feature_id and feature.term_id != rarest.term_id
    join sighting as other on other.term_id = feature.term_id and other.line_id = one.line_id
    group by rarest.feature_id, one.line_id, rarest.n_terms
    having count(*) = rarest.n_terms - 1
),
feature_place as (
    select feature_id, place, sum(tf) as tf, sum(value_tf) as value_tf
    from (
        select feature_id, tf, value_tf, unnest(range(first_place, last_place + 1)) as place
        from feature_line
    )
    group by feature_id, place
),
collection_place as materialized (
    select
        collection_id,
        place.place,
        1 + least(1, 2 * place.value_share) as value_boost,
        place.n_tokens / avg(place.n_tokens) over (partition by collection_id) as length,
        count(*) over (partition by collection_id) as n_places
    from collection_doc_df
    join place_df as place using (doc_id)
),
found as materialized (
    select
        collection_id,
        feature_id,
        place,
        tf,
        value_tf,
        value_boost,
        $k1 * (1 - $b + $b * length) as damping,
        n_places
    from feature_place
    join collection_place using (place)
),
rarity as materialized (
    select
        collection_id,
        feature_id,
        ln(1 + (n_places - count(*) + 0.5) / (count(*) + 0.5)) as idf
    from found
    group by collection_id, feature_id, n_places
),
sought as materialized (
    select
        ask.ask_id,
        collection_id,
        feature_id,
        ask.wants_values,
        ask.uses_sections and feature.is_word as may_name_section,
        feature.language,
        feature.is_counted::double as is_counted,
        feature.n_anchors,
        rarity.idf,
        feature.weight * rarity.idf * ($k1 + 1) as weight
    from ask_df as ask
    join query_feature_df as feature using (query_id)
    join rarity using (collection_id, feature_id)
),
scored as (
    select
        sought.ask_id,
        found.place,
        sum(
            case
                when sought.wants_values then sought.weight * found.value_tf / (found.value_tf + found.damping)
                else sought.weight * found.tf / (found.tf + found.damping)
            end
        ) as body_score,
        max(case when sought.wants_values then found.value_boost else 1 end) as boost,
        sum(sought.is_counted) as n_found,
        max(sought.n_anchors) as n_anchors
    from found
    join sought using (collection_id, feature_id)
    group by sought.ask_id, found.place
),
-- a section is found when the question names most of its title, and the title a part of the question
named_section as materialized (
    select
        word.ask_id,
        word.language,
        title.doc_id,
        title.section_id,
        sum(word.idf) as idf,
        sum(title.share) * sum(word.idf) as score
    from title_term_df as title
    join collection_doc_df using (doc_id)
    join feature_term_df as feature using (term, language)
    join sought as word using (collection_id, feature_id)
    where feature.n_terms = 1 and word.may_name_section
    group by word.ask_id, word.language, title.doc_id, title.section_id
    having sum(title.share) >= $title_share
),
question as (
    select ask_id, language, sum(idf) as idf
    from sought
    where may_name_section and ask_id in (select ask_id from named_section)
    group by ask_id, language
),
section_hit as (
    select named.ask_id, section.place, max(named.score) as section_score
    from named_section as named
    join question using (ask_id, language)
    join section_place_df as section using (doc_id, section_id)
    where named.idf >= $question_share * question.idf
    group by named.ask_id, section.place
)
select
    ask_id,
    place,
    body_score,
    boost,
    -- what only added words found has left a question that has no anchors
    least(1, n_found / greatest(1, n_anchors)) as anchor_overlap,
    coalesce(section_hit.section_score, 0) as section_score
from scored
left join section_hit using (ask_id, place)
