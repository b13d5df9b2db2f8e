"""Calls gathered into batch jobs, and the jobs followed to their end, by this process or the next.

A job and all that travels in it is written to the ledger before the endpoint is told. Whoever
opens the ledger later follows the jobs that are still open, so that nothing is asked twice.
"""

import asyncio
from collections.abc import Coroutine, Sequence
from datetime import datetime, timedelta
from uuid import uuid4

from flows import clock
from flows.engines.batch_api import BatchApi, Job, request_line
from flows.engines.books import Answered, Attempt, Books
from flows.engines.client import Received, Rejected
from flows.engines.replies import read_completion
from flows.engines.requests import Body, Request
from flows.ledger import Ledger
from flows.ledger.entries import BatchItem, BatchJob, Refusal
from transforms.values import Value

LINES_PER_JOB = 50_000
"""OpenAI's bound on the lines of one file."""
ADOPTION_S = 60.0
"""A job that the endpoint does not list this long after it was written was never begun."""

Outcome = Answered | Rejected | Refusal
_MISSING = Rejected(
    outcome="cancelled", message="the job ended without a result for it", is_retryable=True
)
_LATE = Rejected(outcome="cancelled", message="the job did not end in time", is_billed=True)


class Pace(Value):
    """How long to gather calls, to wait between looks at a job, and for a job in all."""

    gather_s: float
    poll_s: float
    deadline_s: float


