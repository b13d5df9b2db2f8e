"""Slots for calls in flight: one set per process and endpoint, shared by all its event loops."""

import asyncio
import threading
from collections import deque

_Waiting = tuple[asyncio.AbstractEventLoop, "asyncio.Future[None]"]


class Slots:
    """A semaphore whose holders may live in event loops of several threads; first come first."""

    def __init__(self, n_slots: int) -> None:
        self._n_free = n_slots
        self._waiting: deque[_Waiting] = deque()
        self._lock = threading.Lock()

    async def __aenter__(self) -> None:
        loop = asyncio.get_running_loop()
        with self._lock:
            if self._n_free:
                self._n_free -= 1
                return
            waiting = (loop, loop.create_future())
            self._waiting.append(waiting)
        try:
            await waiting[1]
        except asyncio.CancelledError:
            self._leave(waiting)
            raise

    async def __aexit__(self, *_: object) -> None:
        with self._lock:
            self._hand_on()

    def _leave(self, waiting: _Waiting) -> None:
        """Stop waiting; a slot that was handed over just then is handed on."""
        with self._lock:
            if waiting in self._waiting:
                self._waiting.remove(waiting)
            else:
                self._hand_on()

    def _hand_on(self) -> None:
        if not self._waiting:
            self._n_free += 1
            return
        loop, future = self._waiting.popleft()
        loop.call_soon_threadsafe(_wake, future)


def slots_of(endpoint: str, n_slots: int) -> Slots:
    """Return the slots of an endpoint in this process."""
    with _registry_lock:
        return _registry.setdefault((endpoint, n_slots), Slots(n_slots))


_registry: dict[tuple[str, int], Slots] = {}
_registry_lock = threading.Lock()


def _wake(future: "asyncio.Future[None]") -> None:
    if not future.done():
        future.set_result(None)
