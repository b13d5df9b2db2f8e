"""How a loopback endpoint meets one request."""

import hashlib
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from transforms.text import count_tokens

Json = dict[str, Any]
Reply = Callable[[Json], str]
"""The text of the reply to the body of a chat completion."""
VECTOR_LENGTH = 8


@dataclass(frozen=True)
class Act:
    """How one request is met: by default with a proper reply."""

    status: int = 200
    error: Json | None = None
    headers: Mapping[str, str] = field(default_factory=dict)
    text: str | None = None
    """Reply text instead of the model's."""
    raw: bytes | None = None
    """Content instead of a chat completion."""
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
    """Return the refusal of a server that does not know a response_format."""
    message = "Invalid parameter: 'response_format' of this type is not supported"
    error = {"message": message, "type": "invalid_request_error", "param": "response_format"}
    return Act(status=400, error=error)


def context_too_long() -> Act:
    """Return the refusal of a prompt that does not fit."""
    message = "This model's maximum context length is 4096 tokens; reduce the length"
    return Act(status=400, error={"message": message, "code": "context_length_exceeded"})


def body_hash(body: Json) -> str:
    """Return a name for equal bodies."""
    return hashlib.sha256(json.dumps(body, sort_keys=True).encode()).hexdigest()


def response_to(act: Act, path: str, body: Json, reply: Reply) -> bytes:
    """Return the content of the response."""
    if act.raw is not None:
        return act.raw
    if act.status != 200:
        return json.dumps({"error": act.error}).encode()
    if path.endswith("/embeddings"):
        return json.dumps(_embeddings(body)).encode()
    text = act.text if act.text is not None else reply(body)
    return json.dumps(_completion(act, text, body)).encode()


def _completion(act: Act, text: str, body: Json) -> Json:
    usage = act.usage
    if usage is None:
        n_prompt = count_tokens(_read_by_model(body))
        n_reply = count_tokens(text)
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


def _read_by_model(body: Json) -> str:
    """Return all that a request makes a model read: what it says and the schema that it sends."""
    schema = body.get("response_format", {}).get("json_schema")
    texts = [_text_of(message["content"]) for message in body["messages"]]
    return "\n".join([*texts, json.dumps(schema, separators=(",", ":")) if schema else ""])


def _text_of(content: str | list[Json]) -> str:
    """Return what a message says, without its pictures."""
    return content if isinstance(content, str) else content[0]["text"]


def _embeddings(body: Json) -> Json:
    """Return a vector per text, the same for the same text, in reverse order."""
    texts = body["input"]
    rows = [
        {"object": "embedding", "index": index, "embedding": _vector(text)}
        for index, text in enumerate(texts)
    ]
    n_tokens = sum(max(1, len(text) // 4) for text in texts)
    usage = {"prompt_tokens": n_tokens, "total_tokens": n_tokens}
    return {"object": "list", "data": rows[::-1], "model": body["model"], "usage": usage}


def _vector(text: str) -> list[float]:
    digest = hashlib.sha256(text.encode()).digest()
    return [byte - 127.5 for byte in digest[:VECTOR_LENGTH]]
