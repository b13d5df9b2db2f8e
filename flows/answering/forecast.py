"""What a run would do and take: every decision that needs no model, for every pair."""

from collections.abc import Sequence
from decimal import Decimal

import polars as pl

from flows.answering.driver import LoopDriver
from flows.answering.planning import (
    PlannedPair,
    chunks_of,
    plan_pairs,
    plan_without_documents,
    refuse_unknown_tiers,
)
from flows.answering.rows import baseline_tokens
from flows.answering.run import open_ledger, recalled_in_parts, recalled_questions
from flows.answering.vectors import ModelVectors, make_vectors
from flows.progress import Headway, report_progress
from flows.settings import Settings
from flows.warehouse import Warehouse
from transforms.pipeline.bounds import STEP_OVERHEAD_TOKENS
from transforms.pipeline.decide import ROUTES, decide_route
from transforms.pipeline.overrides import overridden
from transforms.pipeline.records import StoredRow, dispatch_row
from transforms.pipeline.registry import PatternRegistry
from transforms.pipeline.state import LoopState
from transforms.questions import AskedQuestion, question_frame
from transforms.tables import TABLES
from transforms.values import Value


def forecast(questions: str, settings: Settings) -> pl.DataFrame:
    """Plan a question set and retrieve for it; send nothing.

    One row per pair, or per question over an empty warehouse: the columns of question_df and
    dispatch_df (run_id is null) with file_name, scope_key and forecast_tokens, which is what the
    pair takes when its first step is sufficient.
    """
    warehouse = Warehouse.open(settings.warehouse, create=True)
    document_df = warehouse.documents(include_failed=True)
    overridden(ROUTES, settings.routes)  # a wrong name is told before anything is read
    of = document_df if document_df.height else None
    planned_df = _of_parts(questions, settings, warehouse, of)
    if planned_df.is_empty():  # no document is asked anything
        planned_df = _of_parts(questions, settings, warehouse, None)
    file_name_df = document_df.select("doc_id", "file_name")
    return planned_df.join(file_name_df, on="doc_id", how="left", maintain_order="left")


def _of_parts(
    questions: str, settings: Settings, warehouse: Warehouse, document_df: pl.DataFrame | None
) -> pl.DataFrame:
    """Return the plans of a set; a part of it is held as rows at a time.

    One row per pair, or per question when no documents are given.
    """
    ledger = open_ledger(settings, warehouse)
    vectors = make_vectors(settings, ledger, warehouse, is_sending=False)
    parts: list[pl.DataFrame] = []
    n_done = 0
    for asked, n_left in recalled_in_parts(questions, settings, warehouse):
        refuse_unknown_tiers(asked, settings)
        if document_df is None:
            pairs, chunks = [], iter([[_question_row(question, settings) for question in asked]])
        else:
            pairs = plan_pairs(asked, document_df, settings)
            chunks = (_pair_rows(chunk, warehouse, settings, vectors) for chunk in chunks_of(pairs))
        n_rows = len(pairs) or len(asked)
        n_all = n_done + n_rows + n_rows * n_left // len(asked)  # as if the rest were like these
        planned: list[pl.DataFrame] = [_frame([])]
        for rows in chunks:
            planned.append(_frame(rows))
            n_done += len(rows)
            report_progress(Headway(n_done=n_done, n_all=n_all))
        parts.append(_with_questions(asked, pl.concat(planned)))
    ledger.close()
    return pl.concat(parts)


def _frame(rows: Sequence[StoredRow]) -> pl.DataFrame:
    """Return rows of dispatch_df, with what they are of."""
    schema = TABLES["dispatch_df"].polars_schema() | {
        "question_id": pl.String(),
        "doc_id": pl.String(),
        "scope_key": pl.String(),
        "forecast_tokens": pl.Int64(),
    }
    return pl.DataFrame(rows, schema=schema)


def _with_questions(asked: Sequence[AskedQuestion], planned_df: pl.DataFrame) -> pl.DataFrame:
    """Return plans in the order of their questions, with the columns of question_df."""
    return (
        question_frame(asked)
        .drop("k", "budget_tokens", "budget_usd", "budget_ms")  # planned_df has them resolved
        .join(planned_df, on="question_id", how="inner", maintain_order="left_right")
    )


