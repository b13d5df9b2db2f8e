"""No answer is found without evidence that stands in the document."""

from datetime import date
from typing import Any

import polars as pl
import pytest

from tests.unit.generation.lines import make_lines, make_window, windows_of
from transforms.generation import validate_answer
from transforms.values import AnswerItem, AnswerWithEvidence, CitedQuote, ParsedQuestion

POLICY = (
    "1. Limits",
    "The deductible is $1,250 per claim.",
    "The policy begins on March 1, 2024 and lasts 12 months.",
    "Theft of jewellery is not covered.",
    "There are three exclusions:",
    "(a) war",
    "(b) nuclear risks",
    "(c) wear and tear",
)


def asked(text: str = "What is it?", **fields: Any) -> ParsedQuestion:
    return ParsedQuestion(text=text, corrected_text=text, **fields)


def said(quote: str, *line_ids: str, **fields: Any) -> AnswerWithEvidence:
    return AnswerWithEvidence(
        cited=(CitedQuote(quote=quote, line_ids=line_ids),),
        answer_found=True,
        complete_answer_found=True,
        confidence=0.9,
        **fields,
    )


def item(value: str, quote: str) -> AnswerItem:
    return AnswerItem(value=value, cited=(CitedQuote(quote=quote),))


def listed(*items: AnswerItem) -> AnswerWithEvidence:
    return AnswerWithEvidence(items=items, answer_found=True, complete_answer_found=True)


@pytest.mark.parametrize(
    "line_ids",
    [("p1 l2",), ("P1 L1-L3",), ("p1 l7",), ("p9 l99",), ("rubbish",), (f"p{'9' * 9999} l1",), ()],
)
def test_a_right_quote_is_anchored_whatever_its_line_ids(line_ids: tuple[str, ...]) -> None:
    answer = said("The deductible is $1,250", *line_ids, value_text="$1,250", value_number=1250)
    checked = validate_answer(answer, asked(answer_type="amount"), windows_of(*POLICY))
    (span,) = checked.answer.evidence
    assert (span.page, span.line_start, span.char_start, span.char_end) == (1, 2, 0, 24)
    assert span.quote == "The deductible is $1,250"
    assert checked.answer.answer_found
    assert not checked.failures


def test_cited_lines_go_before_other_places() -> None:
    windows = windows_of("limit 5", "other", "limit 5")
    answer = said("limit 5", "p1 l3", value_text="5", value_number=5)
    checked = validate_answer(answer, asked(answer_type="number"), windows)
    assert checked.answer.evidence[0].line_start == 3


@pytest.mark.parametrize(
    ("quote", "check"),
    [
        ("The deductible is $2,500", "quote_not_found"),
        ("The deductible is 1,250", "quote_not_found"),
        ("deductible is $1,25", "quote_not_found"),
        ("Theft of jewellery is not covered", "value_not_in_quote"),
    ],
)
def test_found_without_evidence_becomes_not_found(quote: str, check: str) -> None:
    answer = said(quote, value_text="$1,250", value_number=1250)
    checked = validate_answer(answer, asked(answer_type="amount"), windows_of(*POLICY))
    assert not checked.answer.answer_found
    assert not checked.answer.complete_answer_found
    assert checked.answer.value_number is None
    assert checked.answer.evidence == ()
    assert checked.answer.confidence == 0
    assert checked.answer.caveats
    assert [failure.check for failure in checked.failures] == [check]


def test_an_answer_without_any_quote_is_not_found() -> None:
    answer = AnswerWithEvidence(value_text="yes", value_bool=True, answer_found=True)
    checked = validate_answer(answer, asked(answer_type="boolean"), windows_of(*POLICY))
    assert not checked.answer.answer_found
    assert checked.failures[0].check == "quote_not_found"


