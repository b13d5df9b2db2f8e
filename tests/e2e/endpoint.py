"""A loopback OpenAI-compatible endpoint: a small honest program that misbehaves on demand.

It serves chat completions, embeddings, files and batches, answers chat requests by a function of
their body, counts what it was asked, and follows a script: the next requests are met with the next
acts of the script, then it behaves.

    with Endpoint(reply) as endpoint:
        endpoint.play(rate_limited(0.1), Act(hang_s=5))
        ... endpoint.base_url ...
"""

import json
import re
import ssl
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, cast

from tests.e2e.endpoint_acts import Act, Json, Reply, body_hash, no_schema, response_to
from tests.e2e.endpoint_batches import BatchAct, BatchService

__all__ = ["Act", "BatchAct", "Endpoint", "Json"]

_PORT_OF_ANY = 0


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 128

    def handle_error(self, request: object, client_address: object) -> None:
        """Say nothing of clients that go away: some are killed on purpose."""
        if not isinstance(sys.exception(), ConnectionError | ssl.SSLError):
            super().handle_error(cast(Any, request), client_address)


class Endpoint:
    """The server, running in threads between `with` and its end."""

    def __init__(
        self,
        reply: Reply,
        *,
        levels: tuple[str, ...] = ("json_schema", "json_object"),
        port: int = _PORT_OF_ANY,
        certificate: Path | None = None,
    ) -> None:
        self.reply = reply
        self.levels = levels
        """Kinds of response_format that are taken; others are refused."""
        self.bodies: list[Json] = []
        """Bodies of all chat and embedding requests, in order of arrival."""
        self.n_answered: Counter[str] = Counter()
        """Times a body, named by its hash, was answered in full, in batches too."""
        self.keys: set[str] = set()
        """Authorization headers seen."""
        self.usual = Act()
        """How requests are met that no script is left for."""
        self.n_in_flight = 0
        self.most_in_flight = 0
        self.batches = BatchService(self._answer_line)
        self._acts: list[Act] = []
        self._acts_about: dict[str, list[Act]] = {}
        self._lock = threading.Lock()
        self._server = _Server(("127.0.0.1", port), _handler(self))
        self._scheme = "http"
        if certificate:
            self._scheme = "https"
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(certificate)
            self._server.socket = context.wrap_socket(self._server.socket, server_side=True)
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
        return f"{self._scheme}://127.0.0.1:{self._server.server_port}/v1"

    @property
    def n_requests(self) -> int:
        """Return how many live requests arrived."""
        return len(self.bodies)

    def play(self, *acts: Act) -> None:
        """Meet the next live requests so, one act each."""
        with self._lock:
            self._acts += acts

    def play_about(self, text: str, *acts: Act) -> None:
        """Meet the next live requests that hold this text so, one act each."""
        with self._lock:
            self._acts_about[text] = [*acts]

    def respond(self, path: str, body: Json, send: Callable[[Act, bytes], bool]) -> None:
        """Take a live request in and meet it."""
        with self._lock:
            self.bodies.append(body)
            self.n_in_flight += 1
            self.most_in_flight = max(self.most_in_flight, self.n_in_flight)
            act = self._next_act(body)
        time.sleep(act.hang_s)
        is_sent = send(act, response_to(act, path, body, self.reply))
        with self._lock:
            self.n_in_flight -= 1
            self.n_answered[body_hash(body)] += is_sent and act.status == 200

    def _next_act(self, body: Json) -> Act:
        said = json.dumps(body["messages"]) if self._acts_about else ""
        for text, acts in self._acts_about.items():
            if acts and text in said:
                return acts.pop(0)
        return self._acts.pop(0) if self._acts else self._usual(body)

    def _usual(self, body: Json) -> Act:
        wanted = body.get("response_format", {}).get("type", "prompt")
        return self.usual if wanted in (*self.levels, "prompt") else no_schema()

    def _answer_line(self, body: Json) -> tuple[int, Json]:
        """Answer one line of a batch: status and body of its response."""
        act = self._usual(body)
        with self._lock:
            self.n_answered[body_hash(body)] += act.status == 200
        return act.status, json.loads(response_to(act, "/v1/chat/completions", body, self.reply))


def _handler(endpoint: Endpoint) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            endpoint.keys.add(self.headers.get("authorization", ""))
            status, content = endpoint.batches.get(self.path.partition("?")[0])
            self._send(Act(status=status), content)

        def do_POST(self) -> None:
            endpoint.keys.add(self.headers.get("authorization", ""))
            n_bytes = int(self.headers.get("content-length", 0))
            content = self.rfile.read(n_bytes)
            if len(content) < n_bytes:
                raise ConnectionError("the client went away")
            if re.fullmatch(r"/v1/(chat/completions|embeddings)", self.path):
                endpoint.respond(self.path, json.loads(content), self._send)
                return
            kind = self.headers.get("content-type", "")
            status, answer = endpoint.batches.post(self.path, content, kind)
            self._send(Act(status=status), answer)

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
