"""Replies are read wherever the JSON stands, and refused when they are not the contract."""

import json
from datetime import date
from typing import Any

import pytest

from transforms.generation import read_reply
from transforms.values import AnswerWithEvidence, CheckFailure, ParsedQuestion

EVIDENCE = [{"line_ids": ["p1 l2"], "quote": "the limit is $5"}]
SINGLE = {
    "answer_found": True,
    "complete_answer_found": True,
    "value_text": "$5",
    "value_number": 5,
    "currency": "USD",
    "evidence": EVIDENCE,
    "confidence": 0.9,
    "caveats": ["per claim"],
    "unstructured_pages": [],
    "llm_discovered_keywords": ["retention"],
    "pending_references": ["Section 7.2"],
}


def asked(**fields: Any) -> ParsedQuestion:
    return ParsedQuestion(text="?", corrected_text="?", **fields)


def answer(reply: object, **fields: Any) -> AnswerWithEvidence:
    text = reply if isinstance(reply, str) else json.dumps(reply)
    found = read_reply(text, asked(**fields))
    assert isinstance(found, AnswerWithEvidence), found
    return found


@pytest.mark.parametrize(
    "wrapped",
    [
        "{}", "```json\n{}\n```", "Here it is:\n{}\nI hope this helps.", "\ufeff {} ",
        "<think>maybe {{\"answer_found\": false}}?</think>{}",
        "<thinking>no {{ here</thinking>\n{}", "so {{x}} is it </think> {}",
        "{} {{\"answer_found\": false}}", "The set {{a, b}} is meant: {}",
    ],
)  # fmt: skip
def test_a_reply_is_found_in_what_stands_around_it(wrapped: str) -> None:
    found = answer(wrapped.format(json.dumps(SINGLE)), answer_type="amount")
    assert found.answer_found
    assert (found.value_text, found.value_number, found.currency) == ("$5", 5.0, "USD")
    assert found.cited[0].quote == "the limit is $5"
    assert found.cited[0].line_ids == ("p1 l2",)
    assert found.caveats == ("per claim",)
    assert found.llm_discovered_keywords == ("retention",)
    assert found.pending_references == ("Section 7.2",)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "no JSON object"),
        ("I do not know.", "no JSON object"),
        ('{"answer_found": true, "value_text": "5', "no JSON object"),
        ("[1, 2]", "no JSON object"),
        ('{"foo": 1}', "none of the fields"),
        ('{"value_text": "5"}', "answer_found is missing"),
        ('{"answer_found": "perhaps"}', "answer_found has to be true or false"),
        ('{"answer_found": true, "value_number": "a lot"}', "value_number has to be a number"),
        ('{"answer_found": true, "value_number": NaN}', "value_number has to be a number"),
        ('{"answer_found": true, "value_number": 1e999}', "value_number has to be a number"),
        ('{"answer_found": true, "evidence": ["p1 l2"]}', "evidence[0] has to be an object"),
        ('{"answer_found": true, "value_text": {"a": 1}}', "value_text has to be a text"),
        ("<think>" + '{"answer_found": true}', "no JSON object"),
        ("{" * 100_000, "no JSON object"),
        ('{"a":' * 20_000, "no JSON object"),
    ],
)
def test_what_is_not_the_contract_is_malformed(text: str, message: str) -> None:
    found = read_reply(text, asked(answer_type="amount"))
    assert isinstance(found, CheckFailure)
    assert found.check == "malformed"
    assert message in found.message


def test_what_a_lenient_endpoint_leaves_out_is_empty() -> None:
    found = answer({"answer_found": False}, answer_type="date")
    assert found == AnswerWithEvidence()
    loose = answer({**SINGLE, "value_number": "5.0", "answer_found": "yes"}, answer_type="amount")
    assert (loose.answer_found, loose.value_number) == (True, 5.0)


