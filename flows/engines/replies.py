"""What stands in the body of a chat completion, whoever sent it."""

import re
from typing import Any

from flows.ledger.entries import Counts
from transforms.text import decoded_json
from transforms.values import Value

_REASONING = re.compile(r"\A\s*<(think|thinking|reasoning)>.*?</\1>\s*", re.DOTALL)
_REASONING_END = re.compile(r"\A.*?</(think|thinking|reasoning)>\s*", re.DOTALL)
_REASONING_CUT = re.compile(r"\A\s*<(think|thinking|reasoning)>.*\Z", re.DOTALL)

MOST_TOKENS = 1_000_000_000
"""A count beyond this is none: no call takes so many."""


class Completion(Value):
    """The reply in a chat completion, without the model's reasoning."""

    text: str
    finish_reason: str | None = None
    refusal: str | None = None
    counts: Counts | None = None

    @property
    def is_truncated(self) -> bool:
        """Return whether the reply was cut off at its bound."""
        return self.finish_reason == "length"

    @property
    def is_refused(self) -> bool:
        """Return whether the endpoint or the model declined to answer."""
        return self.refusal is not None or self.finish_reason == "content_filter"


def read_json(text: str) -> Any:
    """Return what a response says. Raises ValueError for what is no JSON, or nested too deeply."""
    found, end = decoded_json(text, len(text) - len(text.lstrip()))
    if text[end:].strip():
        raise ValueError("something follows the JSON")
    return found


def read_completion(body: str) -> Completion | None:
    """Return the reply in a response body, or null when there is none in it."""
    try:
        response = read_json(body)
        choice = response["choices"][0]
        message = choice["message"]
        text = message.get("content") or ""
        refusal = message.get("refusal") or None
    except (ValueError, LookupError, TypeError, AttributeError):
        return None
    if not isinstance(text, str):
        return None
    finish_reason = choice.get("finish_reason")
    return Completion(
        text=without_reasoning(text),
        finish_reason=finish_reason if isinstance(finish_reason, str) else None,
        refusal=refusal if isinstance(refusal, str) else None,
        counts=read_counts(response.get("usage")),
    )


def without_reasoning(text: str) -> str:
    """Return a reply without the reasoning that some models print before it."""
    if _REASONING.match(text):
        return _REASONING.sub("", text, count=1)
    if _REASONING_CUT.match(text):
        return ""
    return _REASONING_END.sub("", text, count=1)


def read_counts(usage: Any) -> Counts | None:
    """Return the token counts of a response, or null when the endpoint gave none.

    Cached and reasoning tokens are parts of prompt and completion. An endpoint that counts
    reasoning beside the completion shows it in its total, and it is added once.
    """
    if not isinstance(usage, dict):
        return None
    prompt, completion = _count(usage, "prompt_tokens"), _count(usage, "completion_tokens")
    if prompt is None:
        return None
    completion = completion or 0
    cached = _count(usage.get("prompt_tokens_details"), "cached_tokens") or 0
    reasoning = _count(usage.get("completion_tokens_details"), "reasoning_tokens") or 0
    if reasoning and _count(usage, "total_tokens") == prompt + completion + reasoning:
        completion += reasoning
    return Counts(
        prompt_tokens=prompt,
        cached_tokens=min(cached, prompt),
        completion_tokens=completion,
        reasoning_tokens=min(reasoning, completion),
    )


def _count(fields: Any, name: str) -> int | None:
    value = fields.get(name) if isinstance(fields, dict) else None
    return value if isinstance(value, int) and 0 <= value <= MOST_TOKENS else None
