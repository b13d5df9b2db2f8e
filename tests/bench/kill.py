"""Kill -9 a run at random moments, then let it finish and look for what is lost or paid twice.

    python -m tests.bench.kill [--kills 50] [--pairs 300] [--seed 1]

The warehouse holds the sample corpus; a loopback endpoint reads the prompts by the offline reader
and takes its time. A tenth of the kills falls at any moment after the start of the command, a tenth
after its last answer, while it publishes; the others after its first request.
"""

import argparse
import json
import os
import random
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import duckdb

from flows import prefect_setup
from flows.ledger import Ledger
from tests.e2e.endpoint import Endpoint, Json
from tests.e2e.endpoint_acts import body_hash
from tests.e2e.reader_model import read_and_reply

ROOT = Path(__file__).parents[2]
SAMPLE = ROOT / "data" / "sample"
CONCURRENCY = 32
PRICES = {"m": {"input": "1", "output": "2"}}
LATENCY_S = (0.1, 4.0)
"""Shortest and longest time the endpoint takes; some answers come before most kills."""
LONGEST_ASKING_S = 2.0
LONGEST_START_S = 10.0
LONGEST_CLOSING_S = 2.0
"""Within so long after the moment that a kill waits for, it falls."""
QUIET_S = 0.3
"""So long after its last answer a run has nothing more to ask."""
LONGEST_RUN_S = 600.0


class Trial:
    """One warehouse, one endpoint, and a run that is started again after each kill."""

    def __init__(self, folder: Path, endpoint: Endpoint, n_pairs: int, seed: int) -> None:
        self._folder = folder
        self._endpoint = endpoint
        self._run = ["run", str(SAMPLE / "questions.csv"), "--engine", "openai", "--model", "m"]
        self._run += ["--limit", str(n_pairs)]
        self._dice = random.Random(seed)
        self.n_alive: Counter[str] = Counter()
        """Kills that met a running command, by the moment they waited for."""

    def kill(self, moment: str) -> bool:
        """Start the run and kill it; return whether it was still alive."""
        n_before = self._endpoint.n_requests
        process = compline(self._folder, self._endpoint.base_url, *self._run)
        if moment != "start":
            self._wait(process, lambda: self._endpoint.n_requests > n_before)
        if moment == "closing":
            self._wait(process, self._is_quiet)
        longest_s = {"start": LONGEST_START_S, "asking": LONGEST_ASKING_S}
        try:
            process.wait(self._dice.uniform(0.0, longest_s.get(moment, LONGEST_CLOSING_S)))
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
            self.n_alive[moment] += 1
            return True
        return False

    def finish(self, *options: str) -> int:
        """Let the run end by itself and return its exit code."""
        return compline(self._folder, self._endpoint.base_url, *self._run, *options).wait()

    def answers(self) -> list[tuple[Any, ...]]:
        """Return what the newest run answered."""
        with duckdb.connect(str(self.base), read_only=True) as base:
            return base.execute(
                "select pair_id, sub_question, status, value_text, stop_reason, n_steps"
                " from answer_df where run_id = (select max(run_id) from run_df) order by all"
            ).fetchall()

    @property
    def base(self) -> Path:
        """Return the database of views."""
        return self._folder / "warehouse" / "compline.duckdb"

    @property
    def ledger_path(self) -> Path:
        """Return the file of the ledger."""
        return self._folder / "warehouse" / "ledger.sqlite"

    def _wait(self, process: subprocess.Popen[bytes], is_there: Any) -> None:
        deadline = time.monotonic() + LONGEST_RUN_S
        while process.poll() is None and not is_there():
            if time.monotonic() > deadline:
                raise TimeoutError("the run goes on and on")
            time.sleep(0.01)

    def _is_quiet(self) -> bool:
        n_requests = self._endpoint.n_requests
        time.sleep(QUIET_S)
        return self._endpoint.n_in_flight == 0 and self._endpoint.n_requests == n_requests


def compline(folder: Path, base_url: str, *arguments: str) -> subprocess.Popen[bytes]:
    """Start the command line over a warehouse of its own."""
    environment = os.environ | {
        "COMPLINE_WAREHOUSE": str(folder / "warehouse"),
        "COMPLINE_CONCURRENCY": str(CONCURRENCY),
        "COMPLINE_PRICES": json.dumps(PRICES),
        "OPENAI_BASE_URL": base_url,
    }
    program = [sys.executable, "-m", "flows.command_line", *arguments, "--quiet"]
    return subprocess.Popen(program, cwd=ROOT, env=environment, stdout=subprocess.DEVNULL)


