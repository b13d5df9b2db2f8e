"""A run is killed twice and then ends: what it answered, who was kept out, and what it cost."""

import json
import os
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pymupdf
import pytest

from flows.ingest import ingest
from tests.e2e.endpoint import Endpoint, Json
from tests.e2e.night import PAGES, Night
from tests.e2e.typed import Typed, typed

N_PAIRS = 24
ABSENT = "What is the deductible for premises under the laws of Ohio?"
OPEN = "Explain how the policy deals with cancellation."
PRICES = {name: {"input": "1", "output": "2"} for name in ("m", "e")}


@dataclass
class Gate:
    """Lets a number of calls of the model through; the others wait."""

    n_left: int = 0
    turn: threading.Condition = field(default_factory=threading.Condition)

    def reply(self, _: Json) -> str:
        with self.turn:
            self.turn.wait_for(lambda: self.n_left > 0, timeout=60)
            self.n_left -= 1
        return json.dumps({"answer_found": False, "complete_answer_found": False})

    def let(self, n_calls: int) -> None:
        with self.turn:
            self.n_left = n_calls
            self.turn.notify_all()


@dataclass
class Chain:
    """Three starts of one set, of which two were killed, and one beside the first."""

    night: Night
    beside: "subprocess.CompletedProcess[str]"
    last: Typed
    n_asked_beside: int


def variables(night: Night) -> dict[str, str]:
    return {
        "COMPLINE_WAREHOUSE": night.overrides["warehouse"],
        "COMPLINE_MODEL": "m",
        "COMPLINE_EMBEDDING_MODEL": "e",
        "COMPLINE_PRICES": json.dumps(PRICES),
        "COMPLINE_CONCURRENCY": "2",
        "OPENAI_BASE_URL": night.endpoint.base_url,
        "OPENAI_API_KEY": "sk-test",
    }


def start(night: Night, questions: str) -> "subprocess.Popen[str]":
    command = [sys.executable, "-m", "flows.command_line", "run", questions, "--json"]
    return subprocess.Popen(
        command, env={**os.environ, **variables(night)}, text=True,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    )  # fmt: skip


def finish(process: "subprocess.Popen[str]") -> "subprocess.CompletedProcess[str]":
    said, complained = process.communicate(timeout=200)
    return subprocess.CompletedProcess(process.args, process.returncode, said, complained)


def kill(process: "subprocess.Popen[str]") -> None:
    process.kill()
    process.communicate()


def wait_until_waiting(night: Night, gate: Gate, process: "subprocess.Popen[str]") -> None:
    """Wait until all calls that were let through are answered and the next two are in flight."""
    deadline = time.monotonic() + 60
    while gate.n_left > 0 or night.endpoint.n_in_flight < 2:
        assert process.poll() is None, process.communicate()[1]
        assert time.monotonic() < deadline, "the run makes no calls"
        time.sleep(0.02)


@pytest.fixture(scope="module")
def chain(prefect: None, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Chain]:
    folder, gate = tmp_path_factory.mktemp("killed"), Gate()
    with Endpoint(gate.reply) as endpoint:
        night = Night(folder, endpoint)
        write_policy(folder / "policy.pdf")
        ingest([str(folder / "policy.pdf")], None, {"warehouse": night.overrides["warehouse"]})
        texts = [f"{ABSENT} Part {number}." for number in range(N_PAIRS - 1)]
        questions = night.questions(*texts, OPEN)
        gate.let(7)
        first = start(night, questions)
        wait_until_waiting(night, gate, first)
        n_requests = endpoint.n_requests
        beside = finish(start(night, questions))
        n_asked_beside = endpoint.n_requests - n_requests
        kill(first)
        gate.let(7)
        second = start(night, questions)
        wait_until_waiting(night, gate, second)
        kill(second)
        assert night.warehouse.read("run_df").is_empty(), "a killed run is not readable"
        gate.let(1_000)
        last = typed(folder, "run", questions, "--json", **variables(night))
        yield Chain(night, beside, last, n_asked_beside)


def write_policy(path: Path) -> None:
    with pymupdf.open() as document:
        for text in PAGES:
            document.new_page().insert_textbox(pymupdf.Rect(72, 72, 540, 800), text)
        document.save(path)


def test_a_set_that_is_being_answered_is_not_answered_by_another_process(chain: Chain) -> None:
    assert chain.beside.returncode == 2, chain.beside.stderr
    assert "question set 'questions' is being answered already, by run 20" in chain.beside.stderr
    assert "do: " in chain.beside.stderr
    assert chain.n_asked_beside == 0


def test_a_killed_run_lets_go_of_its_set_and_the_next_pays_nothing_twice(chain: Chain) -> None:
    assert chain.last.returncode == 0, chain.last.stderr
    [run] = chain.night.warehouse.read("run_df").to_dicts()
    assert run["resumed_from"] == run["killed_run_ids"][0]
    assert run["n_pairs"] == len(json.loads(chain.last.stdout)) == N_PAIRS
    call_df = chain.night.calls()
    n_interrupted = call_df.filter(outcome="cancelled").height
    assert 0 < n_interrupted <= 4, "two calls are in flight at a time"
    assert max(chain.night.endpoint.n_answered.values()) <= 2
    assert sum(chain.night.endpoint.n_answered.values()) <= call_df.height
    assert call_df.filter(outcome="ok")["request_hash"].is_unique().all()


def test_what_killed_runs_paid_counts_once_for_the_run_that_ended(chain: Chain) -> None:
    [run] = chain.night.warehouse.read("run_df").to_dicts()
    call_df, query = chain.night.calls(), chain.night.warehouse.query
    paid_by = dict(call_df.group_by("run_id").len().iter_rows())
    assert set(paid_by) == {run["run_id"], *run["killed_run_ids"]}
    assert len(paid_by) == 3
    [beside] = query(
        "select count(*) as n, sum(cost_usd) as usd from llm_call_df where pair_id is null"
    ).to_dicts()
    assert beside["n"] > 0
    [of_pairs] = query("select sum(n_calls) as n, sum(cost_usd) as usd from pair_cost").to_dicts()
    assert of_pairs["n"] + beside["n"] == call_df.height
    assert of_pairs["usd"] + beside["usd"] == call_df["cost_usd"].sum()
    assert query("select sum(cost_usd) as usd from route_cost")["usd"].item() == of_pairs["usd"]
    spent = query("select spent_usd, spent_tokens from budget_status").row(0, named=True)
    assert spent["spent_usd"] == call_df["cost_usd"].sum()
    tokens_df = call_df.select("prompt_tokens", "completion_tokens").sum()
    assert spent["spent_tokens"] == tokens_df.sum_horizontal().item()
