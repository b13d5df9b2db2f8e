"""Ingest and ask 100, 1,000 and 10,000 documents with the command line: what each unit costs.

    python -m tests.bench.many_documents [--documents 100 1000 10000] [--questions 1 10 100]
                                         [--most-pairs 10000] [--rounds 3] [--long 100]

Fills a matrix of documents of one page by questions, each cell with `compline ingest`, `run` with
the offline engine, the same `run` again (all is reused: an unchanged night) and `sql` of a view.
What a start costs, of Python, Prefect's server and the workers, is measured by itself and taken
away. A cell has a question set of its own, so that nothing is reused in it. Ten questions are one
mix of shapes, a hundred are ten of it; one question is one of it, so compare it with itself. At
last 100 documents of twelve pages are asked ten questions: from them, and from the largest cell,
the cost of a million is estimated (tests/bench/million.py). Time is that of the processor.

Small cells are run several times and the one with the least processor time counts. Cells of more
pairs than `--most-pairs` are left out and named.
"""

import argparse
import csv
import sys
import tempfile
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import NamedTuple

import pymupdf

from flows.storage.parts import EMPTY_PART
from flows.warehouse import Warehouse
from tests.bench.million import PAGES, Measured, print_estimate
from tests.bench.peer_env import CACHE
from tests.bench.watched import Spent, least, watch
from transforms.tables import TABLES

N_POLICIES = 60
N_LONG = 100
SEED = 3
SMALL = 100
"""Documents or pairs up to which a command is run several times."""
NOISE_S, NOISE_MB = 0.5, 10
"""How far two starts of the same command are apart."""
BOUND = 1.5
"""Times what a unit costs in the smallest cell."""

FORMS = (
    "What is the {0}?", "What is the amount of the {0}?", "List all exclusions of the {0}.",
    "When does the {0} end?", "Who is named in the {0}?", "Is the {0} limited?",
    "How many days does the {0} allow?", "Which sections mention the {0}?",
    "What percentage is the {0}?", "How is the {0} set?",
)  # fmt: skip
SUBJECTS = (
    "policy number", "deductible", "limit of liability", "policy period", "premium", "insured",
    "claims notice", "territory", "sublimit", "endorsement",
)  # fmt: skip

VIEW = "select count(hash(seen)) from latest_answer as seen where set_id = '{}'"
"""Reads every column."""


class Ingested(NamedTuple):
    """A warehouse of so many documents, and what ingesting one cost."""

    root: Path
    n_documents: int
    spent: Spent
    """Beyond the start."""
    disk: dict[str, int]
    """Bytes by table."""


class Units(NamedTuple):
    """What one document or pair takes; zero for what is not told from the noise of a start."""

    time: float
    memory: float
    disk: float

    @classmethod
    def of(cls, spent: Spent, disk: dict[str, int], n_units: int) -> "Units":
        """Return CPU seconds, MB of all processes, and bytes of a unit."""
        cpu_s, mb = spent.cpu_s, sum(spent.peak_mb.values())
        return cls(
            cpu_s / n_units if cpu_s > NOISE_S else 0,
            mb / n_units if mb > NOISE_MB else 0,
            sum(disk.values()) / n_units,
        )


class Starts(NamedTuple):
    """What commands cost when they have next to nothing to do."""

    ingest: Spent
    run: Spent
    sql: Spent


