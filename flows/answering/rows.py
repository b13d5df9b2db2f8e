"""Frames of a run's tables from finished loops, and from pairs whose loop never ran."""

import io
from collections.abc import Mapping, Sequence
from typing import cast

import polars as pl

from flows.answering.planning import PlannedPair
from flows.engines import Engine
from flows.settings import Settings
from transforms.pipeline.bounds import STEP_OVERHEAD_TOKENS
from transforms.pipeline.outcome import (
    AnswerIdentity,
    answer_rows,
    evidence_rows,
    final_answer,
    unanswered_row,
)
from transforms.pipeline.records import StoredRow, candidate_rows, dispatch_row, iteration_rows
from transforms.pipeline.state import LoopState
from transforms.retrieval import Coverage
from transforms.tables import TABLES
from transforms.values import AnswerStatus

Frames = dict[str, pl.DataFrame]
"""Frames by table, without run_id: a run stamps them when it is published."""

PAIR_TABLES = ("dispatch_df", "candidate_df", "answer_df", "evidence_df", "iteration_df")
"""Tables that pairs fill as they are answered."""

SCHEMAS = {
    table: pl.Schema(
        {name: kind for name, kind in TABLES[table].polars_schema().items() if name != "run_id"}
    )
    for table in PAIR_TABLES
}
"""Columns of their frames before a run stamps them."""


def rows_of_pairs(
    states: Sequence[LoopState],
    pairs: Sequence[PlannedPair],
    engine: Engine,
    coverage: Mapping[str, Coverage],
) -> Frames:
    """Return the rows of finished loops; the answers of pairs that list tell their coverage."""
    by_id = {pair.pair_id: pair for pair in pairs}
    identities = {
        state.pair_id: identity(by_id[state.pair_id], engine.name, engine.model) for state in states
    }
    return frames(
        {
            "dispatch_df": [
                dispatch_row(state, baseline_tokens=baseline_tokens(state)) for state in states
            ],
            "candidate_df": [row for state in states for row in candidate_rows(state)],
            "answer_df": [
                _with_coverage(row, coverage.get(state.pair_id))
                for state in states
                for row in answer_rows(state, identities[state.pair_id])
            ],
            "evidence_df": [
                row for state in states for row in evidence_rows(state.pair_id, final_answer(state))
            ],
            "iteration_df": [row for state in states for row in iteration_rows(state)],
        }
    )


def _with_coverage(row: StoredRow, coverage: Coverage | None) -> StoredRow:
    """Say in the whole answer of a listing how many pages were examined."""
    if coverage is None or row["sub_question"] or not row["answer_found"]:
        return row
    caveats = cast("list[str]", row["caveats"])
    return {**row, "caveats": [*caveats, coverage.in_words()]}


def rows_unanswered(
    pairs: Sequence[PlannedPair], settings: Settings, *, status: AnswerStatus, caveat: str
) -> Frames:
    """Return one answer row per pair that was not answered, and why."""
    return frames(
        {
            "answer_df": [
                unanswered_row(identity(pair, settings.engine, settings.model), status, caveat)
                for pair in pairs
            ]
        }
    )


def identity(pair: PlannedPair, engine: str, model: str | None) -> AnswerIdentity:
    """Return what stands in answer_df about a pair whatever becomes of it."""
    is_document = pair.scope.kind == "document"
    return AnswerIdentity(
        pair_id=pair.pair_id,
        question_id=pair.asked.question_id,
        doc_id=pair.scope.doc_ids[0] if is_document else None,
        fingerprint=pair.fingerprint,
        engine=engine,
        model=model,
    )


def baseline_tokens(state: LoopState) -> int | None:
    """Return what a naive top-K batch would send: all first candidates in one prompt."""
    if not state.records:
        return None
    offered = state.records[0].candidates
    return sum(candidate.n_tokens for candidate in offered) + STEP_OVERHEAD_TOKENS


def frames(rows: Mapping[str, Sequence[StoredRow]]) -> Frames:
    """Return typed frames of all pair tables, without run_id."""
    return {
        table: pl.DataFrame(list(rows.get(table, ())), schema=schema)
        for table, schema in SCHEMAS.items()
    }


class Gathered:
    """The rows of a run as its chunks end, each frame compressed: a fifth of what it takes."""

    def __init__(self, before: "Gathered | None" = None) -> None:
        """Begin empty, or with what was gathered before."""
        self._packed = {table: list(before._packed[table]) if before else [] for table in SCHEMAS}

    def add(self, rows: Mapping[str, pl.DataFrame]) -> None:
        """Take the frames of some tables."""
        for table, frame in rows.items():
            content = io.BytesIO()
            frame.write_ipc(content, compression="zstd")
            self._packed[table].append(content.getvalue())

    def frame(self, table: str) -> pl.DataFrame:
        """Return all rows of a table, in the order in which they came."""
        empty_df = pl.DataFrame(schema=SCHEMAS[table])
        return pl.concat([empty_df, *(pl.read_ipc(content) for content in self._packed[table])])


def cost_table(answer_df: pl.DataFrame) -> list[dict[str, object]]:
    """Return one row per route: pairs, calls commanded, tokens and cost, as plain values."""
    return (
        answer_df.filter(pl.col("sub_question") == 0)
        .group_by("route")
        .agg(
            n_pairs=pl.len(),
            n_steps=pl.sum("n_steps"),
            prompt_tokens=pl.sum("prompt_tokens"),
            completion_tokens=pl.sum("completion_tokens"),
            cost_usd=pl.when(pl.col("cost_usd").null_count() == 0).then(pl.sum("cost_usd")),
        )
        .sort("route", nulls_last=True)
        .with_columns(pl.col("cost_usd").cast(pl.String))
        .to_dicts()
    )
