"""The nightly flow: ingest what is new, answer what changed, say what is different.

Prefect owns the schedule and its time zone. A night that finds the last one still going ends as
cancelled, so that nights neither overlap nor pile up after an outage.
"""

from typing import Any
from uuid import UUID

import httpx
from prefect import flow, get_client
from prefect.artifacts import create_markdown_artifact, create_table_artifact
from prefect.client.schemas.objects import FlowRunPolicy, State
from prefect.client.schemas.schedules import CronSchedule
from prefect.runtime import flow_run
from prefect.settings import PREFECT_API_URL
from prefect.states import Cancelled, Completed, Failed
from prefect.types.entrypoint import EntrypointType

from flows import prefect_setup
from flows.answer import answer
from flows.answering.planning import refuse_unknown_tiers
from flows.answering.run import asked_questions, open_ledger
from flows.ingest import ingest
from flows.ready_by import lateness
from flows.report import read_report
from flows.reporting.page import html_report
from flows.settings import load_settings
from flows.warehouse import Warehouse
from transforms.errors import ComplineError, EndpointError, InputError

RETRIES = 2
RETRY_DELAY_S = 300
"""A night that crashed goes on where it stopped: what was committed and answered is kept."""

MAX_LISTED = 500
"""Rows of one artifact: the warehouse has them all."""


@flow(
    name="nightly",
    validate_parameters=False,
    persist_result=False,
    retries=RETRIES,
    retry_delay_seconds=RETRY_DELAY_S,
)
def nightly(
    questions: str,
    sources: list[str],
    metadata: str | None = None,
    overrides: dict[str, Any] | None = None,
) -> State[str]:
    """Ingest the documents at `sources`, answer the question set, and publish what is different.

    Leaves artifacts: progress, cost by route, answers changed, failed documents, failed pairs, and
    where the HTML report is, which takes the place of the last night's in the warehouse. The
    state is failed when the user's input is wrong, or budget or endpoint stopped the run, so that
    Prefect's notifications tell of it; only crashes are retried.
    """
    try:
        settings = load_settings(**(overrides or {}))
        warehouse = Warehouse.open(settings.warehouse, create=True)
        ledger = open_ledger(settings, warehouse)
        with ledger.store.alone("night") as is_alone:
            if not is_alone:
                return Cancelled(message="the last night is still going; this one was left out")
            return _night(questions, sources, metadata, overrides)
    except ComplineError as error:
        return _failed(f"{error}; {error.hint}")


def _night(
    questions: str, sources: list[str], metadata: str | None, overrides: dict[str, Any] | None
) -> State[str]:
    summary = ingest(sources, metadata, overrides)
    if summary.is_cancelled:
        said = f"{summary.n_parsed} documents parsed, {summary.n_left} left"
        return Cancelled(message=f"{said}; the next night goes on from here")
    run_id = answer(questions, overrides=overrides)
    settings = load_settings(**(overrides or {}))
    warehouse = Warehouse.open(settings.warehouse)
    n_changed = _publish(warehouse, "changes", run_id, key="compline-answers-changed")
    n_failed = _publish(warehouse, "failed_pairs", run_id, key="compline-failed-pairs")
    run = warehouse.read("run_df", run_ids=[run_id]).row(0, named=True)
    page = html_report(warehouse, settings, run_id)
    report = warehouse.write_report(f"{run['set_id']}.html", page)
    create_markdown_artifact(f"Run {run_id}: `{report}`", key="compline-report")
    message = (
        f"run {run_id}: {run['n_pairs']} pairs, {run['n_reused']} reused, {n_changed} changed,"
        f" {n_failed} failed; {summary.n_parsed} documents parsed, {len(summary.failures)} troubled"
    )
    if late := lateness(run):
        message += f"; {late}"
    if run["status"] == "cancelled":
        return Cancelled(message=f"{message}; the next night goes on from here", data=run_id)
    if run["status"] == "stopped" or summary.stop:
        return _failed(message, run_id)
    return Completed(message=message, data=run_id)


def serve(
    questions: str,
    sources: list[str],
    *,
    cron: str = "0 2 * * *",
    time_zone: str = "UTC",
    metadata: str | None = None,
    overrides: dict[str, Any] | None = None,
) -> None:
    """Serve the nightly flow on a schedule, until interrupted.

    Raises InputError when no Prefect server is named or it is not there, or when the schedule, the
    question file or a setting is wrong, and EndpointError when the server fails.
    """
    if not PREFECT_API_URL.value():
        raise InputError(
            "a schedule needs a Prefect server that stays",
            hint="run `prefect server start`, and set PREFECT_API_URL to what it prints",
        )
    schedules = [schedule(cron, time_zone)]
    _check_questions(questions, overrides)
    prefect_setup.require_named_server()
    try:
        nightly.serve(
            name="nightly",
            schedules=schedules,
            parameters={
                "questions": questions,
                "sources": sources,
                "metadata": metadata,
                "overrides": overrides,
            },
            entrypoint_type=EntrypointType.MODULE_PATH,
            print_starting_message=False,
        )
    except httpx.HTTPError as error:
        raise EndpointError(
            f"the Prefect server at {PREFECT_API_URL.value()!r} failed: {error}",
            hint="look whether it runs, and check PREFECT_API_URL and PREFECT_API_KEY",
            retryable=True,
        ) from error


def _check_questions(questions: str, overrides: dict[str, Any] | None) -> None:
    """Raise InputError for what every night would fail with."""
    settings = load_settings(**(overrides or {}))
    warehouse = Warehouse.open(settings.warehouse, create=True)
    refuse_unknown_tiers(asked_questions(questions, warehouse), settings)


def schedule(cron: str, time_zone: str) -> CronSchedule:
    """Return a schedule that follows the clocks of a time zone. Raises InputError."""
    try:
        return CronSchedule(cron=cron, timezone=time_zone)
    except ValueError as error:
        raise InputError(
            f"schedule {cron!r} in {time_zone!r} cannot be read: {error}",
            hint="write minute hour day month weekday, and a zone such as Europe/Paris",
        ) from error


def _failed(message: str, run_id: str | None = None) -> State[Any]:
    """Return a failed state that Prefect does not try again: it would end the same."""
    if flow_run_id := flow_run.get_id():
        with get_client(sync_client=True) as client:
            client.update_flow_run(UUID(flow_run_id), empirical_policy=FlowRunPolicy(retries=0))
    return Failed(message=message, data=run_id)


def _publish(warehouse: Warehouse, name: str, run_id: str, *, key: str) -> int:
    """Publish a report as an artifact and return its number of rows."""
    report = read_report(warehouse, name, run_id)
    create_table_artifact(
        report.rows.head(MAX_LISTED).to_dicts(),
        key=key,
        description=f"{report.title} {report.rows.height} rows; run {run_id}",
    )
    return report.rows.height