class BatchJobs:
    """Gathers attempts into jobs of one endpoint and hands their results back."""

    def __init__(self, api: BatchApi, endpoint: str, ledger: Ledger, books: Books, pace: Pace):
        self._api = api
        self._endpoint = endpoint
        self._ledger = ledger
        self._books = books
        self._pace = pace
        self._gathered: list[Attempt] = []
        self._requests: dict[str, Request] = {}
        self._waiting: dict[str, asyncio.Future[Outcome]] = {}
        """The result of each request hash that is gathered or under way."""
        self._tasks: set[asyncio.Task[None]] = set()
        self._has_adopted = False

    async def result(self, attempt: Attempt) -> Outcome:
        """Return what a job brings for a request; one that is under way already is waited for."""
        self._adopt()
        key = attempt.call.request_hash
        self._requests[key] = attempt.request
        if key not in self._waiting:
            self._waiting[key] = asyncio.get_running_loop().create_future()
            self._gathered.append(attempt)
            if len(self._gathered) == 1:
                self._start(self._submit_when_quiet())
        return await asyncio.shield(self._waiting[key])

    async def close(self) -> None:
        """Stop following; open jobs stay open in the ledger for the next process."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def _adopt(self) -> None:
        """Follow the jobs that an earlier process left open."""
        if self._has_adopted:
            return
        self._has_adopted = True
        for job, items in self._ledger.open_jobs(self._endpoint).items():
            for item in items:
                future = asyncio.get_running_loop().create_future()
                self._waiting.setdefault(item.call.request_hash, future)
            self._start(self._follow(job, items))

    async def _submit_when_quiet(self) -> None:
        """Send what was gathered once nobody has added to it for a while."""
        n_gathered = 0
        while n_gathered < len(self._gathered) < LINES_PER_JOB:
            n_gathered = len(self._gathered)
            await asyncio.sleep(self._pace.gather_s)
        attempts, self._gathered = self._gathered, []
        for first in range(0, len(attempts), LINES_PER_JOB):
            self._start(self._submit(attempts[first : first + LINES_PER_JOB]))

    async def _submit(self, attempts: Sequence[Attempt]) -> None:
        """Reserve, write down and send one job; what no budget allows is not in it."""
        job = BatchJob(token=uuid4().hex, job_id=None, submitted_at=clock.now())
        with self._ledger.together():
            reserved = [item for each in attempts if (item := self._reserved(each))]
            items = [item for item, _ in reserved]
            if items:
                self._ledger.open_job(job.token, self._endpoint, items, at=job.submitted_at)
        if not items:
            return
        lines = [request_line(item.custom_id, body) for item, body in reserved]
        created = await self._api.create(lines, job.token)
        if isinstance(created, Rejected) and created.is_retryable:
            created = await self._api.find(job.token) or created
        if isinstance(created, Rejected):
            self._end(job, items, {}, created)
            return
        self._ledger.name_job(job.token, created.job_id)
        await self._follow(job.model_copy(update={"job_id": created.job_id}), items)

    def _reserved(self, attempt: Attempt) -> tuple[BatchItem, Body] | None:
        """Reserve an attempt; one that no budget allows is refused to whoever waits for it."""
        estimate = self._books.estimate(attempt)
        if refusal := self._books.reserve(attempt, estimate):
            self._resolve(attempt.call.request_hash, refusal)
            return None
        item = BatchItem(
            custom_id=f"{attempt.call.call_id}-{attempt.number}",
            call=attempt.call,
            attempt=attempt.number,
            n_reserved=estimate.tokens,
        )
        return item, attempt.body

    async def _follow(self, record: BatchJob, items: Sequence[BatchItem]) -> None:
        """Look at a job until it is over or its time is up, and hand its results out."""
        deadline = record.submitted_at + timedelta(seconds=self._pace.deadline_s)
        grace = timedelta(seconds=max(self._pace.deadline_s, self._pace.poll_s))
        job_id, is_cancelled = record.job_id, False
        while clock.now() < deadline + grace:
            job_id = job_id or await self._find(record)
            if job_id is None:
                if clock.now() > record.submitted_at + timedelta(seconds=ADOPTION_S):
                    break
            else:
                job = await self._api.read(job_id)
                if isinstance(job, Job) and job.is_over:
                    results = await self._results(job)
                    if results is not None:
                        self._end(record, items, results, _missing(job, deadline))
                        return
                elif clock.now() >= deadline and not is_cancelled:
                    is_cancelled = isinstance(await self._api.cancel(job_id), Job)
            await asyncio.sleep(self._pace.poll_s)
        self._end(record, items, {}, _LATE if job_id else _MISSING)

    async def _find(self, record: BatchJob) -> str | None:
        """Return the endpoint's name of a job that was written down but not named."""
        found = await self._api.find(record.token)
        if not isinstance(found, Job):
            return None
        self._ledger.name_job(record.token, found.job_id)
        return found.job_id

    async def _results(self, job: Job) -> dict[str, Received | Rejected] | None:
        """Return the results of a finished job, or null when they have to be asked for again."""
        results = await self._api.results(job)
        if not isinstance(results, Rejected):
            return results
        return None if results.is_retryable else {}

    def _end(
        self,
        record: BatchJob,
        items: Sequence[BatchItem],
        results: dict[str, Received | Rejected],
        missing: Rejected,
    ) -> None:
        """Settle all that travelled in a job and let those who wait go on."""
        latency_ms = round((clock.now() - record.submitted_at).total_seconds() * 1000)
        with self._ledger.together():
            outcomes = [self._settled(item, results, missing, latency_ms) for item in items]
            self._ledger.close_job(record.token, at=clock.now())
        for item, outcome in zip(items, outcomes, strict=True):
            self._resolve(item.call.request_hash, outcome)

    def _settled(
        self,
        item: BatchItem,
        results: dict[str, Received | Rejected],
        missing: Rejected,
        latency_ms: int,
    ) -> Answered | Rejected:
        request = self._requests.get(item.call.request_hash, _unread(item))
        attempt = Attempt(item.call, item.attempt, request, {})
        result = results.get(item.custom_id, missing)
        return self._books.settle(attempt, item.n_reserved, result, latency_ms)

    def _resolve(self, key: str, outcome: Outcome) -> None:
        future = self._waiting.pop(key, None)
        if future and not future.done():
            future.set_result(outcome)

    def _start(self, work: Coroutine[None, None, None]) -> None:
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._ended)

    def _ended(self, task: asyncio.Task[None]) -> None:
        """Let nobody wait for a task that crashed."""
        self._tasks.discard(task)
        if task.cancelled() or (error := task.exception()) is None:
            return
        for future in self._waiting.values():
            if not future.done():
                future.set_exception(error)


def _missing(job: Job, deadline: datetime) -> Rejected:
    """Return what a finished job says of a call without a result; at the deadline it is final."""
    told = f"the batch job {job.status}" + (f": {job.error}" if job.error else "")
    is_in_time = clock.now() < deadline
    return Rejected(outcome="cancelled", message=told, is_retryable=is_in_time)


def _unread(item: BatchItem) -> Request:
    """Return a reader for a response that nobody has asked for yet in this process."""
    return Request(
        path="/chat/completions",
        canonical={"request_hash": item.call.request_hash},
        body=lambda _: {},
        count_prompt_tokens=lambda _: item.n_reserved,
        max_completion_tokens=0,
        read=read_completion,
        is_readable=bool,
    )
