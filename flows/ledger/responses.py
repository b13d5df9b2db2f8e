"""What came back: found by its request, read again by a replay, blanked when told to forget."""

from datetime import datetime
from typing import Any

from flows.ledger.entries import Call, StoredResponse, from_nano, stamp
from flows.ledger.store import Store
from transforms.values import Usage


class Responses:
    """The part of the ledger that knows what was answered."""

    store: Store
    unkept: dict[tuple[str, int], str]
    """Bodies of this process that may not be written, so that it need not ask twice."""

    def find_response(
        self, request_hash: str, *, since: datetime | None = None
    ) -> StoredResponse | None:
        """Return the newest response to a request, made since a time if one is given."""
        with self.store.reading() as transaction:
            rows = transaction.run(
                _RESPONSE + " where r.request_hash = :hash and r.stored_at >= :since"
                " order by r.stored_at desc, r.call_id limit 1",
                {"hash": request_hash, "since": stamp(since) if since else ""},
            )
        return self._stored(rows[0]) if rows else None

    def read_response(self, call_id: str, attempt: int) -> StoredResponse | None:
        """Return one response; null when its text was not kept."""
        with self.store.reading() as transaction:
            rows = transaction.run(
                _RESPONSE + " where r.call_id = :call_id and r.attempt = :attempt",
                {"call_id": call_id, "attempt": attempt},
            )
        return self._stored(rows[0]) if rows else None

    def forget_document(self, doc_id: str) -> int:
        """Blank all prompts, replies and messages that may quote a document; count the texts.

        What the calls were for, what they used and what they cost stays.
        """
        parameters = {"pattern": f'%"{doc_id}"%', "doc_id": doc_id}
        with self.store.transaction() as transaction:
            counts = transaction.run(_COUNT_TEXTS, parameters)
            for statement in _FORGET:
                transaction.run(statement, parameters)
        self.unkept.clear()
        self.store.compact()
        return sum(row["n_texts"] for row in counts)

    def _stored(self, row: dict[str, Any]) -> StoredResponse | None:
        body = row["body"] or self.unkept.get((row["call_id"], row["attempt"]))
        if body is None:
            return None
        call = Call(
            doc_ids=(row["doc_id"],) if row["doc_id"] else (),
            **{name: row[name] for name in Call.model_fields if name in row},
        )
        return StoredResponse(
            call=call,
            attempt=row["attempt"],
            body=body,
            usage=_usage(row),
            elapsed_ms=row["elapsed_ms"],
        )


_RESPONSE = """
select r.body, r.elapsed_ms, a.*, s.prompt_tokens, s.cached_tokens, s.completion_tokens,
       s.reasoning_tokens, s.cost_nanousd
from response r
join attempt a on a.call_id = r.call_id and a.attempt = r.attempt
join settlement s on s.call_id = r.call_id and s.attempt = r.attempt
"""


# What another document asked about first, the same picture, is kept under that document's id.
_QUOTES = (
    "request_hash in (select request_hash from request where doc_ids like :pattern"
    " union select request_hash from attempt where doc_id = :doc_id)"
)
_OF_QUOTING_CALLS = f"call_id in (select call_id from attempt where {_QUOTES})"  # noqa: S608
_COUNT_TEXTS = f"""
select count(*) as n_texts from request where request_json is not null and {_QUOTES}
union all
select count(*) as n_texts from response where body is not null and {_QUOTES}
"""  # noqa: S608  (put together from constants)
_FORGET = (
    f"update request set request_json = null where {_QUOTES}",  # noqa: S608
    f"update response set body = null where {_QUOTES}",  # noqa: S608
    f"update step_request set message = null where {_QUOTES}",  # noqa: S608
    f"update settlement set error = null where {_OF_QUOTING_CALLS}",  # noqa: S608
)


def _usage(row: dict[str, Any]) -> Usage:
    """Return what a settled attempt used; without counts, its reservation at unknown cost."""
    if row["prompt_tokens"] is None:
        return Usage(prompt_tokens=row["reserved_tokens"], cost_usd=None, n_calls=1)
    cost = row["cost_nanousd"]
    return Usage(
        prompt_tokens=row["prompt_tokens"],
        cached_tokens=row["cached_tokens"],
        completion_tokens=row["completion_tokens"],
        reasoning_tokens=row["reasoning_tokens"],
        cost_usd=None if cost is None else from_nano(cost),
        n_calls=1,
    )
