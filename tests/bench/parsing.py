"""Measure layer 1: its cost over raw text, and what workers gain.

    python -m tests.bench.parsing [raw] [workers] [markdown] [--rounds 3] [--every 1]

raw       finished frames against PyMuPDF's `get_text("dict")` without images, processor time
workers   two parse workers against one, by the pool that `ingest` uses, time on the clock
markdown  pymupdf4llm against finished frames on a sample of pages, processor time; it is installed
          into an environment of its own (tests/bench/peer_env.py)

Documents are those of the shared corpus. Figures are medians of several rounds of one run.
"""

import argparse
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from statistics import median

import pymupdf

from flows.ingesting.plan import CHUNKS_PER_WORKER
from flows.ingesting.pool import ParseBounds, borrowed_worker, start_workers, stop_workers
from flows.ingesting.worker import ParseJob
from tests.bench.peer_env import ask_peer
from transforms.parsing import parse_document

SHARED = Path(__file__).parents[2].parent / "shared" / "corpus"
RAW = pymupdf.TEXTFLAGS_DICT & ~pymupdf.TEXT_PRESERVE_IMAGES
PARSED_AT = datetime(2026, 1, 1, tzinfo=UTC)
BOUNDS = ParseBounds(timeout_s=120, memory_mb=2048)
SAMPLE_DOCUMENTS, SAMPLE_PAGES = 12, 4
"""Of the markdown stage: pymupdf4llm takes half a second for a page."""


def main() -> None:
    """Measure the stages named, or all."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("stages", nargs="*", metavar="STAGE")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--every", type=int, default=1, help="take every Nth document only")
    given = parser.parse_args()
    paths = sorted(SHARED.rglob("*.pdf"))[:: given.every]
    for stage in given.stages or STAGES:
        STAGES[stage](paths, given.rounds)


def measure_raw(paths: Sequence[Path], rounds: int) -> None:
    read_frames(paths[0])
    spent = [(cpu_s(read_raw, paths), cpu_s(read_frames, paths)) for _ in range(rounds)]
    ratio = median(frames / raw for raw, frames in spent)
    n_pages = sum(map(count_pages, paths))
    print(f"{len(paths)} documents, {n_pages} pages")
    print(f"raw text       {n_pages / median(raw for raw, _ in spent):6.0f} pages/s")
    print(f"frames         {n_pages / median(own for _, own in spent):6.0f} pages/s")
    print(f"frames / raw   {ratio:6.2f}    bound 2.5", flush=True)


def measure_workers(paths: Sequence[Path], rounds: int) -> None:
    one_s: list[float] = []
    two_s: list[float] = []
    for _ in range(rounds):
        one_s.append(with_workers(paths, 1))
        two_s.append(with_workers(paths, 2))
    ratio = median(one / two for one, two in zip(one_s, two_s, strict=True))
    print(f"two workers    {ratio:6.2f}    times one, bound 1.7", flush=True)


def measure_markdown(paths: Sequence[Path], rounds: int) -> None:
    sample = sample_of(paths)
    files = [[str(path), SAMPLE_PAGES] for path in sample]
    for reader in ("pymupdf4llm", "pymupdf4llm without layout"):
        ratios: list[float] = []
        for _ in range(rounds):
            peer_s = ask_peer("peer_readers.py", {"reader": reader, "files": files})
            assert isinstance(peer_s, float)
            ratios.append(peer_s / cpu_s(read_first_pages, sample))
        print(f"{reader:26} {median(ratios):6.1f}    times ours, bound 15", flush=True)


def sample_of(paths: Sequence[Path]) -> list[Path]:
    """Return some documents that are long enough, from all folders, parsed once."""
    long = [path for path in paths if count_pages(path) >= SAMPLE_PAGES]
    sample = long[:: max(1, len(long) // SAMPLE_DOCUMENTS)][:SAMPLE_DOCUMENTS]
    for path in sample:
        read_first_pages(path)
    return sample


def read_raw(path: Path) -> None:
    with pymupdf.open(path) as document:
        for page in document.pages():
            page.get_text("dict", flags=RAW)


def read_frames(path: Path) -> None:
    parse_document(path.read_bytes(), file_name=path.name, parsed_at=PARSED_AT)


@cache
def first_pages(path: Path) -> bytes:
    """Return a document of the first pages: made before the clock starts."""
    with pymupdf.open(path) as document:
        document.select(range(SAMPLE_PAGES))
        return document.tobytes()


def read_first_pages(path: Path) -> None:
    parse_document(first_pages(path), file_name=path.name, parsed_at=PARSED_AT)


def count_pages(path: Path) -> int:
    with pymupdf.open(path) as document:
        return document.page_count


def cpu_s(read: Callable[[Path], None], paths: Sequence[Path]) -> float:
    """Return the processor seconds that reading all documents takes."""
    since = time.process_time()
    for path in paths:
        read(path)
    return time.process_time() - since


def with_workers(paths: Sequence[Path], n_workers: int) -> float:
    """Return seconds on the clock for all documents, largest first, without OCR."""
    ordered = sorted(paths, key=lambda path: -path.stat().st_size)
    start_workers(n_workers, BOUNDS)
    with ExitStack() as borrowed:
        for worker in [borrowed.enter_context(borrowed_worker(BOUNDS)) for _ in range(n_workers)]:
            worker.parse(job_of(ordered[-1]))  # imports are over when it answers
    with ThreadPoolExecutor(n_workers) as threads:
        since = time.perf_counter()
        n_chunks = CHUNKS_PER_WORKER * n_workers
        list(threads.map(parse_chunk, [ordered[i::n_chunks] for i in range(n_chunks)]))
        spent_s = time.perf_counter() - since
    stop_workers()
    return spent_s


def parse_chunk(chunk: Sequence[Path]) -> None:
    with borrowed_worker(BOUNDS) as worker:
        for path in chunk:
            worker.parse(job_of(path))


def job_of(path: Path) -> ParseJob:
    return ParseJob(
        content=path.read_bytes(),
        file_name=path.name,
        parsed_at=PARSED_AT,
        max_pages=5000,
        escalation_ms=-1,
    )


STAGES: dict[str, Callable[[Sequence[Path], int], None]] = {
    "raw": measure_raw,
    "workers": measure_workers,
    "markdown": measure_markdown,
}


if __name__ == "__main__":
    main()
