-- One row per ask and place that scores: BM25 over places, statistics of the ask's own documents.
-- Reads: term_df, unit_line_df, unit_place_df, place_df, ask_df, query_df, query_feature_df, feature_term_df, collection_doc_df; $n_hits, $k1, $b.
-- Columns: ask_id, pair_id, side, doc_id, place, page_start, line_start, page_end, line_end, n_tokens, relevance, anchor_overlap
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
scored as (
    select
        ask.ask_id,
        weighted.place,
        sum(sought.weight * weighted.idf * case
            when query.wants_values then weighted.value_tf / (weighted.value_tf + weighted.norm)
            else weighted.tf / (weighted.tf + weighted.norm)
        end) as relevance,
        sum(sought.is_anchor::int) as n_anchors_found,
        any_value(query.n_anchors) as n_anchors,
        any_value(query.wants_values) as wants_values
    from ask_df as ask
    join query_feature_df as sought using (query_id)
    join weighted using (collection_id, language, feature)
    join query_df as query using (query_id, language)
    group by ask.ask_id, weighted.place
),
raised as (
    select
        ask_id,
        place,
        relevance * case when wants_values then 1 + least(1, 2 * place.value_share) else 1 end as relevance,
        case when n_anchors = 0 then 1.0 else n_anchors_found / n_anchors end as anchor_overlap,
        place.* exclude (place, value_share, unit_start, unit_end)
    from scored
    join place_df as place using (place)
)
select
    ask_id, pair_id, side, doc_id, place, page_start, line_start, page_end, line_end, n_tokens,
    relevance, anchor_overlap
from raised
join ask_df using (ask_id)
qualify row_number() over (partition by ask_id order by relevance desc, place) <= $n_hits
order by ask_id, relevance desc, place
