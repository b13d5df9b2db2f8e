"""Endpoints that break the protocol: each is a value that says what to do, in bounded time."""

import gzip
import itertools
import resource
import socket
import struct
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from decimal import Decimal
from pathlib import Path

import pytest
from pydantic import SecretStr

from flows.engines import make_engine
from flows.ledger import Ledger
from flows.settings import Settings
from tests.e2e.engine_tasks import ask, task
from transforms.errors import InputError
from transforms.values import Budget

OK = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n"
BLOCK = b" " * 1_000_000
SECRETS = ("sk-test-0123456789", "hunter2")

Script = Callable[[socket.socket], None]


@contextmanager
def endpoint(script: Script) -> Iterator[str]:
    """Meet every connection with a script that writes bytes as it likes; yield the base URL."""
    with socket.create_server(("127.0.0.1", 0)) as listener:

        def serve() -> None:
            while True:
                try:
                    connection, _ = listener.accept()
                except OSError:  # the test is over
                    return
                threading.Thread(target=meet, args=(connection,), daemon=True).start()

        def meet(connection: socket.socket) -> None:
            with connection:
                try:
                    _read_request(connection)
                    script(connection)
                except OSError:
                    return  # the client has had enough

        threading.Thread(target=serve, daemon=True).start()
        yield f"http://me:hunter2@127.0.0.1:{listener.getsockname()[1]}/v1"
        listener.shutdown(socket.SHUT_RDWR)


def _read_request(connection: socket.socket) -> None:
    """Read a whole request: a close with something unread would be a reset."""
    reader = connection.makefile("rb")
    length = 0
    while (line := reader.readline()).strip():
        if line.lower().startswith(b"content-length:"):
            length = int(line.partition(b":")[2])
    reader.read(length)


def sends(*parts: bytes) -> Script:
    def script(connection: socket.socket) -> None:
        for part in parts:
            connection.sendall(part)

    return script


def chunked(blocks: Iterator[bytes], *, header: bytes = b"", pause_s: float = 0) -> Script:
    def script(connection: socket.socket) -> None:
        connection.sendall(OK + header + b"Transfer-Encoding: chunked\r\n\r\n")
        for block in blocks:
            connection.sendall(b"%x\r\n%s\r\n" % (len(block), block))
            time.sleep(pause_s)

    return script


def hangs(connection: socket.socket) -> None:
    connection.settimeout(20)
    connection.recv(1)


def resets(connection: socket.socket) -> None:
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))


def whole(content: bytes, status: bytes = b"200 OK", header: bytes = b"") -> Script:
    length = b"Content-Length: %d\r\nConnection: close\r\n" % len(content)
    return sends(b"HTTP/1.1 " + status + b"\r\n" + header + length + b"\r\n" + content)


def says(text: bytes) -> bytes:
    return b'{"choices":[{"message":{"content":"' + text + b'"},"finish_reason":"stop"}]}'


def usage(n_tokens: bytes) -> bytes:
    return says(b"{}")[:-1] + b',"usage":{"prompt_tokens":' + n_tokens + b"}}"


ENDLESS = b'{\\"value_number\\":' + b"9" * 5_000 + b"}"
TOO_LONG = "longer than 32,000,000 bytes"
NO_REPLY = "check that base_url"
NO_CONNECTION = "check base_url"
HTML = b"<html><body><h1>502 Bad Gateway</h1></body></html>"
BOMB = gzip.compress(BLOCK * 100)
GZIP = b"Content-Encoding: gzip\r\n"
BAD_KEY = b'{"error":{"message":"bad key sk-test-0123456789"}}'
NO_MODEL = b'{"error":{"message":"no such model"}}'
AWAY = b"Location: http://me:hunter2@127.0.0.1:9/elsewhere\r\n"
ODD = b"Retry-After-Ms: \xb2\r\nX-Ratelimit-Remaining-Tokens: \xb2\r\n"
LATER = b"Retry-After: 86400\r\n"
NEVER = b"Retry-After: inf\r\n"