def test_a_superfluous_quote_is_dropped_without_a_failure() -> None:
    answer = said("deductible is $1,250", value_text="$1,250", value_number=1250).model_copy(
        update={"cited": (CitedQuote(quote="deductible is $1,250"), CitedQuote(quote="nowhere"))}
    )
    checked = validate_answer(answer, asked(answer_type="amount"), windows_of(*POLICY))
    assert checked.answer.answer_found
    assert len(checked.answer.evidence) == 1
    assert not checked.failures


@pytest.mark.parametrize(
    ("kind", "quote", "fields", "is_found"),
    [
        ("amount", "deductible is $1,250", {"value_number": 1250.0}, True),
        ("amount", "deductible is $1,250", {"value_number": 1250.0, "currency": "EUR"}, False),
        ("amount", "deductible is $1,250", {"value_number": 1251.0}, False),
        ("amount", "deductible is $1,250", {"value_number": 1250000.0}, False),
        ("date", "begins on March 1, 2024", {"value_date": date(2024, 3, 1)}, True),
        ("date", "begins on March 1, 2024", {"value_date": date(2024, 1, 3)}, False),
        ("date", "begins on March 1, 2024", {"value_text": "2024-03"}, True),
        ("date", "begins on March 1, 2024", {"value_text": "2023-03"}, False),
        ("duration", "lasts 12 months", {"value_number": 12.0, "unit": "month"}, True),
        ("duration", "lasts 12 months", {"value_number": 1.0, "unit": "year"}, True),
        ("duration", "lasts 12 months", {"value_number": 12.0, "unit": "day"}, False),
        ("name", "Theft of jewellery", {"value_text": "jewellery"}, True),
        ("name", "Theft of jewellery", {"value_text": "furs"}, False),
        ("text", "deductible is $1,250", {"value_text": "A share borne by you"}, True),
        ("text", "deductible is $1,250", {"value_text": "You bear $1,500"}, False),
        ("text", "lasts 12 months", {"value_text": "It lasts 24 months"}, False),
    ],
)
def test_the_value_follows_from_the_quote(
    kind: Any, quote: str, fields: dict[str, Any], is_found: bool
) -> None:
    answer = said(quote, **fields)
    checked = validate_answer(answer, asked(answer_type=kind), windows_of(*POLICY))
    assert checked.answer.answer_found == is_found


def test_a_scale_counts_only_where_the_lines_name_it() -> None:
    answer = said("Capital expenditure 1,577", value_number=1.577e9)
    for head, is_found in (("(in millions)", True), ("(in dollars)", False)):
        windows = windows_of(head, "Capital expenditure 1,577")
        checked = validate_answer(answer, asked(answer_type="amount"), windows)
        assert checked.answer.answer_found == is_found


def test_a_value_that_is_missing_is_taken_from_the_quote() -> None:
    windows = windows_of(*POLICY)
    text = validate_answer(said("Theft of jewellery is not covered"), asked(), windows).answer
    assert text.value_text == "Theft of jewellery is not covered"
    amount = validate_answer(
        said("deductible is $1,250"), asked(answer_type="amount"), windows
    ).answer
    assert (amount.value_number, amount.currency) == (1250, "USD")


def test_a_boolean_without_a_value_is_not_found() -> None:
    checked = validate_answer(
        said("is not covered", value_text="covered"),
        asked(answer_type="boolean"),
        windows_of(*POLICY),
    )
    assert not checked.answer.answer_found
    assert checked.failures[0].check == "flags"


def test_contradictory_flags_are_repaired() -> None:
    answer = said("Theft of jewellery", value_text="theft", is_likely_complete=False).model_copy(
        update={"unstructured_pages": (3,)}
    )
    checked = validate_answer(answer, asked(), windows_of(*POLICY)).answer
    assert not checked.complete_answer_found
    assert not checked.context_structured
    lost = AnswerWithEvidence(value_text="5", complete_answer_found=True, confidence=0.8)
    repaired = validate_answer(lost, asked(), windows_of(*POLICY)).answer
    assert (repaired.complete_answer_found, repaired.value_text) == (False, None)


