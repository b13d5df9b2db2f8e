"""The engine that asks by the Batch API, at half the price, where waiting is all it takes.

The first request of every pair, on either route, travels in a job. What follows depends on its
answer and is asked live: corrections, next candidates, later passes. What no job answers until the
deadline is asked live too.
"""

import asyncio
import itertools

from flows.engines.asking import Asked, Asker
from flows.engines.batch_api import BatchApi
from flows.engines.batch_jobs import BatchJobs, Pace
from flows.engines.books import Answered, Attempt, Books
from flows.engines.caller import Caller
from flows.engines.live import OpenAIEngine
from flows.engines.patience import Patience
from flows.engines.requests import Request
from flows.engines.tiers import Models
from flows.ledger.entries import Call, Refusal


class OpenAIBatchEngine(OpenAIEngine):
    """Asks in batch jobs first and live afterwards. It belongs to one event loop."""

    name = "openai-batch"

    def __init__(self, caller: Caller, models: Models, pace: Pace) -> None:
        super().__init__(caller, models)
        settings = caller.settings
        books = Books(caller.ledger, settings.bounds, settings.prices, is_batch=True)
        api = BatchApi(caller.client, settings.timeout_s)
        self._pace = pace
        self._jobs = BatchJobs(api, caller.endpoint, caller.ledger, books, pace)

    async def close(self) -> None:
        """Close the connections; jobs under way are followed by the next process."""
        await self._jobs.close()
        await super().close()

    async def _send(self, asker: Asker, request: Request, model: str, *, is_lowered: bool) -> Asked:
        is_first = (asker.iteration_number, asker.step, asker.seq) == (1, 1, 1)
        asked = await self._ask_in_job(asker, request, model) if is_first else None
        return asked or await super()._send(asker, request, model, is_lowered=is_lowered)

    async def _ask_in_job(self, asker: Asker, request: Request, model: str) -> Asked | None:
        """Answer a request by a job, or return null when it is to be asked live."""
        call = self._caller.prepare(asker, request, model)
        async with self._caller.alone(call):
            asked = self._caller.recall(call, request)
            if asked is None:
                asked = await self._await_jobs(call, request)
        if asked is not None:
            self._caller.ledger.record_step(call, asker.seq, asked.step(call))
        return asked

    async def _await_jobs(self, call: Call, request: Request) -> Asked | None:
        """Send a request in one job after the other until one answers it or none will."""
        self._caller.ledger.record_request(call, request.canonical)
        body = request.body(self._caller.form(call.model))
        patience = Patience(self._caller.settings.max_attempts)
        for number in itertools.count(1):
            outcome = await self._jobs.result(Attempt(call, number, request, body))
            if isinstance(outcome, Refusal):
                return Asked(failure="over_budget", message=outcome.message)
            if isinstance(outcome, Answered):
                return self._caller.recall(call, request)
            if patience.pause_s(outcome) is None:
                return None
            await asyncio.sleep(self._pace.poll_s)
        raise AssertionError("unreachable: patience ends")
