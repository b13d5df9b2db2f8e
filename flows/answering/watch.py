"""What is watched while a run works: signals, bounds, the endpoint, and the pace."""

import threading
from collections.abc import Sequence
from datetime import timedelta
from uuid import UUID

from prefect import get_run_logger
from prefect.artifacts import (
    create_markdown_artifact,
    create_progress_artifact,
    update_progress_artifact,
)

from flows.answering.rows import Frames
from flows.answering.run import RunPlan
from flows.clock import elapsed_ms, now, tick
from flows.ledger import Ledger
from flows.progress import Headway, report_progress
from flows.ready_by import expected_end, warning
from flows.settings import Settings
from flows.warehouse import Warehouse

CANCELLED = "the run was cancelled; run the same command again to answer the rest"


class Watch:
    """Knows how far a run is, and why nothing more may begin."""

    def __init__(
        self,
        plan: RunPlan,
        settings: Settings,
        stores: tuple[Warehouse, Ledger],
        stop: threading.Event,
    ) -> None:
        self._plan = plan
        self._settings = settings
        warehouse, self._ledger = stores
        self._stop = stop
        self._began = tick()
        self._n_answered = 0
        self._is_failing = False
        self._notice: str | None = None
        self._artifact = UUID(str(create_progress_artifact(0.0, key="compline-progress")))
        if per_pair := _past_pace(warehouse, plan.set_id):
            self._warn_when_late(per_pair)
        self.look()

    @property
    def is_cancelled(self) -> bool:
        """Return whether somebody wanted the run to end."""
        return self._stop.is_set()

    def reason_to_stop(self) -> str | None:
        """Say why no further chunk may begin; null when it may."""
        bound_ms = self._settings.run_budget_ms
        if self.is_cancelled:
            return CANCELLED
        if elapsed_ms(self._began) >= bound_ms:
            return f"the run's time budget of {bound_ms} ms is spent"
        if self._is_failing:
            return "the endpoint failed for every pair of the chunk before"
        return None

    def may_begin(self) -> bool:
        """Return whether a further chunk may begin."""
        return self.reason_to_stop() is None

    def look(self) -> None:
        """Pass on to all workers that the run is to end, and say how far it is."""
        if self.is_cancelled:
            self._ledger.cancel_run(self._plan.run_id, now())
        tokens, usd = self._ledger.spent(self._plan.run_id)
        n_pairs, n_left = len(self._plan.pairs), len(self._plan.to_answer) - self._n_answered
        report_progress(
            Headway(
                n_done=n_pairs - n_left,
                n_all=n_pairs,
                spent_tokens=tokens,
                spent_usd=usd,
                notice=self._notice,
            )
        )

    def take(self, n_pairs: int, results: Sequence[Frames]) -> None:
        """Take in that a chunk is answered."""
        self._n_answered += n_pairs
        answer_df = results[-1]["answer_df"]
        has_failed = answer_df["stop_reason"].eq_missing("engine_failed")
        self._is_failing |= bool(answer_df.height) and has_failed.all()
        self._warn_when_late(timedelta(milliseconds=elapsed_ms(self._began)) / self._n_answered)
        share = self._n_answered / max(1, len(self._plan.to_answer))
        update_progress_artifact(self._artifact, progress=100 * share)
        self.look()

    def _warn_when_late(self, per_pair: timedelta) -> None:
        """Say, once, that the run will not be ready in time at this pace."""
        if self._settings.ready_by is None or self._notice:
            return
        ends_at = expected_end(now(), len(self._plan.to_answer) - self._n_answered, per_pair)
        self._notice = warning(self._settings.ready_by, self._plan.started_at, ends_at)
        if self._notice:
            get_run_logger().warning(self._notice)
            create_markdown_artifact(self._notice, key="compline-ready-by")


_PACE = """
select (epoch_ms(finished_at) - epoch_ms(started_at)) / (n_pairs - n_reused) as pair_ms
from run_df
where set_id = $set_id and finished_at is not null and n_pairs > n_reused
and status in ('done', 'done_with_failures')
order by started_at desc
limit 1
"""


def _past_pace(warehouse: Warehouse, set_id: str) -> timedelta | None:
    """Return the time per pair of the last whole run of a set; null when there is none."""
    pace_df = warehouse.query(_PACE, {"set_id": set_id})
    return timedelta(milliseconds=pace_df.item()) if pace_df.height else None
