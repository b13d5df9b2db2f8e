"""Ctrl-C and SIGTERM end a run as cancelled, with what it has; the next run goes on from there."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from flows.answer import answer
from flows.ingest import ingest
from flows.warehouse import Warehouse
from tests.bench.nights import write_policy, write_questions
from tests.e2e.endpoint import Act, Endpoint
from tests.e2e.reader_model import read_and_reply

ROOT = Path(__file__).parents[2]
N_DOCUMENTS, N_PAIRS = 3, 30
CONCURRENCY = 2


def run_and_stop(folder: Path, endpoint: Endpoint, stop: signal.Signals, runner: str) -> str:
    """Stop `compline run` once five calls were answered; return what it said on stderr."""
    environment = {
        **{name: value for name, value in os.environ.items() if "PREFECT" not in name},
        "COMPLINE_WAREHOUSE": str(folder / "warehouse"),
        "COMPLINE_CONCURRENCY": "2",
        "COMPLINE_N_WORKERS": "1",
        "OPENAI_BASE_URL": endpoint.base_url,
        "OPENAI_API_KEY": "sk-test",
        "PYTHONPATH": str(ROOT),
    }
    command = [sys.executable, "-m", "flows.command_line", "run", "questions.csv"]
    command += ["--engine", "openai", "--model", "m", "--runner", runner]
    with subprocess.Popen(
        command, cwd=folder, env=environment, text=True,
        stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, start_new_session=True,
    ) as running:  # fmt: skip
        deadline = time.monotonic() + 120
        while sum(endpoint.n_answered.values()) < 5 and running.poll() is None:
            assert time.monotonic() < deadline, "the run makes no calls"
            time.sleep(0.05)
        assert running.poll() is None, running.communicate()[1]
        os.killpg(running.pid, stop)  # as a terminal does, and Prefect
        _, said = running.communicate(timeout=120)
    assert running.returncode == 3, said
    return said


@pytest.mark.usefixtures("prefect")
@pytest.mark.parametrize(
    ("stop", "runner"), [(signal.SIGINT, "threads"), (signal.SIGTERM, "processes")]
)
def test_a_stopped_run_keeps_its_answers_and_the_next_asks_only_for_the_rest(
    tmp_path: Path, stop: signal.Signals, runner: str
) -> None:
    (tmp_path / "in").mkdir()
    for number in range(N_DOCUMENTS):
        write_policy(tmp_path / "in", number, premium=1_000 + number)
    write_questions(tmp_path / "questions.csv")
    overrides = {
        "warehouse": str(tmp_path / "warehouse"),
        "engine": "openai",
        "model": "m",
        "api_key": "sk-test",
        "runner": runner,
        "concurrency": CONCURRENCY,
        "n_workers": 1,
    }
    ingest([str(tmp_path / "in")], None, overrides)
    with Endpoint(read_and_reply) as endpoint:
        endpoint.usual = Act(hang_s=0.2)
        said = run_and_stop(tmp_path, endpoint, stop, runner)
        warehouse = Warehouse.open(tmp_path / "warehouse")
        run = warehouse.read("run_df").row(0, named=True)
        assert run["status"] == "cancelled"
        statuses = warehouse.read("answer_df", run_ids=[run["run_id"]])["status"]
        n_kept = N_PAIRS - (statuses == "not_run").sum()
        assert 0 < n_kept < N_PAIRS
        assert f"cancelled: {n_kept} of {N_PAIRS} answers are kept" in said
        assert "run the same command again" in said
        endpoint.usual = Act()
        overrides["base_url"] = endpoint.base_url
        run_id = answer(str(tmp_path / "questions.csv"), None, overrides)
        again = warehouse.read("run_df", run_ids=[run_id]).row(0, named=True)
        assert again["resumed_from"] == run["run_id"]
        assert (again["n_reused"], again["status"]) == (n_kept, "done")
        n_repeated = sum(n_times - 1 for n_times in endpoint.n_answered.values())
        assert n_repeated <= CONCURRENCY, "more than the calls in flight was paid twice"
