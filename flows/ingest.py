"""Ingest documents: look at files, parse what is new in worker processes, commit chunk by chunk.

The flow reads, calls and writes; what is to be done stands in flows/ingesting/plan. A chunk is a
bounded number of documents. What is committed stays, so that an interrupted ingest goes on where
it stopped.
"""

import threading
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import CancelledError, ThreadPoolExecutor
from contextlib import contextmanager
from datetime import datetime
from typing import TYPE_CHECKING, Any

import polars as pl
from prefect import flow, task
from prefect.artifacts import create_table_artifact
from prefect.cache_policies import NO_CACHE
from prefect.task_runners import ThreadPoolTaskRunner
from prefect.utilities.annotations import quote

from flows.answering.turns import Turn, as_they_end
from flows.clock import after, elapsed_ms, tick
from flows.ingesting.alone import alone_with_corpus
from flows.ingesting.chunk import looked_at, parsed, source_frame, stacked
from flows.ingesting.looking import DOCUMENT_TABLES
from flows.ingesting.metadata import Metadata, read_metadata, with_metadata
from flows.ingesting.plan import (
    IngestPlan,
    Known,
    SeenFile,
    ToLook,
    ToParse,
    chunks,
    plan_ingest,
)
from flows.ingesting.pool import (
    ParseBounds,
    StoppedError,
    borrowed_worker,
    start_workers,
    stop_work,
)
from flows.ingesting.sources import (
    FoundSources,
    SourceFile,
    find_sources,
    hash_uri,
    is_under,
)
from flows.ingesting.summary import (
    ChunkReport,
    FileReport,
    IngestSummary,
    lost,
    report_of,
    summarise,
    unreadable,
)
from flows.ingesting.worker import Frames
from flows.progress import Headway, report_progress
from flows.settings import Settings, load_settings
from flows.signals import listening_for_stop
from flows.warehouse import Warehouse
from transforms.errors import InputError

if TYPE_CHECKING:
    from flows.ingesting.vision import Vision

READERS = 8
"""Files hashed at a time: disks and object stores answer several at once."""

CHUNKS_PER_WORKER = 2
"""Chunks begun at a time: one is worked on, one waits, so that no worker does."""


@flow(name="ingest", validate_parameters=False, persist_result=False)
def ingest(
    sources: Sequence[str],
    metadata: str | None = None,
    overrides: dict[str, Any] | None = None,
) -> IngestSummary:
    """Ingest all documents at files, folders, globs or URLs, those that are new or changed.

    `metadata` is a CSV file with a column file_name, instead of the metadata.csv beside the
    documents. `overrides` are settings that a command or a deployment passes. Raises InputError
    when a source holds no file, a metadata file cannot be read, or another process ingests into the
    same warehouse; nothing is done then. Ctrl-C and SIGTERM end the work: documents that are parsed
    by then are kept, the next ingest does the rest.
    """
    since = tick()
    settings = load_settings(**(overrides or {}))
    found = find_sources(sources)
    warehouse = Warehouse.open(settings.warehouse, create=True)
    with alone_with_corpus(warehouse):
        return _ingest(found, metadata, settings, warehouse, since)


def _ingest(
    found: FoundSources,
    metadata: str | None,
    settings: Settings,
    warehouse: Warehouse,
    since: float,
) -> IngestSummary:
    known = _known(warehouse)
    seen_at = after(_latest(known))
    said = read_metadata(found.files, metadata)
    seen, unreadable = _look_at(found.files)
    plan = plan_ingest(found, seen, said, known, settings.vision_model)
    _refuse_empty(found, plan)
    with listening_for_stop() as stop, _eyes(settings, warehouse) as vision:
        reports = [
            ChunkReport(troubled=tuple(unreadable)),
            *_parse_all(plan, settings, seen_at, vision, stop),
        ]
        is_cancelled = stop.is_set()
    if not is_cancelled:
        _note(plan, warehouse, seen_at)
    summary = summarise(found, plan, reports, warehouse, elapsed_ms(since))
    said = {"stop": vision and vision.stop, "vision_model": settings.vision_model}
    summary = summary.model_copy(update={**said, "is_cancelled": is_cancelled})
    create_table_artifact(
        [report.model_dump() for report in summary.failures],
        key="compline-failed-documents",
        description=f"{summary.n_files} files, {len(summary.failures)} not wholly parsed",
    )
    return summary


@task(name="parse", cache_policy=NO_CACHE, retries=1, persist_result=False)
def parse_chunk(
    chunk: Sequence[ToParse | ToLook],
    batch_id: str,
    settings: Settings,
    seen_at: datetime,
    vision: "Vision | None",
) -> ChunkReport:
    """Parse the documents of a chunk in a worker process and commit them as one batch."""
    warehouse = Warehouse.open(settings.warehouse)
    done: dict[str, Frames] = {}
    reports: list[FileReport] = []
    with borrowed_worker(ParseBounds.of(settings)) as worker:
        for one in chunk:
            file = one.seen.file
            try:
                if isinstance(one, ToParse):
                    frames = parsed(one, worker, vision, settings)
                    doc_ids = frames["document_df"]["doc_id"].to_list()
                    frames["source_df"] = source_frame([file], doc_ids, seen_at, "current")
                elif vision and (frames := looked_at(one, worker, vision, warehouse, seen_at)):
                    doc_ids = [one.seen.doc_id]
                else:
                    continue
            except OSError as error:
                reports.append(unreadable(file, error))
                continue
            except (StoppedError, CancelledError):
                break
            done[doc_ids[0]] = frames
            report = report_of(file.uri, frames["document_df"])
            reports.append(report.model_copy(update={"is_new": isinstance(one, ToParse)}))
    if done:
        warehouse.write_batch(stacked(done.values()), batch_id)
    return ChunkReport.of(reports)