def slow_reader(seed: int) -> Any:
    """Return a model that takes a random time for each answer."""
    dice = random.Random(seed)

    def reply(body: Json) -> str:
        time.sleep(dice.uniform(*LATENCY_S))
        return read_and_reply(body)

    return reply


def said(messages: Iterable[Any]) -> str:
    """Return what makes two requests the same, in the endpoint's books and in the ledger's."""
    texts = [each["content"] if isinstance(each, dict) else each[1] for each in messages]
    return json.dumps(texts)


def repeats(endpoint: Endpoint, ledger_path: Path) -> tuple[int, int, int]:
    """Return how many answers were repeats, how many attempts were in flight at a kill, and how
    many repeats no such attempt explains.
    """
    with sqlite3.connect(ledger_path) as ledger:
        rows = ledger.execute(
            "select q.request_json from attempt a join request q using (request_hash)"
            " join settlement s using (call_id, attempt) where s.outcome = 'cancelled'"
        ).fetchall()
    in_flight = Counter(said(json.loads(text)["messages"]) for (text,) in rows)
    answered: Counter[str] = Counter()
    names = {body_hash(body): said(body["messages"]) for body in endpoint.bodies}
    for name, count in endpoint.n_answered.items():
        answered[names[name]] += count
    n_extra = {text: count - 1 for text, count in answered.items() if count > 1}
    unexplained = sum(max(0, count - in_flight[text]) for text, count in n_extra.items())
    return sum(n_extra.values()), in_flight.total(), unexplained


def report_ledger(trial: Trial) -> None:
    """Compare the ledger with what SQL says of it."""
    ledger = Ledger.open(trial.ledger_path)
    calls, n_unpublished = ledger.all_calls(), ledger.unpublished_calls().height
    ledger.close()
    with duckdb.connect(str(trial.base), read_only=True) as base:
        [(n_rows, cost_usd)] = base.execute(
            "select count(*), sum(cost_usd) from llm_call_df"
        ).fetchall()
    print(f"calls in the ledger {calls.height}, in SQL {n_rows}, unpublished {n_unpublished}")
    print(f"cost in the ledger {calls['cost_usd'].sum()}, in SQL {cost_usd}")


def main() -> None:
    """Measure once and print."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--kills", type=int, default=50)
    parser.add_argument("--pairs", type=int, default=300)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--corpus", type=Path, help="warehouse whose corpus is taken, not made")
    options = parser.parse_args()
    tenth = max(1, options.kills // 10)
    moments = ["start"] * tenth + ["asking"] * (options.kills - 2 * tenth)
    random.Random(options.seed).shuffle(moments)
    prefect_setup.ready()  # one Prefect server for all starts: its own takes longer than the run
    with tempfile.TemporaryDirectory() as name, Endpoint(slow_reader(options.seed)) as endpoint:
        folder = Path(name)
        if options.corpus:
            shutil.copytree(options.corpus / "corpus", folder / "warehouse" / "corpus")
        else:
            compline(folder, "", "ingest", str(SAMPLE)).wait()
        trial = Trial(folder, endpoint, options.pairs, options.seed)
        started = time.monotonic()
        for moment in [*moments, *["closing"] * tenth]:
            print(moment, "killed" if trial.kill(moment) else "had ended", flush=True)
        code = trial.finish()
        broken = trial.answers()
        n_repeats, n_in_flight, n_unexplained = repeats(endpoint, trial.ledger_path)
        print(f"kills {trial.n_alive}, exit code {code}, {time.monotonic() - started:.0f} s")
        report_ledger(trial)
        trial.finish("--new", "--refresh")
        pairs = [row[:2] for row in broken]
        print(f"answers {len(pairs)}, of them distinct {len(set(pairs))}")
        print(f"equal to an unbroken run: {broken == trial.answers()}")
        print(f"in flight at a kill {n_in_flight}, answered again {n_repeats}")
        print(f"answered again without having been in flight {n_unexplained}")


if __name__ == "__main__":
    main()
