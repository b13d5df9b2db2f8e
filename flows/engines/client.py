"""The one door to the OpenAI SDK: any OpenAI-compatible endpoint, one pool of connections.

The SDK's own retries are off. What an endpoint answers is a value, failures too: `Received` or
`Rejected`. Nothing that leaves this file holds a key.
"""

import asyncio
import re
import ssl
from collections.abc import Awaitable, Mapping
from datetime import UTC
from email.utils import parsedate_to_datetime
from typing import Any
from urllib.parse import SplitResult, parse_qsl, urlsplit

import httpx2
import openai
from openai import AsyncOpenAI, DefaultAsyncHttpxClient
from pydantic import Field, SecretStr

from flows import clock
from flows.prices import OPENAI_URL
from flows.settings import without_credentials
from transforms.errors import InputError
from transforms.values import CallOutcome, Value

OPENAI_HOST = "api.openai.com"
AZURE_DOMAIN = ".azure.com"
NO_KEY = "none"
"""Sent to local servers that want no key; the SDK refuses to send none."""
ERROR_LENGTH = 500
"""Characters of an error text that are kept."""
MAX_REPLY_BYTES = 32_000_000
"""More than any completion or set of vectors takes; what goes on is not read."""
MAX_FILE_BYTES = 1_000_000_000
"""More than the results of a batch job take."""

# fmt: off
_WHAT_TO_DO = {
    401: "; set the right key: OPENAI_API_KEY or api_key",
    403: "; this key may not use the model: ask for access, or set another model",
    404: "; check the name of the model, and that base_url ends where the endpoint's API begins",
}
_CONTEXT_TOO_LONG = re.compile(
    r"context.{0,20}(length|window|size)|too many tokens|maximum.{0,30}tokens|prompt is too long"
    r"|input is too long|exceed_context_size|reduce the length", re.IGNORECASE)
_SECRET = re.compile(r"(?i)\b(sk-[\w\-]{6,}|bearer\s+\S+)|(?<=://)[^/@\s]+@")
# fmt: on


class Received(Value):
    """A response with status 200; whether it holds a usable reply is for the reader to say."""

    body: str
    headers: dict[str, str] = Field(default_factory=dict)
    http_status: int = 200


class Rejected(Value):
    """No usable response: why, and whether the same request may succeed later."""

    outcome: CallOutcome
    message: str
    http_status: int | None = None
    is_retryable: bool = False
    is_context_too_long: bool = False
    is_billed: bool = False
    retry_after_s: float | None = None
    headers: dict[str, str] = Field(default_factory=dict)


class _TooLong(httpx2.TransportError):
    """The endpoint sends more than any reply can be."""


class _BoundedClient(DefaultAsyncHttpxClient):
    """Reads responses up to a bound, unpacked, and follows no redirect: it may lead anywhere."""

    def __init__(self, **options: Any) -> None:
        super().__init__(follow_redirects=False, **options)

    async def send(self, request: httpx2.Request, **options: Any) -> httpx2.Response:
        """Send a request and read the whole response. Raises _TooLong beyond the bound."""
        response = await super().send(request, **{**options, "stream": True})
        most = MAX_FILE_BYTES if request.method == "GET" else MAX_REPLY_BYTES
        content = bytearray()
        try:
            async for block in response.aiter_bytes():
                content += block
                if len(content) > most:
                    raise _TooLong(f"the response is longer than {most:,} bytes", request=request)
        finally:
            await response.aclose()
        headers = [(k, v) for k, v in response.headers.raw if k.lower() != b"content-encoding"]
        return httpx2.Response(
            response.status_code, headers=headers, content=bytes(content), request=request
        )


_TIMED_OUT = Rejected(
    outcome="timed_out",
    message="no response in time: the endpoint is overrun, or timeout_s is too short",
    is_retryable=True,
    is_billed=True,
)


def check_address(base_url: str | None, api_key: SecretStr | None) -> SplitResult:
    """Return the parts of a base URL, OpenAI's when there is none.

    Raises InputError when it is no URL, or when its host is known to want a key and there is none.
    """
    url = base_url or OPENAI_URL
    try:
        parts = urlsplit(url)
        is_url = parts.scheme in ("http", "https") and _host(parts) != "" and parts.port != 0
    except ValueError:
        is_url, parts = False, urlsplit("")
    if not is_url:
        raise InputError(
            f"base_url {_SECRET.sub('***', url)!r} is no address of an endpoint",
            hint="write it as in https://api.openai.com/v1 or http://localhost:8000/v1",
        )
    if api_key is None and (_host(parts) == OPENAI_HOST or _host(parts).endswith(AZURE_DOMAIN)):
        raise InputError(
            f"the endpoint {without_credentials(url)!r} needs a key",
            hint="set OPENAI_API_KEY, or OPENAI_BASE_URL of an endpoint that wants none",
        )
    return parts


