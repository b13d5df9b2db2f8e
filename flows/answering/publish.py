"""Commit a run: what it asked of what, its answers, what it took."""

import json
from collections.abc import Callable, Iterator, Mapping
from decimal import Decimal
from functools import partial
from itertools import takewhile
from typing import Any, Literal

import polars as pl
from prefect.runtime import flow_run

from flows.answering.rows import PAIR_TABLES, Gathered
from flows.answering.run import RunPlan
from flows.clock import now
from flows.ledger import Ledger
from flows.settings import Settings
from flows.warehouse import Warehouse
from transforms.questions import question_frame
from transforms.tables import TABLES
from transforms.values import Usage


class MadeWhenAsked(Mapping[str, pl.DataFrame]):
    """The tables of a run: each is made when it is written, so that not all are held at once."""

    def __init__(self, makers: Mapping[str, Callable[[], pl.DataFrame]]) -> None:
        self._makers = makers

    def __getitem__(self, table: str) -> pl.DataFrame:
        """Make a table."""
        return self._makers[table]()

    def __contains__(self, table: object) -> bool:
        """Tell whether there is a table, without making it."""
        return table in self._makers

    def __iter__(self) -> Iterator[str]:
        """Yield the names of the tables."""
        return iter(self._makers)

    def __len__(self) -> int:
        """Return how many tables there are."""
        return len(self._makers)


def publish_run(
    plan: RunPlan,
    gathered: Gathered,
    settings: Settings,
    warehouse: Warehouse,
    ledger: Ledger,
    *,
    is_cancelled: bool,
) -> pl.DataFrame:
    """Commit a run with all its rows and return its run_df.

    A cancelled run stays unfinished in the ledger: the next run resumes it, within its bounds.
    """
    killed = _killed_before(plan.run_id, warehouse, ledger)
    beside = ledger.usage_beside_pairs([plan.run_id, *killed])
    run_df = _run_frame(plan, gathered.frame("answer_df"), beside, settings)
    run_df = run_df.with_columns(killed_run_ids=pl.lit(killed, dtype=pl.List(pl.String)))
    if is_cancelled and (run_df["status"] == "stopped").all():
        run_df = run_df.with_columns(status=pl.lit("cancelled"))
    of_pairs = {table: partial(stamped, plan.run_id, gathered, table) for table in PAIR_TABLES}
    warehouse.write_run(
        plan.run_id,
        MadeWhenAsked(
            {
                **of_pairs,
                "question_df": lambda: question_frame(plan.asked),
                "pair_df": lambda: _pair_frame(plan),
                "pair_doc_df": lambda: _pair_document_frame(plan),
                "run_df": lambda: run_df,
            }
        ),
    )
    if (run_df["status"] == "cancelled").all():
        ledger.close_interrupted(plan.run_id, at=now())
    else:
        ledger.finish_run(plan.run_id, now())
    return run_df


def stamped(run_id: str, gathered: Gathered, table: str) -> pl.DataFrame:
    """Return a table's rows as they are stored: with the run's id."""
    return gathered.frame(table).select(pl.lit(run_id).alias("run_id"), pl.all())


def _killed_before(run_id: str, warehouse: Warehouse, ledger: Ledger) -> list[str]:
    """Return the runs just before this one that were killed: what they paid counts for this one.

    The last one that has a row, because it was cancelled, has taken over those before it.
    """
    known = set(warehouse.read("run_df")["run_id"])
    return list(takewhile(lambda before: before not in known, ledger.runs_before(run_id)))


def _pair_frame(plan: RunPlan) -> pl.DataFrame:
    return TABLES["pair_df"].frame(
        {
            "run_id": plan.run_id,
            "pair_id": pair.pair_id,
            "set_id": plan.set_id,
            "question_id": pair.asked.question_id,
            "question_version": pair.asked.question_version,
            "scope": pair.scope.kind,
            "scope_key": pair.scope.key,
        }
        for pair in plan.pairs
    )


def _pair_document_frame(plan: RunPlan) -> pl.DataFrame:
    return TABLES["pair_doc_df"].frame(
        {
            "run_id": plan.run_id,
            "pair_id": pair.pair_id,
            "doc_id": doc_id,
            "side": pair.scope.sides.get(doc_id),
            "as_of": plan.started_at,
        }
        for pair in plan.pairs
        for doc_id in pair.scope.doc_ids
    )


def _run_frame(
    plan: RunPlan, answer_df: pl.DataFrame, beside: Usage, settings: Settings
) -> pl.DataFrame:
    whole_df = answer_df.filter(pl.col("sub_question") == 0)
    statuses = whole_df["status"]
    status: Literal["done", "done_with_failures", "stopped"] = "done"
    if (statuses == "failed").any():
        status = "done_with_failures"
    if statuses.is_in(["over_budget", "not_run"]).any():
        status = "stopped"
    engines = whole_df.filter(pl.col("reused_from_run_id").is_null())["engine"].unique().to_list()
    return TABLES["run_df"].frame(
        [
            {
                "run_id": plan.run_id,
                "set_id": plan.set_id,
                "flow_run_id": flow_run.get_id(),
                "resumed_from": plan.resumed_from,
                "started_at": plan.started_at,
                "finished_at": now(),
                "status": status,
                "engine": engines[0] if len(engines) == 1 else settings.engine,
                "model": settings.model,
                "settings": json.dumps(settings.public(), sort_keys=True),
                "budget_tokens": settings.run_budget_tokens,
                "budget_usd": settings.run_budget_usd,
                "budget_ms": settings.run_budget_ms,
                **_spent(whole_df, beside),
                "n_pairs": len(plan.pairs),
                "n_reused": len(plan.pairs) - len(plan.to_answer),
                "n_failed": int((statuses == "failed").sum()),
            }
        ]
    )


def _spent(whole_df: pl.DataFrame, beside: Usage) -> Mapping[str, Any]:
    """Return what the run used: for its answers, and beside them."""
    tokens_df = whole_df.select(pl.sum("prompt_tokens", "completion_tokens"))
    costs = [*whole_df["cost_usd"], beside.cost_usd]
    return {
        "spent_tokens": int(tokens_df.sum_horizontal().item()) + beside.tokens,
        "spent_usd": None if None in costs else sum(costs, Decimal(0)),
    }
