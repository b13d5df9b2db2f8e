"""Ctrl-C and SIGTERM as something that a flow looks at, not something that falls on it."""

import os
import signal
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from types import FrameType
from typing import Any

STOPPING = (signal.SIGINT, signal.SIGTERM)
"""What a terminal sends on Ctrl-C, and what Prefect and service managers send to end a process."""


END_AFTER_S = 20.0
"""A worker process outlives its order to end by so long: calls in flight come back meanwhile."""


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


def outlive_stop() -> None:
    """Leave stopping to the process that started this one: terminals signal whole groups.

    Told to end by SIGTERM, the process ends a while later, when the other has had its answers.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, _end_later)


def _end_later(_number: int, _frame: FrameType | None) -> None:
    timer = threading.Timer(END_AFTER_S, os._exit, [1])
    timer.daemon = True
    timer.start()


def _restore(before: Mapping[signal.Signals, Any]) -> None:
    for number, handler in before.items():
        signal.signal(number, handler)
