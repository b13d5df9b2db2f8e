"""Answer a question set over the warehouse: plan, retrieve, route, loop, publish.

The flow reads, calls and writes; what is decided stands in transforms/pipeline. A chunk is a
bounded number of documents with all their pairs. After first retrieval its pairs are grouped by
route, and each group is one task.
"""

import asyncio
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import polars as pl
from prefect import Task, flow, task
from prefect.artifacts import create_table_artifact
from prefect.cache_policies import NO_CACHE

from flows.answering.driver import LoopDriver
from flows.answering.planning import PlannedPair, chunks_of
from flows.answering.publish import publish_run
from flows.answering.reparse import warehouse_reader
from flows.answering.rows import (
    PAIR_TABLES,
    Frames,
    Gathered,
    cost_table,
    rows_of_pairs,
    rows_unanswered,
)
from flows.answering.run import AnswerOptions, RunPlan, alone_with_set, open_ledger, plan_run
from flows.answering.turns import Turn, in_turn
from flows.answering.vectors import make_vectors
from flows.answering.watch import CANCELLED, Watch
from flows.engines import make_engine
from flows.ingesting.alone import without_runs
from flows.ledger import Ledger
from flows.outcome import CRASHED
from flows.runners import Runner, Submitted, chunks_at_once, for_workers, task_runner
from flows.settings import Settings, load_settings
from flows.signals import listening_for_stop
from flows.warehouse import Warehouse
from transforms.errors import WarehouseError
from transforms.pipeline.loop import Step
from transforms.pipeline.registry import PatternRegistry
from transforms.values import Value

RETRY_AFTER_S: list[float] = [1, 5]
"""Waits before a chunk that crashed is tried again. Calls have retries of their own, below."""


class Job(Value):
    """What every task of a run needs to know; small, so that it can travel to a worker."""

    run_id: str
    settings: Settings
    refresh: bool

    def warehouse(self) -> Warehouse:
        """Open the warehouse of the run."""
        return Warehouse.open(self.settings.warehouse)

    def ledger(self) -> Ledger:
        """Open the ledger of the run."""
        return open_ledger(self.settings, self.warehouse())


class Parcel:
    """What a task works on. Prefect and Dask look for futures in values and tuples, not in this."""

    def __init__(self, job: Job, pairs: Sequence[PlannedPair], steps: Sequence[Step] = ()) -> None:
        self.job = job
        self.pairs = pairs
        self.steps = steps


@flow(name="answer", validate_parameters=False, persist_result=False)
def answer(
    questions: str,
    options: AnswerOptions | None = None,
    overrides: dict[str, Any] | None = None,
) -> str:
    """Answer the question set in a file over all current documents; return the run's id.

    `overrides` are settings that a command or a deployment passes; secrets come from the
    environment of the process that runs the flow. Raises InputError while another process runs
    the same set with the same ledger.
    """
    settings = load_settings(**(overrides or {}))
    warehouse = Warehouse.open(settings.warehouse, create=True)
    ledger = open_ledger(settings, warehouse)
    with alone_with_set(questions, ledger), without_runs(warehouse, is_run=True):
        run_id = _run(questions, settings, options or AnswerOptions(), warehouse, ledger)
    ledger.close()
    return run_id


def _run(
    questions: str, settings: Settings, options: AnswerOptions, warehouse: Warehouse, ledger: Ledger
) -> str:
    plan = plan_run(questions, settings, options, warehouse, ledger)
    job = Job(run_id=plan.run_id, settings=for_workers(settings), refresh=plan.options.refresh)
    with listening_for_stop() as stop:
        watch = Watch(plan, settings, (warehouse, ledger), stop)
        gathered = _answer_all(plan, job, watch, ledger)
        publish_run(plan, gathered, settings, warehouse, ledger, is_cancelled=watch.is_cancelled)
        ledger.publish_calls(warehouse.write_calls)
    create_table_artifact(
        cost_table(gathered.frame("answer_df")),
        key="compline-cost",
        description=f"Run {plan.run_id} by route",
    )
    return plan.run_id


def _answer_all(plan: RunPlan, job: Job, watch: Watch, ledger: Ledger) -> Gathered:
    """Answer chunk by chunk, as many at a time as the runner keeps busy."""
    gathered = Gathered(plan.reused)
    with task_runner(job.settings) as runner:
        crew = Crew(job, runner, watch)
        turn = Turn(chunks_at_once(job.settings), watch.may_begin, watch.look)
        for chunk, answered in in_turn(chunks_of(plan.to_answer), crew.answer, turn):
            rows = answered or [crew.left_out(chunk)]
            ledger.publish_calls(job.warehouse().write_calls)
            watch.take(len(chunk), rows)
            for frames in rows:
                gathered.add(frames)
    return gathered


@task(
    name="retrieve", cache_policy=NO_CACHE, persist_result=False,
    retries=len(RETRY_AFTER_S), retry_delay_seconds=RETRY_AFTER_S,
)  # fmt: skip
def retrieve_chunk(parcel: Parcel) -> list[Step]:
    """Start the loop of every pair and carry its first retrieval out, all in one statement."""
    ledger = parcel.job.ledger()
    driver = _driver(parcel.pairs, parcel.job, ledger)
    retrieved = driver.begin(parcel.pairs, parcel.job.settings)
    ledger.close()
    return retrieved


