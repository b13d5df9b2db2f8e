"""One attempt at a call: reserved, sent, settled."""

import asyncio

from flows import clock
from flows.engines.books import Answered, Attempt, Books
from flows.engines.client import Client, Rejected
from flows.engines.gate import Gate
from flows.ledger.entries import Refusal

_STOPPED = Rejected(outcome="cancelled", message="stopped while in flight", is_billed=True)
_SHORTEST_S = 0.001


class Attempts:
    """Makes attempts at calls of one endpoint."""

    def __init__(self, client: Client, books: Books, gate: Gate, timeout_s: float) -> None:
        self._client = client
        self._books = books
        self._gate = gate
        self._timeout_s = timeout_s

    async def make(self, attempt: Attempt) -> tuple[Answered | Rejected | Refusal, int]:
        """Make an attempt; return what came of it and how long the endpoint took, in ms."""
        estimate = self._books.estimate(attempt)
        async with self._gate.passage(estimate.tokens):
            if refusal := self._books.reserve(attempt, estimate):
                return refusal, 0
            started = clock.tick()
            try:
                response = await self._client.post(
                    attempt.request.path, attempt.body, timeout_s=self._time_left_s(attempt)
                )
            except asyncio.CancelledError:
                self._books.settle(attempt, estimate.tokens, _STOPPED, clock.elapsed_ms(started))
                raise
        self._gate.learn(response.headers)
        latency_ms = clock.elapsed_ms(started)
        return self._books.settle(attempt, estimate.tokens, response, latency_ms), latency_ms

    def _time_left_s(self, attempt: Attempt) -> float:
        """Return the time an attempt may take: its own bound, or what is left to the pair."""
        left = attempt.call.budget_left
        if left is None:
            return self._timeout_s
        return min(self._timeout_s, max((left.ms - attempt.waited_ms) / 1000, _SHORTEST_S))
