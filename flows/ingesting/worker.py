"""Parse and draw documents in a process that may die: `… flows.ingesting.worker MEMORY_MB SECONDS`.

Reads pickled jobs from standard input and writes pickled replies to standard output, one for one.
The first thing it writes is `READY`, when all is imported. It ends when its input ends. It is
started by flows/ingesting/pool, which also bounds its time; should that be killed meanwhile, an
alarm ends the worker a little later.
"""

import os
import pickle
import signal
import sys
from datetime import datetime
from pathlib import Path
from typing import BinaryIO

import polars as pl

from flows.clock import elapsed_ms, tick
from flows.ingesting.drawing import DrawJob, draw
from flows.ingesting.looks import LookJob, draw_for_model
from transforms.errors import NO_MEMORY
from transforms.parsing import failed_document, parse_document, reparse_pages
from transforms.parsing.looks import flagged_pages
from transforms.parsing.structure import restructured
from transforms.retrieval import index_lines
from transforms.values import CorpusFrames, Value

READY = "ready"

GRACE_S = 10
"""A job's alarm comes so much after the time at which the parent ends the worker."""

Frames = dict[str, pl.DataFrame]


class ParseJob(Value):
    """One document to parse."""

    content: bytes
    file_name: str
    parsed_at: datetime
    max_pages: int
    escalation_ms: int = 60_000
    """No further page is read by OCR after this time: the page stays flagged."""


def main() -> None:
    """Answer jobs until standard input ends."""
    replies = _private_output()
    _bound_memory(int(sys.argv[1]))
    _send(replies, READY)
    while True:
        try:
            job = pickle.load(sys.stdin.buffer)  # noqa: S301  (our own parent wrote it)
        except EOFError:
            return
        _set_alarm(int(sys.argv[2]) + GRACE_S)
        if isinstance(job, DrawJob):
            reply: object = draw(job)
        elif isinstance(job, LookJob):
            reply = draw_for_model(job)
        else:
            reply = parse(job)
        _set_alarm(0)
        _send(replies, reply)


def parse(job: ParseJob) -> Frames:
    """Return all corpus frames of one document, its postings too; never raises."""
    try:
        frames = parse_document(
            job.content,
            file_name=job.file_name,
            parsed_at=job.parsed_at,
            max_pages=job.max_pages,
        )
        frames = restructured(read_flagged_pages(frames, job))
        document = frames["document_df"].row(0, named=True)
        frames["term_df"] = index_lines(frames["line_df"], language=document["language"])
    except MemoryError:
        return failure(job, "out_of_memory")
    except Exception as error:  # a bug of ours costs this document, not its neighbours
        return failure(job, "crashed", f"{type(error).__name__}: {error}")
    if document["parse_status"] == "failed" and NO_MEMORY.search(document["error_message"] or ""):
        return failure(job, "out_of_memory")
    return frames


def read_flagged_pages(frames: Frames, job: ParseJob) -> Frames:
    """Return the page tables with a new version of each flagged page that other means can read.

    Page by page, so that a long scan keeps what was read when its time or memory is up.
    """
    corpus = CorpusFrames(**{table: frames[table] for table in CorpusFrames.model_fields})
    since, read = tick(), frames
    for page in flagged_pages(frames["page_df"]):
        if elapsed_ms(since) > job.escalation_ms:
            break
        try:
            new = reparse_pages(job.content, [page], corpus=corpus, parsed_at=job.parsed_at)
        except MemoryError:
            break
        except Exception:  # noqa: S112  (OCR's runtime is not ours: it costs this page a try)
            continue
        read = read | {table: pl.concat([read[table], new_df]) for table, new_df in new.items()}
    return read


HINTS = {
    "out_of_memory": "needs more memory than its bound; raise parse_memory_mb",
    "timed_out": "takes longer than its bound; raise parse_timeout_s",
    "crashed": "made the parser crash; print it to a new PDF, and please report it",
    "too_large": "is larger than its bound; raise parse_max_bytes",
}
"""What to do about failures that depend on bounds and on us, not on the document alone."""


def failure(job: ParseJob, code: str, detail: str = "") -> Frames:
    """Return the frames of a document that could not be parsed for a reason from outside."""
    message = f"{detail}: {HINTS[code]}" if detail else HINTS[code]
    return failed_document(
        job.content,
        file_name=job.file_name,
        parsed_at=job.parsed_at,
        error_code=code,
        error_message=message,
    )


def _private_output() -> BinaryIO:
    """Return the pipe to the parent; whatever a library prints goes to standard error."""
    replies = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    return replies


def _send(replies: BinaryIO, message: object) -> None:
    pickle.dump(message, replies, protocol=pickle.HIGHEST_PROTOCOL)
    replies.flush()


def _set_alarm(seconds: int) -> None:
    """Have the system end this process after a while, whatever it is in; 0 calls it off."""
    if hasattr(signal, "alarm"):  # not on Windows
        signal.alarm(seconds)


def _bound_memory(megabytes: int) -> None:
    """Bound what a document may take on top of this process, where the system can."""
    try:
        import resource  # noqa: PLC0415  (not on Windows)

        pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[0])
        limit = pages * resource.getpagesize() + megabytes * 2**20
        resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
    except (ImportError, OSError, ValueError):
        return


if __name__ == "__main__":
    main()
