"""Jobs of a Batch API: what is under way at the endpoint, whichever process sent it."""

from collections.abc import Mapping, Sequence
from datetime import datetime

from flows.ledger.entries import BatchItem, BatchJob, Call, stamp
from flows.ledger.store import Store


class Jobs:
    """The part of the ledger that lets batch jobs survive the process that waits for them."""

    store: Store

    def open_job(
        self, token: str, endpoint: str, items: Sequence[BatchItem], *, at: datetime
    ) -> None:
        """Write a job and what travels in it, before the endpoint is told."""
        with self.store.transaction() as transaction:
            transaction.run(
                "insert into batch_job values (:token, null, :endpoint, :at, null)",
                {"token": token, "endpoint": endpoint, "at": stamp(at)},
            )
            for item in items:
                transaction.run(
                    "insert into batch_item values"
                    " (:custom_id, :token, :call_id, :attempt, :request_hash)",
                    {
                        "custom_id": item.custom_id,
                        "token": token,
                        "call_id": item.call.call_id,
                        "attempt": item.attempt,
                        "request_hash": item.call.request_hash,
                    },
                )

    def name_job(self, token: str, job_id: str) -> None:
        """Write the endpoint's name of a job."""
        with self.store.transaction() as transaction:
            transaction.run(
                "update batch_job set job_id = :job_id where token = :token",
                {"token": token, "job_id": job_id},
            )

    def close_job(self, token: str, *, at: datetime) -> None:
        """End a job: nothing more is expected of it."""
        with self.store.transaction() as transaction:
            transaction.run(
                "update batch_job set closed_at = :at where token = :token",
                {"token": token, "at": stamp(at)},
            )

    def open_jobs(self, endpoint: str) -> Mapping[BatchJob, tuple[BatchItem, ...]]:
        """Return the jobs that an endpoint still works on, with what travels in them."""
        with self.store.reading() as transaction:
            jobs = transaction.run(
                "select * from batch_job where endpoint = :endpoint and closed_at is null"
                " order by submitted_at",
                {"endpoint": endpoint},
            )
            items = {job["token"]: transaction.run(_ITEMS, {"token": job["token"]}) for job in jobs}
        return {
            BatchJob(
                token=job["token"],
                job_id=job["job_id"],
                submitted_at=datetime.fromisoformat(job["submitted_at"]),
            ): tuple(_item(row) for row in items[job["token"]])
            for job in jobs
        }


_ITEMS = """
select i.custom_id, a.* from batch_item i
join attempt a on a.call_id = i.call_id and a.attempt = i.attempt
where i.token = :token order by i.custom_id
"""


def _item(row: dict[str, object]) -> BatchItem:
    call = Call.model_validate({name: row[name] for name in Call.model_fields if name in row})
    return BatchItem.model_validate(
        {
            "custom_id": row["custom_id"],
            "call": call,
            "attempt": row["attempt"],
            "n_reserved": row["reserved_tokens"],
        }
    )
