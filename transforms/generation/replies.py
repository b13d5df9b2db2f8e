"""Read a model's reply into an answer: what it says, not yet checked against the documents."""

import re
from datetime import date

from transforms.generation.conform import Json, conform, json_objects
from transforms.generation.contracts import is_comparison, reply_schema
from transforms.values import (
    AnswerItem,
    AnswerWithEvidence,
    CheckFailure,
    CitedQuote,
    ParsedQuestion,
)

_ISO_DATE = re.compile(r"\d{4}-\d\d-\d\d")


def read_reply(text: str, question: ParsedQuestion) -> AnswerWithEvidence | CheckFailure:
    """Return the answer in a reply, not yet checked against the documents.

    Code fences, reasoning and prose around the JSON object are skipped. What a lenient endpoint
    leaves out is null or empty, but for answer_found.
    """
    schema = reply_schema(question)
    objects = list(json_objects(text))
    if not objects:
        return CheckFailure(check="malformed", message="the reply holds no JSON object")
    message = ""
    for found in objects:
        try:
            return _answer(conform(found, schema), question)
        except ValueError as error:
            message = message or str(error)
    return CheckFailure(check="malformed", message=message)


def _answer(reply: Json, question: ParsedQuestion) -> AnswerWithEvidence:
    if not question.parts:
        return _single(reply, question).model_copy(update=_outlook(reply))
    parts = tuple(
        _single(reply[f"part_{n}"], part) for n, part in enumerate(question.parts, start=1)
    )
    return AnswerWithEvidence(
        value_text="; ".join(part.value_text for part in parts if part.value_text) or None,
        parts=parts,
        answer_found=any(part.answer_found for part in parts),
        complete_answer_found=all(part.complete_answer_found for part in parts),
        is_likely_complete=all(part.is_likely_complete for part in parts),
    ).model_copy(update=_outlook(reply))


def _single(reply: Json, question: ParsedQuestion) -> AnswerWithEvidence:
    """Return one answer of a reply; what the type has no field for stays null."""
    value_bool = reply.get("value_bool")
    listed = reply.get("items", reply.get("sides", []))
    return AnswerWithEvidence(
        value_text=_value_text(reply, value_bool),
        value_number=reply.get("value_number"),
        value_date=_full_date(reply.get("value_date")),
        value_bool=value_bool,
        unit=reply.get("unit"),
        currency=reply.get("currency"),
        items=tuple(_item(item, question) for item in listed if item["value"].strip()),
        cited=_cited(reply),
        answer_found=reply["answer_found"] is True,
        complete_answer_found=reply["complete_answer_found"] is True,
        is_likely_complete=reply.get("is_likely_complete", True) is True,
    )


def _value_text(reply: Json, value_bool: bool | None) -> str | None:
    """Return the value in words: as printed, or a date as far as it is stated, or yes and no."""
    condition = reply.get("condition")
    if value_bool is not None:
        said = "yes" if value_bool else "no"
        return f"{said}: {condition}" if condition else said
    return reply.get("value_text") or reply.get("value_date") or condition


def _item(item: Json, question: ParsedQuestion) -> AnswerItem:
    """Return one item as text: "row, column: value", "heading > heading: value", "side: value"."""
    value = item["value"].strip()
    if is_comparison(question):
        labels = [item["side"]]
    elif question.answer_shape == "table":
        labels = [", ".join(name for name in (item["row"], item["column_name"]) if name)]
    elif question.answer_shape == "tree":
        labels = [" > ".join(item["path"])]
    else:
        labels = []
        fields = "; ".join(f"{f['name']} = {f['value']}" for f in item.get("fields", []))
        value = f"{value}: {fields}" if fields else value
    return AnswerItem(value=": ".join([*filter(None, labels), value]), cited=_cited(item))


def _cited(reply: Json) -> tuple[CitedQuote, ...]:
    return tuple(
        CitedQuote(quote=each["quote"], line_ids=tuple(each["line_ids"]))
        for each in reply.get("evidence", [])
        if each["quote"].strip()
    )


def _outlook(reply: Json) -> dict[str, object]:
    confidence = reply["confidence"]
    pages = tuple(int(page) for page in reply["unstructured_pages"] if page >= 1)
    return {
        "confidence": min(1.0, max(0.0, confidence / 100 if confidence > 1 else confidence)),
        "caveats": tuple(filter(None, reply["caveats"])),
        "context_structured": not pages,
        "unstructured_pages": pages,
        "llm_discovered_keywords": tuple(filter(None, reply["llm_discovered_keywords"])),
        "pending_references": tuple(filter(None, reply["pending_references"])),
    }


def _full_date(text: str | None) -> date | None:
    """Return a date that is stated to the day."""
    if text is None or not _ISO_DATE.fullmatch(text.strip()):
        return None
    try:
        return date.fromisoformat(text.strip())
    except ValueError:
        return None
