"""Run Prefect flows whether or not the user has started a Prefect server.

Import this module before `prefect`: it sets what Prefect reads when it is imported. Call `start`
as early as you like (it returns at once) and `ready` before the first flow:

    from flows.prefect_setup import ready, start

    start()             # the server comes up while other work is done
    ...
    ready()             # waits for it; several calls are one
    my_flow(...)

When PREFECT_API_URL is set, or the user's Prefect profile names a server, both do nothing.
Otherwise Prefect's own server runs on loopback until this process ends: without services,
telemetry or logs, its database a copy of a template in the folder for temporary files, so that
neither the user's home nor another command's database is touched. The first start on a machine
makes the template (Prefect's migrations, some 6 s); each later one takes some 2 s.
"""

import atexit
import contextlib
import getpass
import os
import shutil
import socket
import sqlite3
import stat
import subprocess
import sys
import tempfile
import time
import urllib.request
from importlib.metadata import version
from pathlib import Path
from urllib.parse import urlsplit
from uuid import uuid4

from transforms.errors import ComplineError, InputError

START_TIMEOUT_S = 120
"""The first start runs all of Prefect's migrations, perhaps on a busy machine."""

STOP_TIMEOUT_S = 3
CONNECT_TIMEOUT_S = 5

NO_TRACKING = {
    "DO_NOT_TRACK": "1",
    "PREFECT_SERVER_ANALYTICS_ENABLED": "false",
    "PREFECT_CLOUD_ENABLE_ORCHESTRATION_TELEMETRY": "false",
    "PREFECT_TELEMETRY_ENABLE_RESOURCE_METRICS": "false",
}
SERVICES = (
    "CANCELLATION_CLEANUP", "CLEANUP_RECONCILER", "EVENT_PERSISTER", "FOREMAN", "LATE_RUNS",
    "PAUSE_EXPIRATIONS", "REPOSSESSOR", "SCHEDULER", "TASK_RUN_RECORDER", "TRIGGERS",
)  # fmt: skip
"""Parts of the server that nobody looks at when it lives as long as one command."""

OWN_SERVER = {
    "PREFECT_LOGGING_LEVEL": "CRITICAL",
    "PREFECT_LOGGING_TO_API_ENABLED": "false",
    "PREFECT_SERVER_LOGGING_LEVEL": "CRITICAL",
    "PREFECT_SERVER_REGISTER_BLOCKS_ON_START": "false",
    "PREFECT_SERVER_EVENTS_STREAM_OUT_ENABLED": "false",
    "PREFECT_SERVER_ALLOW_EPHEMERAL_MODE": "false",
    **{f"PREFECT_SERVER_SERVICES_{name}_ENABLED": "false" for name in SERVICES},
}


class TemporaryServer:
    """Prefect's own server in a process that ends with this one."""

    def __init__(self, home: Path) -> None:
        self._template = template(home)
        self._folder = Path(tempfile.mkdtemp(prefix="compline-prefect-"))
        self._database = self._folder / "prefect.db"
        self._is_ready = False
        if self._template.exists():
            shutil.copyfile(self._template, self._database)
        environment = {
            **os.environ,
            "PREFECT__SERVER_EPHEMERAL": "1",
            "PREFECT_UI_ENABLED": "0",
            "PREFECT_SERVER_DATABASE_CONNECTION_URL": f"sqlite+aiosqlite:///{self._database}",
        }
        self._process = subprocess.Popen(  # noqa: S603  (our own module)
            [sys.executable, "-m", "flows.prefect_server", str(self._folder)],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            env=environment,
            cwd=Path(__file__).parents[1],
            start_new_session=True,  # Ctrl-C is for the flow: its state has to be told to somebody
        )
        atexit.register(self.stop)

    def ready(self) -> None:
        """Wait until the server answers and let Prefect use it."""
        if self._is_ready:
            return
        url = self._wait()
        self._keep_template()
        os.environ["PREFECT_API_URL"] = url
        from prefect.context import refresh_global_settings_context  # noqa: PLC0415

        refresh_global_settings_context()
        self._is_ready = True

    def stop(self) -> None:
        """End the process by closing its standard input, and delete its folder."""
        try:
            self._process.communicate(timeout=STOP_TIMEOUT_S)
        except (subprocess.TimeoutExpired, KeyboardInterrupt):  # Ctrl-C again, at exit
            self._process.kill()
            self._process.communicate()
        shutil.rmtree(self._folder, ignore_errors=True)

    def _wait(self) -> str:
        deadline = time.monotonic() + START_TIMEOUT_S
        while time.monotonic() < deadline and self._process.poll() is None:
            with contextlib.suppress(OSError):  # no file yet, or nobody listens yet
                url = (self._folder / "url").read_text(encoding="ascii")
                urllib.request.urlopen(f"{url}/health", timeout=5).close()  # noqa: S310
                return url
            time.sleep(0.05)
        raise ComplineError(
            "Prefect's temporary server did not start",
            hint="start one with `prefect server start` and set PREFECT_API_URL",
        )

    def _keep_template(self) -> None:
        """Keep the migrated database, so that the next server need not migrate."""
        if self._template.exists():
            return
        unfinished = self._template.with_name(f".{uuid4().hex}.tmp")
        migrated, copy = sqlite3.connect(self._database), sqlite3.connect(unfinished)
        migrated.backup(copy)
        migrated.close()
        copy.close()
        unfinished.replace(self._template)


