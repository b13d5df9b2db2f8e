"""The form of a chat request: the richest that an endpoint takes is found by stepping down.

json_schema   the endpoint enforces the schema
json_object   the endpoint enforces JSON; the schema stands in the prompt
prompt        the schema stands in the prompt, nothing is enforced
"""

import json
from collections.abc import Mapping
from typing import Literal

from flows.engines.client import Rejected
from flows.ledger.entries import canonical_json
from transforms.values import GenerationRequest, Value

Level = Literal["json_schema", "json_object", "prompt"]
_NEXT_LEVEL: dict[Level, Level | None] = {
    "json_schema": "json_object",
    "json_object": "prompt",
    "prompt": None,
}
_REFUSED_STATUSES = {400, 415, 422, 501}


class Form(Value):
    """What an endpoint takes."""

    level: Level = "json_schema"
    length_parameter: Literal["max_completion_tokens", "max_tokens"] = "max_completion_tokens"
    has_temperature: bool = True

    def lower(self) -> "Form | None":
        """Return the form with the next level down, or null at the lowest."""
        level = _NEXT_LEVEL[self.level]
        return None if level is None else self.model_copy(update={"level": level})

    def without(self, rejected: Rejected) -> "Form | None":
        """Return the form to try after this one was refused; null when form cannot be the cause."""
        message = rejected.message
        if rejected.http_status not in _REFUSED_STATUSES:
            return None
        if self.has_temperature and "temperature" in message:
            return self.model_copy(update={"has_temperature": False})
        if self.length_parameter in message and self.length_parameter == "max_completion_tokens":
            return self.model_copy(update={"length_parameter": "max_tokens"})
        return self.lower()

    def body(self, request: GenerationRequest, model: str) -> dict[str, object]:
        """Return the body of the HTTP request."""
        messages = [{"role": role, "content": text} for role, text in request.messages]
        if self.level != "json_schema":
            messages[0]["content"] += _schema_text(request.json_schema)
        body: dict[str, object] = {
            "model": model,
            "messages": messages,
            self.length_parameter: request.max_completion_tokens,
        }
        if self.has_temperature:
            body["temperature"] = 0
        if self.level == "json_schema":
            schema = {"name": request.schema_name, "schema": request.json_schema, "strict": True}
            body["response_format"] = {"type": "json_schema", "json_schema": schema}
        elif self.level == "json_object":
            body["response_format"] = {"type": "json_object"}
        return body


def canonical_request(
    request: GenerationRequest, *, endpoint: str, model: str
) -> dict[str, object]:
    """Return what makes a request the same, whatever form it is sent in."""
    return {
        "endpoint": endpoint,
        "model": model,
        "messages": [list(message) for message in request.messages],
        "json_schema": request.json_schema,
        "max_completion_tokens": request.max_completion_tokens,
    }


def prompt_text(body: Mapping[str, object]) -> str:
    """Return all that a body makes the model read: what is counted before it is sent."""
    return canonical_json(
        {name: body[name] for name in ("messages", "response_format") if name in body}
    )


def _schema_text(schema: Mapping[str, object]) -> str:
    text = json.dumps(schema, ensure_ascii=False, separators=(",", ":"))
    return f"\n\nReply with one JSON object of this JSON Schema and nothing else:\n{text}"
