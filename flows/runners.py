"""Where the tasks of a run work: threads of this process, processes of its own, Dask or Ray."""

import logging
import multiprocessing
import os
import threading
from collections.abc import Callable
from concurrent.futures import BrokenExecutor
from contextlib import AbstractContextManager, ExitStack
from dataclasses import dataclass
from typing import Any, Protocol

from prefect import Task
from prefect.task_runners import ProcessPoolTaskRunner, ThreadPoolTaskRunner

from flows.settings import Settings
from flows.signals import outlive_stop
from transforms.errors import InputError


class Submitted(Protocol):
    """A task that is worked on, or waits for it."""

    def result(self, *, raise_on_failure: bool) -> Any:
        """Wait for the end of the task and return its result. Raises when its worker is lost."""
        ...


class Runner(Protocol):
    """Whoever works on tasks."""

    def submit(self, task: Task[..., Any], parameters: dict[str, Any], /) -> Submitted:
        """Let a task be worked on as soon as there is room."""
        ...


def task_runner(settings: Settings) -> AbstractContextManager[Runner]:
    """Return the task runner that the settings ask for; entering it starts its workers.

    Raises InputError when its package is not installed.
    """
    try:
        return _RUNNERS[settings.runner](settings)
    except ImportError as error:
        raise InputError(
            f"runner {settings.runner!r} needs a package that is not installed: {error}",
            hint=f"pip install 'compline[{settings.runner}]', or use --runner processes",
        ) from error


def chunks_at_once(settings: Settings) -> int:
    """Return how many chunks are worked on at a time: one keeps the threads of a process busy."""
    return 1 if settings.runner == "threads" else settings.n_workers


def for_workers(settings: Settings) -> Settings:
    """Return the settings of one worker: together they keep to the bound on calls in flight."""
    share = max(1, settings.concurrency // chunks_at_once(settings))
    return settings.model_copy(update={"concurrency": share})


@dataclass(eq=False)
class _Seat:
    """A worker process, as a pool of one."""

    pool: ProcessPoolTaskRunner
    n_tasks: int = 0
    """Tasks that it was given and has not given back."""


class Processes:
    """Worker processes, each a pool of its own: one that dies takes no other's tasks with it."""

    def __init__(self, n_workers: int) -> None:
        self._n_workers = n_workers
        self._lock = threading.Lock()
        self._exits = ExitStack()
        self._seats: list[_Seat] = []

    def __enter__(self) -> "Processes":
        """Get ready; a process is started with its first task."""
        self._seats = [self._new_seat() for _ in range(self._n_workers)]
        return self

    def __exit__(self, *error: object) -> None:
        """End all processes."""
        self._exits.close()

    def submit(self, task: Task[..., Any], parameters: dict[str, Any], /) -> "_Lasting":
        """Give a task to the process that has least to do."""
        with self._lock:
            seat = min(self._seats, key=lambda seat: seat.n_tasks)
            seat.n_tasks += 1
        return _Lasting(self, seat, task, parameters)

    def give_back(self, seat: _Seat, *, is_dead: bool) -> None:
        """Count a task as ended; put a new process in the place of one that is dead."""
        with self._lock:
            seat.n_tasks -= 1
            if is_dead and seat in self._seats:
                self._seats[self._seats.index(seat)] = self._new_seat()

    def _new_seat(self) -> _Seat:
        return _Seat(self._exits.enter_context(_one_process()))


class _Lasting:
    """A task that is tried once more, in a process of its own, when its process dies.

    One that only waited behind the deadly task ends well so; the deadly one kills itself alone.
    Calls that were paid come from the ledger.
    """

    def __init__(
        self, processes: Processes, seat: _Seat, task: Task[..., Any], parameters: dict[str, Any]
    ) -> None:
        self._processes = processes
        self._seat = seat
        self._task = task
        self._parameters = parameters
        self._submitted = seat.pool.submit(task, parameters)

    def result(self, *, raise_on_failure: bool) -> Any:
        """Return the result. Raises BrokenExecutor when the process dies both times."""
        is_dead = False
        try:
            return self._submitted.result(raise_on_failure=raise_on_failure)
        except BrokenExecutor:
            is_dead = True
        finally:
            self._processes.give_back(self._seat, is_dead=is_dead)
        with _one_process() as alone:
            again = alone.submit(self._task, self._parameters)
            return again.result(raise_on_failure=raise_on_failure)


def _threads(_: Settings) -> AbstractContextManager[Runner]:
    return ThreadPoolTaskRunner()


def _processes(settings: Settings) -> AbstractContextManager[Runner]:
    return Processes(settings.n_workers)


def _one_process() -> ProcessPoolTaskRunner:
    return ProcessPoolTaskRunner(max_workers=1, initializer=_follow_parent)


def _dask(settings: Settings) -> AbstractContextManager[Runner]:
    from prefect_dask import DaskTaskRunner  # noqa: PLC0415  # pyright: ignore[reportMissingImports]

    if settings.runner_address:
        return DaskTaskRunner(address=settings.runner_address)
    local = {
        "n_workers": settings.n_workers,
        "threads_per_worker": 1,
        "dashboard_address": None,
        "silence_logs": logging.ERROR,
    }
    return DaskTaskRunner(cluster_kwargs=local)


def _ray(settings: Settings) -> AbstractContextManager[Runner]:
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    from prefect_ray import RayTaskRunner  # noqa: PLC0415  # pyright: ignore[reportMissingImports]

    if settings.runner_address:
        return RayTaskRunner(address=settings.runner_address)
    local = {
        "num_cpus": settings.n_workers,
        "include_dashboard": False,
        "log_to_driver": False,
        "logging_level": logging.ERROR,
    }
    return RayTaskRunner(init_kwargs=local)


_RUNNERS: dict[str, Callable[[Settings], AbstractContextManager[Runner]]] = {
    "threads": _threads,
    "processes": _processes,
    "dask": _dask,
    "ray": _ray,
}


def _follow_parent() -> None:
    """End with the process that started this one, and only with it."""
    outlive_stop()
    parent = multiprocessing.parent_process()
    if parent is not None:
        threading.Thread(target=_end_with, args=(parent,), daemon=True).start()


def _end_with(parent: Any) -> None:
    parent.join()
    os._exit(1)
