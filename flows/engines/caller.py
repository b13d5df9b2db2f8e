"""One logical call: from the ledger if it was answered before, else sent until it is answered.

Retries live here and nowhere else. Equal requests of one process are sent once.
"""

import asyncio
import itertools
from datetime import datetime
from typing import Any
from uuid import uuid4
from weakref import WeakValueDictionary

from flows import clock
from flows.engines.asking import Asked, Asker
from flows.engines.attempts import Attempts
from flows.engines.books import Answered, Attempt, Books
from flows.engines.client import Client, Rejected
from flows.engines.forms import Form
from flows.engines.gate import Gate
from flows.engines.patience import Patience
from flows.engines.replies import Completion
from flows.engines.requests import Request
from flows.ledger import Ledger
from flows.ledger.entries import Bounds, Call, Refusal, request_hash
from flows.prices import PriceList
from transforms.values import Usage, Value


class CallSettings(Value):
    """How calls are made."""

    bounds: Bounds
    prices: PriceList
    concurrency: int
    timeout_s: float
    max_attempts: int
    is_refresh: bool = False
    """Ask again what was answered before the run began."""


class Caller:
    """Makes calls of one endpoint for one engine."""

    def __init__(self, engine: str, client: Client, ledger: Ledger, settings: CallSettings) -> None:
        self.client = client
        self.ledger = ledger
        self.settings = settings
        self._engine = engine
        self._gate = Gate(client.endpoint, settings.concurrency, ledger)
        books = Books(ledger, settings.bounds, settings.prices, is_batch=False)
        self._attempts = Attempts(client, books, self._gate, settings.timeout_s)
        self._began_at = clock.now()
        self._locks: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()

    @property
    def endpoint(self) -> str:
        """Return the base URL, without credentials."""
        return self.client.endpoint

    async def ask(
        self, asker: Asker, request: Request, model: str, *, is_lowered: bool = False
    ) -> Asked:
        """Answer a request, from the ledger or by the endpoint.

        With `is_lowered` the schema also goes into the prompt: the endpoint did not keep it.
        """
        call = self.prepare(asker, request, model)
        async with self.alone(call):
            asked = self.recall(call, request)
            if asked is None:
                asked = await self._send(call, request, is_lowered=is_lowered)
        self.ledger.record_step(call, asker.seq, asked.step(call))
        return asked

    def prepare(self, asker: Asker, request: Request, model: str) -> Call:
        """Return a new call."""
        return Call(
            call_id=uuid4().hex,
            engine=self._engine,
            endpoint=self.endpoint,
            model=model,
            request_hash=request_hash(request.canonical),
            **asker.model_dump(exclude={"seq", "budget_left"}),
            budget_left=asker.budget_left,
        )

    def alone(self, call: Call) -> asyncio.Lock:
        """Return what keeps equal requests one after the other."""
        return self._locks.setdefault(call.request_hash, asyncio.Lock())

    def recall(self, call: Call, request: Request) -> Asked | None:
        """Return the response that the ledger holds.

        What this step paid itself, before it was interrupted, counts as its own; what another step
        paid costs nothing.
        """
        stored = self.ledger.find_response(call.request_hash, since=self._fresh_since(call))
        completion = request.read(stored.body) if stored else None
        if stored is None or completion is None:
            return None
        return Asked(
            completion=completion,
            body=stored.body,
            answered_by=(stored.call.call_id, stored.attempt),
            usage=stored.usage if self._is_own(call, stored.call) else Usage(n_calls_reused=1),
            elapsed_ms=stored.elapsed_ms,
            **_refused(completion),
        )

    def form(self, model: str) -> Form:
        """Return the richest form that is not known to be refused."""
        known = self.ledger.read_form(self.endpoint, model)
        return Form.model_validate_json(known) if known else Form()

    async def close(self) -> None:
        """Close the connections."""
        await self.client.close()

    def _fresh_since(self, call: Call) -> datetime | None:
        if not self.settings.is_refresh:
            return None
        _, started_at = self.ledger.root_run(call.run_id)
        return started_at or self._began_at

    def _is_own(self, call: Call, paid: Call) -> bool:
        return (
            call.pair_id is not None
            and _step_of(call) == _step_of(paid)
            and self.ledger.root_run(call.run_id)[0] == self.ledger.root_run(paid.run_id)[0]
        )

    async def _send(self, call: Call, request: Request, *, is_lowered: bool) -> Asked:
        """Send a request until it is answered, cannot be, or its attempts or time are used up."""
        self.ledger.record_request(call, request.canonical)
        known = form = self.form(call.model)
        if is_lowered:
            form = form.lower() or form
        patience = Patience(self.settings.max_attempts)
        elapsed_ms = 0
        for number in itertools.count(1):
            body = request.body(form)
            attempt = Attempt(call, number, request, body, elapsed_ms)
            result, latency_ms = await self._attempts.make(attempt)
            elapsed_ms += latency_ms
            if isinstance(result, Refusal):
                return Asked(failure="over_budget", message=result.message, elapsed_ms=elapsed_ms)
            if isinstance(result, Answered):
                if form != known and result.outcome == "ok":
                    self._learn(call.model, form)
                return _asked(result, call, elapsed_ms)
            other = None if result.is_context_too_long else form.without(result)
            if other and request.body(other) != body:
                form = other
                continue
            pause_s = patience.pause_s(result)
            if pause_s is None or not _has_time(call, elapsed_ms + pause_s * 1_000):
                return Asked(
                    failure="context_too_long" if result.is_context_too_long else "endpoint",
                    message=result.message,
                    elapsed_ms=elapsed_ms,
                )
            elapsed_ms += await self._pause(result, pause_s)
        raise AssertionError("unreachable: patience ends")

    async def _pause(self, rejected: Rejected, pause_s: float) -> int:
        """Wait before the next attempt; when the endpoint is overrun, everybody waits."""
        if rejected.outcome == "rate_limited":
            self._gate.close_for(pause_s)
        started = clock.tick()
        await asyncio.sleep(pause_s)
        return clock.elapsed_ms(started)

    def _learn(self, model: str, form: Form) -> None:
        self.ledger.record_form(self.endpoint, model, form.model_dump_json(), at=clock.now())


def _has_time(call: Call, elapsed_ms: float) -> bool:
    """Return whether a pair would have time left after so long."""
    return call.budget_left is None or elapsed_ms < call.budget_left.ms


def _asked(answered: Answered, call: Call, elapsed_ms: int) -> Asked:
    return Asked(
        completion=answered.completion,
        body=answered.body,
        answered_by=(call.call_id, answered.attempt),
        usage=answered.usage,
        elapsed_ms=elapsed_ms,
        **_refused(answered.completion),
    )


def _refused(completion: Completion) -> dict[str, Any]:
    """Return the failure that a declined reply is: it was paid for, and is no answer."""
    if not completion.is_refused:
        return {}
    said = completion.refusal or "its content filter stopped the reply"
    return {"failure": "refused", "message": f"the model declined to answer: {said}"}


def _step_of(call: Call) -> tuple[object, ...]:
    return (call.pair_id, call.purpose, call.iteration_number, call.step)
