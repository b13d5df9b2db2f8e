-- One row per ask and place that scores: BM25 over places, statistics of the ask's own documents.
-- Reads: term_df, unit_line_df, unit_place_df, place_df, title_term_df, section_place_df, ask_df, query_df, query_feature_df, feature_term_df, collection_doc_df; $n_hits, $k1, $b, $title_share, $question_share.
-- Columns: ask_id, pair_id, side, doc_id, place, page_start, line_start, page_end, line_end, n_tokens, relevance, section_score, anchor_overlap
with document as (
    select distinct doc_id, language from collection_doc_df
),
-- a feature stands in a line when all its terms do
feature_line as (
    select feature.feature, posting.doc_id, line.unit, line.weight, line.is_value_row, min(posting.tf) as tf
    from feature_term_df as feature
    join term_df as posting using (term)
    join document using (doc_id, language)
    join unit_line_df as line using (doc_id, page, page_version, line)
    where line.weight > 0
    group by feature.feature, posting.doc_id, posting.page, posting.line, line.unit, line.weight, line.is_value_row
    having count(*) = any_value(feature.n_terms)
),
feature_unit as (
    select
        feature, doc_id, unit,
        sum(tf * weight) as tf,
        sum(tf * weight * case when is_value_row then 2 else 1 end) as value_tf
    from feature_line
    group by all
),
feature_place as (
    select feature, doc_id, place, sum(tf) as tf, sum(value_tf) as value_tf
    from feature_unit
    join unit_place_df using (unit)
    group by all
),
collection_size as (
    select collection_id, count(*) as n_places, avg(n_tokens) as mean_tokens
    from collection_doc_df
    join place_df using (doc_id)
    group by collection_id
),
collection_feature as (
    select collection_id, feature, count(*) as n_found
    from collection_doc_df
    join feature_place using (doc_id)
    group by all
),
weighted as (
    select
        collection_doc.collection_id,
        collection_doc.language,
        feature_place.place,
        feature_place.feature,
        ln(1 + (size.n_places - feature.n_found + 0.5) / (feature.n_found + 0.5)) * ($k1 + 1) as idf,
        $k1 * (1 - $b + $b * place.n_tokens / size.mean_tokens) as norm,
        feature_place.tf,
        feature_place.value_tf
    from collection_doc_df as collection_doc
    join feature_place using (doc_id)
    join place_df as place using (place)
    join collection_size as size using (collection_id)
    join collection_feature as feature using (collection_id, feature)
),
-- a section is found when the question names most of its title, and its title most of the question
own_word as (
    select
        ask.ask_id,
        ask.collection_id,
        sought.language,
        sought.feature,
        ln(1 + (size.n_places - feature.n_found + 0.5) / (feature.n_found + 0.5)) as idf,
        sum(idf) over (partition by ask.ask_id, sought.language) as total
    from ask_df as ask
    join query_feature_df as sought using (query_id)
    join collection_feature as feature using (collection_id, feature)
    join collection_size as size using (collection_id)
    where ask.uses_sections and sought.is_word
),
named_section as (
    select
        word.ask_id,
        title.doc_id,
        title.section_id,
        sum(title.share) * sum(word.idf) as score
    from own_word as word
    join collection_doc_df as collection_doc using (collection_id, language)
    join title_term_df as title on title.doc_id = collection_doc.doc_id and title.term = word.feature
    group by word.ask_id, title.doc_id, title.section_id, word.total
    having sum(title.share) >= $title_share and sum(word.idf) >= $question_share * word.total
),
section_scored as (
    select ask_id, place, max(score) as section_score
    from named_section
    join section_place_df using (doc_id, section_id)
    group by all
),
matched as (
    select
        ask.ask_id,
        weighted.place,
        sought.is_anchor,
        sought.weight * weighted.idf * case
            when query.wants_values then weighted.value_tf / (weighted.value_tf + weighted.norm)
            else weighted.tf / (weighted.tf + weighted.norm)
        end as score
    from ask_df as ask
    join query_feature_df as sought using (query_id)
    join weighted using (collection_id, language, feature)
    join query_df as query using (query_id, language)
),
scored as (
    select ask_id, place, sum(score) as relevance, sum(is_anchor::int) as n_anchors_found
    from matched
    group by all
),
raised as (
    select
        ask_id,
        scored.place,
        relevance * case when wants_values then 1 + least(1, 2 * place.value_share) else 1 end as relevance,
        case when n_anchors = 0 then 1.0 else n_anchors_found / n_anchors end as anchor_overlap,
        place.* exclude (place, value_share, unit_start, unit_end)
    from scored
    join place_df as place using (place)
    join ask_df using (ask_id)
    join document using (doc_id)
    join query_df using (query_id, language)
)
select
    ask_id, pair_id, side, doc_id, place, page_start, line_start, page_end, line_end, n_tokens,
    relevance, coalesce(section_score, 0) as section_score, anchor_overlap
from raised
join ask_df using (ask_id)
left join section_scored using (ask_id, place)
qualify row_number() over (partition by ask_id order by relevance desc, place) <= $n_hits
order by ask_id, relevance desc, place
