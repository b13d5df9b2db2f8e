"""What bounds count: one counter per run, day and month, moved in the attempt's transaction."""

from typing import Any, Literal

from flows.ledger.entries import (
    Bound,
    Bounds,
    Call,
    Estimate,
    Refusal,
    Settlement,
    from_nano,
    to_nano,
)
from flows.ledger.store import Transaction

BoundName = Literal["call", "pair", "run", "day", "month"]
Left = tuple[int, int]
"""Tokens and billionths of a US dollar."""


def exceeded(call: Call, estimate: Estimate, bounds: Bounds) -> Refusal | None:
    """Check the bounds that need no counter: one call's, and what is left of the pair's."""
    if refusal := _refusal("call", estimate, _left(bounds.call)):
        return refusal
    if call.budget_left is None:
        return None
    left = Bound(tokens=call.budget_left.tokens, usd=call.budget_left.usd)
    return _refusal("pair", estimate, _left(left))


def reserve(
    transaction: Transaction, run_id: str | None, called_at: str, estimate: Estimate, bounds: Bounds
) -> Refusal | None:
    """Count an estimate for every counted bound; count nothing when one of them forbids it."""
    scopes = _scopes(transaction, run_id, called_at)
    for scope, key in scopes:
        left = _left(getattr(bounds, scope), *_spent(transaction, scope, key))
        if refusal := _refusal(scope, estimate, left):
            return refusal
    for scope, key in scopes:
        _count(transaction, scope, key, (estimate.tokens, to_nano(estimate.usd or from_nano(0))))
    return None


def settle(transaction: Transaction, row: dict[str, Any], settlement: Settlement) -> Left:
    """Count what an attempt came to instead of its reservation, and return it."""
    reserved = (row["reserved_tokens"], row["reserved_nanousd"])
    if settlement.counts:
        counted = settlement.counts.tokens, to_nano(settlement.cost_usd or from_nano(0))
    else:
        counted = reserved if settlement.is_billed else (0, 0)
    change = counted[0] - reserved[0], counted[1] - reserved[1]
    for scope, key in _scopes(transaction, row["run_id"], row["called_at"]):
        _count(transaction, scope, key, change)
    return counted


def narrowest_left(
    transaction: Transaction, call: Call, called_at: str, bounds: Bounds, counted: Left
) -> Left:
    """Return what is left of the narrowest bound after an attempt that came to `counted`."""
    lefts = [
        _left(getattr(bounds, scope), *_spent(transaction, scope, key))
        for scope, key in _scopes(transaction, call.run_id, called_at)
    ]
    if call.budget_left:
        pair = Bound(tokens=call.budget_left.tokens, usd=call.budget_left.usd)
        lefts.append(_left(pair, *counted))
    return min(tokens for tokens, _ in lefts), min(nanousd for _, nanousd in lefts)


def spent(transaction: Transaction, run_id: str) -> Left:
    """Return what a run and those it resumes used, with what is reserved right now."""
    rows = transaction.run("select root_run_id from run where run_id = :run_id", {"run_id": run_id})
    return _spent(transaction, "run", rows[0]["root_run_id"] if rows else run_id)


def _left(bound: Bound, tokens: int = 0, nanousd: int = 0) -> Left:
    return bound.tokens - tokens, to_nano(bound.usd) - nanousd


def _refusal(scope: BoundName, estimate: Estimate, left: Left) -> Refusal | None:
    nanousd = to_nano(estimate.usd or from_nano(0))
    if estimate.tokens <= left[0] and nanousd <= left[1]:
        return None
    return Refusal(
        bound=scope,
        message=f"the call may take {estimate.tokens} tokens and {from_nano(nanousd):f} USD; the"
        f" budget of the {scope} has {left[0]} tokens and {from_nano(left[1]):f} USD left",
    )


def _scopes(
    transaction: Transaction, run_id: str | None, called_at: str
) -> tuple[tuple[BoundName, str], ...]:
    """Return the counters an attempt moves. A resumed run counts for the run it continues."""
    dates: tuple[tuple[BoundName, str], ...] = (("day", called_at[:10]), ("month", called_at[:7]))
    if run_id is None:
        return dates
    rows = transaction.run("select root_run_id from run where run_id = :run_id", {"run_id": run_id})
    return (("run", rows[0]["root_run_id"] if rows else run_id), *dates)


def _spent(transaction: Transaction, scope: str, key: str) -> Left:
    rows = transaction.run(
        "select tokens, nanousd from spending where scope = :scope and scope_key = :key",
        {"scope": scope, "key": key},
    )
    return (rows[0]["tokens"], rows[0]["nanousd"]) if rows else (0, 0)


def _count(transaction: Transaction, scope: str, key: str, change: Left) -> None:
    transaction.run(
        "insert into spending values (:scope, :key, :tokens, :nanousd)"
        " on conflict (scope, scope_key) do update set"
        " tokens = spending.tokens + excluded.tokens,"
        " nanousd = spending.nanousd + excluded.nanousd",
        {"scope": scope, "key": key, "tokens": change[0], "nanousd": change[1]},
    )
