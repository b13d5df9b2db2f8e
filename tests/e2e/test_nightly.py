"""The nightly flow on a real Prefect server: schedules, workers, overlaps, kills, notifications."""

import asyncio
import json
import threading
from collections.abc import Iterator
from datetime import UTC, datetime
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest
from prefect.blocks.notifications import CustomWebhookNotificationBlock
from prefect.server.schemas.schedules import CronSchedule
from prefect.settings import PREFECT_API_URL, temporary_settings

from flows.nightly import schedule, serve
from flows.notify import notify_through
from flows.warehouse import Warehouse
from tests.bench.nights import write_policy, write_questions
from tests.e2e.endpoint import Act, Endpoint
from tests.e2e.prefect_house import PrefectHouse, wait_for
from tests.e2e.reader_model import read_and_reply
from transforms.errors import ComplineError, EndpointError, InputError

N_DOCUMENTS, N_PAIRS = 2, 20
SERVE = """
import json, sys
from datetime import UTC, datetime, timedelta
from flows.nightly import serve
soon = datetime.now(UTC) + timedelta(seconds=8)  # until Prefect knows of the schedule
cron = sys.argv[4].format(second=soon.second)
serve(sys.argv[1], [sys.argv[2]], cron=cron, time_zone="Europe/Paris",
      overrides=json.loads(sys.argv[3]))
"""
EVERY_MINUTE = "* * * * * {second}"
"""Prefect's croniter takes seconds at the end."""

ONCE_A_YEAR = "0 2 1 1 *"
FAIL = """
import sys
from flows.nightly import nightly
print(nightly(sys.argv[1], [sys.argv[2]], overrides={"warehouse": sys.argv[3]}, return_state=True))
"""


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[PrefectHouse]:
    folder = tmp_path_factory.mktemp("nightly")
    (folder / "in").mkdir()
    for number in range(N_DOCUMENTS):
        write_policy(folder / "in", number, premium=1_000 + number)
    write_questions(folder / "questions.csv")
    with PrefectHouse(folder) as house:
        yield house


def start_serving(house: PrefectHouse, endpoint: Endpoint, cron: str) -> None:
    """Serve nights by a schedule; those of every minute begin soon."""
    overrides = {
        "warehouse": str(house.folder / "served"), "engine": "openai", "model": "m",
        "base_url": endpoint.base_url, "api_key": "sk-test", "concurrency": 2,
    }  # fmt: skip
    questions, documents = str(house.folder / "questions.csv"), str(house.folder / "in")
    house.start("serve", "-c", SERVE, questions, documents, json.dumps(overrides), cron)


def deployment_of(house: PrefectHouse, work_pool: str | None) -> dict | None:
    """Return the deployment that a pool's workers run, or `serve` itself, once it is there."""
    found = house.ask("deployments")
    return next((each for each in found if each["work_pool_name"] == work_pool), None)


def nights_of(house: PrefectHouse, deployment_id: str, *states: str) -> list[dict]:
    of_deployment = {
        "deployment_id": {"any_": [deployment_id]},
        "state": {"type": {"any_": states}},
    }
    return house.ask("flow_runs", flow_runs=of_deployment)


def test_nights_fire_by_schedule_never_overlap_and_survive_kills(house: PrefectHouse) -> None:
    with Endpoint(read_and_reply) as endpoint:
        endpoint.usual = Act(hang_s=1)
        start_serving(house, endpoint, EVERY_MINUTE)
        deployment = wait_for(lambda: deployment_of(house, None), 120)
        [plan] = deployment["schedules"]
        assert (plan["schedule"]["timezone"], plan["schedule"]["day_or"]) == ("Europe/Paris", True)
        assert plan["schedule"]["cron"].startswith("* * * * * ")
        wait_for(
            lambda: (
                nights_of(house, deployment["id"], "FAILED")
                or sum(endpoint.n_answered.values()) >= 3
            )
        )
        endpoint.usual = Act(hang_s=90)
        [going] = nights_of(house, deployment["id"], "RUNNING")
        assert going["auto_scheduled"]
        second = house.fire(deployment["id"])
        refused = wait_for(lambda: house.ended(second))
        assert refused["type"] == "CANCELLED"
        assert "still going" in refused["message"]
        assert house.state(going["id"])["type"] == "RUNNING"
        house.kill("serve")
        house.kill("server")
        endpoint.usual = Act(hang_s=0.2)
        house.start_server()
        long_ago = {
            "type": "SCHEDULED",
            "state_details": {"scheduled_time": "2026-01-01T00:00:00Z"},
        }
        late = [house.fire(deployment["id"], state=long_ago) for _ in range(2)]
        start_serving(house, endpoint, ONCE_A_YEAR)
        ends = [wait_for(lambda run=run: house.ended(run)) for run in late]
        assert {end["type"] for end in ends} <= {"COMPLETED", "CANCELLED"}
        assert [end["type"] for end in ends].count("COMPLETED") >= 1, house.log("serve").read_text()
        assert max(endpoint.n_answered.values()) == 1, "an answer was paid twice"
        house.kill("serve")
    run_df = Warehouse.open(house.folder / "served").read("run_df").sort("started_at")
    assert run_df["resumed_from"][0], "the first night that ended is not the one that was killed"
    assert run_df["started_at"][1:].to_list() >= run_df["finished_at"][:-1].to_list()
    assert run_df["n_pairs"][0] == N_PAIRS
    keys = {artifact["key"] for artifact in house.ask("artifacts")}
    assert keys >= {
        "compline-cost", "compline-answers-changed", "compline-failed-pairs",
        "compline-failed-documents", "compline-progress", "compline-report",
    }  # fmt: skip


