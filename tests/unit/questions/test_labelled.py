"""How often the rule parser agrees with labels: questions of our own, and the shared ones."""

import csv
from functools import cache
from pathlib import Path

import pytest

from transforms.pipeline.decide import decide_route
from transforms.questions import Vocabulary, parse_question

HERE = Path(__file__).parent
SHARED = HERE.parents[2].parent / "shared" / "gold" / "dispatch.csv"
LEAST_SHARE = {
    "route": 0.98,
    "answer_shape": 0.97,
    "intent": 0.93,
    "answer_type": 0.93,
    "decomposition": 0.93,
}
"""What is asked of the parser on questions that it was not made with."""
LEAST_SHARE_OF_OUR_OWN = dict.fromkeys(LEAST_SHARE, 0.99)
"""Our own questions are all known: a change that loses more than a few of them is a mistake."""


def labelled(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


@cache
def found(question: str) -> dict[str, str]:
    parsed = parse_question(question, vocabulary=Vocabulary())
    return {
        "intent": parsed.intent,
        "answer_shape": parsed.answer_shape,
        "answer_type": parsed.answer_type,
        "decomposition": parsed.decomposition,
        "route": decide_route(parsed, ()).route or "clarify",
    }


def wrong(rows: list[dict[str, str]], field: str) -> list[str]:
    return [row["question"] for row in rows if found(row["question"])[field] != row[field]]


@pytest.mark.parametrize("field", LEAST_SHARE)
def test_our_own_questions_are_understood(field: str) -> None:
    rows = labelled(HERE / "labelled_questions.csv")
    allowed = len(rows) * (1 - LEAST_SHARE_OF_OUR_OWN[field])
    assert len(wrong(rows, field)) <= allowed, wrong(rows, field)


@pytest.mark.parametrize("field", LEAST_SHARE)
def test_the_shared_questions_are_understood(field: str) -> None:
    if not SHARED.exists():
        pytest.skip("shared/gold is not beside this checkout")
    rows = labelled(SHARED)
    assert len(wrong(rows, field)) <= len(rows) * (1 - LEAST_SHARE[field]), wrong(rows, field)
