"""Turn requests into the rows that the first pass joins: what is asked, of which documents.

What is looked for are *features*: an index term, or several terms that stand in one line.
"""

from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise

import polars as pl

from transforms.retrieval.evidence import wants_values
from transforms.text import known_language, terms
from transforms.values import ParsedQuestion, RetrievalRequest

KEYWORD_WEIGHT = 1.0
ADDED_WEIGHT = 0.8
NEIGHBOURS_WEIGHT = 0.5
"""Two words that are neighbours in the question stand in one line."""
REWRITE_WEIGHT = 0.25
"""A word of another wording on its own: such words are common."""
WORDING_WEIGHT = 0.6
"""All words of another wording stand in one line."""

Feature = tuple[str, ...]
"""Sorted distinct terms."""

ASK_SCHEMA = {
    "query_id": pl.Int64,
    "collection_id": pl.Int64,
    "uses_sections": pl.Boolean,
}
FEATURE_SCHEMA = {
    "query_id": pl.Int64,
    "language": pl.String,
    "feature": pl.String,
    "weight": pl.Float64,
    "is_word": pl.Boolean,
    "is_anchor": pl.Boolean,
    "is_of_question": pl.Boolean,
}


class Queries:
    """What the requests of a chunk look for, and in which of the documents.

    Equal queries are numbered once, so that the first pass scores them once in each collection of
    documents, however many pairs share them.
    """

    def __init__(self, requests: Sequence[RetrievalRequest], document_df: pl.DataFrame) -> None:
        doc_ids = {doc_id for request in requests for doc_id in request.doc_ids}
        asked_df = document_df.filter(pl.col("doc_id").is_in(doc_ids))
        languages = asked_df.select("doc_id", "language").iter_rows()
        self.languages = {doc_id: known_language(language) for doc_id, language in languages}
        self._ids: dict[tuple[int, tuple[str, ...]], int] = {}
        asked: list[tuple[ParsedQuestion, tuple[str, ...]]] = []
        for request in requests:
            for question, _ in sides(request):
                key = (id(question), request.keywords_added)
                if key not in self._ids:
                    self._ids[key] = len(asked)
                    asked.append((question, request.keywords_added))
        self._wants_values = pl.Series(
            [wants_values(question) for question, _ in asked], dtype=pl.Boolean
        )
        self.feature_df = _features(asked, sorted(set(self.languages.values())))
        self._feature_term_df = _feature_terms(self.feature_df)

    def sought(self, term_df: pl.DataFrame) -> pl.DataFrame:
        """Return the postings of what is looked for."""
        sought_terms = self._feature_term_df["term"].unique().implode()
        return term_df.filter(pl.col("term").is_in(sought_terms))

    def frames(self, requests: Sequence[RetrievalRequest]) -> dict[str, pl.DataFrame]:
        """Return the tables that the first pass joins for some of the requests."""
        collections: dict[tuple[str, ...], int] = {}
        rows = [
            (
                self._ids[id(question), request.keywords_added],
                collections.setdefault(doc_ids, len(collections)),
                request.activations.toc_retrieval,
            )
            for request in requests
            for question, doc_ids in sides(request)
        ]
        return {
            "ask_df": self._asks(rows),
            "query_feature_df": self.feature_df,
            "feature_term_df": self._feature_term_df,
            "collection_doc_df": self._collection_docs(collections),
        }

    def _asks(self, rows: Sequence[tuple[int, int, bool]]) -> pl.DataFrame:
        """One row per pair, or per side of a comparison, in the order of requests and sides."""
        ask_df = pl.DataFrame(rows, schema=ASK_SCHEMA, orient="row").with_row_index("ask_id")
        wanted = self._wants_values.gather(ask_df["query_id"])
        return ask_df.with_columns(pl.col("ask_id").cast(pl.Int64), wants_values=wanted)

    def _collection_docs(self, collections: Mapping[tuple[str, ...], int]) -> pl.DataFrame:
        """One row per collection and document: whose statistics belong together."""
        rows = [
            (collection_id, doc_id, self.languages[doc_id])
            for doc_ids, collection_id in collections.items()
            for doc_id in doc_ids
            if doc_id in self.languages
        ]
        return pl.DataFrame(rows, schema=["collection_id", "doc_id", "language"], orient="row")


