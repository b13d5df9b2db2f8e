"""Which documents a question is asked of: globs, a condition in SQL, groups, the corpus."""

import fnmatch
import json
from collections.abc import Mapping, Sequence
from functools import lru_cache

import polars as pl

from flows.database import documents_where
from transforms.errors import InputError
from transforms.questions import AskedQuestion, document_sides, narrow_documents
from transforms.values import Value

MAX_CORPUS_DOCUMENTS = 200
"""Documents that one corpus question may retrieve from at once, after narrowing."""

MAX_KEPT = 16
"""Choices of documents that are kept in mind: each may be all documents of the warehouse."""


class Scope(Value):
    """One unit that a question is asked of."""

    kind: str
    key: str
    """Value of the group column, or corpus; the doc_id for a document."""
    stable_key: str
    """The same, but the file's name for a document, so that a new version keeps its pair."""
    doc_ids: tuple[str, ...]
    sides: Mapping[str, str] = {}
    """Of a comparison, by doc_id: the part of the question that the document stands for."""
    reason: str = ""


class Scopes:
    """The scopes of questions over the same documents.

    Questions that name the same documents, as most of a set do, share what was found for the first.
    """

    def __init__(self, document_df: pl.DataFrame) -> None:
        self._document_df = document_df
        self._chosen = lru_cache(MAX_KEPT)(self._choose)
        self._single = lru_cache(MAX_KEPT)(self._single_scopes)

    def of(self, asked: AskedQuestion) -> Sequence[Scope]:
        """Return the scopes of one question, in a stable order."""
        if asked.scope == "document":
            return self._single(asked.documents, asked.where_sql)
        chosen_df = self._chosen(asked.documents, asked.where_sql)
        if chosen_df.is_empty():
            return []
        if asked.scope == "corpus":
            return [_corpus_scope(asked, chosen_df)]
        return _group_scopes(asked, chosen_df)

    def _choose(self, documents: tuple[str, ...], where_sql: str | None) -> pl.DataFrame:
        chosen_df = self._document_df
        if documents:
            is_named = [_matches(name, documents) for name in chosen_df["file_name"]]
            chosen_df = chosen_df.filter(pl.Series(is_named, dtype=pl.Boolean))
        if where_sql:
            wanted = documents_where(with_metadata(chosen_df), where_sql)
            chosen_df = chosen_df.filter(pl.col("doc_id").is_in(wanted))
        return chosen_df.sort("file_name", "doc_id")

    def _single_scopes(
        self, documents: tuple[str, ...], where_sql: str | None
    ) -> tuple[Scope, ...]:
        chosen_df = self._choose(documents, where_sql)
        names = chosen_df["file_name"]
        is_unique = dict(zip(names, ~names.is_duplicated(), strict=True))
        return tuple(
            Scope(
                kind="document",
                key=doc_id,
                stable_key=name if is_unique[name] else doc_id,
                doc_ids=(doc_id,),
            )
            for doc_id, name in chosen_df.select("doc_id", "file_name").iter_rows()
        )


def with_metadata(document_df: pl.DataFrame) -> pl.DataFrame:
    """Return document_df with every key of its `metadata` objects as a text column of its own."""
    objects = [json.loads(text) if text else {} for text in document_df["metadata"]]
    keys = sorted({key for found in objects for key in found} - set(document_df.columns))
    return document_df.with_columns(
        pl.Series(key, [found.get(key) for found in objects], dtype=pl.String) for key in keys
    )


def _matches(name: str, patterns: Sequence[str]) -> bool:
    return any(fnmatch.fnmatchcase(name, pattern.rpartition("/")[2]) for pattern in patterns)


def _corpus_scope(asked: AskedQuestion, chosen_df: pl.DataFrame) -> Scope:
    found, reason = narrow_documents(asked.parsed, chosen_df)
    doc_ids = found[:MAX_CORPUS_DOCUMENTS]
    return Scope(
        kind="corpus",
        key="corpus",
        stable_key="corpus",
        doc_ids=tuple(doc_ids),
        sides=document_sides(asked.parsed, chosen_df.filter(pl.col("doc_id").is_in(doc_ids))),
        reason=reason,
    )


def _group_scopes(asked: AskedQuestion, chosen_df: pl.DataFrame) -> list[Scope]:
    column = asked.scope.removeprefix("group:")
    wide_df = with_metadata(chosen_df)
    if column not in wide_df.columns:
        raise InputError(
            f"no document has a column {column!r} to group by",
            hint=f"use one of {', '.join(wide_df.columns)}, or add it to the metadata file",
        )
    groups = wide_df.filter(pl.col(column).is_not_null()).group_by(column, maintain_order=True)
    return [
        Scope(
            kind="group",
            key=str(value),
            stable_key=str(value),
            doc_ids=tuple(group_df["doc_id"]),
            sides=document_sides(asked.parsed, group_df),
        )
        for (value,), group_df in groups
    ]
