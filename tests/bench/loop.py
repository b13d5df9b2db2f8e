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
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import Any

import polars as pl

from flows.answering.driver import LoopDriver
from flows.answering.planning import PlannedPair, chunks_of, plan_pairs
from flows.answering.rows import PAIR_TABLES, Frames, rows_of_pairs
from flows.engines import OfflineEngine
from flows.settings import Settings
from flows.warehouse import Warehouse
from tests.bench.synthetic import make_corpus, vocabulary
from transforms.pipeline.loop import Step
from transforms.pipeline.registry import PatternRegistry
from transforms.questions import AskedQuestion, Vocabulary, each_question
from transforms.retrieval import Coverage
from transforms.tables import TABLES
from transforms.values import Candidate, CorpusFrames

N_PAIRS = 10_000
N_QUESTIONS = 50
WAVES = "waves"
"""Later retrievals of a chunk, which have a thread of their own."""
BOUND_MS = 2.0
"""CPU of a pair beside retrieval and reading."""
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

    def found(self, *given: Any) -> dict[str, tuple[Candidate, ...]]:
        """Return the windows that each pair asks for."""
        with self.meter.on("retrieval"):
            return super().found(*given)

    def coverage(self, *given: Any) -> dict[str, Coverage]:
        """Return how much of what matches was read."""
        with self.meter.on("retrieval"):
            return super().coverage(*given)


def main() -> None:
    """Print CPU per pair and the peak of memory; exit with 1 above the bound."""
    n_pairs = int(sys.argv[1]) if len(sys.argv) > 1 else N_PAIRS
    corpus, term_df = make_corpus(max(1, n_pairs // N_QUESTIONS))
    meter, asked = Meter(), questions()
    folder = tempfile.TemporaryDirectory()
    warehouse = Warehouse.open(folder.name, create=True)
    memory_mb = _peak_mb()
    with meter.on("whole"):
        pairs = plan_pairs(asked, corpus.document_df, Settings(engine="offline"))
        results = [answered(chunk, corpus, term_df, meter) for chunk in chunks_of(pairs)]
        committed(results, warehouse)
    folder.cleanup()
    answer_df = pl.concat([result["answer_df"] for result in results]).filter(sub_question=0)
    iteration_df = pl.concat([result["iteration_df"] for result in results])
    all_s = meter.spent_s.pop("whole") + meter.spent_s.pop(WAVES, 0.0)
    overhead_ms = (all_s - sum(meter.spent_s.values())) / answer_df.height * 1000
    n_steps = answer_df["n_steps"].sum()
    print(f"{answer_df.height:,} pairs, {iteration_df.height:,} passes, {n_steps:,} steps")
    for what, spent_s in meter.spent_s.items():
        print(f"{what:<10} {spent_s / answer_df.height * 1000:8.2f} ms CPU a pair")
    print(f"{'left':<10} {overhead_ms:8.2f} ms CPU a pair (at most {BOUND_MS:g})")
    print(f"peak memory {_peak_mb():,} MB, {memory_mb:,} MB before the first pair")
    sys.exit(int(overhead_ms > BOUND_MS))


def questions() -> tuple[AskedQuestion, ...]:
    """Return questions of all kinds about words of the corpus."""
    words = vocabulary()
    rows = [
        {"question_id": f"q{n}", "question": FORMS[n % len(FORMS)].format(*words[20 + 2 * n :])}
        for n in range(N_QUESTIONS)
    ]
    return tuple(each_question(rows, set_id="bench", vocabulary=Vocabulary()))


def answered(
    pairs: Sequence[PlannedPair], corpus: CorpusFrames, term_df: pl.DataFrame, meter: Meter
) -> Frames:
    """Answer one chunk as a task of the flow does."""
    bricks = PatternRegistry.default()
    bricks = replace(
        bricks,
        make_windows=meter.around("windows", bricks.make_windows),
        read_offline=meter.around("reading", bricks.read_offline),
        validate_answer=meter.around("checks", bricks.validate_answer),
    )
    is_own = pl.col("doc_id").is_in({doc_id for pair in pairs for doc_id in pair.scope.doc_ids})
    own = {name: getattr(corpus, name).filter(is_own) for name in CorpusFrames.model_fields}
    engine = OfflineEngine(bricks)
    driver = MeteredDriver(
        corpus=CorpusFrames(**own),
        term_df=term_df.filter(is_own),
        registry=bricks,
        engine=engine,
        meter=meter,
    )
    states = asyncio.run(driver.run(driver.begin(pairs, Settings(engine="offline"))))
    return rows_of_pairs(states, pairs, engine, driver.coverage(states))


def committed(results: Sequence[Frames], warehouse: Warehouse) -> None:
    """Write the rows of all pairs as the run does."""
    frames = {
        table: pl.concat([result[table] for result in results]).select(
            pl.lit("run").alias("run_id"), pl.all()
        )
        for table in PAIR_TABLES
    }
    warehouse.write_run("run", {**frames, "run_df": TABLES["run_df"].empty()})


def _peak_mb() -> int:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024


if __name__ == "__main__":
    main()
