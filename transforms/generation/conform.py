"""JSON in a model's reply: found wherever it stands, and made to conform to its schema."""

import math
import re
from collections.abc import Iterator
from typing import Any

from transforms.generation.contracts import TEXT, Schema
from transforms.text import decoded_json

Json = dict[str, Any]
"""A JSON object that conforms to a contract: its schema says what each field is."""

_REASONING = re.compile(r"<(think|thinking|reasoning)>.*?(?:</\1>|\Z)", re.DOTALL | re.IGNORECASE)
_REASONING_END = "</think>"
_MAX_STARTS = 50
"""Opening braces tried in a reply: prose with more of them is not a reply."""
_ABSENT = object()


def json_objects(text: str) -> Iterator[Json]:
    """Yield the JSON objects in a text, outermost ones only, behind its reasoning."""
    visible = _REASONING.sub("", text)
    if _REASONING_END in visible:
        visible = visible.rpartition(_REASONING_END)[2]
    place = visible.find("{")
    for _ in range(_MAX_STARTS):
        if place < 0:
            return
        try:
            found, end = decoded_json(visible, place)
        except ValueError:
            end = place + 1
        else:
            if isinstance(found, dict):
                yield found
        place = visible.find("{", end)


def conform(value: object, schema: Schema, path: str = "reply") -> Any:
    """Return the value with everything the schema requires.

    What is absent becomes null, empty or false, but for answer_found. Raises ValueError with what
    is wrong where, in words for the model.
    """
    types = schema.get("type", "string")
    names = types if isinstance(types, list) else [types]
    if value is _ABSENT or value is None:
        return _absent(names, path)
    if "object" in names:
        return _conform_object(value, schema, path)
    if "array" in names:
        items = schema.get("items", TEXT)
        listed = value if isinstance(value, list) else [value]
        return [conform(item, items, f"{path}[{n}]") for n, item in enumerate(listed)]
    return _one_of(_scalar(value, names, path), schema, path)


def _conform_object(value: object, schema: Schema, path: str) -> Json:
    properties = schema.get("properties", {})
    if not isinstance(value, dict):
        raise ValueError(f"{path} has to be an object")
    if path == "reply" and not properties.keys() & value.keys():
        raise ValueError(f"the reply has none of the fields {', '.join(properties)}")
    return {
        name: conform(value.get(name, _ABSENT), inner, f"{path}.{name}")
        for name, inner in properties.items()
    }


def _absent(names: list[str], path: str) -> object:
    if "null" in names:
        return None
    if "array" in names:
        return []
    if path.endswith("answer_found") and not path.endswith("complete_answer_found"):
        raise ValueError(f"{path} is missing")
    defaults = {"boolean": False, "number": 0.0, "string": ""}
    for name, default in defaults.items():
        if name in names:
            return default
    raise ValueError(f"{path} is missing")


def _scalar(value: object, names: list[str], path: str) -> object:
    if "boolean" in names:
        words = {"true": True, "yes": True, "false": False, "no": False}
        known = words.get(str(value).strip().lower())
        if known is None:
            raise ValueError(f"{path} has to be true or false, not {value!r}")
        return known
    if "number" in names or "integer" in names:
        return _finite(value, path)
    if isinstance(value, dict | list):
        raise ValueError(f"{path} has to be a text")
    return str(value)


def _one_of(value: object, schema: Schema, path: str) -> object:
    """Return the allowed value that is meant: "Days" for "day"."""
    allowed = schema.get("enum")
    if allowed is None:
        return value
    meant = str(value).strip().lower().removesuffix("s")
    if meant not in allowed:
        raise ValueError(f"{path} has to be one of {', '.join(filter(None, allowed))} or null")
    return meant


def _finite(value: object, path: str) -> float:
    try:
        number = float(str(value))
    except ValueError:
        number = math.nan
    if not math.isfinite(number):
        raise ValueError(f"{path} has to be a number, not {value!r}")
    return number
