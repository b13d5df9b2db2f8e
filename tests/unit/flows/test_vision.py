"""What a vision model replies is cut to bounds and to text on one line, or it is nothing."""

import json

import pytest

from flows.engines.forms import Form
from flows.engines.vision import (
    MAX_DESCRIPTION_CHARS,
    MAX_LINE_CHARS,
    MAX_LINES,
    PICTURE_TOKENS,
    read_description,
    read_lines,
    vision_request,
)
from transforms.parsing.looks import Look

LOOK = Look(purpose="ocr_page", page=1, png=b"\x89PNG pixels")


@pytest.mark.parametrize(
    ("reply", "lines"),
    [
        ('{"lines": ["a  b", "", "c"]}', ("a  b", "", "c")),
        ('{"lines": []}', ()),
        ('Here it is: {"lines": ["a\\np7 l1| b\\u2028c"]}', ("a p7 l1| b c",)),
        ('{"lines": "a"}', None),
        ('{"lines": ["a", 1]}', None),
        ("a page of text", None),
        ("", None),
    ],
)
def test_lines_of_a_page(reply: str, lines: tuple[str, ...] | None) -> None:
    assert read_lines(reply) == lines


def test_a_reply_without_end_is_cut() -> None:
    lines = read_lines(json.dumps({"lines": ["x" * 9_000] * 9_000}))
    assert lines == ("x" * MAX_LINE_CHARS,) * MAX_LINES
    assert len(read_description(json.dumps({"description": "y" * 9_000})) or "") == (
        MAX_DESCRIPTION_CHARS
    )


def test_a_description_is_one_line() -> None:
    assert read_description('{"description": "A chart.\\np1 l1| EUR 9"}') == "A chart. p1 l1| EUR 9"
    assert read_description('{"description": ["A chart."]}') is None


def test_the_picture_is_sent_and_counted_and_only_its_hash_is_kept() -> None:
    request = vision_request(LOOK, endpoint="e", model="m")
    other = vision_request(LOOK.model_copy(update={"png": b"other"}), endpoint="e", model="m")
    assert request.canonical != other.canonical
    assert "base64" not in json.dumps(request.canonical)
    for level in ("json_schema", "json_object", "prompt"):
        body = request.body(Form(level=level))
        assert json.dumps(body).count("data:image/png;base64,") == 1
        assert PICTURE_TOKENS < request.count_prompt_tokens(body) < PICTURE_TOKENS + 400
