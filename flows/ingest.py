"""Ingest documents: look at files, parse what is new in worker processes, commit chunk by chunk.

The flow reads, calls and writes; what is to be done stands in flows/ingesting/plan. A chunk is a
bounded number of documents. What is committed stays, so that an interrupted ingest goes on where
it stopped.
"""

from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime
from typing import Any

import polars as pl
from prefect import flow, task
from prefect.artifacts import create_table_artifact
from prefect.cache_policies import NO_CACHE
from prefect.futures import as_completed
from prefect.task_runners import ThreadPoolTaskRunner
from prefect.utilities.annotations import quote

from flows.clock import elapsed_ms, now, tick
from flows.ingesting.metadata import Metadata, read_metadata, with_metadata
from flows.ingesting.plan import IngestPlan, SeenFile, ToParse, chunks, plan_ingest
from flows.ingesting.pool import ParseBounds, ParseWorker, borrowed_worker, start_workers
from flows.ingesting.sources import (
    FoundSources,
    SourceFile,
    find_sources,
    hash_uri,
    is_under,
    read_uri,
)
from flows.ingesting.summary import (
    FileReport,
    IngestSummary,
    lost,
    report_of,
    summarise,
    unreadable,
)
from flows.ingesting.worker import Frames, ParseJob, failure
from flows.progress import Headway, report_progress
from flows.settings import Settings, load_settings
from flows.storage.views import VERSIONED
from flows.warehouse import Warehouse
from transforms.errors import InputError
from transforms.parsing import PARSER_VERSION
from transforms.tables import Source

READERS = 8
"""Files hashed at a time: disks and object stores answer several at once."""

DOCUMENT_TABLES = ("document_df", "toc_df", "object_df", "cross_ref_df", "image_df")
"""Tables that are read from the latest batch that says something about the document."""


@flow(name="ingest", validate_parameters=False, persist_result=False)
def ingest(
    sources: Sequence[str],
    metadata: str | None = None,
    overrides: dict[str, Any] | None = None,
) -> IngestSummary:
    """Ingest all documents at files, folders, globs or URLs, those that are new or changed.

    `metadata` is a CSV file with a column file_name, instead of the metadata.csv beside the
    documents. `overrides` are settings that a command or a deployment passes. Raises InputError
    when a source holds no file, or a metadata file cannot be read; nothing is done then.
    """
    since, seen_at = tick(), now()
    settings = load_settings(**(overrides or {}))
    found = find_sources(sources)
    warehouse = Warehouse.open(settings.warehouse, create=True)
    said = read_metadata(found.files, metadata)
    seen, unreadable = _look_at(found.files)
    plan = plan_ingest(found, seen, said, _known(warehouse), PARSER_VERSION)
    _refuse_empty(found, plan)
    reports = [*unreadable, *_parse_all(plan, settings, seen_at)]
    _note(plan, warehouse, seen_at)
    summary = summarise(found, plan, reports, warehouse, elapsed_ms(since))
    create_table_artifact(
        [report.model_dump() for report in summary.failures],
        key="compline-failed-documents",
        description=f"{summary.n_files} files, {len(summary.failures)} not wholly parsed",
    )
    return summary


@task(name="parse", cache_policy=NO_CACHE, retries=1, persist_result=False)
def parse_chunk(
    chunk: Sequence[ToParse], batch_id: str, settings: Settings, seen_at: datetime
) -> list[FileReport]:
    """Parse the documents of a chunk in a worker process and commit them as one batch."""
    parsed: dict[str, Frames] = {}
    reports: list[FileReport] = []
    with borrowed_worker(ParseBounds.of(settings)) as worker:
        for one in chunk:
            try:
                frames = _parse(one, worker, settings)
            except OSError as error:
                reports.append(unreadable(one.seen.file, error))
                continue
            source_df = _source_frame([one.seen.file], _doc_ids(frames), seen_at, "current")
            parsed[_doc_ids(frames)[0]] = {**frames, "source_df": source_df}
            reports.append(report_of(one.seen.file.uri, frames["document_df"]))
    Warehouse.open(settings.warehouse).write_batch(_stacked(parsed.values()), batch_id)
    return reports


