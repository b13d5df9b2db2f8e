"""Books of the calls of one endpoint: what an attempt may take, and what it came to."""

from dataclasses import dataclass
from decimal import Decimal

from flows import clock
from flows.engines.client import Received, Rejected
from flows.engines.replies import Completion
from flows.engines.requests import Body, Request
from flows.ledger import Ledger
from flows.ledger.entries import Bounds, Call, Counts, Estimate, Refusal, Settlement
from flows.prices import PriceList
from transforms.values import CallOutcome, Usage, Value


@dataclass(frozen=True)
class Attempt:
    """An attempt at a call."""

    call: Call
    number: int
    request: Request
    body: Body
    waited_ms: int = 0
    """Time the call has taken so far, in earlier attempts and pauses."""


class Answered(Value):
    """An attempt that brought a reply."""

    attempt: int
    body: str
    completion: Completion
    outcome: CallOutcome
    usage: Usage


class Books:
    """Reserves and settles attempts at the prices and within the bounds in force."""

    def __init__(self, ledger: Ledger, bounds: Bounds, prices: PriceList, *, is_batch: bool):
        self._ledger = ledger
        self._bounds = bounds
        self._prices = prices
        self._is_batch = is_batch

    def estimate(self, attempt: Attempt) -> Estimate:
        """Return the most that an attempt may use: its prompt and the longest reply."""
        counts = Counts(
            prompt_tokens=attempt.request.count_prompt_tokens(attempt.body),
            completion_tokens=attempt.request.max_completion_tokens,
        )
        cost = self._prices.cost(
            attempt.call.model, counts, at=clock.now(), is_batch=self._is_batch
        )
        return Estimate(tokens=counts.tokens, usd=cost.usd)

    def reserve(self, attempt: Attempt, estimate: Estimate) -> Refusal | None:
        """Write an attempt before it is sent, or nothing when a bound forbids it."""
        return self._ledger.reserve(
            attempt.call, attempt.number, estimate, self._bounds, at=clock.now()
        )

    def settle(
        self, attempt: Attempt, n_reserved: int, response: Received | Rejected, latency_ms: int
    ) -> Answered | Rejected:
        """Write how an attempt ended and return it; a response without a reply is rejected."""
        if isinstance(response, Rejected):
            return self._settle_rejected(attempt, response, latency_ms)
        completion = attempt.request.read(response.body)
        if completion is not None:
            return self._settle_answered(attempt, n_reserved, response, completion, latency_ms)
        empty = Rejected(
            outcome="malformed",
            message="the response holds no reply; check that base_url is an OpenAI-compatible API",
            http_status=response.http_status,
            is_retryable=True,
            is_billed=True,
        )
        return self._settle_rejected(attempt, empty, latency_ms)

    def _settle_answered(
        self,
        attempt: Attempt,
        n_reserved: int,
        response: Received,
        completion: Completion,
        latency_ms: int,
    ) -> Answered:
        counts = completion.counts
        settlement = self._settlement(attempt, response, completion, latency_ms)
        response_kept = None
        if attempt.request.is_response_kept:
            elapsed_ms = 0 if self._is_batch else attempt.waited_ms + latency_ms
            response_kept = (response.body, elapsed_ms)
        self._ledger.settle(
            attempt.call,
            attempt.number,
            settlement,
            self._bounds,
            at=clock.now(),
            response=response_kept,
        )
        usage = Usage(prompt_tokens=n_reserved, cost_usd=None, n_calls=1)
        if counts:
            usage = Usage(cost_usd=settlement.cost_usd, n_calls=1, **counts.model_dump())
        return Answered(
            attempt=attempt.number,
            body=response.body,
            completion=completion,
            outcome=settlement.outcome,
            usage=usage,
        )

    def _settlement(
        self, attempt: Attempt, response: Received, completion: Completion, latency_ms: int
    ) -> Settlement:
        settlement = Settlement(
            outcome=outcome_of(completion, attempt.request),
            latency_ms=latency_ms,
            http_status=response.http_status,
            finish_reason=completion.finish_reason,
            counts=completion.counts,
            error=completion.refusal,
            is_billed=True,
        )
        if completion.counts is None:
            return settlement
        cost = self._prices.cost(
            attempt.call.model, completion.counts, at=clock.now(), is_batch=self._is_batch
        )
        return settlement.model_copy(update={"cost_usd": cost.usd, "price_source": cost.source})

    def _settle_rejected(self, attempt: Attempt, rejected: Rejected, latency_ms: int) -> Rejected:
        settlement = Settlement(
            outcome=rejected.outcome,
            latency_ms=latency_ms,
            http_status=rejected.http_status,
            cost_usd=None if rejected.is_billed else Decimal(0),
            error=rejected.message,
            is_billed=rejected.is_billed,
        )
        self._ledger.settle(attempt.call, attempt.number, settlement, self._bounds, at=clock.now())
        return rejected


def outcome_of(completion: Completion, request: Request) -> CallOutcome:
    """Return how a call with this reply ended."""
    if completion.is_refused:
        return "refused"
    if request.is_readable(completion.text):
        return "ok"
    return "truncated" if completion.is_truncated else "malformed"
