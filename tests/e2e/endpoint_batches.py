"""Files and batch jobs of a loopback endpoint: jobs end as their script says."""

import itertools
import json
import threading
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

Json = dict[str, Any]
Response = tuple[int, bytes]
AnswerLine = Callable[[Json], tuple[int, Json]]
_NOT_FOUND: Response = (404, b'{"error": {"message": "not found"}}')


@dataclass(frozen=True)
class BatchAct:
    """How one job goes: by default all its lines are answered."""

    status: str = "completed"
    """Where it ends; `in_progress` for a job that never does."""
    n_polls: int = 1
    """Times it is looked at before it is over."""
    n_answered: int | None = None
    """Lines that are answered; the rest expires, or is left out when the status is another."""
    n_errors: int = 0
    """Of the answered lines, how many end in the error file with a 500."""
    is_doubled: bool = False
    """Each line stands twice in the output."""
    create_status: int = 200
    """Other than 200: the job is refused. 0: it is begun, but the connection drops."""


@dataclass
class _Batch:
    row: Json
    act: BatchAct
    lines: list[Json]
    n_looks: int = 0


class BatchService:
    """The jobs and files of an endpoint."""

    def __init__(self, answer_line: AnswerLine) -> None:
        self._answer_line = answer_line
        self._files: dict[str, bytes] = {}
        self._batches: dict[str, _Batch] = {}
        self._acts: list[BatchAct] = []
        self._lock = threading.RLock()
        self._numbers = itertools.count(1)

    @property
    def n_lines(self) -> list[int]:
        """Return the number of lines of each job, in order."""
        return [len(batch.lines) for batch in self._batches.values()]

    @property
    def custom_ids(self) -> list[str]:
        """Return the ids of all lines of all jobs."""
        batches = self._batches.values()
        return [line["custom_id"] for batch in batches for line in batch.lines]

    def play(self, *acts: BatchAct) -> None:
        """Let the next jobs go so, one act each."""
        self._acts += acts

    def get(self, path: str) -> Response:
        """Answer a GET."""
        with self._lock:
            parts = path.strip("/").split("/")[1:]
            if parts == ["batches"]:
                rows = [batch.row for batch in self._batches.values()]
                return _ok({"object": "list", "data": rows[::-1]})
            if parts[0] == "batches" and parts[1] in self._batches:
                return _ok(self._looked_at(self._batches[parts[1]]))
            if parts[0] == "files" and parts[-1] == "content" and parts[1] in self._files:
                return 200, self._files[parts[1]]
            return _NOT_FOUND

    def post(self, path: str, content: bytes, content_type: str) -> Response:
        """Answer a POST."""
        with self._lock:
            parts = path.strip("/").split("/")[1:]
            if parts == ["files"]:
                return _ok({"id": self._store(_uploaded(content, content_type)), "object": "file"})
            if parts == ["batches"]:
                return self._create(json.loads(content))
            if parts[0] == "batches" and parts[-1] == "cancel" and parts[1] in self._batches:
                batch = self._batches[parts[1]]
                batch.act = BatchAct(status="cancelled", n_answered=batch.act.n_answered or 0)
                return _ok(batch.row)
            return _NOT_FOUND

    def _store(self, content: bytes) -> str:
        file_id = f"file-{next(self._numbers)}"
        self._files[file_id] = content
        return file_id

    def _create(self, body: Json) -> Response:
        act = self._acts.pop(0) if self._acts else BatchAct()
        if act.create_status not in {200, 0}:
            return act.create_status, b'{"error": {"message": "no batches here"}}'
        lines = [json.loads(line) for line in self._files[body["input_file_id"]].splitlines()]
        row = {
            "id": f"batch_{next(self._numbers)}",
            "object": "batch",
            "status": "validating",
            "metadata": body.get("metadata"),
            "input_file_id": body["input_file_id"],
            "output_file_id": None,
            "error_file_id": None,
        }
        self._batches[row["id"]] = _Batch(row, act, lines)
        return (503, b"{}") if act.create_status == 0 else _ok(row)

    def _looked_at(self, batch: _Batch) -> Json:
        batch.n_looks += 1
        if batch.act.status == "in_progress" or batch.n_looks <= batch.act.n_polls:
            batch.row["status"] = "in_progress"
        elif batch.row["status"] != batch.act.status:
            self._finish(batch)
        return batch.row

    def _finish(self, batch: _Batch) -> None:
        act, row = batch.act, batch.row
        row["status"] = act.status
        n_answered = len(batch.lines) if act.n_answered is None else act.n_answered
        output: list[Json] = []
        errors: list[Json] = []
        for number, line in enumerate(batch.lines):
            if number < act.n_errors:
                errors.append(_line(line, 500, {"error": {"message": "worker failed"}}))
            elif number < n_answered:
                status, answer = self._answer_line(line["body"])
                (output if status == 200 else errors).append(_line(line, status, answer))
            elif act.status == "expired":
                error = {"code": "batch_expired", "message": "could not be executed in time"}
                errors.append({"custom_id": line["custom_id"], "response": None, "error": error})
        output = output[::-1] * (1 + act.is_doubled)
        row["output_file_id"] = self._store(_jsonl(output)) if output else None
        row["error_file_id"] = self._store(_jsonl(errors)) if errors else None


def _line(line: Json, status: int, answer: Json) -> Json:
    response = {"status_code": status, "request_id": line["custom_id"], "body": answer}
    return {"custom_id": line["custom_id"], "response": response, "error": None}


def _jsonl(rows: list[Json]) -> bytes:
    return "".join(json.dumps(row) + "\n" for row in rows).encode()


def _uploaded(content: bytes, content_type: str) -> bytes:
    """Return the file of a multipart upload."""
    boundary = content_type.partition("boundary=")[2].strip('"').encode()
    for part in content.split(b"--" + boundary):
        head, _, file = part.partition(b"\r\n\r\n")
        if b'name="file"' in head:
            return file.removesuffix(b"\r\n")
    return b""


def _ok(row: Json) -> Response:
    return 200, json.dumps(row).encode()
