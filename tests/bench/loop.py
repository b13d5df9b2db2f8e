"""What the loop costs beside retrieval and reading: 10,000 pairs with the offline engine.

    python -m tests.bench.loop [N_PAIRS]

The CPU of the bricks (retrieval, windows, reading, checks) is counted around them and taken away
from the whole: what is left is planning, loop, driver, rows and the commit of the run. Counted is
the CPU of the thread that does it: steps are read while a wave of retrievals runs in another.
"""

import asyncio
import functools
import resource
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

import polars as pl

from flows.answering.driver import LoopDriver
from flows.answering.planning import PlannedPair, chunks_of, plan_pairs
from flows.answering.publish import MadeWhenAsked, stamped
from flows.answering.rows import PAIR_TABLES, Frames, Gathered, rows_of_pairs
from flows.engines import OfflineEngine
from flows.settings import Settings
from flows.warehouse import Warehouse
from tests.bench.synthetic import make_corpus, vocabulary
from tests.unit.retrieval.corpora import PARSED_AT
from transforms.pipeline.loop import Step
from transforms.pipeline.registry import PatternRegistry
from transforms.questions import AskedQuestion, Vocabulary, each_question
from transforms.retrieval import Coverage
from transforms.tables import TABLES, DocumentPage
from transforms.values import Candidate

N_PAIRS = 10_000
N_QUESTIONS = 50
WAVES = "waves"
"""Later retrievals of a chunk, which have a thread of their own."""
BOUND_MS = 2.0
"""CPU of a pair beside retrieval and reading."""
BOUND_KB = 10.0
"""Memory that a further pair may take while pairs are answered. Writing the tables, which comes on
top at the end, has no bound here: it is told."""
DOCUMENTS_A_BATCH = 20
FORMS = (
    "What is the {0} {1}?", "List all {0} of the {1}.", "How is the {0} of the {1} set?",
    "When does the {0} of the {1} end?", "What is the {0}, and what is the {1}?",
)  # fmt: skip


@dataclass
class Meter:
    """CPU spent, by what it was spent on."""

    spent_s: dict[str, float] = field(default_factory=dict)

    @contextmanager
    def on(self, what: str) -> Iterator[None]:
        """Count what happens inside."""
        since = time.thread_time()
        yield
        self.spent_s[what] = self.spent_s.get(what, 0.0) + time.thread_time() - since

    def around(self, what: str, brick: Callable[..., Any]) -> Callable[..., Any]:
        """Return the brick with its CPU counted."""

        @functools.wraps(brick)
        def timed(*arguments: Any, **named: Any) -> Any:
            with self.on(what):
                return brick(*arguments, **named)

        return timed


@dataclass
class MeteredDriver(LoopDriver):
    """The driver, with the CPU of retrieval counted."""

    meter: Meter = field(default_factory=Meter)

    def _retrieve(self, steps: Sequence[Step]) -> list[Step]:
        if threading.current_thread() is threading.main_thread():
            return super()._retrieve(steps)
        with self.meter.on(WAVES):
            return super()._retrieve(steps)

    def found(self, *given: Any) -> Mapping[str, tuple[Candidate, ...]]:
        """Return the windows that each pair asks for."""
        with self.meter.on("retrieval"):
            return super().found(*given)

    def coverage(self, *given: Any) -> dict[str, Coverage]:
        """Return how much of what matches was read."""
        with self.meter.on("retrieval"):
            return super().coverage(*given)


