"""Evaluation: comparisons by kind, and scores worked out by hand."""

from datetime import date
from typing import Any

import polars as pl
import pytest

from transforms.errors import InputError
from transforms.pipeline.compare import GivenAnswer, compare, is_same_item, token_f1
from transforms.pipeline.gold import GoldLine, read_gold_line
from transforms.pipeline.gold_values import find_date, find_duration, find_number
from transforms.pipeline.score import (
    SCORE_SCHEMA,
    OfferedWindow,
    ScoredPair,
    score_line,
    summarise,
)


def gold(kind: str, *answers: str, question: str = "What?", **more: Any) -> GoldLine:
    return GoldLine(question=question, kind=kind, answers=answers, **more)


def given(text: str | None = None, **more: Any) -> GivenAnswer:
    return GivenAnswer(is_found=True, text=text, **more)


NOT_FOUND = GivenAnswer(is_found=False)

RIGHT = [
    (gold("date", "2025-03-01"), given(day=date(2025, 3, 1))),
    (gold("date", "11/18/05"), given(day=date(2005, 11, 18))),
    (gold("date", "2014-05-20"), given("20th day of May 2014")),
    (gold("number", "USD 1,250,000"), given(number=1250000.0, currency="USD")),
    (gold("number", "$1577.00", question="In USD millions, how much?"), given(number=1.577e9)),
    (gold("number", "12.5%"), given(number=0.125)),
    (gold("number", "1.08"), given(number=1.0834)),
    (gold("number", "USD 1,250,000"), given("$1.25 million")),
    (gold("duration", "30 days"), given(number=30.0, unit="day")),
    (gold("duration", "2 years"), given("twenty-four (24) months")),
    (gold("duration", "successive 1 year"), given(number=12.0, unit="months")),
    (gold("place", "New_York"), given("the State of New York")),
    (gold("yes_no", "Yes"), given(boolean=True)),
    (gold("yes_no", "No", evidence=("not covered",)), given("No, it is excluded")),
    (gold("span", "SBWC-3201761-27"), given("SBWC-3201761-27")),
    (gold("span", "Calder Row Insurance Brokers"), given("Calder Row Insurance Brokers Ltd")),
    (gold("none"), NOT_FOUND),
    (gold("yes_no", "No"), NOT_FOUND),
    (gold("nli", "Entailment"), given(boolean=True)),
]
WRONG = [
    (gold("date", "2025-03-01"), given(day=date(2025, 1, 3))),
    (gold("number", "USD 1,250,000"), given(number=1250.0, currency="USD")),
    (gold("number", "USD 1,250,000"), given(number=1250000.0, currency="GBP")),
    (gold("number", "12.5%"), given(number=0.125, unit="percent")),
    (gold("duration", "30 days"), given(number=30.0, unit="month")),
    (gold("place", "Ohio"), given("the State of Delaware")),
    (gold("yes_no", "Yes"), given(boolean=False)),
    (gold("yes_no", "No", evidence=("not covered",)), NOT_FOUND),
    (gold("span", "SBWC-3201761-27"), given("SBWC-3201761-28")),
    (gold("span", "Finch & Marlow"), given("Calder Row Insurance Brokers")),
    (gold("none"), given("five percent")),
    (gold("date", "2025-03-01"), NOT_FOUND),
]


@pytest.mark.parametrize(("line", "answer"), RIGHT, ids=lambda value: str(value)[:60])
def test_a_right_answer_is_right(line: GoldLine, answer: GivenAnswer) -> None:
    assert compare(line, answer).is_right


@pytest.mark.parametrize(("line", "answer"), WRONG, ids=lambda value: str(value)[:60])
def test_a_wrong_answer_is_wrong(line: GoldLine, answer: GivenAnswer) -> None:
    assert not compare(line, answer).is_right


def test_a_list_counts_each_item_once() -> None:
    line = gold("name_list", "Bramley Foods Ltd", "Vale Hotels Inc.", "Quayside Timber plc")
    answer = given(items=("VALE HOTELS", "Bramley Foods", "Bramley Foods Limited", "Someone Else"))
    found = compare(line, answer)
    assert (found.n_gold, found.n_given, found.n_right, found.is_right) == (3, 4, 2, False)


@pytest.mark.parametrize(
    ("item", "other", "is_same"),
    [
        ('Fox Mobile Entertainment ("Fox")', "Fox Mobile Entertainment, Inc.", True),
        ("Buildings: USD 1,000,000", "Buildings | $1,000,000 | $5,000", True),
        ("Buildings: USD 1,000,000", "Buildings: USD 1,000,500", False),
        ("2025-04-10: USD 9,722", "April 10, 2025: $9,722.00", True),
        ("Stock > Debris removal", "Debris removal", True),
        ("Waiver of Subrogation", "Additional Insured", False),
        (
            "ionising radiation or contamination by radioactivity from any nuclear fuel or waste",
            "Ionising radiation or contamination by radioactivity from nuclear fuel or waste;",
            True,
        ),
    ],
)
def test_items_are_the_same_when_names_and_numbers_are(
    item: str, other: str, is_same: bool
) -> None:
    assert is_same_item(item, other) is is_same


def test_token_f1_by_hand() -> None:
    assert token_f1("a b c d", "b c x") == pytest.approx(2 * (2 / 3) * (2 / 4) / (2 / 3 + 2 / 4))
    assert token_f1("a", "b") == 0.0