def main() -> None:
    """Print the matrix, and what a million documents would take."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--documents", type=int, nargs="+", default=[100, 1_000, 10_000])
    parser.add_argument("--questions", type=int, nargs="+", default=[1, 10, 100])
    parser.add_argument("--most-pairs", type=int, default=10_000)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--long", type=int, default=N_LONG, help="documents of twelve pages")
    given = parser.parse_args()
    folders = {size: small_documents(size) for size in given.documents}
    long_documents = small_documents(given.long, n_pages=PAGES)
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        starts = measure_starts(place, given.rounds)
        firsts: dict[str, Units] = {}
        largest: Measured | None = None
        for n_documents, documents in folders.items():
            ingested = measure_ingest(documents, place, starts, given.rounds)
            print_unit(f"{n_documents:7,} documents", "document", ingested.spent, n_documents)
            print_disk(ingested.disk, n_documents, "document")
            compare(firsts, "ingest", Units.of(ingested.spent, ingested.disk, n_documents))
            for n_questions in given.questions:
                if n_documents * n_questions > given.most_pairs:
                    print(f"{n_documents:7,} × {n_questions} left out: over --most-pairs")
                    continue
                measured = measure_cell(ingested, n_questions, starts, given.rounds, firsts)
                largest = measured
        print("documents of twelve pages, from which the cost of a million is estimated:")
        ingested = measure_ingest(long_documents, place, starts, 1)
        print_unit(f"{ingested.n_documents:7,} documents", "document", ingested.spent, given.long)
        measured = measure_cell(ingested, 10, starts, 1, {})
        print_estimate(measured, largest or measured)


def measure_starts(place: Path, rounds: int) -> Starts:
    """Measure each command with two documents, so that both workers start, and one pair."""
    documents = small_documents(2)
    asked = question_set(place / "start.csv", 1)
    warehouse = place / "start"
    ingests = [
        watch("ingest", documents, "--warehouse", place / f"start-{number}", "--quiet")
        for number in range(rounds)
    ]
    watch("ingest", documents, "--warehouse", warehouse, "--quiet")
    runs = [
        watch("run", asked, "--limit", "1", "--refresh", "--quiet", "--warehouse", warehouse)
        for _ in range(rounds)
    ]
    views = [watch("sql", VIEW.format("start"), "--warehouse", warehouse) for _ in range(rounds)]
    starts = Starts(*map(least, (ingests, runs, views)))
    for name, spent in starts._asdict().items():
        told = ", ".join(f"{kind} {mb:.0f} MB" for kind, mb in spent.peak_mb.items())
        print(f"start of {name}: {spent.cpu_s:.2f} s CPU, {spent.wall_s:.2f} s, {told}", flush=True)
    return starts


def measure_ingest(documents: Path, place: Path, starts: Starts, rounds: int) -> Ingested:
    """Ingest a folder into warehouses of its own; the last one is kept."""
    n_documents = sum(1 for _ in documents.iterdir())
    spent: list[Spent] = []
    warehouse = place / "none"
    for number in range(rounds if n_documents <= SMALL else 1):
        warehouse = place / f"{documents.name}-{number}"
        spent.append(watch("ingest", documents, "--warehouse", warehouse, "--quiet"))
    return Ingested(warehouse, n_documents, least(spent).over(starts.ingest), _disk(warehouse))


def measure_cell(
    ingested: Ingested, n_questions: int, starts: Starts, rounds: int, firsts: dict[str, Units]
) -> Measured:
    """Answer the questions over all documents, once and once more, and look at the answers."""
    n_pairs = ingested.n_documents * n_questions
    before = _disk(ingested.root)
    runs: list[Spent] = []
    asked = Path()
    n_rounds = rounds if n_pairs <= SMALL else 1
    for number in range(n_rounds):
        asked = question_set(ingested.root.parent / f"q{n_questions}-{number}.csv", n_questions)
        runs.append(_run(ingested.root, asked))
    _refuse_reused(ingested.root, asked.stem, n_pairs)
    spent = least(runs).over(starts.run)
    after = _disk(ingested.root)
    disk = {table: (after[table] - before[table]) // n_rounds for table in after}
    again = _run(ingested.root, asked).over(starts.run)
    sql = [
        watch("sql", VIEW.format(asked.stem), "--warehouse", ingested.root) for _ in range(rounds)
    ]
    view = least(sql).over(starts.sql)
    name = f"{ingested.n_documents:7,} × {n_questions}"
    print_unit(name, "pair", spent, n_pairs)
    print_disk(disk, n_pairs, "pair")
    units = Units.of(spent, disk, n_pairs)
    compare(firsts, f"{n_questions} questions", units)
    if n_questions > 1:
        compare(firsts, f"{ingested.n_documents} documents", units)
    print_unit(f"{name} again", "reused pair", again, n_pairs)
    compare(firsts, f"again, {n_questions} questions", Units.of(again, disk, n_pairs))
    print_unit(f"{name} in the view", "row", view, n_pairs)
    return Measured(
        ingested.n_documents, n_pairs, ingested.spent, spent, again, ingested.disk, disk
    )


def _run(warehouse: Path, asked: Path) -> Spent:
    return watch("run", asked, "--engine", "offline", "--quiet", "--warehouse", warehouse)


def _refuse_reused(root: Path, set_id: str, n_pairs: int) -> None:
    run_df = Warehouse.open(root).read("run_df").filter(set_id=set_id)
    counted = run_df.select("n_pairs", "n_reused", "n_failed").rows()
    if counted != [(n_pairs, 0, 0)]:
        raise RuntimeError(f"{set_id}: {counted} are not {n_pairs} new pairs")


def print_unit(name: str, unit: str, spent: Spent, n_units: int) -> None:
    """Print what a unit takes beyond the start."""
    memory = ", ".join(
        f"{kind} +{mb:.0f} MB ({1024 * mb / n_units:.1f} KB)" for kind, mb in spent.peak_mb.items()
    )
    cpu_ms, wall_ms = 1e3 * spent.cpu_s / n_units, 1e3 * spent.wall_s / n_units
    print(f"{name}: {cpu_ms:.2f} ms CPU, {wall_ms:.2f} ms a {unit}; {memory}", flush=True)


def print_disk(disk: dict[str, int], n_units: int, unit: str) -> None:
    """Print the bytes of a unit by table."""
    by_table = ", ".join(f"{table} {size / n_units:.0f}" for table, size in disk.items() if size)
    print(f"        disk: {sum(disk.values()) / n_units:.0f} bytes a {unit}: {by_table}")


def compare(firsts: dict[str, Units], what: str, units: Units) -> None:
    """Print a unit's cost against that of the first, smallest cell of its row or column.

    A cost that is lost in the noise of a start stands for nothing.
    """
    if what in firsts:
        ratios = ", ".join(
            f"{name} {own / first:.2f}" if own and first else f"{name} within a start"
            for name, own, first in zip(Units._fields, units, firsts[what], strict=True)
        )
        print(f"        {what}: {ratios} times the smallest, bound {BOUND}", flush=True)
    firsts.setdefault(what, units)


def question_set(path: Path, n_questions: int) -> Path:
    """Write a question set; each ten questions are the same mix of forms."""
    with path.open("w", newline="") as file:
        rows = csv.writer(file)
        rows.writerow(["question_id", "question"])
        for number in range(n_questions):
            subject = SUBJECTS[(number + number // len(FORMS)) % len(SUBJECTS)]
            rows.writerow([f"q{number:03}", FORMS[number % len(FORMS)].format(subject)])
    return path


def small_documents(size: int, n_pages: int = 1) -> Path:
    """Return a folder of that many documents; made once, kept beside the peers' environment."""
    name = "one-page" if n_pages == 1 else f"{n_pages}-pages"
    folder = CACHE / f"{name}-{SEED}-{size}"
    if not folder.exists():
        making = folder.with_suffix(".new")
        making.mkdir(parents=True, exist_ok=True)
        for number, content in enumerate(islice(_documents(n_pages), size)):
            (making / f"page-{number:05}.pdf").write_bytes(content)
        making.rename(folder)
    return folder