def test_items_without_evidence_are_dropped_and_the_answer_is_incomplete() -> None:
    answer = listed(item("war", "(a) war"), item("flood", "(d) flood"), item("flood", "(a) war"))
    question = asked("Which are the events?", answer_shape="listing")
    checked = validate_answer(answer, question, windows_of(*POLICY))
    assert [kept.value for kept in checked.answer.items] == ["war", "flood"]
    assert not checked.answer.complete_answer_found
    assert "1 of 3 items had no evidence: dropped" in checked.answer.caveats
    names = question.model_copy(update={"answer_type": "name"})
    only = validate_answer(answer, names, windows_of(*POLICY)).answer
    assert [kept.value for kept in only.items] == ["war"]


def test_an_answer_that_loses_all_items_is_not_found() -> None:
    checked = validate_answer(
        listed(item("flood", "(d) flood")), asked(answer_shape="listing"), windows_of(*POLICY)
    )
    assert not checked.answer.answer_found
    assert checked.answer.items == ()


def test_the_number_announced_is_compared_with_the_items() -> None:
    question = asked("Which exclusions are there?", answer_shape="listing")
    two = listed(item("war", "(a) war"), item("nuclear risks", "(b) nuclear risks"))
    checked = validate_answer(two, question, windows_of(*POLICY))
    assert checked.cardinality_cue == 3
    assert [failure.check for failure in checked.failures] == ["count"]
    assert not checked.answer.is_likely_complete
    admitted = two.model_copy(update={"complete_answer_found": False})
    short = validate_answer(admitted, question, windows_of(*POLICY))
    assert (short.failures, short.cardinality_cue) == ((), 3), "there is nothing to correct"
    three = listed(*two.items, item("wear and tear", "(c) wear and tear"))
    whole = validate_answer(three, question, windows_of(*POLICY))
    assert whole.answer.complete_answer_found
    assert not whole.failures


def test_the_same_item_is_kept_once() -> None:
    answer = listed(item("war", "(a) war"), item("War", "(a) war"))
    checked = validate_answer(answer, asked(answer_shape="listing"), windows_of(*POLICY))
    assert len(checked.answer.items) == 1


def test_a_comparison_needs_both_sides() -> None:
    question = asked("Compare A and B", intent="comparison", answer_type="amount")
    answer = listed(item("A: $5", "A: $5"), item("B: $6", "B: $7")).model_copy(
        update={"value_text": "A is lower"}
    )
    checked = validate_answer(answer, question, windows_of("A: $5", "B: $6"))
    assert [kept.value for kept in checked.answer.items] == ["A: $5"]
    assert not checked.answer.complete_answer_found


def test_each_part_of_a_compound_is_checked_by_itself() -> None:
    question = asked(
        "What is the deductible, and when does it begin?",
        decomposition="independent",
        parts=(asked(answer_type="amount"), asked(answer_type="date")),
    )
    answer = AnswerWithEvidence(
        parts=(
            said("deductible is $1,250", value_text="$1,250", value_number=1250),
            said("begins on March 2, 2024", value_text="2024-03-02", value_date=date(2024, 3, 2)),
        ),
        answer_found=True,
        complete_answer_found=True,
    )
    checked = validate_answer(answer, question, windows_of(*POLICY))
    assert [part.answer_found for part in checked.answer.parts] == [True, False]
    assert checked.answer.answer_found
    assert not checked.answer.complete_answer_found
    assert checked.answer.value_text == "$1,250"
    assert len(checked.answer.evidence) == 1


def test_an_endorsement_that_contradicts_the_body_is_told() -> None:
    body = make_window(make_lines("The deductible is $1,000 per claim."))
    change = make_window(
        make_lines("Endorsement No. 4", "The deductible is $2,500 per claim.", page=8), rank=2
    )
    answer = said("deductible is $2,500", value_text="$2,500", value_number=2500).model_copy(
        update={
            "cited": (
                CitedQuote(quote="deductible is $1,000"),
                CitedQuote(quote="deductible is $2,500"),
            )
        }
    )
    checked = validate_answer(answer, asked(answer_type="amount"), (body, change)).answer
    assert [span.page for span in checked.evidence] == [1, 8]
    assert any("followed page 8, an amendment" in caveat for caveat in checked.caveats)


