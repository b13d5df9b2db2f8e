"""How far the work is: flows report here, a command may listen and draw a bar."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from decimal import Decimal

from transforms.values import Value


class Headway(Value):
    """How far a flow is."""

    n_done: int
    n_all: int
    spent_tokens: int = 0
    """Used and reserved by the run and those it resumes."""
    spent_usd: Decimal = Decimal(0)
    work: str | None = None
    """What is done before the flow's own work, such as reading questions; null in that work."""
    notice: str | None = None
    """What somebody should hear now; said once."""


Listener = Callable[[Headway], None]

_LISTENER: ContextVar[Listener | None] = ContextVar("listener", default=None)


def report_progress(progress: Headway) -> None:
    """Tell whoever listens how far the flow is; nothing happens when nobody does."""
    if listener := _LISTENER.get():
        listener(progress)


@contextmanager
def listening(listener: Listener) -> Iterator[None]:
    """Let a listener hear of the progress of flows that run within this context."""
    token = _LISTENER.set(listener)
    try:
        yield
    finally:
        _LISTENER.reset(token)
