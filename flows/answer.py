"""Answer a question set over the warehouse: plan, retrieve, route, loop, publish.

The flow reads, calls and writes; what is decided stands in transforms/pipeline. A chunk is a
bounded number of documents with all their pairs. After first retrieval its pairs are grouped by
route, and each group is one task.
"""

import asyncio
from collections import defaultdict
from collections.abc import Sequence
from typing import Any

from prefect import Task, flow, task
from prefect.artifacts import create_table_artifact
from prefect.cache_policies import NO_CACHE
from prefect.futures import PrefectFuture
from prefect.utilities.annotations import quote

from flows.answering.driver import LoopDriver
from flows.answering.planning import PlannedPair, chunks_of
from flows.answering.publish import publish_run
from flows.answering.reparse import warehouse_reader
from flows.answering.rows import CRASHED, Frames, cost_table, rows_of_pairs, rows_unanswered
from flows.answering.run import AnswerOptions, open_ledger, plan_run
from flows.answering.vectors import make_vectors
from flows.clock import elapsed_ms, tick
from flows.engines import make_engine
from flows.ledger import Ledger
from flows.progress import report_progress
from flows.settings import Settings, load_settings
from flows.warehouse import Warehouse
from transforms.pipeline.loop import Step
from transforms.pipeline.registry import PatternRegistry
from transforms.values import Value


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


@flow(name="answer", validate_parameters=False, persist_result=False)
def answer(
    questions: str,
    options: AnswerOptions | None = None,
    overrides: dict[str, Any] | None = None,
) -> str:
    """Answer the question set in a file over all current documents; return the run's id.

    `overrides` are settings that a command or a deployment passes; secrets come from the
    environment of the process that runs the flow.
    """
    settings = load_settings(**(overrides or {}))
    warehouse = Warehouse.open(settings.warehouse, create=True)
    ledger = open_ledger(settings, warehouse)
    plan = plan_run(questions, settings, options or AnswerOptions(), warehouse, ledger)
    job = Job(run_id=plan.run_id, settings=settings, refresh=plan.options.refresh)
    results = [plan.reused]
    n_pairs, n_done = len(plan.pairs), len(plan.pairs) - len(plan.to_answer)
    since = tick()
    for number, chunk in enumerate(chunks_of(plan.to_answer), start=1):
        report_progress(n_done, n_pairs)
        if reason := _reason_to_stop(results[-1], elapsed_ms(since), settings):
            results.append(rows_unanswered(chunk, settings, status="not_run", caveat=reason))
        else:
            results += _answer_in_tasks(chunk, number, job)
            ledger.publish_calls(warehouse.write_calls)
        n_done += len(chunk)
    report_progress(n_done, n_pairs)
    publish_run(plan, results, settings, warehouse, ledger)
    ledger.publish_calls(warehouse.write_calls)
    create_table_artifact(
        cost_table(results), key="compline-cost", description=f"Run {plan.run_id} by route"
    )
    ledger.close()
    return plan.run_id


@task(name="retrieve", cache_policy=NO_CACHE, retries=1, persist_result=False)
def retrieve_chunk(pairs: Sequence[PlannedPair], job: Job) -> list[Step]:
    """Start the loop of every pair and carry its first retrieval out, all in one statement."""
    ledger = job.ledger()
    driver = _driver(pairs, job, ledger)
    retrieved = driver.begin(pairs, job.settings)
    ledger.close()
    return retrieved


@task(name="answer", cache_policy=NO_CACHE, retries=1, persist_result=False)
def answer_chunk(steps: Sequence[Step], pairs: Sequence[PlannedPair], job: Job) -> Frames:
    """Drive the loops of one chunk and route to their ends; return rows of the run's tables."""
    return asyncio.run(_drive(steps, pairs, job))


async def _drive(steps: Sequence[Step], pairs: Sequence[PlannedPair], job: Job) -> Frames:
    ledger = job.ledger()
    engine = make_engine(job.settings, ledger, refresh=job.refresh)
    driver = _driver(pairs, job, ledger)
    driver.engine = engine
    try:
        states = await driver.run(steps)
    finally:
        await engine.close()
        ledger.close()
    return rows_of_pairs(states, pairs, engine)


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


def _answer_in_tasks(chunk: Sequence[PlannedPair], number: int, job: Job) -> list[Frames]:
    """Run a chunk's tasks; pairs of a task that crashed twice are failed, never missing."""
    pairs = {pair.pair_id: pair for pair in chunk if not pair.failure}
    results = [
        rows_unanswered([pair], job.settings, status="failed", caveat=pair.failure)
        for pair in chunk
        if pair.failure
    ]
    if not pairs:
        return results
    retrieving = _submitted(
        retrieve_chunk, f"retrieve chunk {number}", pairs=list(pairs.values()), job=job
    )
    steps = retrieving.result(raise_on_failure=False)
    if isinstance(steps, BaseException):
        return [*results, _crashed(list(pairs.values()), steps, job)]
    submitted: list[tuple[list[PlannedPair], PrefectFuture[Any]]] = []
    for route, group in _by_route(steps).items():
        asked = [pairs[state.pair_id] for state, _ in group]
        name = f"answer {route}, chunk {number}"
        answering = _submitted(answer_chunk, name, steps=group, pairs=asked, job=job)
        submitted.append((asked, answering))
    for asked, future in submitted:
        result = future.result(raise_on_failure=False)
        is_crash = isinstance(result, BaseException)
        results.append(_crashed(asked, result, job) if is_crash else result)
    return results


def _submitted(work: Task[..., Any], name: str, **parameters: object) -> PrefectFuture[Any]:
    """Submit a task; its parameters are quoted, so Prefect does not search them for futures."""
    quoted: dict[str, Any] = {key: quote(value) for key, value in parameters.items()}
    return work.with_options(task_run_name=name).submit(**quoted)


def _by_route(steps: Sequence[Step]) -> dict[str, list[Step]]:
    groups: dict[str, list[Step]] = defaultdict(list)
    for step in steps:
        decision = step[0].route
        groups[(decision and decision.route) or "no route"].append(step)
    return dict(groups)


def _crashed(pairs: Sequence[PlannedPair], error: BaseException, job: Job) -> Frames:
    """A crash of ours costs the pairs of one task their answers, not the run its rows."""
    caveat = f"{CRASHED}: {type(error).__name__}: {error}"
    return rows_unanswered(pairs, job.settings, status="failed", caveat=caveat)


def _reason_to_stop(last: Frames, spent_ms: int, settings: Settings) -> str | None:
    """Say why no further chunk may start; null when it may."""
    if spent_ms >= settings.run_budget_ms:
        return f"the run's time budget of {settings.run_budget_ms} ms is spent"
    answer_df = last["answer_df"]
    if answer_df.height and (answer_df["stop_reason"] == "engine_failed").all():
        return "the endpoint failed for every pair of the chunk before"
    return None