@contextmanager
def _eyes(settings: Settings, warehouse: Warehouse) -> Iterator["Vision | None"]:
    """Lend the vision model, and publish what it cost whatever becomes of the ingest."""
    if settings.vision_model is None:
        yield None
        return
    from flows.answering.run import open_ledger  # noqa: PLC0415  (engines take a second and 50 MB)
    from flows.ingesting.vision import open_vision  # noqa: PLC0415

    ledger = open_ledger(settings, warehouse)
    vision = open_vision(settings.vision_model, settings, ledger)
    try:
        yield vision
    finally:
        vision.close()
        ledger.publish_calls(warehouse.write_calls)
        ledger.close()


def _refuse_empty(found: FoundSources, plan: IngestPlan) -> None:
    """Raise InputError for a place where nothing is and nothing was: most likely misspelt."""
    gone = [one.file.uri for one in plan.vanished]
    for place in found.empty:
        if not any(is_under(uri, [place]) for uri in gone):
            raise InputError(
                f"there is no document at {place!r}",
                hint="give files, folders, globs or URLs that hold PDF, text, HTML or images",
            )


def _look_at(files: Sequence[SourceFile]) -> tuple[list[SeenFile], list[FileReport]]:
    """Hash all files; those that cannot be read are reported."""
    with ThreadPoolExecutor(READERS) as readers:
        looked = list(readers.map(_hashed, files))
    seen = [one for one in looked if isinstance(one, SeenFile)]
    return seen, [one for one in looked if isinstance(one, FileReport)]


def _hashed(file: SourceFile) -> SeenFile | FileReport:
    try:
        return SeenFile(file=file, doc_id=hash_uri(file.uri))
    except OSError as error:
        return unreadable(file, error)


def _known(warehouse: Warehouse) -> Known:
    return Known(**{table: warehouse.read(table) for table in Known.model_fields})


def _latest(known: Known) -> datetime | None:
    """Return the last moment that is stored about files and documents."""
    moments = [known.source_df["seen_at"].max(), known.document_df["parsed_at"].max()]
    return max((each for each in moments if isinstance(each, datetime)), default=None)


def _parse_all(
    plan: IngestPlan,
    settings: Settings,
    seen_at: datetime,
    vision: "Vision | None",
    stop: threading.Event,
) -> list[ChunkReport]:
    """Parse and look chunk by chunk, as many at a time as there are workers, until `stop` is set.

    Chunks that are worked on then commit what they have; nothing else begins.
    """
    todo = chunks([*plan.to_parse, *plan.to_look], settings.n_workers)
    start_workers(min(settings.n_workers, len(todo)), ParseBounds.of(settings))

    def look_up() -> None:
        if stop.is_set():
            stop_work()
            if vision:
                vision.close()

    n_all, n_done = len(plan.to_parse) + len(plan.to_look), 0
    report_progress(Headway(n_done=n_done, n_all=n_all))
    reports: list[ChunkReport] = []
    with ThreadPoolTaskRunner(max_workers=settings.n_workers) as runner:

        def work(number: int, chunk: Sequence[ToParse | ToLook]) -> ChunkReport:
            named = parse_chunk.with_options(task_run_name=f"parse chunk {number} of {len(todo)}")
            arguments = {
                "chunk": quote(chunk),
                "batch_id": f"{seen_at:%Y%m%dT%H%M%S%f}-{number:05}",
                "settings": quote(settings),
                "seen_at": seen_at,
                "vision": quote(vision),
            }
            result = runner.submit(named, parameters=arguments).result(raise_on_failure=False)
            is_lost = isinstance(result, BaseException)
            return ChunkReport.of(lost(chunk, result)) if is_lost else result

        turn = Turn(CHUNKS_PER_WORKER * settings.n_workers, lambda: not stop.is_set(), look_up)
        try:
            for chunk, result in as_they_end(todo, work, turn):
                reports.append(result)
                n_done += len(chunk)
                report_progress(Headway(n_done=n_done, n_all=n_all))
        except BaseException:  # a second Ctrl-C: nobody is waited for
            stop.set()
            look_up()
            raise
    return reports


def _note(plan: IngestPlan, warehouse: Warehouse, seen_at: datetime) -> None:
    """Commit what changed about files and documents that need no parsing, as one batch."""
    source_df = pl.concat(
        [
            source_frame([s.file for s in seen], [s.doc_id for s in seen], seen_at, status)
            for seen, status in ((plan.newly_seen, "current"), (plan.vanished, "vanished"))
        ]
    )
    frames: Frames = {"source_df": source_df} if source_df.height else {}
    if plan.new_metadata:
        frames |= _with_new_metadata(plan.new_metadata, warehouse, seen_at)
    if frames:
        warehouse.write_batch(frames, f"{seen_at:%Y%m%dT%H%M%S%f}-seen")


def _with_new_metadata(
    new_metadata: Mapping[str, Metadata], warehouse: Warehouse, seen_at: datetime
) -> Frames:
    """Return the document tables again with other metadata, as of now: the latest batch counts."""
    frames = {table: warehouse.read(table, doc_ids=new_metadata) for table in DOCUMENT_TABLES}
    frames["document_df"] = pl.concat(
        with_metadata(document_df, new_metadata[str(doc_id)])
        for (doc_id,), document_df in frames["document_df"].group_by("doc_id")
    ).with_columns(pl.lit(seen_at, dtype=pl.Datetime("us", "UTC")).alias("parsed_at"))
    return frames
