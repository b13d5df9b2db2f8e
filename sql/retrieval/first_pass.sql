-- One row per ask and place that scores, in no order: BM25 over places, statistics of the ask's own documents.
-- Reads: term_df, unit_line_df, unit_place_df, place_df, title_term_df, section_place_df, ask_df, query_df, query_feature_df, feature_term_df, collection_doc_df; $n_hits, $k1, $b, $around, $around_share, $title_share, $question_share.
-- Columns: ask_id, place, doc_id, unit_start, unit_end, page_start, line_start, page_end, line_end, n_tokens, relevance, relevance_rank, section_score, anchor_overlap
with document as (
    select distinct doc_id, language from collection_doc_df
),
-- a feature stands in a line when all its terms do; it is of one language
feature_line as (
    select feature.feature_id, line.unit, line.line_id, line.weight, line.is_value_row, min(posting.tf) as tf
    from feature_term_df as feature
    join term_df as posting using (term)
    join document using (doc_id, language)
    join unit_line_df as line using (doc_id, page, page_version, line)
    where line.weight > 0
    group by feature.feature_id, line.unit, line.line_id, line.weight, line.is_value_row, feature.n_terms
    having count(*) = feature.n_terms
),
feature_unit as (
    select
        feature_id,
        unit,
        sum(tf * weight) as tf,
        sum(tf * weight * case when is_value_row then 2 else 1 end) as value_tf
    from feature_line
    group by feature_id, unit
),
feature_place as (
    select feature_id, place, sum(tf) as tf, sum(value_tf) as value_tf
    from feature_unit
    join unit_place_df using (unit)
    group by feature_id, place
),
collection_place as (
    select
        collection_id,
        language,
        place.place,
        place.n_tokens / avg(place.n_tokens) over (partition by collection_id) as length,
        count(*) over (partition by collection_id) as n_places
    from collection_doc_df
    join place_df as place using (doc_id)
),
collection_feature as (
    select collection_id, language, feature_id, n_places, count(*) as n_found
    from collection_place
    join feature_place using (place)
    group by collection_id, language, feature_id, n_places
),
rarity as (
    select
        collection_id,
        language,
        feature_id,
        ln(1 + (n_places - n_found + 0.5) / (n_found + 0.5)) as idf
    from collection_feature
),
weighted as (
    select
        collection_id,
        feature_id,
        place,
        idf * tf * ($k1 + 1) / (tf + $k1 * (1 - $b + $b * length)) as score,
        idf * value_tf * ($k1 + 1) / (value_tf + $k1 * (1 - $b + $b * length)) as value_score
    from feature_place
    join collection_place using (place)
    join rarity using (collection_id, feature_id)
),
scored as (
    select
        ask.ask_id,
        weighted.place,
        sum(sought.weight * case when query.wants_values then value_score else score end) as body_score,
        sum(sought.is_anchor::int) as n_anchors_found,
        bool_or(sought.is_of_question) as holds_question,
        query.wants_values,
        query.n_anchors
    from ask_df as ask
    join query_feature_df as sought using (query_id)
    join query_df as query using (query_id, language)
    join weighted using (collection_id, feature_id)
    group by ask.ask_id, weighted.place, query.wants_values, query.n_anchors
),
-- what is asked is often told over several places: those around count a little
surrounded as (
    select
        * exclude (body_score),
        body_score + $around_share * (
            sum(body_score) over (
                partition by ask_id order by place range between $around preceding and $around following
            ) - body_score
        ) / (2 * $around) as body_score
    from scored
),
raised as (
    select
        ask_id,
        place,
        round(body_score * case when wants_values then 1 + least(1, 2 * value_share) else 1 end, 6) as relevance,
        -- what only added words found has left a question that has no anchors
        case when n_anchors = 0 then holds_question::int else n_anchors_found / n_anchors end as anchor_overlap
    from surrounded
    join place_df using (place)
),
hit as (
    select
        ask_id,
        place,
        relevance,
        anchor_overlap,
        row_number() over (partition by ask_id order by relevance desc, place) as relevance_rank
    from raised
    qualify relevance_rank <= $n_hits
),
-- a section is found when the question names most of its title, and the title a part of the question
own_word as (
    select
        ask.ask_id,
        ask.collection_id,
        sought.language,
        sought.feature as term,
        rarity.idf,
        sum(rarity.idf) over (partition by ask.ask_id, sought.language) as total
    from ask_df as ask
    join query_feature_df as sought using (query_id)
    join rarity using (collection_id, language, feature_id)
    where ask.uses_sections and sought.is_word
),
named_section as (
    select
        word.ask_id,
        title.doc_id,
        title.section_id,
        sum(title.share) * sum(word.idf) as score
    from own_word as word
    join collection_doc_df using (collection_id, language)
    join title_term_df as title using (doc_id, term)
    group by word.ask_id, title.doc_id, title.section_id, word.total
    having sum(title.share) >= $title_share and sum(word.idf) >= $question_share * word.total
),
section_hit as (
    select ask_id, place, max(score) as section_score
    from named_section
    join section_place_df using (doc_id, section_id)
    group by ask_id, place
)
select
    hit.ask_id,
    hit.place,
    place.doc_id,
    place.unit_start,
    place.unit_end,
    place.page_start,
    place.line_start,
    place.page_end,
    place.line_end,
    place.n_tokens,
    hit.relevance,
    hit.relevance_rank,
    coalesce(section_hit.section_score, 0) as section_score,
    hit.anchor_overlap
from hit
join place_df as place using (place)
left join section_hit using (ask_id, place)