def sides(request: RetrievalRequest) -> list[tuple[ParsedQuestion, tuple[str, ...]]]:
    """Return what the pair asks of which documents: each side of a comparison on its own."""
    question = request.question
    if question.intent == "comparison" and len(request.doc_ids) > 1:
        return [(question, (doc_id,)) for doc_id in request.doc_ids]
    if question.parts and question.decomposition != "single":
        return [(part, request.doc_ids) for part in (question, *question.parts)]
    return [(question, request.doc_ids)]


def features(
    question: ParsedQuestion, added: tuple[str, ...], language: str
) -> list[tuple[Feature, float, bool, bool, bool]]:
    """Return what a question looks for: feature, weight, is it a word or an anchor of its own.

    The last says that it stands for the question: a word of it, or another wording as a whole, but
    neither one word of such a wording nor what the loop added.
    """
    keywords = question.keywords or (question.corrected_text,)
    words = _terms_of((*question.anchor_keywords, *keywords), language)
    neighbours = [
        (one, other)
        for one, other in pairwise(terms(question.corrected_text, language))
        if one in words and other in words
    ]
    wordings = [terms(rewrite, language) for rewrite in question.rewrites]
    anchors = {(term,) for term in _terms_of(question.anchor_keywords, language)}
    synonyms = {(word,) for wording in wordings for word in wording if len(set(wording)) == 1}
    groups = (
        (((word,) for word in words), KEYWORD_WEIGHT),
        (((word,) for word in _terms_of(added, language)), ADDED_WEIGHT),
        (neighbours, NEIGHBOURS_WEIGHT),
        ((wording for wording in wordings if len(set(wording)) > 1), WORDING_WEIGHT),
        (((word,) for wording in wordings for word in wording), REWRITE_WEIGHT),
    )
    found: dict[Feature, tuple[Feature, float, bool, bool, bool]] = {}
    for group, weight in groups:
        for group_terms in group:
            if feature := tuple(sorted(set(group_terms))):
                is_word = len(feature) == 1 and feature[0] in words
                is_of_question = is_word or len(feature) > 1 or feature in synonyms
                row = (feature, weight, is_word, feature in anchors, is_of_question)
                found.setdefault(feature, row)
    return list(found.values())


def _features(
    asked: Sequence[tuple[ParsedQuestion, tuple[str, ...]]], languages: Sequence[str]
) -> pl.DataFrame:
    """Return what each query looks for.

    One row per query, language of the documents and feature. `is_counted` says which of them the
    anchor overlap counts: anchors, or what stands for the question when it has none.
    """
    rows = [
        (query_id, language, " ".join(feature), *found)
        for query_id, (question, added) in enumerate(asked)
        for language in languages
        for feature, *found in features(question, added, language)
    ]
    feature_df = pl.DataFrame(rows, schema=FEATURE_SCHEMA, orient="row")
    n_anchors = pl.sum("is_anchor").over("query_id", "language").cast(pl.Int64)
    is_counted = pl.when(n_anchors > 0).then("is_anchor").otherwise("is_of_question")
    return feature_df.with_columns(
        feature_id=_number("language", "feature"), n_anchors=n_anchors, is_counted=is_counted
    )


def _terms_of(texts: Iterable[str], language: str) -> dict[str, None]:
    return dict.fromkeys(term for text in texts for term in terms(text, language))


def _feature_terms(feature_df: pl.DataFrame) -> pl.DataFrame:
    """One row per language, feature and term."""
    return (
        feature_df.select("language", "feature", "feature_id")
        .unique(maintain_order=True)
        .with_columns(term=pl.col("feature").str.split(" "))
        .with_columns(n_terms=pl.col("term").list.len().cast(pl.Int64))
        .explode("term")
        .with_columns(term_id=_number("language", "term"))
    )


def _number(language: str, word: str) -> pl.Expr:
    """Number the words of each language from 1."""
    return pl.concat_str(language, word, separator=" ").rank("dense").cast(pl.Int64)
