"""Filled sheets: what is taken, what is refused with row and column, and the gold it makes."""

from typing import Any

import pytest

from tests.rows import NOON
from transforms.pipeline.gold import read_gold_line
from transforms.pipeline.review import gold_line, read_verdicts

ANSWERS = {"r1/p1", "r1/p2", "r2/p1"}
RIGHT = {"answer": "r1/p1", "verdict": "Right", "reviewer": "ann"}


def read(*rows: dict[str, str]) -> tuple[list[dict[str, Any]], list[str]]:
    return read_verdicts(list(enumerate(rows, start=2)), ANSWERS, reviewer=None, reviewed_at=NOON)


def test_a_filled_row_is_a_verdict() -> None:
    wrong = {**RIGHT, "answer": "r1/p2", "verdict": "wrong", "right_value": "7", "note": "page 3"}
    verdicts, mistakes = read(RIGHT, wrong)
    assert mistakes == []
    assert [(v["run_id"], v["pair_id"], v["verdict"]) for v in verdicts] == [
        ("r1", "p1", "right"),
        ("r1", "p2", "wrong"),
    ]
    assert (verdicts[1]["right_value"], verdicts[1]["note"]) == ("7", "page 3")


def test_a_row_in_which_nothing_is_filled_in_is_left_out() -> None:
    assert read({"answer": "r1/p1", "reviewer": "ann", "question": "?"}) == ([], [])


@pytest.mark.parametrize(
    ("row", "mistake"),
    [
        ({"answer": "r1/p9"}, "row 2, column answer: 'r1/p9' is no answer of this warehouse"),
        ({"verdict": "yes"}, "row 2, column verdict: 'yes' is none of right, wrong, incomplete"),
        ({"verdict": "", "note": "?"}, "row 2, column verdict: '' is none of"),
        ({"right_value": "7"}, "row 2, column right_value: an answer that is right needs none"),
        ({"reviewer": ""}, "row 2, column reviewer: nobody is named"),
    ],
)
def test_a_mistake_names_row_and_column(row: dict[str, str], mistake: str) -> None:
    verdicts, [found] = read({**RIGHT, **row})
    assert verdicts == []
    assert found.startswith(mistake)


def test_an_answer_is_judged_once_by_each_reviewer() -> None:
    _, mistakes = read(RIGHT, {**RIGHT, "verdict": "wrong"})
    assert mistakes == ["row 3, column answer: was judged by 'ann' in row 2 already"]
    assert read(RIGHT, {**RIGHT, "answer": "r2/p1"})[1] == mistakes
    assert read(RIGHT, {**RIGHT, "reviewer": "bob"})[1] == []


JUDGED: dict[str, Any] = {
    "verdict": "right", "status": "answered", "value": "EUR 5", "items": [], "right_value": None,
    "question_id": "q", "question": "How much?", "file_name": "a.pdf", "scope_key": "a",
    "answer_shape": "single", "answer_type": "amount", "intent": "factual",
    "decomposition": "single", "route": "sequential", "quotes": ["is EUR 5"], "pages": [2],
}  # fmt: skip


def gold(**judged: Any) -> Any:
    line = gold_line({**JUDGED, **judged})
    return line and read_gold_line(line, number=1)


def test_a_right_answer_is_gold_with_its_place_and_its_dispatch() -> None:
    line = gold()
    assert (line.kind, line.answers, line.pages) == ("number", ("EUR 5",), {2})
    assert line.dispatch["route"] == "sequential"


def test_a_right_value_is_gold_without_a_place() -> None:
    line = gold(verdict="wrong", right_value="EUR 6")
    assert (line.answers, line.pages, line.dispatch) == (("EUR 6",), frozenset(), {})


def test_a_listing_is_gold_item_by_item() -> None:
    assert gold(answer_shape="listing", items=["a", "b"]).answers == ("a", "b")
    line = gold(answer_shape="listing", verdict="incomplete", right_value="a; b ;c")
    assert (line.kind, line.answers) == ("name_list", ("a", "b", "c"))


def test_what_the_document_does_not_say_is_gold_too() -> None:
    assert gold(status="not_found", value=None).is_absent
    assert gold(verdict="wrong", right_value="Not found").is_absent


def test_a_verdict_that_says_only_what_is_wrong_makes_no_gold() -> None:
    assert gold(verdict="wrong") is None