def _documents(n_pages: int) -> Iterator[bytes]:
    """Yield runs of pages of the policies over and over, each time with another subject."""
    sys.path.insert(0, str(Path(__file__).parents[2] / "data"))
    from sample_maker.corpus import make_documents  # noqa: PLC0415  # on the path from here on

    made = (made for made in make_documents(SEED, N_POLICIES) if not made.is_scan)
    policies = [pymupdf.open(stream=one.content) for one in made]
    long_enough = [policy for policy in policies if policy.page_count >= n_pages]
    number = 0
    while True:
        for policy in long_enough:
            for page in range(0, policy.page_count - n_pages + 1, n_pages):
                part = pymupdf.open()
                part.insert_pdf(policy, from_page=page, to_page=page + n_pages - 1)
                part.set_metadata({"subject": f"page {number}"})
                number += 1
                yield part.tobytes(garbage=3, deflate=True)


def _disk(root: Path) -> dict[str, int]:
    """Return bytes by table, without the empty parts that each table has, and of the ledger."""
    parts = {table: set(root.glob(f"*/{table}/*.parquet")) for table in TABLES}
    parts["ledger"] = set(root.glob("ledger.sqlite"))
    return {
        table: sum(part.stat().st_size for part in of_table if part.stem != EMPTY_PART)
        for table, of_table in parts.items()
    }


if __name__ == "__main__":
    main()
