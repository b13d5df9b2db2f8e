"""Runs as the ledger knows them: what a resume, a refresh and a replay need."""

import json
from datetime import datetime

from flows.ledger.entries import Call, StepRequest, stamp
from flows.ledger.journal import Journal
from transforms.values import Usage


class Runs(Journal):
    """The part of the ledger that knows which run asked what."""

    def start_run(
        self,
        run_id: str,
        set_id: str,
        settings_hash: str,
        started_at: datetime,
        *,
        resumed_from: str | None = None,
    ) -> None:
        """Begin a run. One that resumes another shares its bounds and its paid responses, and gives
        up what that one had in flight.
        """
        if resumed_from is not None:
            self.close_interrupted(resumed_from, at=started_at)
        with self.store.transaction() as transaction:
            rows = transaction.run(
                "select root_run_id from run where run_id = :run_id", {"run_id": resumed_from}
            )
            transaction.run(
                "insert into run"
                " (run_id, root_run_id, resumed_from, set_id, settings_hash, started_at) values"
                " (:run_id, :root, :resumed_from, :set_id, :settings_hash, :started_at)"
                " on conflict do nothing",
                {
                    "run_id": run_id,
                    "root": rows[0]["root_run_id"] if rows else run_id,
                    "resumed_from": resumed_from,
                    "set_id": set_id,
                    "settings_hash": settings_hash,
                    "started_at": stamp(started_at),
                },
            )

    def unfinished_run(self, set_id: str, settings_hash: str) -> str | None:
        """Return the newest run of a set if it was begun under these settings and not finished."""
        with self.store.reading() as transaction:
            rows = transaction.run(
                "select * from run where set_id = :set_id order by started_at desc limit 1",
                {"set_id": set_id},
            )
        if not rows or rows[0]["finished_at"] or rows[0]["settings_hash"] != settings_hash:
            return None
        return rows[0]["run_id"]

    def newest_unfinished_run(self, set_id: str) -> str | None:
        """Return the newest run of a set that has not finished, under whatever settings."""
        with self.store.reading() as transaction:
            rows = transaction.run(
                "select run_id from run where set_id = :set_id and finished_at is null"
                " order by started_at desc limit 1",
                {"set_id": set_id},
            )
        return rows[0]["run_id"] if rows else None

    def finish_run(self, run_id: str, finished_at: datetime) -> None:
        """End a run: it will not be resumed, and what it left in flight is given up."""
        self.close_interrupted(run_id, at=finished_at)
        with self.store.transaction() as transaction:
            transaction.run(
                "update run set finished_at = :at where run_id = :run_id",
                {"run_id": run_id, "at": stamp(finished_at)},
            )

    def cancel_run(self, run_id: str, at: datetime) -> None:
        """Tell all who work on a run, wherever they are, to begin nothing more."""
        with self.store.transaction() as transaction:
            transaction.run(
                "update run set cancelled_at = :at where run_id = :run_id and cancelled_at is null",
                {"run_id": run_id, "at": stamp(at)},
            )

    def is_cancelled(self, run_id: str) -> bool:
        """Return whether somebody cancelled the run."""
        with self.store.reading() as transaction:
            rows = transaction.run(
                "select 1 from run where run_id = :run_id and cancelled_at is not null",
                {"run_id": run_id},
            )
        return bool(rows)

    def root_run(self, run_id: str | None) -> tuple[str | None, datetime | None]:
        """Return the first run of a chain of resumes and when it began."""
        with self.store.reading() as transaction:
            rows = transaction.run(
                "select first.run_id, first.started_at from run join run first"
                " on first.run_id = run.root_run_id where run.run_id = :run_id",
                {"run_id": run_id},
            )
        if not rows:
            return run_id, None
        return rows[0]["run_id"], datetime.fromisoformat(rows[0]["started_at"])

    def runs_before(self, run_id: str) -> tuple[str, ...]:
        """Return the runs that a run goes on from, the last one first."""
        with self.store.reading() as transaction:
            rows = transaction.run(
                "select before.run_id, before.resumed_from from run join run before"
                " on before.root_run_id = run.root_run_id where run.run_id = :run_id",
                {"run_id": run_id},
            )
        resumed_from = {row["run_id"]: row["resumed_from"] for row in rows}
        before: list[str] = []
        while (earlier := resumed_from.get(before[-1] if before else run_id)) is not None:
            before.append(earlier)
        return tuple(before)

    def record_step(self, call: Call, seq: int, entry: StepRequest) -> None:
        """Keep what a generation step asked and what it got; a resumed step is written again."""
        if call.run_id is None or call.pair_id is None:
            return
        root_run_id, _ = self.root_run(call.run_id)
        with self.store.transaction(is_synced=False) as transaction:
            transaction.run(
                _STEP,
                {
                    **entry.model_dump(),
                    "run_id": root_run_id,
                    "pair_id": call.pair_id,
                    "iteration_number": call.iteration_number,
                    "step": call.step,
                    "seq": seq,
                    "usage": entry.usage.model_dump_json(),
                },
            )

    def read_step(
        self, run_id: str, pair_id: str, iteration_number: int, step: int
    ) -> tuple[StepRequest, ...]:
        """Return what a run asked in one step, in order."""
        root_run_id, _ = self.root_run(run_id)
        with self.store.reading() as transaction:
            rows = transaction.run(
                "select * from step_request where run_id = :run_id and pair_id = :pair_id"
                " and iteration_number = :iteration_number and step = :step order by seq",
                {
                    "run_id": root_run_id,
                    "pair_id": pair_id,
                    "iteration_number": iteration_number,
                    "step": step,
                },
            )
        return tuple(
            StepRequest(
                usage=Usage(**json.loads(row["usage"])),
                **{name: row[name] for name in StepRequest.model_fields if name != "usage"},
            )
            for row in rows
        )

    def count_step_requests(self, run_id: str) -> tuple[int, int]:
        """Return how many requests a run made, and how many of their replies have no text."""
        root_run_id, _ = self.root_run(run_id)
        with self.store.reading() as transaction:
            [row] = transaction.run(
                "select count(*) as n_requests,"
                " count(case when q.call_id is not null and r.body is null then 1 end) as n_blank"
                " from step_request q left join response r"
                " on r.call_id = q.call_id and r.attempt = q.attempt where q.run_id = :run_id",
                {"run_id": root_run_id},
            )
        return row["n_requests"], row["n_blank"]


_STEP = """
insert into step_request (
    run_id, pair_id, iteration_number, step, seq, request_hash, endpoint, model, call_id, attempt,
    failure, message, usage, elapsed_ms, purpose)
values (
    :run_id, :pair_id, :iteration_number, :step, :seq, :request_hash, :endpoint, :model,
    :call_id, :attempt, :failure, :message, :usage, :elapsed_ms, :purpose)
on conflict (run_id, pair_id, iteration_number, step, seq) do update set
    request_hash = excluded.request_hash, endpoint = excluded.endpoint, model = excluded.model,
    call_id = excluded.call_id, attempt = excluded.attempt, failure = excluded.failure,
    message = excluded.message, usage = excluded.usage, elapsed_ms = excluded.elapsed_ms,
    purpose = excluded.purpose
"""
