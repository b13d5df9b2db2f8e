"""Parse documents in worker processes: really in parallel, each bounded, each free to die."""

import atexit
import math
import os
import pickle
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from flows.ingesting.drawing import DrawJob
from flows.ingesting.looks import LookJob
from flows.ingesting.worker import READY, Frames, ParseJob, failure
from flows.settings import Settings
from transforms.errors import NO_MEMORY, BudgetError, ComplineError
from transforms.parsing import Strip
from transforms.parsing.looks import Look
from transforms.values import Value

START_TIMEOUT_S = 120
"""Imports on a busy machine; what a document takes is counted from then on."""

STARTS = 3
"""A process that the kernel ends while it starts, for lack of memory, is started again."""

DOCUMENTS_PER_WORKER = 500
"""After so many a worker is replaced, so that what libraries leak cannot add up."""


KILLED_BY_SYSTEM = -9
"""SIGKILL that we did not send: the kernel was out of memory."""


Job = ParseJob | DrawJob | LookJob


class StoppedError(Exception):
    """The user stopped the work while a worker was busy with it."""


class ParseBounds(Value):
    """What one document may take."""

    timeout_s: float
    memory_mb: int

    @classmethod
    def of(cls, settings: Settings) -> "ParseBounds":
        """Return the bounds that the settings name."""
        return cls(timeout_s=settings.parse_timeout_s, memory_mb=settings.parse_memory_mb)


class ParseWorker:
    """One worker process. It is started at once and waited for when it is first used."""

    def __init__(self, bounds: ParseBounds) -> None:
        self.bounds = bounds
        self._n_documents = 0
        self._is_ready = False
        self._start()

    def parse(self, job: ParseJob) -> Frames:
        """Return the frames of one document, failed when the process died over it."""
        frames, was_late = self._reply(job)
        if isinstance(frames, dict):
            return frames
        code = "timed_out" if was_late else self._cause_of_death()
        self._restart()
        return failure(job, code)

    def draw(self, job: DrawJob) -> list[Strip | None]:
        """Return a strip for each place; null for all when the process died over the document."""
        strips, _ = self._reply(job)
        if isinstance(strips, list):
            return strips
        self._restart()
        return [None] * len(job.places)

    def look(self, job: LookJob) -> tuple[Look, ...]:
        """Return what a vision model is to see; nothing when the process died over the document."""
        looks, _ = self._reply(job)
        if isinstance(looks, tuple):
            return looks
        self._restart()
        return ()

    def kill(self) -> None:
        """End the process at once, whoever waits for its reply."""
        self._process.kill()

    def stop(self) -> None:
        """End the process at once, and forget it."""
        self._process.kill()
        self._process.wait()
        for stream in (self._jobs, self._replies, self._errors):
            try:
                stream.close()
            except OSError:
                continue  # what was buffered for a process that is gone

    def _restart(self) -> None:
        self.stop()
        self._start()

    def _reply(self, job: Job) -> tuple[object, bool]:
        """Return what `_ask` does, from a process that is not worn out.

        Raises StoppedError when the work is stopped before, or meanwhile.
        """
        if _stopping.is_set():
            raise StoppedError
        if self._n_documents >= DOCUMENTS_PER_WORKER:
            self._restart()
        self._wait_until_ready()
        self._n_documents += 1
        return self._ask(job, self.bounds.timeout_s)

    def _start(self) -> None:
        self._n_documents, self._is_ready = 0, False
        self._errors = tempfile.TemporaryFile()  # noqa: SIM115  (open as long as the process)
        self._process = subprocess.Popen(  # noqa: S603  (our own module)
            [sys.executable, "-m", "flows.ingesting.worker", *self._bounds()],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._errors,
            cwd=Path(__file__).parents[2],
            start_new_session=True,  # Ctrl-C reaches us alone: we end it
            env={**os.environ, "POLARS_MAX_THREADS": "1", "OMP_NUM_THREADS": "1"},
        )
        self._jobs: IO[bytes] = _open(self._process.stdin)
        self._replies: IO[bytes] = _open(self._process.stdout)

    def _bounds(self) -> tuple[str, str]:
        return str(self.bounds.memory_mb), str(math.ceil(self.bounds.timeout_s))

    def _wait_until_ready(self) -> None:
        n_starts = 1
        while not self._is_ready:
            reply, _ = self._ask(None, START_TIMEOUT_S)
            self._is_ready = reply == READY
            if not self._is_ready and n_starts == STARTS:
                raise BudgetError(
                    f"no parse worker starts: {self._last_words()}",
                    hint="see whether memory is left, and lower n_workers",
                )
            if not self._is_ready:
                self._restart()
                n_starts += 1

    def _ask(self, job: Job | None, timeout_s: float) -> tuple[object, bool]:
        """Return the next reply, or null when the process died, and whether it was for time."""
        was_late = threading.Event()

        def kill() -> None:
            was_late.set()
            self._process.kill()

        timer = threading.Timer(timeout_s, kill)
        timer.start()
        try:
            if job is not None:
                pickle.dump(job, self._jobs, protocol=pickle.HIGHEST_PROTOCOL)
                self._jobs.flush()
            return pickle.load(self._replies), False  # noqa: S301  (our own child wrote it)
        except (EOFError, OSError, pickle.UnpicklingError):
            if _stopping.is_set():
                raise StoppedError from None
            return None, was_late.is_set()
        finally:
            timer.cancel()

    def _cause_of_death(self) -> str:
        """Tell a lack of memory from other crashes by signal and last words."""
        is_killed = self._process.wait() == KILLED_BY_SYSTEM
        return "out_of_memory" if is_killed or NO_MEMORY.search(self._last_words()) else "crashed"

    def _last_words(self) -> str:
        self._errors.seek(0)
        return self._errors.read()[-2000:].decode(errors="replace").strip()


_idle: list[ParseWorker] = []
_borrowed: set[ParseWorker] = set()
_lock = threading.Lock()
_stopping = threading.Event()


def start_workers(n_workers: int, bounds: ParseBounds) -> None:
    """Start workers without waiting for them, up to `n_workers` idle ones."""
    _stopping.clear()
    with _lock:
        while sum(worker.bounds == bounds for worker in _idle) < n_workers:
            _idle.append(ParseWorker(bounds))


@contextmanager
def borrowed_worker(bounds: ParseBounds) -> Iterator[ParseWorker]:
    """Lend an idle worker, or a new one; it stays for the next borrower."""
    with _lock:
        fitting = next((worker for worker in _idle if worker.bounds == bounds), None)
        if fitting is not None:
            _idle.remove(fitting)
    worker = fitting or ParseWorker(bounds)
    _borrowed.add(worker)
    try:
        yield worker
    except BaseException:
        worker.stop()
        raise
    finally:
        _borrowed.discard(worker)
    with _lock:
        if _stopping.is_set():
            worker.stop()
        else:
            _idle.append(worker)


def stop_work() -> None:
    """Let everybody who waits for a worker get `StoppedError` instead of a reply, till workers are
    started again."""
    _stopping.set()
    for worker in tuple(_borrowed):
        worker.kill()


@atexit.register
def stop_workers() -> None:
    """End all idle workers; the others end with the pipe to this process."""
    with _lock:
        while _idle:
            _idle.pop().stop()


def _open(stream: IO[bytes] | None) -> IO[bytes]:
    if stream is None:
        raise ComplineError("a parse worker has no pipe")
    return stream
