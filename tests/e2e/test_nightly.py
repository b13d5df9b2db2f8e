"""The nightly flow on a real Prefect server: fired by its schedule, run in its own process."""

import os
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TypeVar

import httpx
import pytest
from prefect.settings import PREFECT_API_URL, temporary_settings

from flows.nightly import serve
from flows.warehouse import Warehouse
from tests.e2e.conftest import WritePdf
from transforms.errors import InputError

T = TypeVar("T")
ROOT = Path(__file__).parents[2]
START_TIMEOUT_S = 120
NIGHT_TIMEOUT_S = 240
SERVE = """
import sys
from flows.nightly import serve
serve(sys.argv[1], [sys.argv[2]], cron="* * * * *", time_zone="Europe/Paris",
      overrides={"warehouse": sys.argv[3], "engine": "offline"})
"""


@pytest.fixture
def server(tmp_path: Path) -> Iterator[dict[str, str]]:
    """Start a Prefect server of its own; return the environment of those who use it."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    environment = {
        **{name: value for name, value in os.environ.items() if not name.startswith("PREFECT")},
        "PREFECT_HOME": str(tmp_path / "prefect"),
        "PREFECT_API_URL": f"http://127.0.0.1:{port}/api",
        "PREFECT_SERVER_ANALYTICS_ENABLED": "false",
        "DO_NOT_TRACK": "1",
    }
    command = [sys.executable, "-m", "prefect", "server", "start", "--port", str(port), "--no-ui"]
    with (tmp_path / "server.log").open("wb") as log:
        process = subprocess.Popen(command, env=environment, stdout=log, stderr=log)
        try:
            wait_for(lambda: is_healthy(environment), START_TIMEOUT_S)
            yield environment
        finally:
            process.terminate()
            process.wait(20)


def is_healthy(environment: dict[str, str]) -> bool:
    try:
        return httpx.get(f"{environment['PREFECT_API_URL']}/health").status_code == 200
    except httpx.HTTPError:
        return False


def wait_for(look: Callable[[], T], timeout_s: float) -> T:
    """Return what is seen as soon as something is."""
    deadline = time.monotonic() + timeout_s
    while not (seen := look()):
        assert time.monotonic() < deadline, "waited in vain"
        time.sleep(0.5)
    return seen


def ask(environment: dict[str, str], kind: str, **body: object) -> list[dict]:
    url = f"{environment['PREFECT_API_URL']}/{kind}/filter"
    return httpx.post(url, json=body, timeout=30).raise_for_status().json()


def ended_nights(environment: dict[str, str]) -> list[dict]:
    nights = ask(environment, "flow_runs", flows={"name": {"any_": ["nightly"]}})
    return [night for night in nights if night["state_type"] in ("COMPLETED", "FAILED", "CRASHED")]


def test_a_night_is_fired_by_its_schedule_and_leaves_tables_and_artifacts(
    server: dict[str, str], tmp_path: Path, write_pdf: WritePdf
) -> None:
    write_pdf("in/a.pdf", "The policy period begins on 1 May 2026.")
    questions = tmp_path / "questions.csv"
    questions.write_text("question_id,question\nstart,When does the policy period begin?\n")
    house = tmp_path / "warehouse"
    command = [sys.executable, "-c", SERVE, str(questions), str(tmp_path / "in"), str(house)]
    with (tmp_path / "serve.log").open("wb") as log:
        serving = subprocess.Popen(command, env=server, cwd=ROOT, stdout=log, stderr=log)
        try:
            night = wait_for(lambda: ended_nights(server), NIGHT_TIMEOUT_S)[-1]
        finally:
            serving.terminate()
            serving.wait(30)
    assert night["state_type"] == "COMPLETED", (tmp_path / "serve.log").read_text()
    assert "1 documents parsed" in night["state"]["message"]
    warehouse = Warehouse.open(house)
    assert warehouse.query("select status from latest_answer")["status"].to_list() == ["answered"]
    keys = {artifact["key"] for artifact in ask(server, "artifacts")}
    assert keys >= {"compline-cost", "compline-answers-changed", "compline-failed-pairs"}
    names = {task["name"] for task in ask(server, "task_runs")}
    assert "parse chunk 1 of 1" in names
    (deployment,) = ask(server, "deployments")
    assert deployment["concurrency_options"]["collision_strategy"] == "CANCEL_NEW"
    (schedule,) = deployment["schedules"]
    assert schedule["schedule"]["timezone"] == "Europe/Paris"


def test_a_schedule_without_a_server_or_that_is_none_says_what_to_do() -> None:
    with temporary_settings({PREFECT_API_URL: "http://127.0.0.1:9/api"}):
        with pytest.raises(InputError, match="every night"):
            serve("q.csv", ["in"], cron="every night")
        with pytest.raises(InputError, match="Atlantis"):
            serve("q.csv", ["in"], time_zone="Europe/Atlantis")
    with (
        temporary_settings(restore_defaults={PREFECT_API_URL}),
        pytest.raises(InputError) as caught,
    ):
        serve("q.csv", ["in"])
    assert "PREFECT_API_URL" in caught.value.hint
