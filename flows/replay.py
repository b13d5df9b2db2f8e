"""Recompute a run without any model, and name every difference from what it recorded.

Replies, costs and the engine's times come from the ledger, page versions from the warehouse;
routes, windows, checks, passes and answers are computed anew.
"""

import asyncio
from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from typing import Any

import polars as pl

from flows.answering.driver import LoopDriver
from flows.answering.planning import PlannedPair, chunks_of
from flows.answering.rejections import rejections
from flows.answering.reparse import PAGE_TABLES, with_new_pages
from flows.answering.rows import PAIR_TABLES, Frames, rows_of_pairs
from flows.answering.scope import Scope
from flows.answering.vectors import make_vectors
from flows.engines import Engine, OfflineEngine, ReplayEngine
from flows.ledger import Ledger
from flows.settings import Settings
from flows.warehouse import Warehouse
from transforms.errors import InputError
from transforms.pipeline.registry import PatternRegistry
from transforms.pipeline.state import LoopState, Rejection
from transforms.questions import AskedQuestion
from transforms.tables import TABLES
from transforms.values import Activations, Budget, CorpusFrames, PairPlan, ParsedQuestion, Reparse

MEASURED = {
    "latency_ms", "retrieval_ms", "parsing_ms", "generation_ms", "fingerprint", "engine",
    "n_calls_reused", "reused_from_run_id",
}  # fmt: skip
"""Columns that say how a run went, not what it decided."""

Row = Mapping[str, Any]


def replay(run_id: str, warehouse: Warehouse, ledger: Ledger, settings: Settings) -> pl.DataFrame:
    """Recompute a run and return what differs; no rows when nothing does.

    One row per table, key and column: recorded and replayed value as text. Answers that the run
    reused are those of an earlier run and are left out. Raises InputError when there is no such
    run, or its texts were not kept.
    """
    recorded = {table: warehouse.read(table, run_ids=[run_id]) for table in PAIR_TABLES}
    run_df = warehouse.read("run_df", run_ids=[run_id])
    if run_df.is_empty():
        raise InputError(f"there is no run {run_id!r}", hint='see `compline sql "from run_df"`')
    run = run_df.row(0, named=True)
    pairs = _recorded_pairs(run_id, recorded, warehouse)
    if not pairs:
        return _difference_frame([])
    is_offline = run["model"] is None
    engine: Engine = OfflineEngine() if is_offline else ReplayEngine(ledger, run_id)
    differences: list[tuple[str, str, str, str, str]] = []
    for chunk in chunks_of(pairs):
        driver = _driver(chunk, run, engine, warehouse)
        driver.vectors = make_vectors(settings, ledger, warehouse, is_sending=False)
        driver.recorded_ms = {
            pair.pair_id: PassTimes(recorded["iteration_df"].filter(pair_id=pair.pair_id))
            for pair in chunk
        }
        replayed = _replayed(chunk, driver, engine, settings)
        pair_ids = [pair.pair_id for pair in chunk]
        for table in PAIR_TABLES:
            before_df = recorded[table].filter(pl.col("pair_id").is_in(pair_ids)).drop("run_id")
            differences += _differences(table, before_df, replayed[table])
    return _difference_frame(differences)


class PassTimes:
    """How long retrieval and re-parsing took for each pass of a recorded pair.

    What led to a pass is counted with its first command, so that a bound on time is met where the
    run met it.
    """

    def __init__(self, iteration_df: pl.DataFrame) -> None:
        by_pass = iteration_df.select("iteration_number", "retrieval_ms", "parsing_ms").rows()
        self._retrieval_ms = {number: spent or 0 for number, spent, _ in by_pass}
        self._parsing_ms = {number: spent or 0 for number, _, spent in by_pass}

    def retrieval(self, state: LoopState) -> int:
        """Return the time of the retrieval under way."""
        return self._retrieval_ms.pop(state.iteration_number + 1, 0)

    def parsing(self, state: LoopState) -> int:
        """Return the time of the re-parse under way."""
        return self._parsing_ms.pop(state.iteration_number + 1, 0)


class RecordedPages:
    """Page versions that the run made, instead of reading the pages again."""

    def __init__(self, warehouse: Warehouse) -> None:
        self._warehouse = warehouse

    def reparse(self, command: Reparse, corpus: CorpusFrames) -> CorpusFrames | None:
        """Return the corpus with the versions of the pages that came after those it has."""
        later = self._warehouse.corpus([command.doc_id])
        wanted = pl.col("page").is_in(list(command.pages))
        known_df = corpus.page_df.select("doc_id", "page", "page_version")
        new_page_df = later.page_df.filter(wanted).join(known_df, on=known_df.columns, how="anti")
        return with_new_pages(
            corpus,
            {
                table: getattr(later, table).join(new_page_df, on=["doc_id", "page"], how="semi")
                for table in PAGE_TABLES
            },
        )


def _driver(
    pairs: Sequence[PlannedPair], run: Row, engine: Engine, warehouse: Warehouse
) -> LoopDriver:
    doc_ids = {doc_id for pair in pairs for doc_id in pair.scope.doc_ids}
    return LoopDriver(
        corpus=warehouse.corpus(doc_ids, as_of=run["started_at"]),
        term_df=warehouse.terms(doc_ids, as_of=run["started_at"]),
        registry=PatternRegistry.default(),
        engine=engine,
        run_id=run["run_id"],
        pages=RecordedPages(warehouse),
    )


