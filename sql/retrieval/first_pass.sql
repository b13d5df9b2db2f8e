-- One row per ask and place that scores: BM25 over places, statistics of the ask's own documents.
-- Reads: term_df, unit_line_df, unit_place_df, place_df, ask_df, query_term_df, collection_doc_df; $n_hits, $k1, $b.
-- Columns: ask_id, pair_id, side, doc_id, place, page_start, line_start, page_end, line_end, n_tokens, relevance
with query_vocabulary as (
    select distinct term from query_term_df
),
unit_term as (
    select line.doc_id, line.unit, posting.term, sum(posting.tf) as tf
    from term_df as posting
    join query_vocabulary using (term)
    join unit_line_df as line using (doc_id, page, page_version, line)
    where not line.is_margin
    group by all
),
place_term as (
    select unit_term.doc_id, unit_place.place, unit_term.term, sum(unit_term.tf) as tf
    from unit_term
    join unit_place_df as unit_place using (unit)
    group by all
),
collection_size as (
    select collection_id, count(*) as n_places, avg(n_tokens) as mean_tokens
    from collection_doc_df
    join place_df using (doc_id)
    group by collection_id
),
collection_term as (
    select collection_id, term, count(*) as n_places_with_term
    from collection_doc_df
    join place_term using (doc_id)
    group by collection_id, term
),
weighted as (
    select
        collection_doc.collection_id,
        collection_doc.language,
        place_term.doc_id,
        place_term.place,
        place_term.term,
        ln(1 + (size.n_places - df.n_places_with_term + 0.5) / (df.n_places_with_term + 0.5))
            * place_term.tf * ($k1 + 1)
            / (place_term.tf + $k1 * (1 - $b + $b * place.n_tokens / size.mean_tokens)) as score
    from collection_doc_df as collection_doc
    join place_term using (doc_id)
    join place_df as place using (place)
    join collection_size as size using (collection_id)
    join collection_term as df using (collection_id, term)
),
scored as (
    select ask.ask_id, weighted.doc_id, weighted.place, sum(weighted.score * query.weight) as relevance
    from ask_df as ask
    join query_term_df as query using (query_id)
    join weighted using (collection_id, language, term)
    group by all
)
select
    ask.ask_id,
    ask.pair_id,
    ask.side,
    place.doc_id,
    place.place,
    place.page_start,
    place.line_start,
    place.page_end,
    place.line_end,
    place.n_tokens,
    scored.relevance
from scored
join ask_df as ask using (ask_id)
join place_df as place using (place)
qualify row_number() over (partition by ask_id order by relevance desc, place) <= $n_hits
order by ask_id, relevance desc, place
