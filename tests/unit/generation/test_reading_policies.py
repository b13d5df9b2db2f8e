"""The offline reader on policies: who is who, tables beside clauses, endorsements."""

import pytest

from tests.unit.generation.readings import Printed, asked, read

COVER: list[Printed] = [
    ("Insurer  Blue Heron Specialty Insurance Company", "table_row"),
    ("Named Insured  Redwood Foods LLC", "table_row"),
    ("Issued on  03/23/2024", "table_row"),
    ("Premium for the Period  USD 95,540.32", "table_row"),
]
ATTACHED: list[Printed] = [
    ("Endorsement No. 1", "heading"),
    "Attached to and forming part of Policy BH-1, issued to Redwood Foods LLC.",
]


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("Which company issued the policy?", "Blue Heron Specialty Insurance Company"),
        ("Who is the insurer?", "Blue Heron Specialty Insurance Company"),
        ("Who is the insured?", "Redwood Foods LLC"),
    ],
)
def test_insurer_and_insured_are_not_confused(question: str, expected: str) -> None:
    answer = read(asked(question, "name"), [*COVER, *ATTACHED])
    assert (answer.value_text, answer.complete_answer_found) == (expected, True)


@pytest.mark.parametrize("question", ["Which company issued the policy?", "Who is the insurer?"])
def test_a_policy_issued_to_somebody_does_not_name_the_insurer(question: str) -> None:
    assert not read(asked(question, "name"), ATTACHED).answer_found


def test_a_name_that_says_it_insures_is_the_insurer() -> None:
    lines = ["This Policy is underwritten for Redwood Foods LLC with Granary Casualty Company."]
    answer = read(asked("Who is the insurer?", "name"), lines)
    assert answer.value_text is not None
    assert answer.value_text.startswith("Granary Casualty Company")


def test_a_label_that_is_nothing_but_the_topic_need_not_repeat_the_small_words() -> None:
    question = asked("How much is the total annual premium?", "amount")
    assert read(question, COVER).value_number == 95_540.32
    assert not read(question, [("Minimum Adjustment Premium  USD 500", "table_row")]).answer_found


def test_a_row_of_a_table_that_names_something_else_yields_to_the_clause() -> None:
    lines: list[Printed] = [
        ("4.2 Excess", "heading"),
        "From the amount of every adjusted loss the sum of $1,000 shall be deducted.",
        ("4.4 Deductibles by Peril", "heading"),
        ("Peril  Deductible", "table_row"),
        ("Property damage  USD 14,000", "table_row"),
        ("Sudden pollution  USD 22,000", "table_row"),
    ]
    question = "How much is the deductible for each loss?"
    assert read(asked(question, "amount"), lines).value_number == 1_000
    question = "How much is the deductible for sudden pollution?"
    assert read(asked(question, "amount"), lines).value_number == 22_000


def test_the_limit_of_any_one_claim_is_not_that_of_a_part_of_the_cover() -> None:
    lines: list[Printed] = [
        ("2.1 Limit of Insurance", "heading"),
        "The most the Company will pay for any one claim is $3 million.",
        ("2.5 Limits by Coverage Part", "heading"),
        ("Coverage Part  Limit  Deductible", "table_row"),
        ("Privacy Liability  USD 1,405,000  USD 9,000", "table_row"),
        ("Cyber Extortion  USD 1,940,000  USD 4,000", "table_row"),
    ]
    question = asked("What is the limit of liability for each claim?", "amount")
    assert read(question, lines).value_number == 3_000_000


BODY: list[Printed] = [
    ("Deductible, each loss  $10,000", "table_row"),
    ("3.2 Excess", "heading"),
    "The deductible is $10,000 for each and every loss.",
    ("Endorsement No. 1 - Amendment of Deductible", "heading"),
]


def test_an_endorsement_that_changes_the_clause_by_its_number_is_followed() -> None:
    change = "The amount of the deductible stated in Section 3.2 is amended to read $20,000."
    answer = read(asked("How much is the deductible for each loss?", "amount"), [*BODY, change])
    assert answer.value_number == 20_000
    assert [span.quote for span in answer.evidence] == [change, BODY[0][0]]
    assert "endorsement is followed" in answer.caveats[0]


@pytest.mark.parametrize(
    "change",
    [
        "The amount of the deductible stated in Section 7.6 is amended to read $20,000.",
        "The deductible for theft of livestock is amended to read $20,000.",
        "The limit of liability is amended to read $20,000.",
    ],
)
def test_an_endorsement_that_changes_something_else_is_not_followed(change: str) -> None:
    question = asked("How much is the deductible for each loss?", "amount")
    assert read(question, [*BODY, change]).value_number == 10_000


def test_the_company_that_has_a_policy_signed_is_the_insurer_and_no_name() -> None:
    lines = [
        "In witness whereof the Company has caused this Policy to be signed on 06/28/2025 by James",
        "Tully, its authorised representative.",
    ]
    question = asked("Who signed the policy on behalf of the insurer?", "name")
    answer = read(question, [*COVER, "", *lines])
    assert (answer.value_text, answer.complete_answer_found) == ("James Tully", True)


def test_a_row_that_names_something_else_is_no_complete_answer() -> None:
    lines: list[Printed] = [
        ("Limits of liability by coverage part, each claim", "heading"),
        ("Coverage Part  Limit  Deductible", "table_row"),
        ("Loss of Documents  USD 710,000  USD 11,000", "table_row"),
    ]
    question = asked("What is the limit of liability for each claim?", "amount")
    assert not read(question, lines).complete_answer_found
