"""The same run on threads, processes, a Dask cluster and Ray gives the same tables."""

import importlib.util
import os
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from polars.testing import assert_frame_equal
from prefect import task

from flows.answer import answer
from flows.answering.run import AnswerOptions
from flows.ingest import ingest
from flows.runners import Processes
from flows.warehouse import Warehouse
from tests.bench.nights import write_policy
from tests.e2e.endpoint import Endpoint
from tests.e2e.reader_model import read_and_reply
from transforms.errors import InputError
from transforms.tables import TABLES

pytestmark = pytest.mark.usefixtures("prefect")

N_DOCUMENTS = 21
"""More than one chunk."""

QUESTIONS = """question_id,question
premium,What is the annual premium?
exclusions,List all exclusions in this policy.
"""

COMPARED = ("dispatch_df", "candidate_df", "answer_df", "evidence_df", "iteration_df")
OF_THE_MOMENT = {"run_id", "n_calls_reused", "latency_ms", "retrieval_ms", "generation_ms"}
EXTRAS = {"dask": "prefect_dask", "ray": "prefect_ray"}


@pytest.fixture(scope="module")
def asked(tmp_path_factory: pytest.TempPathFactory, prefect: None) -> Iterator[dict[str, Any]]:
    """Return overrides for a warehouse with documents, an endpoint, and the answers by threads."""
    folder = tmp_path_factory.mktemp("runners")
    (folder / "in").mkdir()
    for number in range(N_DOCUMENTS):
        write_policy(folder / "in", number, premium=1_000 + number)
    (folder / "questions.csv").write_text(QUESTIONS, encoding="utf-8")
    with Endpoint(read_and_reply) as endpoint:
        overrides = {
            "warehouse": str(folder / "warehouse"),
            "engine": "openai",
            "model": "m",
            "base_url": endpoint.base_url,
            "api_key": "sk-test",
            "n_workers": 2,
        }
        ingest([str(folder / "in")], None, overrides)
        yield {"folder": folder, "overrides": overrides, "endpoint": endpoint}


@pytest.fixture(scope="module")
def by_threads(asked: dict[str, Any]) -> dict[str, pl.DataFrame]:
    return tables(asked, "threads")


def tables(asked: dict[str, Any], runner: str) -> dict[str, pl.DataFrame]:
    """Return all tables of a run that asks everything anew."""
    questions = str(asked["folder"] / "questions.csv")
    overrides = {**asked["overrides"], "runner": runner}
    n_before = asked["endpoint"].n_requests
    run_id = answer(questions, AnswerOptions(refresh=True, is_new=True), overrides)
    warehouse = Warehouse.open(overrides["warehouse"])
    calls_df = warehouse.query("select * from llm_call_df where run_id = $r", {"r": run_id})
    assert calls_df.height == asked["endpoint"].n_requests - n_before
    return {
        table: warehouse.read(table, run_ids=[run_id])
        .drop(OF_THE_MOMENT, strict=False)
        .sort([name for name in TABLES[table].key if name != "run_id"])
        for table in COMPARED
    }


@pytest.mark.filterwarnings("ignore")  # clusters that end leave sockets to the collector
@pytest.mark.parametrize("runner", ["processes", "dask", "ray"])
def test_every_runner_gives_the_tables_that_threads_give(
    runner: str, asked: dict[str, Any], by_threads: dict[str, pl.DataFrame]
) -> None:
    package = EXTRAS.get(runner)
    if package and importlib.util.find_spec(package) is None:
        pytest.skip(f"the extra compline[{runner}] is not installed")
    found = tables(asked, runner)
    answer_df = found["answer_df"]
    assert answer_df["status"].is_in(["answered", "partial"]).all(), answer_df["caveats"].to_list()
    for table in COMPARED:
        assert_frame_equal(found[table], by_threads[table])


def test_a_runner_whose_extra_is_missing_says_how_to_install_it(asked: dict[str, Any]) -> None:
    missing = [name for name in EXTRAS if importlib.util.find_spec(EXTRAS[name]) is None]
    if not missing:
        pytest.skip("all extras are installed")
    with pytest.raises(InputError) as caught:
        tables(asked, missing[0])
    assert f"compline[{missing[0]}]" in caught.value.hint


@task(persist_result=False)
def named(name: str, deadly: Path | None) -> str:
    if deadly and deadly.exists():
        deadly.unlink()
        os.kill(os.getpid(), signal.SIGKILL)  # as the kernel does when memory is short
    return name


def test_a_task_whose_process_dies_is_tried_again_and_later_ones_get_another(
    tmp_path: Path,
) -> None:
    deadly = tmp_path / "deadly"
    deadly.touch()
    with Processes(n_workers=1) as processes:
        first = processes.submit(named, {"name": "first", "deadly": deadly})
        assert first.result(raise_on_failure=False) == "first"
        assert not deadly.exists()
        later = processes.submit(named, {"name": "later", "deadly": None})
        assert later.result(raise_on_failure=False) == "later"