def _replayed(
    pairs: Sequence[PlannedPair], driver: LoopDriver, engine: Engine, settings: Settings
) -> Frames:
    states = asyncio.run(driver.run(driver.begin(pairs, settings)))
    return rows_of_pairs(states, pairs, engine, driver.coverage(states))


def _recorded_pairs(run_id: str, recorded: Frames, warehouse: Warehouse) -> list[PlannedPair]:
    """Return the pairs whose loops the run drove, as it planned them."""
    question_df = warehouse.read("question_df", run_ids=[run_id])
    asked = {
        (row["question_id"], row["question_version"]): _asked(row)
        for row in question_df.iter_rows(named=True)
    }
    answers = {
        row["pair_id"]: row
        for row in recorded["answer_df"].filter(sub_question=0).iter_rows(named=True)
        if row["reused_from_run_id"] is None
    }
    dispatched = {row["pair_id"]: row for row in recorded["dispatch_df"].iter_rows(named=True)}
    name_df = warehouse.read("document_df").select("doc_id", "file_name")
    documents = (
        warehouse.read("pair_doc_df", run_ids=[run_id])
        .join(name_df, on="doc_id", how="left")
        .sort("file_name", "doc_id")
    )
    rejected = _rejections(run_id, recorded, warehouse)
    pairs = []
    for row in warehouse.read("pair_df", run_ids=[run_id]).iter_rows(named=True):
        pair_id = row["pair_id"]
        if pair_id not in answers or pair_id not in dispatched:
            continue
        question = asked[row["question_id"], row["question_version"]]
        doc_ids = tuple(documents.filter(pair_id=pair_id)["doc_id"])
        pairs.append(
            PlannedPair(
                pair_id=pair_id,
                asked=question,
                scope=Scope(
                    kind=row["scope"], key=row["scope_key"], stable_key="", doc_ids=doc_ids
                ),
                plan=_plan(dispatched[pair_id], question),
                rejection=rejected.get(pair_id),
                fingerprint=answers[pair_id]["fingerprint"],
            )
        )
    return pairs


def _rejections(run_id: str, recorded: Frames, warehouse: Warehouse) -> dict[str, Rejection]:
    """Return the verdicts that made the run answer pairs anew."""
    begun_df = recorded["iteration_df"].filter(iteration_number=1, trigger="external_rejection")
    if begun_df.is_empty():
        return {}
    started_at = warehouse.read("run_df", run_ids=[run_id])["started_at"].item()
    return rejections(set(begun_df["pair_id"]), warehouse, before=started_at)


def _asked(row: Row) -> AskedQuestion:
    parsed_fields = set(ParsedQuestion.model_fields) & set(row)
    parsed = ParsedQuestion.model_validate({name: row[name] for name in parsed_fields})
    parts = tuple(ParsedQuestion.model_validate_json(text) for text in row["parsed_parts"] or ())
    kept = {name: row[name] for name in set(AskedQuestion.model_fields) & set(row)}
    return AskedQuestion.model_validate(
        {**kept, "parsed": parsed.model_copy(update={"parts": parts})}
    )


def _plan(row: Row, question: AskedQuestion) -> PairPlan:
    return PairPlan(
        activations=Activations(**{name: row[name] for name in Activations.model_fields}),
        missing_means=tuple(row["missing_means"]),
        k=row["k"],
        max_iterations=row["max_iterations"],
        budget=Budget(tokens=row["budget_tokens"], usd=row["budget_usd"], ms=row["budget_ms"]),
        model_tier=question.model_tier,
    )


def _differences(
    table: str, before_df: pl.DataFrame, after_df: pl.DataFrame
) -> Iterator[tuple[str, str, str, str, str]]:
    key = [name for name in TABLES[table].key if name != "run_id"]
    before, after = _by_key(before_df, key), _by_key(after_df, key)
    for place in sorted(before.keys() | after.keys()):
        ours, theirs = before.get(place), after.get(place)
        where = " ".join(map(str, place))
        if ours is None or theirs is None:
            yield table, where, "", _presence(ours), _presence(theirs)
            continue
        for name in sorted(set(ours) - MEASURED):
            if ours[name] != theirs[name]:
                yield table, where, name, _text(ours[name]), _text(theirs[name])


def _by_key(frame: pl.DataFrame, key: Sequence[str]) -> dict[tuple[Any, ...], Row]:
    return {tuple(row[name] for name in key): row for row in frame.iter_rows(named=True)}


def _presence(row: Row | None) -> str:
    return "no row" if row is None else "a row"


def _text(value: object) -> str:
    return f"{value:f}" if isinstance(value, Decimal) else str(value)


def _difference_frame(rows: Sequence[tuple[str, str, str, str, str]]) -> pl.DataFrame:
    names = ("table", "row", "column", "recorded", "replayed")
    return pl.DataFrame(rows, schema=dict.fromkeys(names, pl.String), orient="row")
