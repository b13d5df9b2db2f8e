"""Kill -9 a run at random moments until it has had enough chances, then let it finish.

    python -m tests.bench.kill [--kills 50] [--pairs 300] [--seed 1]

The warehouse holds the sample corpus; a loopback endpoint reads the prompts by the offline reader
and takes its time. Prints what was lost, what was answered twice, and what the ledger says of it.
"""

import argparse
import os
import random
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import duckdb

from flows.ledger import Ledger
from tests.e2e.endpoint import Act, Endpoint
from tests.e2e.reader_model import read_and_reply

ROOT = Path(__file__).parents[2]
SAMPLE = ROOT / "data" / "sample"
CONCURRENCY = 32
LATENCY_S = 0.5
LONGEST_LIFE_S = 4.0
"""A run is killed at most so long after its first request."""
START_S = 300.0


def compline(folder: Path, endpoint: Endpoint | None, *arguments: str) -> subprocess.Popen[str]:
    """Start the command line over a warehouse of its own."""
    environment = os.environ | {
        "COMPLINE_WAREHOUSE": str(folder / "warehouse"),
        "COMPLINE_CONCURRENCY": str(CONCURRENCY),
        "PREFECT_HOME": str(folder / "prefect"),
        "OPENAI_BASE_URL": endpoint.base_url if endpoint else "",
    }
    program = [sys.executable, "-m", "flows.command_line", *arguments, "--quiet"]
    return subprocess.Popen(program, cwd=ROOT, env=environment, stdout=subprocess.DEVNULL)


def answers(folder: Path, run_id: str | None = None) -> list[tuple[object, ...]]:
    """Return the answers of a run, the newest if none is named."""
    with duckdb.connect(str(folder / "warehouse" / "compline.duckdb"), read_only=True) as base:
        chosen = run_id or base.execute("select max(run_id) from run_df").fetchall()[0][0]
        return base.execute(
            "select pair_id, sub_question, status, value_text, stop_reason, n_steps"
            " from answer_df where run_id = $run_id order by all",
            {"run_id": chosen},
        ).fetchall()


def kill_often(folder: Path, endpoint: Endpoint, run: list[str], n_kills: int, seed: int) -> int:
    """Start a run and kill it at a random moment after its first request, again and again.

    Return how often it was still alive.
    """
    moments = random.Random(seed)
    n_killed = 0
    while n_killed < n_kills:
        n_before = endpoint.n_requests
        process = compline(folder, endpoint, *run)
        deadline = time.monotonic() + START_S
        while endpoint.n_requests == n_before and process.poll() is None:
            if time.monotonic() > deadline:
                raise TimeoutError("the run makes no request")
            time.sleep(0.02)
        try:
            process.wait(timeout=moments.uniform(0.0, LONGEST_LIFE_S))
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
            n_killed += 1
        else:
            break
    return n_killed


def main() -> None:
    """Measure once and print."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--kills", type=int, default=50)
    parser.add_argument("--pairs", type=int, default=300)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--corpus", type=Path, help="warehouse whose corpus is taken, not made")
    options = parser.parse_args()
    run = ["run", str(SAMPLE / "questions.csv"), "--engine", "openai", "--model", "m"]
    run += ["--limit", str(options.pairs)]
    with tempfile.TemporaryDirectory() as name, Endpoint(read_and_reply) as endpoint:
        folder = Path(name)
        if options.corpus:
            shutil.copytree(options.corpus / "corpus", folder / "warehouse" / "corpus")
        else:
            compline(folder, None, "ingest", str(SAMPLE)).wait()
        endpoint.usual = Act(hang_s=LATENCY_S)
        started = time.monotonic()
        n_killed = kill_often(folder, endpoint, run, options.kills, options.seed)
        code = compline(folder, endpoint, *run).wait()
        broken = answers(folder)
        repeats = sum(endpoint.n_answered.values()) - len(endpoint.n_answered)
        ledger = Ledger.open(folder / "warehouse" / "ledger.sqlite")
        calls = ledger.all_calls()
        n_interrupted = calls.filter(outcome="cancelled").height
        unpublished = ledger.unpublished_calls().height
        ledger.close()
        endpoint.usual = Act()
        compline(folder, endpoint, *run, "--new", "--refresh").wait()
        unbroken = answers(folder)
        print(f"kills {n_killed}, exit code {code}, {time.monotonic() - started:.0f} s")
        print(f"answers {len(broken)}, equal to an unbroken run: {broken == unbroken}")
        print(f"requests answered {len(endpoint.n_answered)}, answered again {repeats}")
        print(f"calls in flight at a kill {n_interrupted}, calls unpublished {unpublished}")


if __name__ == "__main__":
    main()
