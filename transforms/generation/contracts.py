"""The reply contract: one lean JSON schema per answer shape and type.

Every schema is valid for strict `json_schema` endpoints: objects are closed, every property is
required, what may be absent is null.
"""

from typing import TypedDict

from transforms.values import AnswerShape, AnswerType, ParsedQuestion


class Schema(TypedDict, total=False):
    """The part of JSON Schema that replies need."""

    type: str | list[str]
    enum: list[str | None]
    items: "Schema"
    properties: dict[str, "Schema"]
    required: list[str]
    additionalProperties: bool


TEXT: Schema = {"type": "string"}
TEXT_OR_NULL: Schema = {"type": ["string", "null"]}
NUMBER_OR_NULL: Schema = {"type": ["number", "null"]}
BOOLEAN: Schema = {"type": "boolean"}
DURATION_UNITS = ("minute", "hour", "day", "week", "month", "year")


def array(items: Schema) -> Schema:
    """Return the schema of a list."""
    return {"type": "array", "items": items}


def closed(**properties: Schema) -> Schema:
    """Return the schema of an object with exactly these properties."""
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


EVIDENCE = array(closed(line_ids=array(TEXT), quote=TEXT))

# What a value of each type consists of; dates may be YYYY, YYYY-MM or YYYY-MM-DD.
VALUES: dict[AnswerType, dict[str, Schema]] = {
    "date": {"value_text": TEXT_OR_NULL, "value_date": TEXT_OR_NULL},
    "amount": {
        "value_text": TEXT_OR_NULL,
        "value_number": NUMBER_OR_NULL,
        "currency": TEXT_OR_NULL,
    },
    "number": {"value_text": TEXT_OR_NULL, "value_number": NUMBER_OR_NULL, "unit": TEXT_OR_NULL},
    "percent": {"value_text": TEXT_OR_NULL, "value_number": NUMBER_OR_NULL},
    "duration": {
        "value_text": TEXT_OR_NULL,
        "value_number": NUMBER_OR_NULL,
        "unit": {"type": ["string", "null"], "enum": [*DURATION_UNITS, None]},
    },
    "boolean": {"value_bool": {"type": ["boolean", "null"]}, "condition": TEXT_OR_NULL},
    "name": {"value_text": TEXT_OR_NULL},
    "address": {"value_text": TEXT_OR_NULL},
    "identifier": {"value_text": TEXT_OR_NULL},
    "text": {"value_text": TEXT_OR_NULL},
}

# What an item of each shape consists of, before its evidence.
ITEMS: dict[AnswerShape, dict[str, Schema]] = {
    "listing": {"value": TEXT},
    "table": {"row": TEXT, "column_name": TEXT, "value": TEXT},
    "tree": {"path": array(TEXT), "value": TEXT},
    "nested": {"value": TEXT, "fields": array(closed(name=TEXT, value=TEXT))},
}

FLAGS: dict[str, Schema] = {"answer_found": BOOLEAN, "complete_answer_found": BOOLEAN}
OUTLOOK: dict[str, Schema] = {
    "confidence": {"type": "number"},
    "caveats": array(TEXT),
    "unstructured_pages": array({"type": "integer"}),
    "llm_discovered_keywords": array(TEXT),
    "pending_references": array(TEXT),
}


def schema_name(question: ParsedQuestion) -> str:
    """Return the name of the contract: parts_2, comparison_amount, listing_name, single_date."""
    if question.parts:
        return f"parts_{len(question.parts)}"
    if is_comparison(question):
        return f"comparison_{question.answer_type}"
    return f"{question.answer_shape}_{question.answer_type}"


def is_comparison(question: ParsedQuestion) -> bool:
    """Tell whether the reply holds two sides."""
    return question.intent == "comparison" and question.answer_shape == "single"


def reply_schema(question: ParsedQuestion) -> Schema:
    """Return the JSON schema of the reply to a question, all parts of a compound one included."""
    if question.parts:
        parts = {f"part_{n}": closed(**_answer(p)) for n, p in enumerate(question.parts, start=1)}
        return closed(**parts, **OUTLOOK)
    return closed(**_answer(question), **OUTLOOK)


def _answer(question: ParsedQuestion) -> dict[str, Schema]:
    """Return the properties of one answer, without the outlook that all parts share."""
    if is_comparison(question):
        side = closed(side=TEXT, value=TEXT, evidence=EVIDENCE)
        return {**FLAGS, "sides": array(side), "value_text": TEXT_OR_NULL}
    if item := ITEMS.get(question.answer_shape):
        items = array(closed(**item, evidence=EVIDENCE))
        return {**FLAGS, "items": items, "is_likely_complete": BOOLEAN}
    return {**FLAGS, **VALUES[question.answer_type], "evidence": EVIDENCE}


FIXED = [VALUES, ITEMS, FLAGS, OUTLOOK, EVIDENCE]
"""All that schemas are made of: part of the prompt version."""
