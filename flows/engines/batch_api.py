"""The Batch API of an endpoint: files of requests in, jobs, files of results out."""

import json
from collections.abc import Mapping, Sequence
from typing import Any

from flows.engines.client import Client, Received, Rejected
from flows.engines.replies import read_json
from transforms.values import CallOutcome, Value

FILE_TIMEOUT_S = 600.0
"""Files may hold 200 MB."""
TOKEN = "compline"  # noqa: S105  (name of the metadata field, no secret)
OVER = {"completed", "failed", "expired", "cancelled"}


class Job(Value):
    """A job as the endpoint sees it."""

    job_id: str
    status: str
    output_file_id: str | None = None
    error_file_id: str | None = None
    error: str | None = None

    @property
    def is_over(self) -> bool:
        """Return whether nothing more will come of it."""
        return self.status in OVER


class BatchApi:
    """Sends and reads jobs of chat completions."""

    def __init__(self, client: Client, timeout_s: float) -> None:
        self._client = client
        self._timeout_s = timeout_s

    async def create(self, lines: Sequence[Mapping[str, object]], token: str) -> Job | Rejected:
        """Start a job over request lines; the token finds it again."""
        content = "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines)
        file = _json(await self._client.upload(content.encode(), timeout_s=FILE_TIMEOUT_S))
        if isinstance(file, Rejected):
            return file
        body = {
            "input_file_id": file.get("id"),
            "endpoint": "/v1/chat/completions",
            "completion_window": "24h",
            "metadata": {TOKEN: token},
        }
        return _job(_json(await self._client.post("/batches", body, timeout_s=self._timeout_s)))

    async def read(self, job_id: str) -> Job | Rejected:
        """Return the state of a job."""
        path = f"/batches/{job_id}"
        return _job(_json(await self._client.get(path, timeout_s=self._timeout_s)))

    async def cancel(self, job_id: str) -> Job | Rejected:
        """Ask the endpoint to stop a job; what it has done it still delivers."""
        path = f"/batches/{job_id}/cancel"
        return _job(_json(await self._client.post(path, {}, timeout_s=self._timeout_s)))

    async def find(self, token: str) -> Job | Rejected | None:
        """Return the job that was started with a token, if it is among the newest hundred."""
        listed = _json(await self._client.get("/batches?limit=100", timeout_s=self._timeout_s))
        if isinstance(listed, Rejected):
            return listed
        for row in listed.get("data") or ():
            if (row.get("metadata") or {}).get(TOKEN) == token:
                return _job(row)
        return None

    async def results(self, job: Job) -> dict[str, Received | Rejected] | Rejected:
        """Return what a job delivered per custom id, from its output and its error file.

        A line that stands twice counts once, and a response goes before an error.
        """
        results: dict[str, Received | Rejected] = {}
        for file_id in (job.output_file_id, job.error_file_id):
            if file_id is None:
                continue
            path = f"/files/{file_id}/content"
            content = await self._client.get(path, timeout_s=FILE_TIMEOUT_S)
            if isinstance(content, Rejected):
                return content
            for custom_id, result in map(_result, content.body.splitlines()):
                if not isinstance(results.get(custom_id), Received):
                    results[custom_id] = result
        return results


def request_line(custom_id: str, body: Mapping[str, object]) -> dict[str, object]:
    """Return one line of a job's input file."""
    return {
        "custom_id": custom_id,
        "method": "POST",
        "url": "/v1/chat/completions",
        "body": dict(body),
    }


def _json(response: Received | Rejected) -> dict[str, Any] | Rejected:
    if isinstance(response, Rejected):
        return response
    try:
        found = read_json(response.body)
    except ValueError:
        found = None
    if isinstance(found, dict):
        return found
    return Rejected(outcome="malformed", message="the response is no JSON object")


def _job(found: dict[str, Any] | Rejected) -> Job | Rejected:
    if isinstance(found, Rejected):
        return found
    if not isinstance(found.get("id"), str) or not isinstance(found.get("status"), str):
        return Rejected(outcome="malformed", message="the response is no batch job")
    errors = _part(found, "errors").get("data")
    said = [str(error.get("message")) for error in errors or () if isinstance(error, dict)]
    files = {name: found.get(name) for name in ("output_file_id", "error_file_id")}
    return Job(
        job_id=found["id"],
        status=found["status"],
        error="; ".join(said) or None,
        **{name: file for name, file in files.items() if isinstance(file, str)},
    )


def _result(line: str) -> tuple[str, Received | Rejected]:
    """Return custom id and result of one line of an output or error file."""
    try:
        found = read_json(line)
        custom_id = str(found["custom_id"])
    except (ValueError, LookupError, TypeError):
        return "", Rejected(outcome="malformed", message="the line is no result")
    response, error = _part(found, "response"), _part(found, "error")
    code = response.get("status_code")
    status = code if isinstance(code, int) else None
    if status == 200:
        return custom_id, Received(body=json.dumps(response.get("body")))
    said = error or _part(_part(response, "body"), "error")
    message = " ".join(str(said[name]) for name in ("code", "message") if said.get(name))
    outcome, is_retryable = _outcome(status)
    return custom_id, Rejected(
        outcome=outcome, message=message, http_status=status, is_retryable=is_retryable
    )


def _part(found: object, name: str) -> dict[str, Any]:
    """Return an object inside another; an empty one where the endpoint put something else."""
    part = found.get(name) if isinstance(found, dict) else None
    return part if isinstance(part, dict) else {}


def _outcome(status: int | None) -> tuple[CallOutcome, bool]:
    """Return how a line ended and whether it may succeed in another job."""
    if status is None:
        return "cancelled", True
    if status == 429:
        return "rate_limited", True
    return ("server_error", True) if status >= 500 else ("refused", False)