class Whole(Value):
    """What a whole set takes, told by a pilot."""

    n_pairs: int
    n_asked: int
    """Pairs of the pilot that were asked, not reused: what the rest is told by."""
    tokens: int
    cost_usd: Decimal | None
    """Null when the price of a model is unknown."""
    minutes: float
    """At the pilot's pace."""


def extrapolated(questions: str, settings: Settings, run_id: str) -> Whole | None:
    """Return what the whole set takes when every question takes what it took in a pilot.

    Null when the pilot asked nothing anew.
    """
    warehouse = Warehouse.open(settings.warehouse)
    asked = recalled_questions(questions, settings, warehouse)
    pairs = plan_pairs(asked, warehouse.documents(include_failed=True), settings)
    taken_df = warehouse.query(_TAKEN, {"run_id": run_id})
    run = warehouse.read("run_df", run_ids=[run_id]).row(0, named=True)
    if taken_df.is_empty():
        return None
    asked_of_df = pl.DataFrame({"question_id": [pair.asked.question_id for pair in pairs]})
    of_pair_df = asked_of_df.join(taken_df, on="question_id", how="left").with_columns(
        pl.col("tokens", "cost_usd").fill_null(pl.col("tokens", "cost_usd").mean())
    )
    n_asked = int(taken_df["n_asked"].sum())
    elapsed_s = (run["finished_at"] - run["started_at"]).total_seconds()
    is_priced = bool(taken_df["is_priced"].all())
    return Whole(
        n_pairs=len(pairs),
        n_asked=n_asked,
        tokens=round(of_pair_df["tokens"].sum()),
        cost_usd=Decimal(str(round(of_pair_df["cost_usd"].sum(), 6))) if is_priced else None,
        minutes=elapsed_s / 60 * len(pairs) / n_asked,
    )


_TAKEN = """
select
    question_id,
    count(*) as n_asked,
    avg(prompt_tokens + completion_tokens) as tokens,
    coalesce(avg(cost_usd)::double, 0) as cost_usd,
    count(cost_usd) = count(*) as is_priced
from answer_df
where run_id = $run_id and sub_question = 0 and reused_from_run_id is null
and status not in ('failed', 'not_run')
group by question_id
"""
"""Per question of a pilot: what a pair took on average."""


def _pair_rows(
    pairs: list[PlannedPair],
    warehouse: Warehouse,
    settings: Settings,
    vectors: ModelVectors | None,
) -> list[StoredRow]:
    readable = [pair for pair in pairs if not pair.failure]
    doc_ids = {doc_id for pair in readable for doc_id in pair.scope.doc_ids}
    driver = LoopDriver(
        corpus=warehouse.corpus(doc_ids),
        term_df=warehouse.terms(doc_ids),
        registry=PatternRegistry.default(),
        vectors=vectors,
    )
    states = {state.pair_id: state for state, _ in driver.begin(readable, settings)}
    return [_pair_row(pair, states[pair.pair_id]) for pair in readable]


def _pair_row(pair: PlannedPair, state: LoopState) -> StoredRow:
    return {
        **dispatch_row(state, baseline_tokens=baseline_tokens(state)),
        "question_id": pair.asked.question_id,
        "doc_id": pair.scope.doc_ids[0] if pair.scope.kind == "document" else None,
        "scope_key": pair.scope.key,
        "forecast_tokens": _forecast_tokens(state),
    }


def _forecast_tokens(state: LoopState) -> int:
    """Return what the first step sends: one window (sequential) or all (batch)."""
    if not state.records or state.route is None:
        return 0
    offered = state.records[0].candidates
    n_windows = 1 if state.route.route == "sequential" else len(offered)
    return sum(window.n_tokens for window in offered[:n_windows]) + STEP_OVERHEAD_TOKENS


def _question_row(asked: AskedQuestion, settings: Settings) -> StoredRow:
    plan = plan_without_documents(asked, settings)
    route = decide_route(asked.parsed, (), routes=overridden(ROUTES, settings.routes))
    state = LoopState(
        pair_id="",
        doc_ids=(),
        question=asked.parsed,
        plan=plan,
        activations=plan.activations,
        route=route,
    )
    return {
        **dispatch_row(state, baseline_tokens=None),
        "pair_id": None,
        "question_id": asked.question_id,
    }
