"""Run a command of Compline and watch what its processes take."""

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

EVERY_S = 0.25
KINDS = {"flows.ingesting.worker": "worker", "flows.prefect_server": "server"}
"""What a process of the command is, by a part of its command line; else it is the command."""


class Spent(NamedTuple):
    """What a command took, with all processes that it started."""

    wall_s: float
    cpu_s: float
    peak_mb: dict[str, float]
    """By kind of process: command, largest worker, Prefect's server."""

    def over(self, start: "Spent") -> "Spent":
        """Return what is left, if anything, when the fixed cost of a start is taken away."""
        peak_mb = {
            kind: max(mb - start.peak_mb.get(kind, 0), 0) for kind, mb in self.peak_mb.items()
        }
        wall_s, cpu_s = max(self.wall_s - start.wall_s, 0), max(self.cpu_s - start.cpu_s, 0)
        return Spent(wall_s, cpu_s, peak_mb)


def watch(*command: str | Path) -> Spent:
    """Run `compline` with these arguments; its process takes account of all that it waits for."""
    peaks: dict[str, float] = {}
    since = time.perf_counter()
    process = subprocess.Popen(
        [sys.executable, "-m", "flows.command_line", *command],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
    )
    while True:
        pid, status, usage = os.wait4(process.pid, os.WNOHANG)
        if pid:
            break
        for kind, mb in _memory_of(process.pid):
            peaks[kind] = max(peaks.get(kind, 0), mb)
        time.sleep(EVERY_S)
    wall_s = time.perf_counter() - since
    process.returncode = os.waitstatus_to_exitcode(status)
    said = process.stderr.read().decode() if process.stderr else ""
    if process.returncode not in (0, 1):
        raise RuntimeError(f"compline {command[0]} exited with {process.returncode}: {said}")
    return Spent(wall_s, usage.ru_utime + usage.ru_stime, peaks)


def least(spent: list[Spent]) -> Spent:
    """Return the run with the least processor time of several that did the same."""
    return min(spent, key=lambda one: one.cpu_s)


def _memory_of(parent: int) -> Iterator[tuple[str, float]]:
    """Yield kind and peak resident memory of a process and of its children, in MB."""
    for status in Path("/proc").glob("[0-9]*/status"):
        try:
            fields = dict(line.split(":", 1) for line in status.read_text().splitlines())
            command = (status.parent / "cmdline").read_text().replace("\0", " ")
        except (OSError, ValueError):
            continue  # it ended
        if "VmHWM" in fields and str(parent) in (fields["Pid"].strip(), fields["PPid"].strip()):
            kind = next((KINDS[part] for part in KINDS if part in command), "command")
            yield kind, int(fields["VmHWM"].split()[0]) / 1024
