"""Turn requests into the rows that the first pass joins: what is asked, of which documents."""

from collections.abc import Mapping, Sequence

import polars as pl

from transforms.text import known_language, terms
from transforms.values import ParsedQuestion, RetrievalRequest

KEYWORD_WEIGHT = 1.0
ANCHOR_WEIGHT = 1.5
ADDED_WEIGHT = 0.8
REWRITE_WEIGHT = 0.5

QUERY_TERM_SCHEMA = {
    "query_id": pl.Int64,
    "language": pl.String,
    "term": pl.String,
    "weight": pl.Float64,
}
ASK_SCHEMA = {
    "ask_id": pl.Int64,
    "pair_id": pl.String,
    "side": pl.Int64,
    "query_id": pl.Int64,
    "collection_id": pl.Int64,
}


class Asks:
    """What a chunk of requests asks: each pair is one ask, or one per side of a comparison.

    Equal queries and equal sets of documents are numbered once, so that the first pass scores
    them once, however many pairs share them.
    """

    def __init__(
        self, requests: Sequence[RetrievalRequest], languages: Mapping[str, str | None]
    ) -> None:
        self._queries: dict[object, int] = {}
        self._collections: dict[tuple[str, ...], int] = {}
        self._term_rows: list[tuple[int, str, str, float]] = []
        self._languages = languages
        rows: list[tuple[int, str, int, int, int]] = []
        for request in requests:
            for side, (question, doc_ids) in enumerate(sides(request)):
                query_id = self._query(question, request.keywords_added)
                rows.append((len(rows), request.pair_id, side, query_id, self._collection(doc_ids)))
        self.ask_df = pl.DataFrame(rows, schema=ASK_SCHEMA, orient="row")
        self.query_term_df = pl.DataFrame(self._term_rows, schema=QUERY_TERM_SCHEMA, orient="row")

    @property
    def collection_doc_df(self) -> pl.DataFrame:
        """Return the documents whose statistics belong together.

        One row per collection and document.
        """
        rows = [
            (collection_id, doc_id, number, known_language(self._languages.get(doc_id)))
            for doc_ids, collection_id in self._collections.items()
            for number, doc_id in enumerate(doc_ids)
        ]
        schema = {
            "collection_id": pl.Int64,
            "doc_id": pl.String,
            "doc_number": pl.Int64,
            "language": pl.String,
        }
        return pl.DataFrame(rows, schema=schema, orient="row")

    def _query(self, question: ParsedQuestion, added: tuple[str, ...]) -> int:
        key = (id(question), added)
        if key not in self._queries:
            self._queries[key] = len(self._queries)
            for language in sorted({known_language(name) for name in self._languages.values()}):
                weights = weighted_terms(question, added, language)
                self._term_rows += [
                    (self._queries[key], language, term, weight) for term, weight in weights.items()
                ]
        return self._queries[key]

    def _collection(self, doc_ids: tuple[str, ...]) -> int:
        return self._collections.setdefault(doc_ids, len(self._collections))


def query_terms(
    requests: Sequence[RetrievalRequest], languages: Mapping[str, str | None]
) -> pl.DataFrame:
    """Return the weighted index terms of what is asked.

    One row per query, language of the documents and term.
    """
    return Asks(requests, languages).query_term_df


def sides(request: RetrievalRequest) -> list[tuple[ParsedQuestion, tuple[str, ...]]]:
    """Return what the pair asks of which documents: each side of a comparison on its own."""
    question = request.question
    if question.intent == "comparison" and len(request.doc_ids) > 1:
        return [(question, (doc_id,)) for doc_id in request.doc_ids]
    if question.parts and question.decomposition != "single":
        return [(part, request.doc_ids) for part in (question, *question.parts)]
    return [(question, request.doc_ids)]


def weighted_terms(
    question: ParsedQuestion, added: tuple[str, ...], language: str
) -> dict[str, float]:
    """Return the index terms of a question with their weights; the greatest weight counts."""
    weights: dict[str, float] = {}
    groups = (
        (question.anchor_keywords, ANCHOR_WEIGHT),
        (question.keywords or (question.corrected_text,), KEYWORD_WEIGHT),
        (added, ADDED_WEIGHT),
        (question.rewrites, REWRITE_WEIGHT),
    )
    for texts, weight in groups:
        for text in texts:
            for term in terms(text, language):
                weights[term] = max(weight, weights.get(term, 0.0))
    return weights