# fmt: off
FAULTS = {
    "hangs":                 (hangs,                                          "timeout_s"),
    "resets":                (resets,                                         NO_CONNECTION),
    "closes at once":        (sends(),                                        NO_CONNECTION),
    "closes mid-body":       (sends(OK, b"Content-Length: 99\r\n\r\n{"),      NO_CONNECTION),
    "byte by byte":          (chunked(itertools.repeat(b"{"), pause_s=0.05),  "timeout_s"),
    "100 MB":                (chunked(itertools.repeat(BLOCK, 100)),          TOO_LONG),
    "100 MB in a header":    (sends(OK, b"X: ", *[BLOCK] * 100),              NO_CONNECTION),
    "a gzip bomb":           (whole(BOMB, header=GZIP),                       TOO_LONG),
    "not HTTP":              (sends(b"SSH-2.0-OpenSSH_9.6\r\n"),              NO_CONNECTION),
    "redirects":             (whole(b"", b"307 Temporary Redirect", AWAY),    "set base_url"),
    "an HTML error page":    (whole(HTML, b"502 Bad Gateway"),                "502"),
    "an HTML page":          (whole(HTML),                                    NO_REPLY),
    "nothing":               (whole(b""),                                     NO_REPLY),
    "invalid UTF-8":         (whole(says(b"\xff\xfe\xfa")),                   "malformed"),
    "a deep nest":           (whole(b"[" * 200_000),                          NO_REPLY),
    "a deep nest inside":    (whole(says(b"[" * 200_000)),                    "malformed"),
    "a number without end":  (whole(says(ENDLESS)),                           "malformed"),
    "half a character":      (whole(says(b"\\ud800")),                        "malformed"),
    "a usage beyond belief": (whole(usage(b"9" * 60)),                        "malformed"),
    "a usage of nothing":    (whole(usage(b"NaN")),                           "malformed"),
    "wrong key":             (whole(BAD_KEY, b"401 Unauthorized"),            "OPENAI_API_KEY"),
    "unknown model":         (whole(NO_MODEL, b"404 Not Found"),              "name of the model"),
    "odd limits":            (whole(b"{}", b"429 Too Many", ODD),             "429"),
    "come back tomorrow":    (whole(b"{}", b"429 Too Many", LATER),           "429"),
    "come back never":       (whole(b"{}", b"503 Busy", NEVER),               "503"),
}
# fmt: on


@pytest.mark.parametrize("name", FAULTS)
def test_a_fault_is_a_value_that_says_what_to_do(name: str, tmp_path: Path) -> None:
    script, says_what = FAULTS[name]
    ledger = Ledger.open(tmp_path / "ledger.sqlite")
    started, before_kb = time.monotonic(), resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    with endpoint(script) as base_url:
        settings = Settings(
            engine="openai",
            model="m",
            base_url=base_url,
            api_key=SecretStr(SECRETS[0]),
            timeout_s=1,
            max_attempts=2,
        )
        budget = Budget(tokens=50_000, usd=Decimal(1), ms=1_400)
        [generated] = ask(settings, ledger, [task(budget_left=budget)])
    said = f"{generated.error} {generated.failures}"
    call_df = ledger.all_calls()
    ledger.close()
    assert not generated.answer.answer_found
    assert says_what in said
    assert time.monotonic() - started < 20
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before_kb < 300_000
    assert call_df.height >= 1
    assert "ok" not in call_df["outcome"]
    assert not any(secret in f"{said} {call_df.to_dicts()}" for secret in SECRETS)


@pytest.mark.parametrize(
    "url", ["localhost:8000/v1", "file:///etc/passwd", "http://", "http://[", "http://a:b@:x/"]
)
def test_a_base_url_that_is_none_is_refused_before_anything_is_sent(url: str) -> None:
    with pytest.raises(InputError, match="base_url") as refused:
        make_engine(Settings(engine="openai", model="m", base_url=url))
    assert "http://localhost:8000/v1" in refused.value.hint
