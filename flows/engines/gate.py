"""How many calls may be on their way to an endpoint, and when the next may leave.

The gate learns from the endpoint: `x-ratelimit-*` headers say how many requests and tokens are
left and when they are there again; a 429 closes the gate until it is over, for every process that
shares the ledger.
"""

import asyncio
import re
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from datetime import timedelta

from flows import clock
from flows.engines.slots import slots_of
from flows.ledger import Ledger

_SECONDS = {"ms": 0.001, "s": 1.0, "m": 60.0, "h": 3600.0, "d": 86_400.0}
_DURATION = re.compile(r"(\d+(?:\.\d+)?)(ms|s|m|h|d)?")
LONGEST_PAUSE_S = 60.0
"""A wait that an endpoint asks for is cut here: then it is asked again."""


class Gate:
    """A bound on calls in flight at one endpoint, with the endpoint's own rate limits."""

    def __init__(self, endpoint: str, concurrency: int, ledger: Ledger) -> None:
        self._endpoint = endpoint
        self._ledger = ledger
        self._slots = slots_of(endpoint, concurrency)
        self._tokens_left: int | None = None
        self._tokens_reset_at = 0.0

    @asynccontextmanager
    async def passage(self, n_tokens: int) -> AsyncIterator[None]:
        """Wait for a slot and for the endpoint to have room for a call of so many tokens."""
        async with self._slots:
            while (wait_s := max(self._pause_s(), self._refill_s(n_tokens))) > 0:
                await asyncio.sleep(wait_s)
            if self._tokens_left is not None:
                self._tokens_left -= n_tokens
            yield

    def close_for(self, seconds: float) -> None:
        """Let nobody pass for a while: the endpoint said so."""
        pause = timedelta(seconds=min(seconds, LONGEST_PAUSE_S))
        self._ledger.pause_endpoint(self._endpoint, until=clock.now() + pause)

    def learn(self, headers: Mapping[str, str]) -> None:
        """Take in what an endpoint says about its limits."""
        if headers.get("x-ratelimit-remaining-requests") == "0":
            self.close_for(duration_s(headers.get("x-ratelimit-reset-requests", "")))
        tokens_left = headers.get("x-ratelimit-remaining-tokens", "")
        if tokens_left.isdecimal():
            reset_s = duration_s(headers.get("x-ratelimit-reset-tokens", ""))
            self._tokens_left = int(tokens_left)
            self._tokens_reset_at = clock.tick() + min(reset_s, LONGEST_PAUSE_S)

    def _pause_s(self) -> float:
        until = self._ledger.paused_until(self._endpoint)
        return 0.0 if until is None else (until - clock.now()).total_seconds()

    def _refill_s(self, n_tokens: int) -> float:
        """Return the wait until the endpoint has so many tokens again."""
        if self._tokens_left is None or self._tokens_left >= n_tokens:
            return 0.0
        wait_s = self._tokens_reset_at - clock.tick()
        if wait_s <= 0:
            self._tokens_left = None
        return wait_s


def duration_s(text: str) -> float:
    """Return seconds of a duration as endpoints write it: "6m0s", "21ms", "1.5"."""
    return sum(float(number) * _SECONDS[unit or "s"] for number, unit in _DURATION.findall(text))
