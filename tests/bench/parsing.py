"""Measure layer 1 on a folder of PDFs against PyMuPDF's raw text.

    python -m tests.bench.parsing [FOLDER]

Prints seconds for raw `get_text("dict")` without images and for finished frames (processor time,
one process), their ratio, what two workers gain, and the peak of memory. The shared corpus is the
default. A third pass reads a sample of pages with pymupdf4llm where that is installed.
"""

import argparse
import resource
import time
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from datetime import UTC, datetime
from importlib.util import find_spec
from pathlib import Path

import pymupdf

from transforms.parsing import parse_document

SHARED = Path(__file__).parents[2].parent / "shared" / "corpus"
RAW = pymupdf.TEXTFLAGS_DICT & ~pymupdf.TEXT_PRESERVE_IMAGES
SAMPLE_PAGES = 20


def read_raw(path: Path) -> int:
    """Return the number of pages after reading their raw text."""
    with pymupdf.open(path) as document:
        for page in document.pages():
            page.get_text("dict", flags=RAW)
        return document.page_count


def read_frames(path: Path) -> int:
    frames = parse_document(
        path.read_bytes(), file_name=path.name, parsed_at=datetime(2026, 1, 1, tzinfo=UTC)
    )
    return frames["page_df"].height


def spent(read: object, paths: Sequence[Path]) -> tuple[float, int]:
    """Return processor seconds and pages."""
    assert callable(read)
    started = time.process_time()
    n_pages = sum(read(path) for path in paths)
    return time.process_time() - started, n_pages


def with_workers(paths: Sequence[Path], n_workers: int) -> float:
    """Return seconds on the clock for all documents, largest first."""
    ordered = sorted(paths, key=lambda path: -path.stat().st_size)
    with ProcessPoolExecutor(n_workers) as pool:
        list(pool.map(read_frames, ordered[:n_workers]))
        started = time.perf_counter()
        list(pool.map(read_frames, ordered))
        return time.perf_counter() - started


def read_markdown(path: Path) -> int:
    import pymupdf4llm  # noqa: PLC0415  # only a yardstick, and slow to load

    with pymupdf.open(path) as document:
        pages = list(range(min(SAMPLE_PAGES, document.page_count)))
    pymupdf4llm.to_markdown(str(path), pages=pages)
    return len(pages)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", nargs="?", type=Path, default=SHARED)
    paths = sorted(parser.parse_args().folder.rglob("*.pdf"))
    read_frames(paths[0])
    raw_s, n_pages = spent(read_raw, paths)
    frames_s, _ = spent(read_frames, paths)
    peak_mb = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"{len(paths)} documents, {n_pages} pages")
    print(f"raw text       {raw_s:6.1f} s  {n_pages / raw_s:6.0f} pages/s")
    print(f"frames         {frames_s:6.1f} s  {n_pages / frames_s:6.0f} pages/s")
    print(f"ratio          {frames_s / raw_s:6.2f}    bound 2.5")
    print(f"peak memory    {peak_mb:6.0f} MB bound 500")
    one_s, two_s = with_workers(paths, 1), with_workers(paths, 2)
    print(f"two workers    {one_s / two_s:6.2f}    times one, bound 1.7")
    if find_spec("pymupdf4llm"):
        markdown_s, n_read = spent(read_markdown, paths[:1])
        ours_s = frames_s / n_pages * n_read
        print(f"pymupdf4llm    {markdown_s / ours_s:6.1f}    times slower, bound 15")


if __name__ == "__main__":
    main()