def _refuse_empty(found: FoundSources, plan: IngestPlan) -> None:
    """Raise InputError for a place where nothing is and nothing was: most likely misspelt."""
    gone = [one.file.uri for one in plan.vanished]
    for place in found.empty:
        if not any(is_under(uri, [place]) for uri in gone):
            raise InputError(
                f"there is no file at {place!r}",
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


def _known(warehouse: Warehouse) -> Frames:
    return {table: warehouse.read(table) for table in ("source_df", "document_df", "page_df")}


def _parse_all(plan: IngestPlan, settings: Settings, seen_at: datetime) -> list[FileReport]:
    """Parse chunk by chunk, as many at a time as there are workers."""
    todo = chunks(plan.to_parse, settings.n_workers)
    start_workers(min(settings.n_workers, len(todo)), ParseBounds.of(settings))
    n_all, n_done = len(plan.to_parse), 0
    report_progress(Headway(n_done=n_done, n_all=n_all))
    reports: list[FileReport] = []
    submitted = {}
    with ThreadPoolTaskRunner(max_workers=settings.n_workers) as runner:
        for number, chunk in enumerate(todo, start=1):
            named = parse_chunk.with_options(task_run_name=f"parse chunk {number} of {len(todo)}")
            batch_id = f"{seen_at:%Y%m%dT%H%M%S%f}-{number:05}"
            arguments = {
                "chunk": quote(chunk),
                "batch_id": batch_id,
                "settings": quote(settings),
                "seen_at": seen_at,
            }
            submitted[runner.submit(named, parameters=arguments)] = chunk
        for future in as_completed(list(submitted)):
            chunk = submitted[future]
            result = future.result(raise_on_failure=False)
            reports += lost(chunk, result) if isinstance(result, BaseException) else result
            n_done += len(chunk)
            report_progress(Headway(n_done=n_done, n_all=n_all))
    return reports


def _parse(one: ToParse, worker: ParseWorker, settings: Settings) -> Frames:
    """Return the frames of one document with metadata, its page versions after the known ones."""
    file = one.seen.file
    is_too_large = file.n_bytes > settings.parse_max_bytes
    job = ParseJob(
        content=b"" if is_too_large else read_uri(file.uri),
        file_name=file.file_name,
        parsed_at=now(),
        max_pages=settings.parse_max_pages,
        escalation_ms=int(settings.parse_timeout_s * 1000 / 3),
    )
    if is_too_large:
        frames = failure(job, "too_large", f"{file.n_bytes} bytes")
        size = {"doc_id": pl.lit(one.seen.doc_id), "n_bytes": pl.lit(file.n_bytes)}
        frames["document_df"] = frames["document_df"].with_columns(**size)
    else:
        frames = worker.parse(job)
    frames["document_df"] = with_metadata(frames["document_df"], one.metadata)
    if one.n_versions:
        later = pl.col("page_version") + one.n_versions
        for table in set(VERSIONED) & frames.keys():
            frames[table] = frames[table].with_columns(later)
    return frames


def _note(plan: IngestPlan, warehouse: Warehouse, seen_at: datetime) -> None:
    """Commit what changed about files and documents that need no parsing, as one batch."""
    source_df = pl.concat(
        [
            _source_frame([s.file for s in seen], [s.doc_id for s in seen], seen_at, status)
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


def _doc_ids(frames: Frames) -> list[str]:
    return frames["document_df"]["doc_id"].to_list()


def _source_frame(
    files: Sequence[SourceFile], doc_ids: Sequence[str], seen_at: datetime, status: str
) -> pl.DataFrame:
    """Return source_df. One row per file."""
    return Source.frame(
        Source.model_validate(
            {
                "uri": file.uri,
                "seen_at": seen_at,
                "doc_id": doc_id,
                "file_name": file.file_name,
                "status": status,
            }
        )
        for file, doc_id in zip(files, doc_ids, strict=True)
    )


def _stacked(parsed: Iterable[Frames]) -> Frames:
    """Return the frames of several documents as one frame per table."""
    stacked: dict[str, list[pl.DataFrame]] = {}
    for frames in parsed:  # a failed document has no postings
        for table, frame in frames.items():
            stacked.setdefault(table, []).append(frame)
    return {table: pl.concat(of_table) for table, of_table in stacked.items()}
