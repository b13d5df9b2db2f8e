"""Cut, flip and splice documents, and parse what comes out as `ingest` does: nothing may stop it.

    python -m tests.bench.fuzz [--variants 2000] [--seed 0] [--keep FOLDER]

Seeds are the made documents of tests/golden/parsing and, where they are there, those of ../shared
that are small. Each variant has to end with one document row; what crashed a worker, or took longer
than its bound, is counted and kept: it costs its own document only, but is worth a look.
"""

import argparse
import random
from collections import Counter
from datetime import UTC, datetime
from pathlib import Path

from flows.ingesting.pool import ParseBounds, borrowed_worker
from flows.ingesting.worker import ParseJob
from tests.golden.parsing.made import CASES

SHARED = Path(__file__).parents[2].parent / "shared"
MAX_SEED_BYTES = 300_000
BOUNDS = ParseBounds(timeout_s=20, memory_mb=1024)
MAX_FLIPS = 40


def seeds() -> list[bytes]:
    """Return the documents that variants are made of."""
    paths = sorted([*SHARED.glob("nasty/*/*.pdf"), *SHARED.glob("corpus/*/*.pdf")])
    small = [path.read_bytes() for path in paths if path.stat().st_size <= MAX_SEED_BYTES]
    return [make() for make in CASES.values()] + [content for content in small if content]


def variant(draw: random.Random, documents: list[bytes]) -> bytes:
    """Return one document damaged in one to three ways."""
    content = bytearray(draw.choice(documents))
    for damage in draw.sample(("flip", "cut", "splice", "repeat", "digits"), draw.randint(1, 3)):
        at, size = draw.randrange(len(content)), draw.randint(1, 4000)
        if damage == "flip":
            for _ in range(draw.randint(1, MAX_FLIPS)):
                content[draw.randrange(len(content))] ^= 1 << draw.randrange(8)
        elif damage == "cut":
            del content[at : at + size]
        elif damage == "splice":
            other = draw.choice(documents)
            begin = draw.randrange(len(other))
            content[at:at] = other[begin : begin + size]
        elif damage == "repeat":
            content[at:at] = content[at : at + size]
        else:
            numbers = [
                i for i in range(at, min(at + size, len(content))) if chr(content[i]).isdigit()
            ]
            for i in numbers[::7]:
                content[i] = ord(draw.choice("0123456789"))
        content = content or bytearray(b"%PDF-")
    return bytes(content)


def main() -> None:
    """Parse the variants in one worker and print how they ended."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--variants", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--keep", type=Path)
    given = parser.parse_args()
    documents = seeds()
    ended: Counter[str] = Counter()
    with borrowed_worker(BOUNDS) as worker:
        for number in range(given.variants):
            content = variant(random.Random(f"{given.seed}/{number}"), documents)
            job = ParseJob(
                content=content,
                file_name="damaged.pdf",
                parsed_at=datetime(2026, 1, 1, tzinfo=UTC),
                max_pages=2000,
                escalation_ms=-1,
            )
            (row,) = worker.parse(job)["document_df"].to_dicts()
            how = row["error_code"] or "parsed"
            ended[f"{row['parse_status']}: {how}"] += 1
            if how in ("crashed", "timed_out", "out_of_memory"):
                print(number, how, row["error_message"], flush=True)
                if given.keep:
                    given.keep.mkdir(parents=True, exist_ok=True)
                    (given.keep / f"{given.seed}-{number}-{how}.pdf").write_bytes(content)
    for how, n in ended.most_common():
        print(f"{n:6} {how}")


if __name__ == "__main__":
    main()
