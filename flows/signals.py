"""Ctrl-C and SIGTERM as something that a flow looks at, not something that falls on it."""

import signal
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from types import FrameType
from typing import Any

STOPPING = (signal.SIGINT, signal.SIGTERM)
"""What a terminal sends on Ctrl-C, and what Prefect and service managers send to end a process."""


@contextmanager
def listening_for_stop() -> Iterator[threading.Event]:
    """Yield an event that is set when somebody wants the process to stop.

    The second signal does what it would have done without us. Outside the main thread nothing is
    ever heard: only the main thread may handle signals.
    """
    stop = threading.Event()
    if threading.current_thread() is not threading.main_thread():
        yield stop
        return
    before = {number: signal.getsignal(number) for number in STOPPING}

    def hear(_number: int, _frame: FrameType | None) -> None:
        stop.set()
        _restore(before)

    for number in STOPPING:
        signal.signal(number, hear)
    try:
        yield stop
    finally:
        _restore(before)


def ignore_stop() -> None:
    """Leave stopping to the process that started this one: terminals signal whole groups."""
    for number in STOPPING:
        signal.signal(number, signal.SIG_IGN)


def _restore(before: Mapping[signal.Signals, Any]) -> None:
    for number, handler in before.items():
        signal.signal(number, handler)
