"""Attempts and responses: reserved before they are sent, settled when they end.

Bounds are checked and counted in the transaction that writes the attempt, so no two processes can
spend the same rest. An attempt that never ends (its process was killed) keeps its reservation.
"""

from contextlib import AbstractContextManager
from datetime import datetime, timedelta
from decimal import Decimal

from flows.ledger import bounds as counters
from flows.ledger.entries import (
    Bounds,
    Call,
    Estimate,
    Refusal,
    Settlement,
    canonical_json,
    from_nano,
    stamp,
    to_nano,
)
from flows.ledger.responses import Responses
from flows.ledger.store import Transaction


class Journal(Responses):
    """The part of the ledger that records calls."""

    keep_text: bool

    def together(self) -> AbstractContextManager[object]:
        """Write all that follows at once, or nothing of it."""
        return self.store.transaction()

    def reserve(
        self, call: Call, attempt: int, estimate: Estimate, bounds: Bounds, *, at: datetime
    ) -> Refusal | None:
        """Write an attempt and count its estimate, or write nothing and say which bound forbids."""
        if refusal := counters.exceeded(call, estimate, bounds):
            return refusal
        with self.store.transaction() as transaction:
            refusal = counters.reserve(transaction, call.run_id, stamp(at), estimate, bounds)
            if refusal is None:
                _insert_attempt(transaction, call, attempt, estimate, at)
        return refusal

    def record_request(self, call: Call, request: dict[str, object]) -> None:
        """Keep what is asked, once per hash; without its text when texts are not kept."""
        with self.store.transaction(is_synced=False) as transaction:
            transaction.run(
                "insert into request values (:hash, :json, :doc_ids) on conflict do nothing",
                {
                    "hash": call.request_hash,
                    "json": canonical_json(request) if self.keep_text else None,
                    "doc_ids": canonical_json(sorted(set(call.doc_ids))),
                },
            )

    def settle(
        self,
        call: Call,
        attempt: int,
        settlement: Settlement,
        bounds: Bounds,
        *,
        at: datetime,
        response: tuple[str, int] | None = None,
    ) -> None:
        """Write how an attempt ended, with its response (body, elapsed ms) if one came.

        An attempt that was given up by `close_interrupted` meanwhile stays so; its response is
        kept all the same.
        """
        key = {"call_id": call.call_id, "attempt": attempt}
        with self.store.transaction() as transaction:
            row = transaction.run(
                "select * from attempt where call_id = :call_id and attempt = :attempt", key
            )[0]
            if not transaction.run(_IS_SETTLED, key):
                counted = counters.settle(transaction, row, settlement)
                left = counters.narrowest_left(transaction, call, row["called_at"], bounds, counted)
                _insert_settlement(transaction, key, settlement, (counted, left), at)
            if response:
                self._insert_response(transaction, call, attempt, response, at)

    def spent(self, run_id: str) -> tuple[int, Decimal]:
        """Return tokens and US dollars that a run and those it resumes used or reserved."""
        with self.store.reading() as transaction:
            tokens, nanousd = counters.spent(transaction, run_id)
        return tokens, from_nano(nanousd)

    def close_interrupted(self, run_id: str, *, at: datetime) -> int:
        """Give up the attempts of a run whose process is gone, and return how many there were.

        They may have been answered and charged, so their reservations stand.
        """
        return self._give_up(_INTERRUPTED.format(of="a.run_id = :value"), run_id, at)

    def close_abandoned(self, *, longer_than_s: float, at: datetime) -> int:
        """Give up the attempts without a run that no process can be waiting for any more.

        `longer_than_s` is what one attempt may take. They count as those of a run do.
        """
        began_by = stamp(at - timedelta(seconds=longer_than_s))
        of_no_run = "a.run_id is null and a.called_at < :value"
        return self._give_up(_INTERRUPTED.format(of=of_no_run), began_by, at)

    def _give_up(self, statement: str, value: str, at: datetime) -> int:
        with self.store.transaction() as transaction:
            rows = transaction.run(statement, {"value": value})
            for row in rows:
                settlement = Settlement(
                    outcome="cancelled",
                    latency_ms=0,
                    error="the process ended while the call was in flight",
                    is_billed=True,
                )
                counted = counters.settle(transaction, row, settlement)
                key = {"call_id": row["call_id"], "attempt": row["attempt"]}
                _insert_settlement(transaction, key, settlement, (counted, None), at)
        return len(rows)

    def _insert_response(
        self,
        transaction: Transaction,
        call: Call,
        attempt: int,
        response: tuple[str, int],
        at: datetime,
    ) -> None:
        body, elapsed_ms = response
        if not self.keep_text:
            self.unkept[call.call_id, attempt] = body
        transaction.run(
            "insert into response values (:call_id, :attempt, :hash, :body, :elapsed_ms, :at)"
            " on conflict do nothing",
            {
                "call_id": call.call_id,
                "attempt": attempt,
                "hash": call.request_hash,
                "body": body if self.keep_text else None,
                "elapsed_ms": elapsed_ms,
                "at": stamp(at),
            },
        )