def test_a_worker_in_a_process_of_its_own_runs_what_prefect_yaml_deploys(
    house: PrefectHouse,
) -> None:
    house.make_pool("compline")
    deploy = ("--no-prompt", "deploy", "--all")
    deployed = house.start("deploy", "-m", "prefect", *deploy).wait(120)
    assert deployed == 0, house.log("deploy").read_text()
    house.start("worker", "-m", "prefect", "worker", "start", "--pool", "compline")
    deployment = deployment_of(house, "compline")
    assert deployment is not None
    flow_run_id = house.fire(
        deployment["id"],
        parameters={
            "questions": str(house.folder / "questions.csv"),
            "sources": [str(house.folder / "in")],
            "overrides": {"warehouse": str(house.folder / "worked"), "engine": "offline"},
        },
    )
    state = wait_for(lambda: house.ended(flow_run_id))
    assert state["type"] == "COMPLETED", house.log("worker").read_text()
    assert f"{N_DOCUMENTS} documents parsed" in state["message"]
    run_df = Warehouse.open(house.folder / "worked").read("run_df")
    assert (run_df["n_pairs"].item(), run_df["status"].item()) == (N_PAIRS, "done")
    report = house.folder / "worked" / "reports" / "questions.html"
    assert run_df["run_id"].item() in report.read_text("utf-8")


def test_a_night_that_failed_is_told_of_and_not_tried_again(house: PrefectHouse) -> None:
    told: list[dict] = []
    with temporary_settings({PREFECT_API_URL: house.api}), listener(told) as url:
        said = {"subject": "{{subject}}", "body": "{{body}}"}
        block = CustomWebhookNotificationBlock(name="ops", url=url, json_data=said)
        block.save("ops", overwrite=True)
        for _ in range(2):  # the second replaces the first
            notify_through("custom-webhook/ops")
        [automation] = house.ask("automations")
        assert automation["enabled"]
        with pytest.raises(InputError, match="nobody"):
            notify_through("slack-webhook/nobody")
        questions, warehouse = house.folder / "nowhere.csv", house.folder / "failed"
        failing = house.start("fail", "-c", FAIL, str(questions), str(house.folder), str(warehouse))
        assert failing.wait(120) == 0, house.log("fail").read_text()
        assert "Failed" in house.log("fail").read_text()
        wait_for(lambda: told, 60)
    assert [one["subject"].endswith(" Failed") for one in told] == [True]
    assert "nowhere.csv" in told[0]["body"]


@pytest.mark.parametrize("spring_or_autumn", ["2026-03-28", "2026-10-24"])
@pytest.mark.parametrize("cron", ["30 2 * * *", "0 2 * * *", "0 3 * * *"])
def test_a_change_of_clocks_neither_skips_nor_doubles_a_night(
    spring_or_autumn: str, cron: str
) -> None:
    planned = CronSchedule(**schedule(cron, "Europe/Berlin").model_dump())
    since = datetime.fromisoformat(spring_or_autumn).replace(tzinfo=UTC)
    firings = asyncio.run(planned.get_dates(4, start=since))
    local = [firing.astimezone(ZoneInfo("Europe/Berlin")) for firing in firings]
    assert [each.day - local[0].day for each in local] == [0, 1, 2, 3]
    wanted = f"{int(cron.split()[1]):02}:{int(cron.split(maxsplit=1)[0]):02}"
    shifted = [each for each in local if f"{each:%H:%M}" != wanted]
    assert [f"{each:%m-%d %H}" for each in shifted] in ([], ["03-29 03"])


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


@pytest.mark.parametrize(
    ("url", "error", "says"),
    [
        ("http://127.0.0.1:9/api", InputError, "no Prefect server answers"),
        ("http://127.0.0.1:99999/api", InputError, "cannot be read: Port out of range"),
        ("http://nowhere.invalid/api", EndpointError, "failed"),
    ],
)
def test_a_schedule_on_a_server_that_is_not_there_says_so(
    tmp_path: Path, url: str, error: type[ComplineError], says: str
) -> None:
    questions = tmp_path / "q.csv"
    questions.write_text("question_id,question\na,What is the premium?\n", encoding="utf-8")
    overrides = {"warehouse": str(tmp_path / "warehouse")}
    with temporary_settings({PREFECT_API_URL: url}), pytest.raises(error, match=says) as caught:
        serve(str(questions), [str(tmp_path)], overrides=overrides)
    assert "PREFECT_API_URL" in caught.value.hint or "http://" in caught.value.hint


class listener:  # noqa: N801  (used as a function)
    """Take what is posted, on loopback."""

    def __init__(self, told: list[dict]) -> None:
        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                told.append(json.loads(self.rfile.read(int(self.headers["content-length"]))))
                self.send_response(200)
                self.end_headers()

            def log_message(self, format: str, *args: object) -> None:
                """Say nothing."""

        self._server = HTTPServer(("127.0.0.1", 0), Handler)
        self._thread = threading.Thread(target=self._server.serve_forever, daemon=True)

    def __enter__(self) -> str:
        self._thread.start()
        return f"http://127.0.0.1:{self._server.server_port}/"

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()
