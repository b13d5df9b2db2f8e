"""What a run would do and take: every decision that needs no model, for every pair."""

import polars as pl

from flows.answering.driver import LoopDriver
from flows.answering.planning import (
    PlannedPair,
    chunks_of,
    plan_pairs,
    plan_without_documents,
)
from flows.answering.rows import baseline_tokens
from flows.answering.run import open_ledger, recalled_questions
from flows.answering.vectors import ModelVectors, make_vectors
from flows.settings import Settings
from flows.warehouse import Warehouse
from transforms.pipeline.decide import ROUTES, decide_route, overridden
from transforms.pipeline.loop import STEP_OVERHEAD_TOKENS
from transforms.pipeline.records import StoredRow, dispatch_row
from transforms.pipeline.registry import PatternRegistry
from transforms.pipeline.state import LoopState
from transforms.questions import AskedQuestion, question_frame
from transforms.tables import TABLES


def forecast(questions: str, settings: Settings) -> pl.DataFrame:
    """Plan a question set and retrieve for it; send nothing.

    One row per pair, or per question over an empty warehouse: the columns of question_df and
    dispatch_df (run_id is null) with file_name, scope_key and forecast_tokens, which is what the
    pair takes when its first step is sufficient.
    """
    warehouse = Warehouse.open(settings.warehouse, create=True)
    asked = recalled_questions(questions, settings, warehouse)
    document_df = warehouse.documents(include_failed=True)
    pairs = plan_pairs(asked, document_df, settings)
    if pairs:
        ledger = open_ledger(settings, warehouse)
        vectors = make_vectors(settings, ledger, warehouse, is_sending=False)
        rows = [
            row
            for chunk in chunks_of(pairs)
            for row in _pair_rows(chunk, warehouse, settings, vectors)
        ]
        ledger.close()
    else:
        rows = [_question_row(question, settings) for question in asked]
    schema = TABLES["dispatch_df"].polars_schema() | {
        "question_id": pl.String(),
        "doc_id": pl.String(),
        "scope_key": pl.String(),
        "forecast_tokens": pl.Int64(),
    }
    dispatch_df = pl.DataFrame(rows, schema=schema)
    file_name_df = document_df.select("doc_id", "file_name")
    return (
        question_frame(asked)
        .drop("k", "budget_tokens", "budget_usd", "budget_ms")  # dispatch_df has them resolved
        .join(dispatch_df, on="question_id", how="inner", maintain_order="left_right")
        .join(file_name_df, on="doc_id", how="left", maintain_order="left")
    )


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
