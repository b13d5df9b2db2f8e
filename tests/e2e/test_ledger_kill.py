"""Kill -9 in the middle: every answer is there once, and only what was in flight is repeated."""

import json
import random
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from flows.ledger import Ledger
from tests.e2e.endpoint import Act, BatchAct, Endpoint
from tests.e2e.engine_tasks import found

ROOT = Path(__file__).parents[2]
N_TASKS = 60


def worker(ledger_path: Path, endpoint: Endpoint, engine: str, number: int) -> list[str]:
    before = f"r{number - 1}" if number > 1 else ""
    program = [sys.executable, "-m", "tests.e2e.engine_worker", str(ledger_path)]
    return [*program, endpoint.base_url, engine, f"r{number}", before, str(N_TASKS)]


def kill_in_the_middle(command: list[str], after_s: float) -> None:
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "asking\n"
        time.sleep(after_s)
        process.kill()


def finish(command: list[str]) -> list[dict[str, Any]]:
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    return json.loads(done.stdout.splitlines()[1])


@pytest.mark.parametrize("engine", ["openai", "openai-batch"])
def test_killed_runs_lose_nothing_and_pay_nothing_twice(engine: str, tmp_path: Path) -> None:
    moments = random.Random(5)
    path = tmp_path / "ledger.sqlite"
    with Endpoint(found) as endpoint:
        endpoint.play(*[Act(hang_s=0.05)] * 1_000)
        endpoint.batches.play(BatchAct(n_polls=12, n_errors=7))
        for number in (1, 2):
            after_s = moments.uniform(0.1, 0.5)
            kill_in_the_middle(worker(path, endpoint, engine, number), after_s)
        answers = finish(worker(path, endpoint, engine, 3))
        n_answered = endpoint.n_answered
    assert [each["error"] for each in answers] == [None] * N_TASKS
    assert all(each["answer"]["answer_found"] for each in answers)
    ledger = Ledger.open(path)
    calls = ledger.all_calls()
    ledger.close()
    n_interrupted = calls.filter(outcome="cancelled").height
    assert calls.filter(outcome="ok").height == N_TASKS
    assert len(n_answered) == N_TASKS
    assert sum(n_answered.values()) - N_TASKS <= n_interrupted
    assert sum(each["usage"]["n_calls"] for each in answers) == N_TASKS