_IS_SETTLED = "select 1 from settlement where call_id = :call_id and attempt = :attempt"

# What travels in an open batch job is still under way, whoever waits for it.
_INTERRUPTED = """
select a.* from attempt a
left join settlement s on s.call_id = a.call_id and s.attempt = a.attempt
where {of} and s.call_id is null and not exists (
    select 1 from batch_item i join batch_job j on j.token = i.token
    where i.call_id = a.call_id and i.attempt = a.attempt and j.closed_at is null)
"""

_SETTLE = """
insert into settlement (
    call_id, attempt, outcome, http_status, finish_reason, prompt_tokens, cached_tokens,
    completion_tokens, reasoning_tokens, cost_nanousd, price_source, latency_ms, counted_tokens,
    counted_nanousd, budget_left_tokens, budget_left_nanousd, error, settled_at)
values (
    :call_id, :attempt, :outcome, :http_status, :finish_reason, :prompt_tokens, :cached_tokens,
    :completion_tokens, :reasoning_tokens, :cost_nanousd, :price_source, :latency_ms,
    :counted_tokens, :counted_nanousd, :budget_left_tokens, :budget_left_nanousd, :error,
    :settled_at)
"""


def _insert_attempt(
    transaction: Transaction, call: Call, attempt: int, estimate: Estimate, at: datetime
) -> None:
    transaction.run(
        "insert into attempt values (:call_id, :attempt, :run_id, :pair_id, :doc_id,"
        " :iteration_number, :step, :purpose, :engine, :endpoint, :model, :request_hash,"
        " :reserved_tokens, :reserved_nanousd, :is_priced, :called_at)",
        {
            **call.model_dump(exclude={"doc_ids", "budget_left"}),
            "attempt": attempt,
            "doc_id": call.doc_ids[0] if len(set(call.doc_ids)) == 1 else None,
            "reserved_tokens": estimate.tokens,
            "reserved_nanousd": to_nano(estimate.usd or from_nano(0)),
            "is_priced": int(estimate.usd is not None),
            "called_at": stamp(at),
        },
    )


def _insert_settlement(
    transaction: Transaction,
    key: dict[str, object],
    settlement: Settlement,
    totals: tuple[counters.Left, counters.Left | None],
    at: datetime,
) -> None:
    counted, left = totals
    counts = settlement.counts
    cost = settlement.cost_usd
    transaction.run(
        _SETTLE,
        {
            **settlement.model_dump(exclude={"counts", "cost_usd", "is_billed"}),
            **key,
            "prompt_tokens": counts.prompt_tokens if counts else None,
            "cached_tokens": counts.cached_tokens if counts else None,
            "completion_tokens": counts.completion_tokens if counts else None,
            "reasoning_tokens": counts.reasoning_tokens if counts else None,
            "cost_nanousd": None if cost is None else to_nano(cost),
            "counted_tokens": counted[0],
            "counted_nanousd": counted[1],
            "budget_left_tokens": left[0] if left else None,
            "budget_left_nanousd": left[1] if left else None,
            "settled_at": stamp(at),
        },
    )
