"""Flows run without a Prefect server of the user: quietly, and leaving nothing behind."""

import getpass
import os
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PROGRAM = """
from flows.prefect_setup import ready, start
start()
from prefect import flow, task
ready()

@task
def double(n):
    return 2 * n

@flow
def doubled():
    return [future.result() for future in double.map([1, 2, 3])]

import os
print(doubled(), os.environ["PREFECT_API_URL"], flush=True)
"""
FAILING = f"""{PROGRAM}
@flow
def broken():
    raise SystemError("broken")

broken()
"""


def environment(tmp_path: Path) -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith("PREFECT")}
    (tmp_path / "home").mkdir()
    return {**kept, "HOME": str(tmp_path / "home"), "PYTHONPATH": str(ROOT)}


def run(program: str, tmp_path: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", program],
        env=environment(tmp_path),
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


def listens(url: str) -> bool:
    port = int(url.rsplit(":", 1)[1].removesuffix("/api"))
    sockets = [line.split() for line in Path("/proc/net/tcp").read_text().splitlines()]
    return any(one[1] == f"0100007F:{port:04X}" and one[3] == "0A" for one in sockets)


def server_folder(pid: int) -> Path:
    """Return the folder of the server that a process has started: its last argument."""
    (child,) = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    return Path(Path(f"/proc/{child}/cmdline").read_text().rstrip("\0").split("\0")[-1])


def test_flows_leave_home_alone_and_only_one_that_fails_says_something(tmp_path: Path) -> None:
    done = run(FAILING, tmp_path)
    assert done.stdout.startswith("[2, 4, 6] http://127.0.0.1:")
    assert list((tmp_path / "home").iterdir()) == []
    assert not listens(done.stdout.split()[-1])
    assert done.returncode == 1
    assert done.stderr.startswith("Traceback (most recent call last)")
    assert done.stderr.count("Traceback (most recent call last)") == 1
    assert done.stderr.endswith("SystemError: broken\n")


@pytest.mark.skipif(not Path("/proc/net/tcp").exists(), reason="looks for ports in /proc")
def test_the_server_does_not_outlive_a_killed_command(tmp_path: Path) -> None:
    program = PROGRAM + "\nimport time; time.sleep(60)"
    command = [sys.executable, "-c", program]
    with subprocess.Popen(
        command, env=environment(tmp_path), cwd=tmp_path, stdout=subprocess.PIPE, text=True
    ) as running:
        assert running.stdout is not None
        url = running.stdout.readline().split()[-1]
        assert listens(url)
        folder = server_folder(running.pid)
        assert (folder / "prefect.db").exists()
        running.send_signal(signal.SIGKILL)
    deadline = time.monotonic() + 20
    while folder.exists() and time.monotonic() < deadline:
        time.sleep(0.1)
    assert not listens(url)
    assert not folder.exists()


def test_a_server_of_the_user_is_used(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        url = f"http://127.0.0.1:{server.getsockname()[1]}/api"
        program = (
            f"import os; os.environ['PREFECT_API_URL'] = {url!r}\n"
            "from flows import prefect_setup as setup\n"
            "setup.start(); setup.ready()\n"
            "print(os.environ['PREFECT_API_URL'], 'PREFECT_LOGGING_LEVEL' in os.environ)"
        )
        assert run(program, tmp_path).stdout.split() == [url, "False"]


def test_a_server_of_the_user_that_is_not_there_is_named(tmp_path: Path) -> None:
    program = (
        "import os; os.environ['PREFECT_API_URL'] = 'http://127.0.0.1:9/api'\n"
        "from flows import prefect_setup as setup\n"
        "setup.ready()"
    )
    assert "no Prefect server answers at 'http://127.0.0.1:9/api'" in run(program, tmp_path).stderr


@pytest.mark.skipif(os.name == "nt", reason="modes and links are POSIX's")
@pytest.mark.parametrize("what", ["a link", "open to others"])
def test_a_folder_that_is_not_ours_alone_is_not_used(tmp_path: Path, what: str) -> None:
    temporary, trap = tmp_path / "tmp", tmp_path / "trap"
    for folder in (temporary, trap):
        folder.mkdir(mode=0o700)
    known = temporary / f"compline-{getpass.getuser()}"
    if what == "a link":
        known.symlink_to(trap)
    else:
        known.mkdir()
        known.chmod(0o755)
    program = (
        f"import tempfile; tempfile.tempdir = {str(temporary)!r}\n"
        "from flows import prefect_setup as setup\n"
        "setup.template().touch()\n"
        "print(setup.template())"
    )
    assert run(program, tmp_path).stdout.startswith(str(temporary))
    assert list(temporary.rglob("*")) == [known]
    assert list(trap.iterdir()) == []
