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


class Asks:
    """What a chunk of requests asks: each pair is one ask, or one per side of a comparison.

    Equal queries and equal sets of documents are numbered once, so that the first pass scores
    them once, however many pairs share them.
    """

    def __init__(
        self, requests: Sequence[RetrievalRequest], languages: Mapping[str, str | None]
    ) -> None:
        self._questions: list[tuple[ParsedQuestion, tuple[str, ...]]] = []
        self._query_ids: dict[tuple[int, tuple[str, ...]], int] = {}
        self._collections: dict[tuple[str, ...], int] = {}
        self._languages = {key: known_language(name) for key, name in languages.items()}
        self._query_of_ask: list[int] = []
        self._collection_of_ask: list[int] = []
        self._uses_sections: list[bool] = []
        for request in requests:
            for question, doc_ids in sides(request):
                self._query_of_ask.append(self._query_id(question, request.keywords_added))
                collection_id = self._collections.setdefault(doc_ids, len(self._collections))
                self._collection_of_ask.append(collection_id)
                self._uses_sections.append(request.activations.toc_retrieval)

    def frames(self) -> dict[str, pl.DataFrame]:
        """Return the tables that the first pass joins: asks, features, terms, collections."""
        feature_df = self.feature_df()
        return {
            "ask_df": self._ask_df(),
            "query_feature_df": feature_df,
            "feature_term_df": _feature_terms(feature_df),
            "collection_doc_df": self._collection_doc_df(),
        }

    def feature_df(self) -> pl.DataFrame:
        """Return what each query looks for.

        One row per query, language of the documents and feature. `is_counted` says which of them
        the anchor overlap counts: anchors, or what stands for the question when it has none.
        """
        rows = [
            (query_id, language, " ".join(feature), *found)
            for query_id, (question, added) in enumerate(self._questions)
            for language in sorted(set(self._languages.values()))
            for feature, *found in features(question, added, language)
        ]
        feature_df = pl.DataFrame(rows, schema=FEATURE_SCHEMA, orient="row")
        n_anchors = pl.sum("is_anchor").over("query_id", "language").cast(pl.Int64)
        is_counted = pl.when(n_anchors > 0).then("is_anchor").otherwise("is_of_question")
        return feature_df.with_columns(
            feature_id=_number("language", "feature"), n_anchors=n_anchors, is_counted=is_counted
        )

    def _ask_df(self) -> pl.DataFrame:
        """One row per ask, in the order of requests and sides."""
        columns = (self._query_of_ask, self._collection_of_ask, self._uses_sections)
        ask_df = pl.DataFrame(list(columns), schema=ASK_SCHEMA, orient="col").with_row_index(
            "ask_id"
        )
        wanted = [wants_values(question) for question, _ in self._questions]
        wanted_values = pl.Series(wanted, dtype=pl.Boolean).gather(ask_df["query_id"])
        return ask_df.with_columns(pl.col("ask_id").cast(pl.Int64), wants_values=wanted_values)

    def _collection_doc_df(self) -> pl.DataFrame:
        """One row per collection and document: whose statistics belong together."""
        rows = [
            (collection_id, doc_id, self._languages[doc_id])
            for doc_ids, collection_id in self._collections.items()
            for doc_id in doc_ids
            if doc_id in self._languages
        ]
        return pl.DataFrame(rows, schema=["collection_id", "doc_id", "language"], orient="row")

    def _query_id(self, question: ParsedQuestion, added: tuple[str, ...]) -> int:
        key = (id(question), added)
        if key not in self._query_ids:
            self._query_ids[key] = len(self._questions)
            self._questions.append((question, added))
        return self._query_ids[key]


def query_terms(
    requests: Sequence[RetrievalRequest], languages: Mapping[str, str | None]
) -> pl.DataFrame:
    """Return what requests look for in documents of these languages.

    One row per query, language of the documents and feature.
    """
    return Asks(requests, languages).feature_df()


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
