"""A loopback OpenAI-compatible endpoint: a small honest program that misbehaves on demand.

It answers chat completions by a function of the request, counts what it was asked, and follows a
script: the next requests are met with the next acts of the script, then it behaves.

    with Endpoint(reply) as endpoint:
        endpoint.play(RateLimited(retry_after_s=0.1), Hang(seconds=5))
        ... endpoint.base_url ...
"""

import hashlib
import json
import threading
import time
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

Json = dict[str, Any]
Reply = Callable[[Json], str]
"""The text of the reply to the body of a chat completion."""


@dataclass(frozen=True)
class Act:
    """How one request is met: by default with a proper reply."""

    status: int = 200
    error: Json | None = None
    headers: Mapping[str, str] = field(default_factory=dict)
    text: str | None = None
    """Reply text instead of the model's."""
    raw: bytes | None = None
    """Body instead of a chat completion."""
    hang_s: float = 0.0
    cut_at: int | None = None
    """Bytes after which the connection is dropped."""
    finish_reason: str = "stop"
    refusal: str | None = None
    usage: Json | None = None
    """Usage instead of the counted one; an empty one is left out of the response."""


def rate_limited(retry_after_s: float = 0.01) -> Act:
    """Return a 429 that says when to come again."""
    error = {"message": "Rate limit reached", "type": "requests", "code": "rate_limit_exceeded"}
    return Act(status=429, error=error, headers={"retry-after-ms": str(int(retry_after_s * 1000))})


def failing(status: int = 500, message: str = "internal error") -> Act:
    """Return a failure."""
    return Act(status=status, error={"message": message, "type": "server_error", "code": None})


def no_schema() -> Act:
    """Return the refusal of a server that knows no json_schema."""
    message = "Invalid parameter: 'response_format' of type 'json_schema' is not supported"
    error = {"message": message, "type": "invalid_request_error", "param": "response_format"}
    return Act(status=400, error=error)


def context_too_long() -> Act:
    """Return the refusal of a prompt that does not fit."""
    message = "This model's maximum context length is 4096 tokens; reduce the length"
    error = {"message": message, "code": "context_length_exceeded"}
    return Act(status=400, error=error)


class Endpoint:
    """The server, running in a thread between `with` and its end."""

    def __init__(self, reply: Reply, *, levels: tuple[str, ...] = ("json_schema", "json_object")):
        self.reply = reply
        self.levels = levels
        """Kinds of response_format that are taken; others are refused."""
        self.bodies: list[Json] = []
        """Bodies of all chat requests, in order of arrival."""
        self.n_answered: Counter[str] = Counter()
        """Times a body, named by its hash, was answered in full."""
        self.keys: set[str] = set()
        """Authorization headers seen."""
        self.most_in_flight = 0
        self._n_in_flight = 0
        self._acts: list[Act] = []
        self._lock = threading.Lock()
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), _handler(self))
        self._server.daemon_threads = True
        self._thread = threading.Thread(
            target=self._server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True
        )

    def __enter__(self) -> "Endpoint":
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    @property
    def base_url(self) -> str:
        """Return what OPENAI_BASE_URL would be."""
        return f"http://127.0.0.1:{self._server.server_port}/v1"

    @property
    def n_requests(self) -> int:
        """Return how many chat requests arrived."""
        return len(self.bodies)

    def play(self, *acts: Act) -> None:
        """Meet the next requests so, one act each."""
        with self._lock:
            self._acts += acts

    def meet(self, body: Json) -> Act:
        """Take a request in and say how it is met."""
        with self._lock:
            self.bodies.append(body)
            self._n_in_flight += 1
            self.most_in_flight = max(self.most_in_flight, self._n_in_flight)
            if self._acts:
                return self._acts.pop(0)
        wanted = body.get("response_format", {}).get("type", "prompt")
        return Act() if wanted in (*self.levels, "prompt") else no_schema()

    def leave(self, body: Json, *, is_answered: bool) -> None:
        """Count a request that is done with, and whether it was answered in full."""
        with self._lock:
            self._n_in_flight -= 1
            self.n_answered[body_hash(body)] += is_answered


def body_hash(body: Json) -> str:
    """Return a name for equal bodies."""
    return hashlib.sha256(json.dumps(body, sort_keys=True).encode()).hexdigest()


def response_to(act: Act, body: Json, reply: Reply) -> bytes:
    """Return the content of the response."""
    if act.raw is not None:
        return act.raw
    if act.status != 200:
        return json.dumps({"error": act.error}).encode()
    text = act.text if act.text is not None else reply(body)
    return json.dumps(completion(act, text, body)).encode()


def completion(act: Act, text: str, body: Json) -> Json:
    """Return a chat completion with this reply."""
    usage = act.usage
    if usage is None:
        n_prompt = len(json.dumps(body["messages"])) // 4
        n_reply = max(1, len(text) // 4)
        usage = {
            "prompt_tokens": n_prompt,
            "completion_tokens": n_reply,
            "total_tokens": n_prompt + n_reply,
        }
    message = {"role": "assistant", "content": text, "refusal": act.refusal}
    response = {
        "id": f"chatcmpl-{body_hash(body)[:12]}",
        "object": "chat.completion",
        "created": 0,
        "model": body["model"],
        "choices": [{"index": 0, "message": message, "finish_reason": act.finish_reason}],
    }
    return response | ({"usage": usage} if usage else {})


def _handler(endpoint: Endpoint) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["content-length"])))
            endpoint.keys.add(self.headers.get("authorization", ""))
            act = endpoint.meet(body)
            time.sleep(act.hang_s)
            content = response_to(act, body, endpoint.reply)
            is_sent = self._send(act, content)
            endpoint.leave(body, is_answered=is_sent and act.status == 200)

        def _send(self, act: Act, content: bytes) -> bool:
            try:
                self.send_response(act.status)
                for name, value in act.headers.items():
                    self.send_header(name, value)
                self.send_header("content-type", "application/json")
                self.send_header("content-length", str(len(content)))
                self.end_headers()
                self.wfile.write(content[: act.cut_at])
            except (BrokenPipeError, ConnectionResetError):
                return False
            if act.cut_at is not None:
                self.close_connection = True
                return False
            return True

        def log_message(self, format: str, *args: object) -> None:
            """Say nothing."""

    return Handler