@pytest.mark.parametrize(
    ("other", "is_told"),
    [("The deductible is $1,000 per claim", True), ("Premium of $900", False)],
)
def test_only_quotes_about_the_same_matter_contradict(other: str, is_told: bool) -> None:
    windows = windows_of("The deductible is $2,500 per claim", other)
    answer = said("The deductible is $2,500 per claim", value_number=2500).model_copy(
        update={"cited": (CitedQuote(quote="deductible is $2,500"), CitedQuote(quote=other))}
    )
    checked = validate_answer(answer, asked(answer_type="amount"), windows).answer
    assert bool(checked.caveats) == is_told
    assert len(checked.evidence) == 2


def test_a_quote_over_a_page_break_gives_a_span_a_page() -> None:
    frames = (
        make_lines("The insurer pays for loss", "footer: 1"),
        make_lines("header: Policy", "caused by fire.", page=2),
    )
    answer = said("pays for loss caused by fire", "p1 l1", value_text="loss by fire")
    checked = validate_answer(answer, asked(), (make_window(*frames),)).answer
    assert [(s.page, s.line_start, s.quote) for s in checked.evidence] == [
        (1, 1, "pays for loss"),
        (2, 2, "caused by fire"),
    ]


@pytest.mark.parametrize(
    "quote",
    [
        '"The deductible is $1,250 per claim."',
        "“The deductible is $1,250 per claim”",
        "p1 l2| The deductible is $1,250 per claim.",
        "[p1 l2] The deductible is $1,250 per claim.",
        "The deductible ... $1,250 per claim",
        "1. Limits [...] The deductible is $1,250",
        "p1 l1| 1. Limits\np1 l2| The deductible is $1,250 per claim.",
    ],
)
def test_what_models_put_around_a_quote_is_taken_off(quote: str) -> None:
    answer = said(quote, value_text="$1,250", value_number=1250)
    checked = validate_answer(answer, asked(answer_type="amount"), windows_of(*POLICY))
    assert checked.answer.answer_found


def test_an_elision_cannot_leave_out_a_negation() -> None:
    answer = said("Theft of jewellery is ... covered", value_bool=True)
    checked = validate_answer(answer, asked(answer_type="boolean"), windows_of(*POLICY))
    assert not checked.answer.answer_found


def test_an_ellipsis_that_is_printed_can_be_quoted() -> None:
    windows = windows_of("Total ... 5", "Total 7")
    answer = said("Total ... 5", value_text="5", value_number=5)
    checked = validate_answer(answer, asked(answer_type="number"), windows)
    assert [span.quote for span in checked.answer.evidence] == ["Total ... 5"]


def test_documents_are_told_apart_by_their_number() -> None:
    windows = (
        make_window(make_lines("limit 5", doc_id="a")),
        make_window(make_lines("limit 5", doc_id="b")),
    )
    answer = said("limit 5", "d2 p1 l1", value_text="5", value_number=5)
    checked = validate_answer(answer, asked(answer_type="number"), windows).answer
    assert checked.evidence[0].doc_id == "b"


def test_windows_are_not_joined_over_what_was_not_offered() -> None:
    line_df = make_lines("The insurer pays for", "nothing, save", "loss by fire.")
    windows = (
        make_window(line_df.filter(pl.col("line") == 1)),
        make_window(line_df.filter(pl.col("line") == 3), rank=2),
    )
    answer = said("pays for loss by fire", value_text="loss by fire")
    assert not validate_answer(answer, asked(), windows).answer.answer_found


def test_nothing_offered_means_nothing_found() -> None:
    checked = validate_answer(said("limit 5", value_text="5"), asked(), ())
    assert not checked.answer.answer_found