def template(home: Path | None = None) -> Path:
    """Return where a migrated database of Prefect's is, once a first server has made it."""
    return (home or _private_folder()) / f"prefect-{version('prefect')}.db"


_servers: list[TemporaryServer] = []
"""At most one: the server of this process."""


def start() -> None:
    """Start the temporary server when one is needed, without waiting for it."""
    if _HOME is not None and not _servers:
        _servers.append(TemporaryServer(_HOME))


def ready() -> None:
    """Return when flows can run.

    Raises ComplineError when our server does not come up, InputError when the user's is not there.
    """
    start()
    for server in _servers:
        server.ready()
    if not _servers:
        require_named_server()


def require_named_server() -> None:
    """Raise InputError when the server that the user has named is not there."""
    from prefect.settings import PREFECT_API_URL  # noqa: PLC0415

    url = PREFECT_API_URL.value() or ""
    try:
        parts = urlsplit(url)
        port = parts.port or (443 if parts.scheme == "https" else 80)
    except ValueError as error:
        raise InputError(
            f"PREFECT_API_URL {url!r} cannot be read: {error}",
            hint="write it as http://127.0.0.1:4200/api",
        ) from None
    try:
        socket.create_connection((parts.hostname or "", port), CONNECT_TIMEOUT_S).close()
    except ConnectionRefusedError:
        raise InputError(
            f"no Prefect server answers at {url!r}",
            hint="start it with `prefect server start`, or unset PREFECT_API_URL: every command but"
            " `serve` then brings a server of its own",
        ) from None
    except OSError:  # behind a proxy, perhaps: Prefect finds out
        return


def _private_folder() -> Path:
    """Return a folder for temporary files that is this user's alone and outlives a command.

    Its name is known to everybody on the machine: where somebody else has put a folder, a file or
    a link there, or can look inside, a new folder for this process alone is made instead.
    """
    folder = Path(tempfile.gettempdir()) / f"compline-{getpass.getuser()}"
    with contextlib.suppress(FileExistsError):
        folder.mkdir(mode=0o700)
    if not _is_private(folder):
        folder = Path(tempfile.mkdtemp(prefix="compline-"))
        atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return folder


def _is_private(folder: Path) -> bool:
    found = folder.lstat()  # of a link itself
    if os.name == "nt" or not stat.S_ISDIR(found.st_mode):
        return stat.S_ISDIR(found.st_mode)
    return found.st_uid == os.getuid() and not found.st_mode & 0o077


def _configure() -> Path | None:
    """Set what Prefect reads at import; return null when the user has named a server."""
    for name, value in NO_TRACKING.items():
        os.environ.setdefault(name, value)
    has_profile = (Path.home() / ".prefect" / "profiles.toml").exists()
    if os.environ.get("PREFECT_API_URL"):
        return None
    if "PREFECT_API_URL" in os.environ or "PREFECT_HOME" in os.environ or has_profile:
        from prefect.settings import PREFECT_API_URL  # noqa: PLC0415

        if PREFECT_API_URL.value():
            return None
    try:
        home = _private_folder()
    except OSError:  # a command that needs no server needs no such folder; for others, it is said
        home = Path.home() / ".prefect"
    os.environ.setdefault("PREFECT_HOME", str(home))
    for name, value in OWN_SERVER.items():
        os.environ.setdefault(name, value)
    return home


_HOME = _configure()
