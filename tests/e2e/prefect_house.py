"""A Prefect server of its own, and the processes that use it: started, killed, started again."""

import contextlib
import os
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import httpx

from flows import prefect_setup

T = TypeVar("T")
ROOT = Path(__file__).parents[2]
TIMEOUT_S = 240
BUSY = 503
"""What Prefect's server answers, having done nothing, while others write to its database."""


class PrefectHouse:
    """A server with all its services on a free port; leaves nothing behind."""

    def __init__(self, folder: Path) -> None:
        with socket.create_server(("127.0.0.1", 0)) as free:
            self._port = free.getsockname()[1]
        self.folder = folder
        self.api = f"http://127.0.0.1:{self._port}/api"
        self.environment = {
            **{name: value for name, value in os.environ.items() if "PREFECT" not in name},
            "PREFECT_HOME": str(folder / "prefect"),
            "PREFECT_API_URL": self.api,
            "PREFECT_SERVER_ANALYTICS_ENABLED": "false",
            "PREFECT_SERVER_SERVICES_SCHEDULER_LOOP_SECONDS": "5",
            "PREFECT_SERVER_SERVICES_SCHEDULER_RECENT_DEPLOYMENTS_LOOP_SECONDS": "1",
            "PREFECT_RUNNER_POLL_FREQUENCY": "1",
            "PREFECT_WORKER_QUERY_SECONDS": "1",
            "DO_NOT_TRACK": "1",
            "NIGHTLY_HOME": str(ROOT),
            "PYTHONPATH": str(ROOT),
        }
        (folder / "prefect").mkdir()
        ready_made = prefect_setup.template()
        if ready_made.exists():
            shutil.copyfile(ready_made, folder / "prefect" / "prefect.db")
        self._processes: dict[str, subprocess.Popen[bytes]] = {}

    def __enter__(self) -> "PrefectHouse":
        self.start_server()
        return self

    def __exit__(self, *_: object) -> None:
        for name in reversed(list(self._processes)):
            self.kill(name)

    def start_server(self) -> None:
        """Start the server, over the database of the one before, and wait until it answers."""
        port = str(self._port)
        self.start("server", "-m", "prefect", "server", "start", "--port", port, "--no-ui")
        wait_for(self._is_healthy)

    def start(self, name: str, *arguments: str) -> subprocess.Popen[bytes]:
        """Start a Python process in a group of its own; its output goes to a log."""
        with self.log(name).open("ab") as log:
            self._processes[name] = subprocess.Popen(
                [sys.executable, *arguments], env=self.environment, cwd=ROOT,
                stdout=log, stderr=log, start_new_session=True,
            )  # fmt: skip
        return self._processes[name]

    def kill(self, name: str) -> None:
        """Kill a process and all that it started, at once."""
        process = self._processes.pop(name)
        with contextlib.suppress(ProcessLookupError):  # it may have ended
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()

    def log(self, name: str) -> Path:
        """Return the file with a process's output."""
        return self.folder / f"{name}.log"

    def ask(self, kind: str, **body: object) -> list[dict[str, Any]]:
        """Return what the server has of a kind, filtered."""
        return self._sent("POST", f"{kind}/filter", body)

    def make_pool(self, name: str) -> None:
        """Make a pool for workers that run flows in processes of their own."""
        self._sent("POST", "work_pools/", {"name": name, "type": "process"})

    def fire(self, deployment_id: str, **body: object) -> str:
        """Let a deployment run now, beside its schedule; return the run's id."""
        return self._sent("POST", f"deployments/{deployment_id}/create_flow_run", body)["id"]

    def state(self, flow_run_id: str) -> dict[str, Any]:
        """Return the state of a flow run."""
        return self._sent("GET", f"flow_runs/{flow_run_id}")["state"]

    def ended(self, flow_run_id: str) -> dict[str, Any] | None:
        """Return the state of a flow run once it is final."""
        state = self.state(flow_run_id)
        is_final = state["type"] in ("COMPLETED", "FAILED", "CRASHED", "CANCELLED")
        return state if is_final else None

    def _sent(self, method: str, path: str, body: object = None) -> Any:
        """Return what the server replies once it is not busy."""

        def reply() -> httpx.Response | None:
            given = httpx.request(method, f"{self.api}/{path}", json=body, timeout=30)
            return None if given.status_code == BUSY else given

        return wait_for(reply).raise_for_status().json()

    def _is_healthy(self) -> bool:
        try:
            return httpx.get(f"{self.api}/health").status_code == 200
        except httpx.HTTPError:
            return False


def wait_for(look: Callable[[], T | None], timeout_s: float = TIMEOUT_S) -> T:
    """Return what is seen as soon as something is."""
    deadline = time.monotonic() + timeout_s
    while not (seen := look()):
        assert time.monotonic() < deadline, "waited in vain"
        time.sleep(0.25)
    return seen
