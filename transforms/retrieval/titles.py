"""Section titles as postings: what the toc says, and which places stand under it."""

import math
from collections import Counter
from collections.abc import Mapping

import polars as pl

from transforms.text import terms

TITLE_SCHEMA = {
    "doc_id": pl.String,
    "section_id": pl.String,
    "term": pl.String,
    "share": pl.Float64,
}


def title_terms(toc_df: pl.DataFrame, languages: Mapping[str, str | None]) -> pl.DataFrame:
    """Return the distinct terms of section titles.

    One row per section and term; `share` is what the term is of its title, terms that few titles
    of the document have counting more.
    """
    titles = {
        (doc_id, section_id): list(dict.fromkeys(terms(title, languages.get(doc_id))))
        for doc_id, section_id, title in toc_df.select("doc_id", "section_id", "title").iter_rows()
    }
    n_sections = Counter(doc_id for doc_id, _ in titles)
    n_with_term = Counter((key[0], term) for key, found in titles.items() for term in found)
    rows: list[tuple[str, str, str, float]] = []
    for (doc_id, section_id), found in titles.items():
        rarity = {
            term: math.log(1 + n_sections[doc_id] / n_with_term[doc_id, term]) for term in found
        }
        total = sum(rarity.values())
        rows += [(doc_id, section_id, term, rarity[term] / total) for term in found]
    return pl.DataFrame(rows, schema=TITLE_SCHEMA, orient="row")


def section_places(
    toc_df: pl.DataFrame, unit_line_df: pl.DataFrame, place_df: pl.DataFrame
) -> pl.DataFrame:
    """Return which places begin in which sections.

    One row per section and place.
    """
    unit_df = unit_line_df.select("doc_id", "page", "line", "unit")
    start_df = unit_df.rename({"page": "page_start", "line": "line_start", "unit": "unit_start"})
    end_df = unit_df.rename({"page": "page_end", "line": "line_end", "unit": "unit_end"})
    units = pl.int_ranges("unit_start", pl.col("unit_end") + 1)
    return (
        toc_df.join(start_df, on=["doc_id", "page_start", "line_start"])
        .join(end_df, on=["doc_id", "page_end", "line_end"])
        .select("doc_id", "section_id", unit=units)
        .explode("unit")
        .join(place_df.select("place", unit="unit_start"), on="unit")
        .select("doc_id", "section_id", "place")
    )
