"""Erase a document and all that was quoted from it, leaving counts and costs.

Order: ledger, runs, corpus. The document's own row goes last, as a stone that keeps its id and
its number of pages, so that an interrupted erasure can be repeated and no key dangles. What was
forgotten is not ingested again.
"""

from collections.abc import Iterable
from typing import Any

import polars as pl

from flows.ledger import Ledger
from flows.storage.parts import collected
from flows.storage.views import COMMITS, area
from flows.tidy import delete_replaced
from flows.warehouse import FORGOTTEN, Warehouse
from transforms.errors import InputError
from transforms.tables import CORPUS_TABLES, Document
from transforms.values import Value

PAIR = ["run_id", "pair_id"]

STONE_KEEPS = ("doc_id", "n_bytes", "media_type", "n_pages", "parser_version", "parsed_at")
"""Columns of document_df that say nothing about the content."""

VALUES = ("value_text", "value_number", "value_date", "value_bool", "unit", "currency")


class Forgotten(Value):
    """What was erased."""

    doc_id: str
    file_name: str
    uris: tuple[str, ...]
    """Files that held it: Compline does not touch them."""
    n_pages: int
    n_answers: int
    n_quotes: int
    n_texts: int
    """Requests and responses of models whose text was blanked."""


def forget(document: str, warehouse: Warehouse, ledger: Ledger) -> Forgotten:
    """Erase the document with this doc_id, or first digits of one, or file name.

    Run it while nothing else writes. Raises InputError when no document, or more than one,
    is meant.
    """
    row = find_document(document, warehouse)
    doc_id = row["doc_id"]
    source_df = warehouse.read("source_df", doc_ids=[doc_id])
    pair_df = warehouse.read("pair_doc_df", doc_ids=[doc_id]).select(PAIR).unique()
    delete_replaced(warehouse)  # merged parts have its text too, and dropped runs
    warehouse.delete_reports()
    n_texts = ledger.forget_document(doc_id)
    n_answers, n_quotes = _erase_from_runs(warehouse, doc_id, pair_df)
    _erase_from_corpus(warehouse, doc_id)
    return Forgotten(
        doc_id=doc_id,
        file_name=row["file_name"],
        uris=tuple(source_df["uri"].unique().sort()),
        n_pages=row["n_pages"],
        n_answers=n_answers,
        n_quotes=n_quotes,
        n_texts=n_texts,
    )


def find_document(document: str, warehouse: Warehouse) -> dict[str, Any]:
    """Return the row of document_df that is meant. Raises InputError as `forget` does."""
    document_df = warehouse.read("document_df").filter(pl.col("error_code").ne_missing(FORGOTTEN))
    is_meant = pl.col("doc_id").str.starts_with(document) | (pl.col("file_name") == document)
    meant_df = document_df.filter(is_meant) if document else document_df.clear()
    if meant_df.height == 1:
        return meant_df.row(0, named=True)
    if meant_df.is_empty():
        raise InputError(
            f"there is no document {document!r}",
            hint='`compline sql "select doc_id, file_name from document_df"` lists them',
        )
    doc_ids = ", ".join(meant_df["doc_id"].sort())
    raise InputError(
        f"{document!r} may be any of {meant_df.height} documents", hint=f"name one of {doc_ids}"
    )


def _erase_from_runs(warehouse: Warehouse, doc_id: str, pair_df: pl.DataFrame) -> tuple[int, int]:
    """Erase quotes, values that rest on them, and what loops said; return answers and quotes."""
    run_ids = pair_df["run_id"].unique().to_list()
    evidence_df = warehouse.read("evidence_df", doc_ids=[doc_id])
    answer_df = warehouse.read("answer_df", doc_ids=[doc_id])
    quoted_df = pl.concat([evidence_df.select(PAIR), answer_df.select(PAIR)]).unique()
    for run_id in run_ids:
        rows = {
            table: collected(table, warehouse.parts.scan(table, [run_id]).drop("part"))
            for table in ("answer_df", "evidence_df", "iteration_df")
            if warehouse.parts.exists(table, run_id)
        }
        erased = {
            "answer_df": lambda frame: _blanked(
                _blanked(frame, pair_df, _CAVEATS), quoted_df, _VALUES
            ),
            "evidence_df": lambda frame: frame.filter(pl.col("doc_id") != doc_id),
            "iteration_df": lambda frame: _blanked(frame, pair_df, _NARRATION),
        }
        warehouse.commits.rewrite(
            "runs", run_id, {t: erased[t](frame) for t, frame in rows.items()}
        )
    _erase_verdicts(warehouse, pair_df)
    return answer_df.height, evidence_df.height


def _erase_verdicts(warehouse: Warehouse, pair_df: pl.DataFrame) -> None:
    for part in warehouse.parts.names("verdict_df"):
        verdict_lf = warehouse.parts.scan("verdict_df", [part]).drop("part")
        verdict_df = collected("verdict_df", verdict_lf)
        if verdict_df.join(pair_df, on=PAIR, how="semi").height:
            warehouse.parts.write("verdict_df", part, _blanked(verdict_df, pair_df, _VERDICT))


_CAVEATS = (pl.lit([], dtype=pl.List(pl.String)).alias("caveats"),)
_VALUES = (
    *(pl.lit(None).alias(name) for name in VALUES),
    pl.lit([], dtype=pl.List(pl.String)).alias("items"),
)
_NARRATION = (
    pl.lit(FORGOTTEN).alias("result_summary"),
    pl.lit(FORGOTTEN).alias("narration"),
    pl.lit([], dtype=pl.List(pl.String)).alias("keywords_added"),
)
_VERDICT = (pl.lit(None).alias("right_value"), pl.lit(None).alias("note"))


def _blanked(frame: pl.DataFrame, pair_df: pl.DataFrame, blanks: Iterable[pl.Expr]) -> pl.DataFrame:
    """Return a frame with columns blanked in the rows of some pairs."""
    of_pairs_df = frame.join(pair_df, on=PAIR, how="semi").with_columns(*blanks)
    return pl.concat(
        [
            of_pairs_df.cast(frame.schema),
            frame.join(pair_df, on=PAIR, how="anti"),
        ]
    )


def _erase_from_corpus(warehouse: Warehouse, doc_id: str) -> None:
    """Erase the document's rows from every batch; the one row that is left is its stone."""
    for batch in warehouse.commits.batches_of(doc_id):
        frames = {
            table: collected(table, warehouse.parts.scan(table, [batch]).drop("part"))
            for table in (row.table for row in CORPUS_TABLES)
            if warehouse.parts.exists(table, batch)
        }
        kept = {
            table: _stone(frame, doc_id)
            if table == COMMITS["corpus"]
            else frame.filter(pl.col("doc_id") != doc_id)
            for table, frame in frames.items()
        }
        warehouse.commits.rewrite(area(COMMITS["corpus"]), batch, kept)


def _stone(document_df: pl.DataFrame, doc_id: str) -> pl.DataFrame:
    is_meant = pl.col("doc_id") == doc_id
    rows = [
        {
            **dict.fromkeys(Document.model_fields),
            **{name: row[name] for name in STONE_KEEPS},
            "file_name": FORGOTTEN,
            "has_outline": False,
            "has_usable_toc": False,
            "is_likely_scanned": False,
            "suggested_strategy": "native",
            "parse_status": "failed",
            "error_code": FORGOTTEN,
            "error_message": "erased by `compline forget`",
        }
        for row in document_df.filter(is_meant).iter_rows(named=True)
    ]
    return pl.concat([document_df.filter(~is_meant), Document.frame(rows)])
