"""The engine that asks by the Batch API, at half the price, where waiting is all it takes.

The first request of every pair, on either route, travels in a job. What follows depends on its
answer and is asked live: corrections, next candidates, later passes. What no job answers until the
deadline is asked live too.
"""

import asyncio
import itertools
from collections.abc import Callable

from flows.engines.answering import answer
from flows.engines.asking import Asked, Asker
from flows.engines.batch_api import BatchApi
from flows.engines.batch_jobs import BatchJobs, Pace
from flows.engines.books import Answered, Attempt, Books
from flows.engines.caller import Caller
from flows.engines.patience import Patience
from flows.engines.requests import Request, generation_request
from flows.engines.tiers import Models
from flows.ledger.entries import Call, Refusal
from transforms.values import Generated, GenerateTask, GenerationRequest


class OpenAIBatchEngine:
    """Asks in batch jobs first and live afterwards. It belongs to one event loop."""

    name = "openai-batch"

    def __init__(self, caller: Caller, models: Models, pace: Pace) -> None:
        self.model: str | None = models.standard
        self._models = models
        self._caller = caller
        settings = caller.settings
        books = Books(caller.ledger, settings.bounds, settings.prices, is_batch=True)
        api = BatchApi(caller.client, settings.timeout_s)
        self._pace = pace
        self._jobs = BatchJobs(api, caller.endpoint, caller.ledger, books, pace)

    async def answer(self, task: GenerateTask) -> Generated:
        """Answer from the windows by the model of the task's tier."""
        models = self._models
        return await answer(task, self._ask, models.of_tier(task.model_tier), models.judge)

    async def close(self) -> None:
        """Close the connections; jobs under way are followed by the next process."""
        await self._jobs.close()
        await self._caller.close()

    async def _ask(
        self,
        asker: Asker,
        request: GenerationRequest,
        is_readable: Callable[[str], bool],
        *,
        model: str,
        is_lowered: bool,
    ) -> Asked:
        outgoing = generation_request(
            request,
            endpoint=self._caller.endpoint,
            model=model,
            is_readable=is_readable,
        )
        is_first = (asker.iteration_number, asker.step, asker.seq) == (1, 1, 1)
        asked = await self._ask_in_job(asker, outgoing, model) if is_first else None
        return asked or await self._caller.ask(asker, outgoing, model, is_lowered=is_lowered)

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