class Client:
    """A connection pool to one endpoint. It belongs to the event loop that first uses it."""

    def __init__(
        self,
        base_url: str | None,
        api_key: SecretStr | None,
        *,
        ca_bundle: str | None = None,
    ) -> None:
        parts = check_address(base_url, api_key)
        self._key = api_key.get_secret_value() if api_key else NO_KEY
        is_azure = _host(parts).endswith(AZURE_DOMAIN)
        self.endpoint = without_credentials(base_url or OPENAI_URL)
        self._sdk = AsyncOpenAI(
            api_key=self._key,
            base_url=parts._replace(query="", fragment="").geturl(),
            default_query=dict(parse_qsl(parts.query)),
            default_headers={"api-key": self._key} if is_azure else None,
            max_retries=0,
            http_client=_BoundedClient(verify=_verification(ca_bundle)),
        )

    async def post(
        self, path: str, body: Mapping[str, object], *, timeout_s: float
    ) -> Received | Rejected:
        """Send one request and wait for the whole response."""
        sent = self._sdk.post(
            path, cast_to=httpx2.Response, body=dict(body), options={"timeout": timeout_s}
        )
        return await self._received(sent, timeout_s)

    async def get(self, path: str, *, timeout_s: float) -> Received | Rejected:
        """Read one resource."""
        sent = self._sdk.get(path, cast_to=httpx2.Response, options={"timeout": timeout_s})
        return await self._received(sent, timeout_s)

    async def upload(self, content: bytes, *, timeout_s: float) -> Received | Rejected:
        """Store a file of requests for a batch job."""
        sent = self._sdk.post(
            "/files",
            cast_to=httpx2.Response,
            body={"purpose": "batch"},
            files=[("file", ("requests.jsonl", content, "application/jsonl"))],
            options={"timeout": timeout_s, "headers": {"Content-Type": "multipart/form-data"}},
        )
        return await self._received(sent, timeout_s)

    async def close(self) -> None:
        """Close the connections."""
        await self._sdk.close()

    async def _received(
        self, sent: Awaitable[httpx2.Response], timeout_s: float
    ) -> Received | Rejected:
        try:
            async with asyncio.timeout(timeout_s):
                response = await sent
        except TimeoutError:
            return _TIMED_OUT
        except openai.OpenAIError as error:
            return self._rejected(error)
        return Received(body=response.text, headers=_limit_headers(response.headers))

    def _rejected(self, error: openai.OpenAIError) -> Rejected:
        """Translate an SDK error: what happened, in words without secrets."""
        if isinstance(error, openai.APITimeoutError):
            return _TIMED_OUT
        if isinstance(error, openai.APIStatusError):
            return self._refused(error)
        cause = error.__cause__ or error
        said = str(cause) or type(cause).__name__
        if isinstance(cause, _TooLong):
            return Rejected(outcome="malformed", message=said, is_billed=True)
        return Rejected(
            outcome="unreachable",
            message=self._scrubbed(f"no connection: {said}; check base_url and the network"),
            is_retryable=isinstance(error, openai.APIConnectionError),
            is_billed=not isinstance(cause, httpx2.ConnectError),
        )

    def _refused(self, error: openai.APIStatusError) -> Rejected:
        status = error.status_code
        message = self._scrubbed(_error_text(error))
        is_out_of_credit = "insufficient_quota" in message
        outcome: CallOutcome = "refused"
        if status == 429:
            outcome = "rate_limited"
        elif status >= 500:
            outcome = "server_error"
        elif status == 408:
            outcome = "timed_out"
        return Rejected(
            outcome=outcome,
            message=f"HTTP {status}: {message}{_WHAT_TO_DO.get(status, '')}",
            http_status=status,
            is_retryable=outcome != "refused" and status != 501 and not is_out_of_credit,
            is_context_too_long=status in {400, 413, 422, 500}
            and bool(_CONTEXT_TOO_LONG.search(message)),
            retry_after_s=_retry_after_s(error.response.headers),
            headers=_limit_headers(error.response.headers),
        )

    def _scrubbed(self, text: str) -> str:
        if len(self._key) > len(NO_KEY):
            text = text.replace(self._key, "***")
        return _SECRET.sub("***", text)[:ERROR_LENGTH]


def _verification(ca_bundle: str | None) -> ssl.SSLContext | bool:
    if ca_bundle is None:
        return True
    try:
        return ssl.create_default_context(cafile=ca_bundle)
    except OSError as error:
        raise InputError(
            f"ca_bundle {ca_bundle!r} cannot be read: {error}", hint="give the path of a PEM file"
        ) from None


def _host(parts: SplitResult) -> str:
    return parts.hostname or ""


def _error_text(error: openai.APIStatusError) -> str:
    """Return what the endpoint said, with its code: servers put it in many places."""
    body = error.body
    if location := error.response.headers.get("location"):
        return f"it redirects to {location!r}; set base_url to the address that answers"
    if isinstance(body, Mapping):
        said = [body.get(name) for name in ("code", "type", "message", "detail")]
        return " ".join(str(part) for part in said if part) or str(body)
    return str(body or error.message)


def _retry_after_s(headers: Mapping[str, str]) -> float | None:
    """Return the wait an endpoint asks for: milliseconds, seconds or an HTTP date."""
    if (milliseconds := headers.get("retry-after-ms", "")).isdecimal():
        return int(milliseconds) / 1000
    value = headers.get("retry-after")
    if value is None:
        return None
    try:
        return max(0.0, float(value))
    except ValueError:
        pass
    try:
        when = parsedate_to_datetime(value)
    except ValueError:
        return None
    return max(0.0, (when.replace(tzinfo=when.tzinfo or UTC) - clock.now()).total_seconds())


def _limit_headers(headers: Mapping[str, str]) -> dict[str, str]:
    return {name: value for name, value in headers.items() if name.startswith("x-ratelimit-")}