@pytest.mark.parametrize(
    ("text", "value"),
    [("(3.5)", -3.5), ("-12%", -12.0), ("$8.7 billion", 8.7e9), ("USD 1,250", 1250.0), ("", None)],
)
def test_numbers_keep_sign_and_scale(text: str, value: float | None) -> None:
    assert find_number(text) == value


def test_dates_and_durations_are_read_in_words() -> None:
    assert find_date("le 1er juin 2025") == date(2025, 6, 1)
    assert find_date("March 3, 2024") == date(2024, 3, 3)
    assert find_date("31.12.2025") == date(2025, 12, 31)
    assert find_date("99/99/2025") is None
    assert find_duration("within seventy-two (72) hours") == ("hours", 72.0)
    assert find_duration("ninety days' notice") == ("hours", 90 * 24.0)
    assert find_duration("soon") is None


def test_a_gold_line_takes_pages_from_what_stands_in() -> None:
    line = read_gold_line(
        {
            "doc": "corpus/x.pdf",
            "question": "Who?",
            "gold_answer": None,
            "gold_pages": None,
            "derived_pages": [[1, 4], None, [3]],
            "answer_kind": None,
            "route": "sequential",
            "answer_type": "no such type",
            "split": "dev",
        },
        number=1,
    )
    assert line.pages == {1, 3, 4}
    assert line.kind == "none"
    assert line.dispatch == {"route": "sequential"}


def test_a_gold_line_without_a_question_is_named() -> None:
    with pytest.raises(InputError, match="gold line 7"):
        read_gold_line({"doc": "x.pdf"}, number=7)


def pair(given_answer: GivenAnswer | None, *windows: OfferedWindow, **more: str) -> ScoredPair:
    decided = {"route": "sequential", "route_rule": "single_value", "answer_type": "date"} | more
    return ScoredPair(
        pair_id="p", question_id="q", file_name="x.pdf", dispatch=decided, windows=windows,
        given=given_answer, status="answered",
    )  # fmt: skip


def offered(page_start: int, page_end: int, text: str = "") -> OfferedWindow:
    return OfferedWindow(file_name="x.pdf", page_start=page_start, page_end=page_end, text=text)


def test_retrieval_is_scored_by_page_and_by_line() -> None:
    evidence = ("takes effect on\n1 March 2025", "x" * 30)
    line = gold("date", "2025-03-01", pages=frozenset({4}), evidence=evidence)
    windows = (offered(1, 2), offered(3, 5, "It takes effect on 1 March 2025 at noon."))
    row = score_line(line, pair(None, *windows))
    assert (row["first_page_hit"], row["first_line_hit"]) == (2, 2)
    assert row["evidence_recall"] == 0.5


def test_a_passage_stands_in_for_a_page() -> None:
    passage = "No one under age 13 is allowed to register for the Service"
    line = gold("span", passage, passages=(passage,))
    windows = (offered(1, 1, "cookies"), offered(9, 9, "under age 13 is allowed to register"))
    assert score_line(line, pair(None, *windows))["first_page_hit"] == 2


def test_places_name_the_document_too() -> None:
    line = gold("number", "1", places=frozenset({("y.pdf", 1)}))
    assert score_line(line, pair(None, offered(1, 1)))["first_page_hit"] is None


def test_a_route_chosen_by_tight_scores_is_not_counted() -> None:
    line = gold("date", "2025-03-01", dispatch={"route": "sequential", "answer_type": "date"})
    right = score_line(line, pair(None))
    tight = score_line(line, pair(None, route="batch", route_rule="tight_scores"))
    wrong = score_line(line, pair(None, route="batch", route_rule="compound"))
    assert [row["is_route_right"] for row in (right, tight, wrong)] == [True, None, False]
    assert [row["n_dispatch_right"] for row in (right, tight, wrong)] == [2, 1, 1]


def test_the_summary_by_hand() -> None:
    starts = [
        gold("date", "2025-03-01", field="start", pages=frozenset({page})) for page in (1, 2, 9)
    ]
    sunset = gold("none", field="sunset")
    lines = [
        (starts[0], given(day=date(2025, 3, 1))),
        (starts[1], given(day=date(2025, 3, 2))),
        (starts[2], NOT_FOUND),
        (sunset, given("Yes")),
        (sunset, NOT_FOUND),
    ]
    rows = [score_line(line, pair(answer, offered(1, 1), offered(2, 2))) for line, answer in lines]
    summary_df = summarise(pl.DataFrame(rows, schema=SCORE_SCHEMA))
    whole = summary_df.row(0, named=True)
    assert (whole["breakdown"], whole["n_lines"], whole["accuracy"]) == ("all", 5, 2 / 5)
    assert whole["precision"] == pytest.approx(1 / 3)  # one right of three given
    assert whole["recall"] == pytest.approx(1 / 3)  # one right of three that exist
    assert whole["f1"] == pytest.approx(1 / 3)
    assert whole["absent_accuracy"] == 0.5
    assert (whole["page_hit_at_1"], whole["page_hit_at_k"]) == pytest.approx((1 / 3, 2 / 3))
    assert whole["line_hit_at_k"] is None  # no line has a quote
    start = summary_df.filter(breakdown="field", name="start").row(0, named=True)
    assert (start["n_lines"], start["precision"], start["recall"]) == (3, 0.5, 1 / 3)


def test_without_answers_only_retrieval_and_dispatch_are_scored() -> None:
    row = score_line(gold("date", "2025-03-01", pages=frozenset({1})), pair(None, offered(1, 1)))
    whole = summarise(pl.DataFrame([row], schema=SCORE_SCHEMA)).row(0, named=True)
    assert whole["accuracy"] is None
    assert whole["page_hit_at_1"] == 1.0