@task(
    name="answer", cache_policy=NO_CACHE, persist_result=False,
    retries=len(RETRY_AFTER_S), retry_delay_seconds=RETRY_AFTER_S,
)  # fmt: skip
def answer_chunk(parcel: Parcel) -> Frames:
    """Drive the loops of one chunk and route to their ends; return rows of the run's tables."""
    return asyncio.run(_drive(parcel.steps, parcel.pairs, parcel.job))


async def _drive(steps: Sequence[Step], pairs: Sequence[PlannedPair], job: Job) -> Frames:
    ledger = job.ledger()
    engine = make_engine(job.settings, ledger, refresh=job.refresh)
    driver = _driver(pairs, job, ledger)
    driver.engine = engine
    try:
        states = await driver.run(steps, lambda: ledger.is_cancelled(job.run_id))
    finally:
        await engine.close()
        ledger.close()
    answered = {state.pair_id for state in states}
    left = [pair for pair in pairs if pair.pair_id not in answered]
    answered_rows = rows_of_pairs(states, pairs, engine, driver.coverage(states))
    if not left:
        return answered_rows
    left_rows = rows_unanswered(left, job.settings, status="not_run", caveat=CANCELLED)
    return {table: pl.concat([answered_rows[table], left_rows[table]]) for table in PAIR_TABLES}


def _driver(pairs: Sequence[PlannedPair], job: Job, ledger: Ledger) -> LoopDriver:
    warehouse, registry = job.warehouse(), PatternRegistry.default()
    doc_ids = {doc_id for pair in pairs for doc_id in pair.scope.doc_ids}
    return LoopDriver(
        corpus=warehouse.corpus(doc_ids),
        term_df=warehouse.terms(doc_ids),
        registry=registry,
        run_id=job.run_id,
        pages=warehouse_reader(warehouse, registry),
        vectors=make_vectors(job.settings, ledger, warehouse, run_id=job.run_id),
    )


class WorkerLostError(Exception):
    """A worker ended before its task did: killed, out of memory, or its machine is gone."""


@dataclass(frozen=True)
class Crew:
    """Whoever works on the chunks of a run."""

    job: Job
    runner: Runner
    watch: Watch

    def answer(self, number: int, chunk: Sequence[PlannedPair]) -> list[Frames]:
        """Run a chunk's tasks; pairs of a task that crashed for good are failed, never missing."""
        pairs = {pair.pair_id: pair for pair in chunk if not pair.failure}
        results = [
            rows_unanswered([pair], self.job.settings, status="failed", caveat=pair.failure)
            for pair in chunk
            if pair.failure
        ]
        if not pairs:
            return results
        every = Parcel(self.job, list(pairs.values()))
        retrieving = self._submitted(retrieve_chunk, f"retrieve chunk {number}", every)
        steps = _result(retrieving)
        if isinstance(steps, BaseException):
            return [*results, self._crashed(list(pairs.values()), steps)]
        submitted: list[tuple[list[PlannedPair], Submitted]] = []
        for route, group in _by_route(steps).items():
            asked = [pairs[state.pair_id] for state, _ in group]
            name, parcel = f"answer {route}, chunk {number}", Parcel(self.job, asked, group)
            submitted.append((asked, self._submitted(answer_chunk, name, parcel)))
        for asked, future in submitted:
            result = _result(future)
            is_crash = isinstance(result, BaseException)
            results.append(self._crashed(asked, result) if is_crash else result)
        return results

    def left_out(self, pairs: Sequence[PlannedPair]) -> Frames:
        """Return the rows of pairs that nobody worked on, with the reason."""
        reason = self.watch.reason_to_stop() or CANCELLED
        return rows_unanswered(pairs, self.job.settings, status="not_run", caveat=reason)

    def _submitted(self, work: Task[..., Any], name: str, parcel: Parcel) -> Submitted:
        return self.runner.submit(work.with_options(task_run_name=name), {"parcel": parcel})

    def _crashed(self, pairs: Sequence[PlannedPair], error: BaseException) -> Frames:
        """A crash of ours costs the pairs of one task their answers, not the run its rows.

        Workers that end because the run does have not crashed.
        """
        if self.watch.is_cancelled:
            return self.left_out(pairs)
        caveat = f"{CRASHED}: {type(error).__name__}: {error}"
        if isinstance(error, WorkerLostError):
            caveat = f"{error}; lower n_workers and run again with --only failed"
        return rows_unanswered(pairs, self.job.settings, status="failed", caveat=caveat)


def _result(future: Submitted) -> Any:
    """Return what a task returned, or the exception that it ended with.

    Raises WarehouseError: where a task cannot write, the run cannot either.
    """
    try:
        result = future.result(raise_on_failure=False)
    except Exception as error:  # each runner has its own way to say that a worker is gone
        lost = f"a worker process was lost ({type(error).__name__}), most likely for lack of memory"
        return WorkerLostError(lost)
    if isinstance(result, WarehouseError):
        raise result
    return result


def _by_route(steps: Sequence[Step]) -> dict[str, list[Step]]:
    groups: dict[str, list[Step]] = defaultdict(list)
    for step in steps:
        decision = step[0].route
        groups[(decision and decision.route) or "no route"].append(step)
    return dict(groups)