@pytest.mark.parametrize(
    ("stated", "expected"),
    [
        ("2024-03-01", date(2024, 3, 1)), ("2024-03", None), ("2024", None), ("2024-02-31", None),
        ("March 1", None), (None, None),
    ],
)  # fmt: skip
def test_a_date_is_as_precise_as_it_is_stated(stated: str | None, expected: date | None) -> None:
    reply = {"answer_found": True, "value_text": None, "value_date": stated}
    found = answer(reply, answer_type="date")
    assert (found.value_date, found.value_text) == (expected, stated)


@pytest.mark.parametrize(
    ("value", "condition", "text"),
    [(True, None, "yes"), (False, None, "no"), (True, "if notified", "yes: if notified")],
)
def test_a_boolean_keeps_its_condition(value: bool, condition: str | None, text: str) -> None:
    reply = {"answer_found": True, "value_bool": value, "condition": condition}
    found = answer(reply, answer_type="boolean")
    assert (found.value_bool, found.value_text) == (value, text)


@pytest.mark.parametrize(
    ("fields", "item", "value"),
    [
        ({"answer_shape": "listing"}, {"value": " war "}, "war"),
        (
            {"answer_shape": "table"},
            {"row": "Dental", "column_name": "Limit", "value": "$5"},
            "Dental, Limit: $5",
        ),
        ({"answer_shape": "tree"}, {"path": ["A", "B"], "value": "c"}, "A > B: c"),
        (
            {"answer_shape": "nested"},
            {"value": "Plan A", "fields": [{"name": "limit", "value": "$5"}]},
            "Plan A: limit = $5",
        ),
    ],
)
def test_items_of_every_shape_are_one_text_each_with_evidence(
    fields: dict[str, Any], item: dict[str, Any], value: str
) -> None:
    reply = {"answer_found": True, "items": [{**item, "evidence": EVIDENCE}]}
    (found,) = answer(reply, **fields).items
    assert found.value == value
    assert found.cited[0].quote == "the limit is $5"


@pytest.mark.parametrize(
    ("unit", "kept"), [("day", "day"), ("Days", "day"), (" months", "month"), (None, None)]
)
def test_a_unit_of_time_is_one_of_the_contract(unit: str | None, kept: str | None) -> None:
    reply = {"answer_found": True, "value_number": 30, "unit": unit}
    assert answer(reply, answer_type="duration").unit == kept
    fortnight = json.dumps({**reply, "unit": "fortnight"})
    refused = read_reply(fortnight, asked(answer_type="duration"))
    assert isinstance(refused, CheckFailure)
    assert "unit has to be one of minute, hour, day" in refused.message


def test_an_item_without_a_value_is_none() -> None:
    reply = {"answer_found": True, "items": [{"value": " ", "evidence": EVIDENCE}]}
    assert answer(reply, answer_shape="listing").items == ()


def test_a_comparison_has_sides() -> None:
    sides = [{"side": "A", "value": "$5", "evidence": EVIDENCE}]
    reply = {"answer_found": True, "sides": sides, "value_text": "A is lower"}
    found = answer(reply, intent="comparison", answer_type="amount")
    assert found.items[0].value == "A: $5"
    assert found.value_text == "A is lower"


def test_parts_are_answered_each() -> None:
    parts = (asked(answer_type="amount"), asked(answer_type="date"))
    reply = {"part_1": SINGLE, "part_2": {"answer_found": False}, "confidence": 70}
    found = answer(reply, parts=parts)
    assert [part.answer_found for part in found.parts] == [True, False]
    assert found.answer_found
    assert not found.complete_answer_found
    assert found.confidence == pytest.approx(0.7)


@pytest.mark.parametrize(("given", "kept"), [(-3, 0.0), (0.4, 0.4), (85, 0.85), (1000, 1.0)])
def test_confidence_stays_between_0_and_1(given: float, kept: float) -> None:
    assert answer({**SINGLE, "confidence": given}, answer_type="amount").confidence == kept


def test_pages_that_cannot_be_read_make_the_context_unstructured() -> None:
    found = answer({**SINGLE, "unstructured_pages": [3, 0]}, answer_type="amount")
    assert (found.context_structured, found.unstructured_pages) == (False, (3,))
