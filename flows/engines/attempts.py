"""One attempt at a call: reserved, sent, settled."""

import asyncio
from dataclasses import dataclass

from flows import clock
from flows.engines.client import Client, Received, Rejected
from flows.engines.gate import Gate
from flows.engines.replies import Completion
from flows.engines.requests import Body, Request
from flows.ledger import Ledger
from flows.ledger.entries import Bounds, Call, Counts, Estimate, Refusal, Settlement
from flows.prices import PriceList
from transforms.values import CallOutcome, Usage, Value


class CallSettings(Value):
    """How calls are made."""

    bounds: Bounds
    prices: PriceList
    timeout_s: float
    max_attempts: int
    is_refresh: bool = False
    """Ask again what was answered before the run began."""


class Answered(Value):
    """An attempt that brought a reply."""

    attempt: int
    body: str
    completion: Completion
    outcome: CallOutcome
    usage: Usage


@dataclass(frozen=True)
class Attempt:
    """An attempt that is about to be made."""

    call: Call
    number: int
    request: Request
    body: Body
    waited_ms: int
    """Time the call has taken so far, in earlier attempts and pauses."""


class Attempts:
    """Makes attempts at calls of one endpoint."""

    def __init__(self, client: Client, ledger: Ledger, gate: Gate, settings: CallSettings) -> None:
        self._client = client
        self._ledger = ledger
        self._gate = gate
        self._settings = settings

    async def make(self, attempt: Attempt) -> tuple[Answered | Rejected | Refusal, int]:
        """Make an attempt; return what came of it and how long the endpoint took, in ms."""
        call, bounds = attempt.call, self._settings.bounds
        estimate = self._estimate(attempt)
        async with self._gate.passage(estimate.tokens):
            refusal = self._ledger.reserve(call, attempt.number, estimate, bounds, at=clock.now())
            if refusal:
                return refusal, 0
            started = clock.tick()
            try:
                response = await self._client.post(
                    attempt.request.path, attempt.body, timeout_s=self._timeout_s(attempt)
                )
            except asyncio.CancelledError:
                gone = Rejected(outcome="cancelled", message="stopped", is_billed=True)
                self._settle_rejected(attempt, gone, clock.elapsed_ms(started))
                raise
        self._gate.learn(response.headers)
        return self._settled(attempt, estimate, response, clock.elapsed_ms(started))

    def _settled(
        self, attempt: Attempt, estimate: Estimate, response: Received | Rejected, latency_ms: int
    ) -> tuple[Answered | Rejected, int]:
        if isinstance(response, Rejected):
            self._settle_rejected(attempt, response, latency_ms)
            return response, latency_ms
        completion = attempt.request.read(response.body)
        if completion is None:
            empty = Rejected(
                outcome="malformed",
                message="the response holds no reply",
                http_status=response.http_status,
                is_retryable=True,
                is_billed=True,
            )
            self._settle_rejected(attempt, empty, latency_ms)
            return empty, latency_ms
        answered = self._settle_answered(attempt, estimate, response, completion, latency_ms)
        return answered, latency_ms

    def _settle_answered(
        self,
        attempt: Attempt,
        estimate: Estimate,
        response: Received,
        completion: Completion,
        latency_ms: int,
    ) -> Answered:
        call, counts = attempt.call, completion.counts
        outcome = outcome_of(completion, attempt.request)
        cost = self._settings.prices.cost(call.model, counts, at=clock.now()) if counts else None
        settlement = Settlement(
            outcome=outcome,
            latency_ms=latency_ms,
            http_status=response.http_status,
            finish_reason=completion.finish_reason,
            counts=counts,
            cost_usd=cost.usd if cost else None,
            price_source=cost.source if cost else None,
            error=completion.refusal,
            is_billed=True,
        )
        self._ledger.settle(
            call,
            attempt.number,
            settlement,
            self._settings.bounds,
            at=clock.now(),
            response=(response.body, attempt.waited_ms + latency_ms)
            if attempt.request.is_response_kept
            else None,
        )
        usage = Usage(prompt_tokens=estimate.tokens, cost_usd=None, n_calls=1)
        if counts:
            usage = Usage(cost_usd=settlement.cost_usd, n_calls=1, **counts.model_dump())
        return Answered(
            attempt=attempt.number,
            body=response.body,
            completion=completion,
            outcome=outcome,
            usage=usage,
        )

    def _settle_rejected(self, attempt: Attempt, rejected: Rejected, latency_ms: int) -> None:
        settlement = Settlement(
            outcome=rejected.outcome,
            latency_ms=latency_ms,
            http_status=rejected.http_status,
            error=rejected.message,
            is_billed=rejected.is_billed,
        )
        self._ledger.settle(
            attempt.call, attempt.number, settlement, self._settings.bounds, at=clock.now()
        )

    def _estimate(self, attempt: Attempt) -> Estimate:
        request = attempt.request
        counts = Counts(
            prompt_tokens=request.count_prompt_tokens(attempt.body),
            completion_tokens=request.max_completion_tokens,
        )
        cost = self._settings.prices.cost(attempt.call.model, counts, at=clock.now())
        return Estimate(tokens=counts.tokens, usd=cost.usd)

    def _timeout_s(self, attempt: Attempt) -> float:
        """Return the time an attempt may take: its own bound, or what is left to the pair."""
        left = attempt.call.budget_left
        if left is None:
            return self._settings.timeout_s
        left_s = (left.ms - attempt.waited_ms) / 1000
        return min(self._settings.timeout_s, max(left_s, 0.001))


def outcome_of(completion: Completion, request: Request) -> CallOutcome:
    """Return how a call with this reply ended."""
    if completion.is_refused:
        return "refused"
    if request.is_readable(completion.text):
        return "ok"
    return "truncated" if completion.is_truncated else "malformed"
