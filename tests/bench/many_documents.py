"""Ingest many small documents with the command line, and watch what its processes take.

The documents are single pages of the sample generator's policies, each marked so that no two are
the same file; they are made once and kept beside the peers' environment.
"""

import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path

import pymupdf

from tests.bench.peer_env import CACHE

SIZES = (1_000, 10_000)
N_POLICIES = 60
SEED = 3
EVERY_S = 0.5
KINDS = {"flows.ingesting.worker": "worker", "flows.prefect_server": "Prefect's server"}
"""What a process of the command is, by a part of its command line; else it is the command."""


def measure_memory(_paths: Sequence[Path], _rounds: int) -> None:
    """Print peak memory and time of each size; once each, because they take minutes."""
    ms_of_one: list[float] = []
    for size in SIZES:
        seconds, peaks = ingest_watched(small_documents(size))
        ms_of_one.append(seconds * 1000 / size)
        told = ", ".join(f"{kind} {mb} MB" for kind, mb in sorted(peaks.items()))
        print(f"{size:6} documents  {ms_of_one[-1]:5.1f} ms each, peak {told}", flush=True)
    print(f"growth         {ms_of_one[-1] / ms_of_one[0]:6.2f}    of a document's time, bound 1.5")


def ingest_watched(folder: Path) -> tuple[float, dict[str, int]]:
    """Return seconds, and the peak of memory by kind of process in MB."""
    peaks: dict[str, int] = {}
    with tempfile.TemporaryDirectory() as warehouse:
        since = time.perf_counter()
        command = [Path(sys.executable).with_name("compline"), "ingest", folder]
        process = subprocess.Popen(
            [*command, "--warehouse", warehouse],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        while process.poll() is None:
            for kind, mb in _memory_of(process.pid):
                peaks[kind] = max(peaks.get(kind, 0), mb)
            time.sleep(EVERY_S)
        assert process.returncode == 0
        return time.perf_counter() - since, peaks


def _memory_of(parent: int) -> Iterator[tuple[str, int]]:
    """Yield kind and peak resident memory of a process and of its children, in MB."""
    for status in Path("/proc").glob("[0-9]*/status"):
        try:
            fields = dict(line.split(":", 1) for line in status.read_text().splitlines())
            command = (status.parent / "cmdline").read_text().replace("\0", " ")
        except (OSError, ValueError):
            continue  # it ended
        if "VmHWM" in fields and str(parent) in (fields["Pid"].strip(), fields["PPid"].strip()):
            kind = next((KINDS[part] for part in KINDS if part in command), "command")
            yield kind, int(fields["VmHWM"].split()[0]) // 1024


def small_documents(size: int) -> Path:
    """Return a folder of that many documents of one page."""
    folder = CACHE / f"one-page-{SEED}-{size}"
    if not folder.exists():
        making = folder.with_suffix(".new")
        making.mkdir(parents=True, exist_ok=True)
        for number, content in enumerate(islice(_pages(), size)):
            (making / f"page-{number:05}.pdf").write_bytes(content)
        making.rename(folder)
    return folder


def _pages() -> Iterator[bytes]:
    """Yield the pages of the policies over and over, each time with another subject."""
    sys.path.insert(0, str(Path(__file__).parents[2] / "data"))
    from sample_maker.corpus import make_documents  # noqa: PLC0415  # on the path from here on

    policies = [
        pymupdf.open(stream=made.content)
        for made in make_documents(SEED, N_POLICIES)
        if not made.is_scan
    ]
    number = 0
    while True:
        for policy in policies:
            for page in range(policy.page_count):
                single = pymupdf.open()
                single.insert_pdf(policy, from_page=page, to_page=page)
                single.set_metadata({"subject": f"page {number}"})
                number += 1
                yield single.tobytes(garbage=3, deflate=True)
