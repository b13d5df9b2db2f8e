"""What is done with each document of a chunk: it is parsed and shown to the vision model.

One that was parsed before may be shown later: when a vision model is configured, or when a budget
or the endpoint kept an earlier one from being asked.
"""

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import TYPE_CHECKING

import polars as pl

from flows.clock import now
from flows.ingesting.looking import current, look_job, seen_later, with_seen
from flows.ingesting.metadata import with_metadata
from flows.ingesting.plan import ToLook, ToParse
from flows.ingesting.pool import ParseWorker
from flows.ingesting.sources import SourceFile, read_uri
from flows.ingesting.worker import Frames, ParseJob, failure
from flows.settings import Settings
from flows.storage.views import VERSIONED
from flows.warehouse import Warehouse
from transforms.parsing.document import doc_id_of
from transforms.tables import Source

if TYPE_CHECKING:
    from flows.ingesting.vision import Vision


def parsed(
    one: ToParse, worker: ParseWorker, vision: "Vision | None", settings: Settings
) -> Frames:
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
    if vision and (look := look_job(job.content, current(frames))):
        seen = vision.see(worker.look(look), one.seen.doc_id)
        frames = with_seen(frames, seen, vision.model, now())
    return frames


def looked_at(
    one: ToLook, worker: ParseWorker, vision: "Vision", warehouse: Warehouse, seen_at: datetime
) -> Frames:
    """Return what a vision model sees now of a document that was parsed before: what is new of it.

    Its rows count as of `seen_at`, so that metadata of the same ingest comes after them.
    """
    content = read_uri(one.seen.file.uri)
    corpus = warehouse.corpus([one.seen.doc_id])
    job = look_job(content, corpus)
    if job is None or doc_id_of(content) != one.seen.doc_id:  # it changed since it was hashed
        return {}
    seen = vision.see(worker.look(job), one.seen.doc_id)
    frames = seen_later(corpus, seen, vision.model, now())
    if frames:
        at = pl.lit(seen_at, dtype=pl.Datetime("us", "UTC")).alias("parsed_at")
        frames["document_df"] = frames["document_df"].with_columns(at)
    return frames


def source_frame(
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


def stacked(parsed: Iterable[Frames]) -> Frames:
    """Return the frames of several documents as one frame per table."""
    stacked: dict[str, list[pl.DataFrame]] = {}
    for frames in parsed:  # a failed document has no postings
        for table, frame in frames.items():
            stacked.setdefault(table, []).append(frame)
    return {table: pl.concat(of_table) for table, of_table in stacked.items()}
