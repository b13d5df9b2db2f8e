"""From the ledger into llm_call_df: every attempt exactly once, by any number of processes."""

from collections.abc import Callable, Collection
from datetime import datetime
from decimal import Decimal
from typing import Any
from uuid import uuid4

import polars as pl

from flows.ledger.entries import from_nano
from flows.ledger.store import Store
from transforms.tables import LlmCall
from transforms.values import Usage

OK = 200
"""HTTP status of calls that the endpoint charges for."""

WriteCalls = Callable[[str, pl.DataFrame], object]
"""Writes one chunk of llm_call_df under its id; writing the same chunk again changes nothing."""


class Publishing:
    """The part of the ledger that hands its rows to the warehouse."""

    store: Store

    def publish_calls(self, write_calls: WriteCalls) -> int:
        """Hand all settled attempts that are not published yet to the warehouse; count them.

        Rows are claimed under a chunk id first, so that two processes do not write one row twice,
        and a chunk whose writer was killed is written again under its own id.
        """
        self._claim()
        n_rows = 0
        for chunk_id, rows in self._unpublished_chunks().items():
            write_calls(chunk_id, _frame(rows))
            self._mark(chunk_id)
            n_rows += len(rows)
        return n_rows

    def unpublished_calls(self) -> pl.DataFrame:
        """Return the settled attempts that are not published yet.

        One row per attempt, as in llm_call_df.
        """
        with self.store.reading() as transaction:
            return _frame(transaction.run(_SETTLED + " where s.published_at is null"))

    def all_calls(self) -> pl.DataFrame:
        """Return every settled attempt, published or not.

        One row per attempt, as in llm_call_df.
        """
        with self.store.reading() as transaction:
            return _frame(transaction.run(_SETTLED))

    def usage_beside_pairs(self, run_ids: Collection[str]) -> Usage:
        """Return what runs used for no pair of their own: to parse questions, to embed texts."""
        with self.store.reading() as transaction:
            rows = [
                row
                for run_id in run_ids
                for row in transaction.run(
                    _SETTLED + " where a.run_id = :run_id and a.pair_id is null",
                    {"run_id": run_id},
                )
            ]
        call_df = _frame(rows)
        counts = call_df.select(pl.sum("prompt_tokens", "completion_tokens")).row(0, named=True)
        is_unpriced = call_df["cost_usd"].is_null() & (call_df["http_status"] == OK)
        cost_usd = None if is_unpriced.any() else sum(call_df["cost_usd"].drop_nulls(), Decimal(0))
        return Usage(cost_usd=cost_usd, n_calls=call_df.height, **counts)

    def _claim(self) -> None:
        with self.store.transaction(is_synced=False) as transaction:
            transaction.run(
                "update settlement set chunk_id = :chunk_id"
                " where chunk_id is null and published_at is null",
                {"chunk_id": uuid4().hex},
            )

    def _unpublished_chunks(self) -> dict[str, list[dict[str, Any]]]:
        with self.store.reading() as transaction:
            rows = transaction.run(
                _SETTLED + " where s.published_at is null and s.chunk_id is not null"
                " order by s.chunk_id"
            )
        chunks: dict[str, list[dict[str, Any]]] = {}
        for row in rows:
            chunks.setdefault(row["chunk_id"], []).append(row)
        return chunks

    def _mark(self, chunk_id: str) -> None:
        with self.store.transaction(is_synced=False) as transaction:
            transaction.run(
                "update settlement set published_at = settled_at where chunk_id = :chunk_id",
                {"chunk_id": chunk_id},
            )


_SETTLED = """
select a.*, s.outcome, s.http_status, s.finish_reason, s.prompt_tokens, s.cached_tokens,
       s.completion_tokens, s.reasoning_tokens, s.cost_nanousd, s.price_source, s.latency_ms,
       s.budget_left_tokens, s.budget_left_nanousd, s.chunk_id
from attempt a
join settlement s on s.call_id = a.call_id and s.attempt = a.attempt
"""


def _frame(rows: list[dict[str, Any]]) -> pl.DataFrame:
    return LlmCall.frame(_call_row(row) for row in rows).sort(LlmCall.key)


def _call_row(row: dict[str, Any]) -> dict[str, Any]:
    derived = {
        "cost_usd": _usd(row["cost_nanousd"]),
        "budget_left_usd": _usd(row["budget_left_nanousd"]),
        "called_at": datetime.fromisoformat(row["called_at"]),
    }
    return {name: derived[name] if name in derived else row[name] for name in LlmCall.model_fields}


def _usd(nanousd: int | None) -> Any:
    return None if nanousd is None else from_nano(nanousd)
