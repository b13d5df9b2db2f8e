"""Where the tasks of a run work: threads of this process, processes of its own, Dask or Ray."""

import logging
import multiprocessing
import os
import threading
from collections.abc import Callable
from typing import Any

from prefect.task_runners import ProcessPoolTaskRunner, TaskRunner, ThreadPoolTaskRunner

from flows.settings import Settings
from flows.signals import outlive_stop
from transforms.errors import InputError


def task_runner(settings: Settings) -> TaskRunner[Any]:
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


def _threads(_: Settings) -> TaskRunner[Any]:
    return ThreadPoolTaskRunner()


def _processes(settings: Settings) -> TaskRunner[Any]:
    return ProcessPoolTaskRunner(max_workers=settings.n_workers, initializer=_follow_parent)


def _dask(settings: Settings) -> TaskRunner[Any]:
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


def _ray(settings: Settings) -> TaskRunner[Any]:
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


_RUNNERS: dict[str, Callable[[Settings], TaskRunner[Any]]] = {
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
