"""Show what was drawn of documents to the vision model of an ingest, and keep account of it.

Every call is reserved, settled and priced as an answer is, has no run, and is kept in the ledger: a
picture that was paid for is not paid for again, whatever becomes of the ingest.
"""

import asyncio
from collections.abc import Sequence
from concurrent.futures import CancelledError
from threading import Lock, Thread
from typing import Literal

from flows.clock import now
from flows.engines import make_assistant
from flows.engines.asking import Asked
from flows.engines.vision import read_description, read_lines
from flows.ingesting.looking import Seen, Stop
from flows.ledger import Ledger
from flows.settings import Settings
from transforms.parsing.looks import Look

MAX_FAILURES = 2
"""Calls in a row that the endpoint may fail to answer: then it is asked nothing more."""

CLOSE_TIMEOUT_S = 10


class Vision:
    """The vision model of one ingest. Threads share it.

    All calls leave from one event loop, so that equal pictures are asked about once and bounds of
    concurrency hold for all documents together.
    """

    def __init__(self, model: str, settings: Settings, ledger: Ledger) -> None:
        self.model = model
        self.stop: Stop | None = None
        """What stopped a call last; null when nothing did."""
        self._is_over = False
        self._is_closed, self._closing = False, Lock()
        self._n_failures = 0
        self._assistant = make_assistant(settings, ledger)
        self._loop = asyncio.new_event_loop()
        self._thread = Thread(target=self._loop.run_forever, name="vision", daemon=True)
        self._thread.start()

    def see(self, looks: Sequence[Look], doc_id: str) -> Seen:
        """Return what the model says of pages and images; what it fails to say is left out.

        Looks that could not be drawn are none: nothing is seen, and nothing stopped it. Raises
        CancelledError when it is closed meanwhile.
        """
        with self._closing:
            if self._is_closed:
                raise CancelledError
            asking = asyncio.run_coroutine_threadsafe(self._ask_all(looks, doc_id), self._loop)
        asked = asking.result()
        if self._is_closed:
            raise CancelledError
        readings: dict[int, tuple[str, ...]] = {}
        descriptions: dict[str, str] = {}
        for look, one in zip(looks, asked, strict=True):
            text = one.completion.text if one and one.completion and not one.failure else ""
            if look.purpose == "ocr_page":
                lines = read_lines(text)
                readings |= {} if lines is None else {look.page: lines}
            elif (description := read_description(text)) is not None:
                descriptions |= dict.fromkeys(look.image_ids, description)
        is_stopped = any(one is None or _stopped(one) for one in asked)
        return Seen(
            readings=readings, descriptions=descriptions, stop=self.stop if is_stopped else None
        )

    def close(self) -> None:
        """Give up what is on its way, and close the connections."""
        with self._closing:
            if self._is_closed:
                return
            self._is_closed = self._is_over = True
        closing = asyncio.run_coroutine_threadsafe(self._close(), self._loop)
        closing.result(CLOSE_TIMEOUT_S)
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(CLOSE_TIMEOUT_S)
        self._loop.close()

    async def _ask_all(self, looks: Sequence[Look], doc_id: str) -> list[Asked | None]:
        return await asyncio.gather(*(self._ask(look, doc_id) for look in looks))

    async def _ask(self, look: Look, doc_id: str) -> Asked | None:
        """Return what came of one look, null when nothing is asked any more."""
        if self._is_over:
            return None
        asked = await self._assistant.look(look, self.model, doc_id=doc_id)
        if code := _stopped(asked):
            self.stop = Stop(code=code, message=asked.message or code)
            self._n_failures += 1
            self._is_over |= code == "over_budget" or self._n_failures >= MAX_FAILURES
        else:
            self._n_failures = 0
        return asked

    async def _close(self) -> None:
        mine = asyncio.current_task()
        others = [task for task in asyncio.all_tasks() if task is not mine]
        for task in others:
            task.cancel()
        await asyncio.gather(*others, return_exceptions=True)
        await self._assistant.close()


def open_vision(model: str, settings: Settings, ledger: Ledger) -> Vision:
    """Return the vision model of an ingest.

    Calls of earlier ingests whose process is gone are given up: they may have been charged.
    """
    ledger.close_abandoned(longer_than_s=settings.timeout_s, at=now())
    return Vision(model, settings, ledger)


def _stopped(asked: Asked) -> Literal["over_budget", "endpoint_failed"] | None:
    """Return why a later call may succeed where this one did not, null when none would."""
    if asked.failure == "over_budget":
        return "over_budget"
    return "endpoint_failed" if asked.failure == "endpoint" else None