def main() -> None:
    """Print CPU per pair and memory as it grows; exit with 1 above a bound."""
    n_pairs = int(sys.argv[1]) if len(sys.argv) > 1 else N_PAIRS
    meter, asked, gathered = Meter(), questions(), Gathered()
    peaks_mb: dict[int, int] = {}
    with tempfile.TemporaryDirectory() as folder:
        warehouse = Warehouse.open(folder, create=True)
        fill(warehouse, max(1, n_pairs // N_QUESTIONS))
        before_mb = _peak_mb()
        with meter.on("whole"):
            pairs = plan_pairs(asked, warehouse.documents(), Settings(engine="offline"))
            n_done = 0
            for chunk in chunks_of(pairs):
                gathered.add(answered(chunk, warehouse, meter))
                n_done += len(chunk)
                peaks_mb[n_done] = _peak_mb()
            committed(gathered, warehouse)
    overhead_ms, end_mb = print_spent(gathered, meter), _peak_mb()
    n_first, first_mb = next(each for each in peaks_mb.items() if each[0] >= len(pairs) / 5)
    answered_mb, n_further = peaks_mb[n_done], max(1, len(pairs) - n_first)
    growth_kb = (answered_mb - first_mb) * 1024 / n_further
    print(f"peak memory {before_mb:,} MB before the first pair, {first_mb:,} MB after {n_first:,},")
    print(f"{answered_mb:,} MB when all are answered, {end_mb:,} MB when they are written")
    print(
        f"{'growth':<10} {growth_kb:8.1f} KB a pair until all are answered (at most {BOUND_KB:g})"
    )
    sys.exit(int(overhead_ms > BOUND_MS or growth_kb > BOUND_KB))


def fill(warehouse: Warehouse, n_documents: int) -> None:
    """Write a synthetic corpus, a batch at a time: it is read again as a run reads it."""
    for number, n_before in enumerate(range(0, n_documents, DOCUMENTS_A_BATCH)):
        n_own = min(DOCUMENTS_A_BATCH, n_documents - n_before)
        corpus, term_df = make_corpus(n_own, seed=number)
        page_df = DocumentPage.frame(
            {
                **dict.fromkeys(DocumentPage.polars_schema()),
                **{"doc_id": doc_id, "page": page, "page_version": 1, "width": 595.0},
                **{"height": 842.0, "rotation": 0, "n_columns": 1, "n_lines": 42, "n_chars": 3000},
                **{"image_share": 0.0, "text_quality": 1.0, "is_flagged": False},
                **{"parse_method": "native", "parsed_at": PARSED_AT},
            }
            for doc_id, page in corpus.toc_df.select("doc_id", "page_start").iter_rows()
        )
        made = {"document_df": corpus.document_df, "page_df": page_df, "line_df": corpus.line_df}
        made |= {"toc_df": corpus.toc_df, "term_df": term_df}
        own_id = pl.lit(f"{number:04x}") + pl.col("doc_id").str.slice(4)
        frames = {table: frame.with_columns(doc_id=own_id) for table, frame in made.items()}
        warehouse.write_batch(frames, f"batch{number:04}")


def print_spent(gathered: Gathered, meter: Meter) -> float:
    """Print what was done and the CPU of each brick; return the rest in ms a pair."""
    answer_df = gathered.frame("answer_df").filter(sub_question=0)
    n_passes, n_steps = gathered.frame("iteration_df").height, answer_df["n_steps"].sum()
    all_s = meter.spent_s.pop("whole") + meter.spent_s.pop(WAVES, 0.0)
    overhead_ms = (all_s - sum(meter.spent_s.values())) / answer_df.height * 1000
    print(f"{answer_df.height:,} pairs, {n_passes:,} passes, {n_steps:,} steps")
    for what, spent_s in meter.spent_s.items():
        print(f"{what:<10} {spent_s / answer_df.height * 1000:8.2f} ms CPU a pair")
    print(f"{'left':<10} {overhead_ms:8.2f} ms CPU a pair (at most {BOUND_MS:g})")
    return overhead_ms


def questions() -> tuple[AskedQuestion, ...]:
    """Return questions of all kinds about words of the corpus."""
    words = vocabulary()
    rows = [
        {"question_id": f"q{n}", "question": FORMS[n % len(FORMS)].format(*words[20 + 2 * n :])}
        for n in range(N_QUESTIONS)
    ]
    return tuple(each_question(rows, set_id="bench", vocabulary=Vocabulary()))


def answered(pairs: Sequence[PlannedPair], warehouse: Warehouse, meter: Meter) -> Frames:
    """Answer one chunk as a task of the flow does."""
    bricks = PatternRegistry.default()
    bricks = replace(
        bricks,
        make_windows=meter.around("windows", bricks.make_windows),
        read_offline=meter.around("reading", bricks.read_offline),
        validate_answer=meter.around("checks", bricks.validate_answer),
    )
    doc_ids = {doc_id for pair in pairs for doc_id in pair.scope.doc_ids}
    engine = OfflineEngine(bricks)
    with meter.on("corpus"):
        corpus, term_df = warehouse.corpus(doc_ids), warehouse.terms(doc_ids)
    driver = MeteredDriver(
        corpus=corpus, term_df=term_df, registry=bricks, engine=engine, meter=meter
    )
    states = asyncio.run(driver.run(driver.begin(pairs, Settings(engine="offline"))))
    return rows_of_pairs(states, pairs, engine, driver.coverage(states))


def committed(gathered: Gathered, warehouse: Warehouse) -> None:
    """Write the rows of all pairs as the run does."""
    makers = {table: partial(stamped, "run", gathered, table) for table in PAIR_TABLES}
    warehouse.write_run("run", MadeWhenAsked({**makers, "run_df": TABLES["run_df"].empty}))


def _peak_mb() -> int:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024


if __name__ == "__main__":
    main()
