"""How far the work is: flows report here, a command may listen and draw a bar."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

Listener = Callable[[int, int], None]
"""Called with the number of units done and the number of all units."""

_LISTENER: ContextVar[Listener | None] = ContextVar("listener", default=None)


def report_progress(n_done: int, n_all: int) -> None:
    """Tell whoever listens how far the flow is; nothing happens when nobody does."""
    if listener := _LISTENER.get():
        listener(n_done, n_all)


@contextmanager
def listening(listener: Listener) -> Iterator[None]:
    """Let a listener hear of the progress of flows that run within this context."""
    token = _LISTENER.set(listener)
    try:
        yield
    finally:
        _LISTENER.reset(token)
