"""Cut, flip and splice documents, and parse what comes out as `ingest` does: nothing may stop it.

    python -m tests.bench.fuzz [--variants 2000] [--seed 0] [--keep FOLDER] [--outline 1000000]

Seeds are the made documents of tests/golden/parsing and, where they are there, those of ../shared
that are small. Each variant has to end with one document row; what crashed a worker, or took longer
than its bound, is counted and kept: it costs its own document only, but is worth a look. Before
them come outlines of so many entries: side by side, one below the other, in a circle.
"""

import argparse
import random
import time
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


def pdf_with_outline(n_entries: int, shape: str) -> bytes:
    """Return a PDF of one line with an outline that is `wide`, `deep`, or goes `round` for ever."""
    objects = [
        b"<</Type/Catalog/Pages 2 0 R/Outlines 6 0 R>>",
        b"<</Type/Pages/Kids[3 0 R]/Count 1>>",
        b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Contents 4 0 R"
        b"/Resources<</Font<</F1 5 0 R>>>>>>",
        b"<</Length 54>>stream\nBT /F1 12 Tf 72 700 Td (The premium is 1,200.) Tj ET  \nendstream",
        b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>",
        b"<</Type/Outlines/First 7 0 R/Last %d 0 R/Count %d>>" % (6 + n_entries, n_entries),
    ]
    points_by = b"Next" if shape == "wide" else b"First"
    for number in range(7, 7 + n_entries):
        target = 7 if number == 6 + n_entries else number + 1
        is_end = target == 7 and shape != "round"
        pointer = b"" if is_end else b"/%s %d 0 R" % (points_by, target)
        objects.append(b"<</Title(%d Part)/Dest[3 0 R/Fit]%s>>" % (number, pointer))
    content, starts = bytearray(b"%PDF-1.7\n"), [b"0000000000 65535 f \n"]
    for number, each in enumerate(objects, start=1):
        starts.append(b"%010d 00000 n \n" % len(content))
        content += b"%d 0 obj\n%s\nendobj\n" % (number, each)
    end = b"trailer<</Size %d/Root 1 0 R>>\nstartxref\n%d\n%%%%EOF" % (len(starts), len(content))
    return bytes(content) + b"xref\n0 %d\n" % len(starts) + b"".join(starts) + end


def job_of(content: bytes) -> ParseJob:
    """Return the job of parsing a document without OCR."""
    return ParseJob(
        content=content,
        file_name="damaged.pdf",
        parsed_at=datetime(2026, 1, 1, tzinfo=UTC),
        max_pages=2000,
        escalation_ms=-1,
    )


def main() -> None:
    """Parse the variants in one worker and print how they ended."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--variants", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--keep", type=Path)
    parser.add_argument("--outline", type=int, default=1_000_000)
    given = parser.parse_args()
    documents = seeds()
    ended: Counter[str] = Counter()
    with borrowed_worker(BOUNDS) as worker:
        for shape in ("wide", "deep", "round"):
            since = time.monotonic()
            job = job_of(pdf_with_outline(given.outline, shape))
            (row,) = worker.parse(job)["document_df"].to_dicts()
            print(f"{shape} outline: {row['error_code']} in {time.monotonic() - since:.1f} s")
        for number in range(given.variants):
            content = variant(random.Random(f"{given.seed}/{number}"), documents)
            (row,) = worker.parse(job_of(content))["document_df"].to_dicts()
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
