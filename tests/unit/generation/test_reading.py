"""The offline reader: what it answers from a few lines, and what it leaves unanswered."""

from collections.abc import Sequence

import polars as pl
import pytest

from tests.unit.generation.readings import Printed, asked, read, window
from transforms.generation import read_offline, validate_answer
from transforms.generation.reading.answers import plain
from transforms.values import AnswerType

PERIOD = ["This insurance takes effect on January 1, 2026 and expires on", "January 1, 2027."]
LIMITS = [
    "The limit of liability is $1,000,000 each occurrence and $2,000,000 in the aggregate.",
    "",
    "A deductible of $5,000 applies to each and every loss. Annual premium: $12,345.67.",
]
TABLE: list[Printed] = [
    ("3.2 Limits by Coverage Part", "heading"),
    ("Coverage Part  Limit  Deductible", "table_row"),
    ("Buildings  USD 500,000  USD 2,500", "table_row"),
    ("Stock and Contents  USD 90,000  USD 7,500", "table_row"),
    "",
    "Cover ends with the policy period.",
]
DECLARATIONS: list[Printed] = [
    ("SCHEDULE", "heading"),
    ("Policy No.  HB-2026-0042", "table_row"),
    ("Named Insured  Bramley Foods Inc.", "table_row"),
    ("Mailing Address  12 Mill Lane, Portland, ME 04101", "table_row"),
    ("Insurer  Harbour Mutual Insurance Company", "table_row"),
    ("Producer  Finch & Marlow", "table_row"),
    ("Policy Period  From 02/15/2025 to 02/15/2026", "table_row"),
    ("Number of employees  eleven (11)", "table_row"),
]
CONTRACT = [
    "THIS AGREEMENT is made and entered into as of March 1, 2015 by and between Acme Widgets,",
    "Inc., a Delaware corporation (“Acme”), and Zenith Tools LLC, a limited liability company",
    "having its office in Ohio (“Zenith”).",
    "",
    "This Agreement shall remain in effect for a period of two (2) years from its date and shall",
    "be automatically renewed for successive one (1) year terms unless either party gives at least",
    "sixty (60) days prior written notice.",
    "",
    "This Agreement shall be governed by the laws of the State of New York.",
]

AGREEMENT_DATE = "What is the date of this contract (agreement date)?"
LETTER = [
    "May 4, 2011",
    "",
    "Dear Sirs, we refer to that certain Stock Purchase Agreement dated as of June 1, 2009.",
]
REFERENCED = [
    "THIS AGREEMENT dated for reference the 5th day of December 2008 is made by Acme Inc.",
    "",
    "Acme has signed the Supply Agreement dated December 1, 2008 (the “Effective Date”).",
]
SIGNED: list[Printed] = [
    "The parties have executed this agreement by their officers.",
    "",
    ("Date: June 25, 2009  Date: June 29, 2009", "table_row"),
]
BALANCE: list[Printed] = [
    ("(in thousands, except share data)", "body"),
    "",
    ("As of December 31  2017  2016", "table_row"),
    ("Total current assets  7,669,974  5,720,291", "table_row"),
    ("Total current liabilities  5,466,312  4,586,657", "table_row"),
    ("Total liabilities  15,430,786  10,906,810", "table_row"),
]

VALUES: list[tuple[str, AnswerType, Sequence[Printed], object]] = [
    (AGREEMENT_DATE, "date", LETTER, "2011-05-04"),
    (AGREEMENT_DATE, "date", REFERENCED, "2008-12-05"),
    (AGREEMENT_DATE, "date", SIGNED, "2009-06-29"),
    ("What is the effective date of the policy?", "date", PERIOD, "2026-01-01"),
    ("When does the policy expire?", "date", PERIOD, "2027-01-01"),
    ("What is the effective date of the policy?", "date", DECLARATIONS, "2025-02-15"),
    ("What is the expiration date of the policy?", "date", DECLARATIONS, "2026-02-15"),
    ("What is the limit per occurrence?", "amount", LIMITS, 1_000_000),
    ("What is the aggregate limit?", "amount", LIMITS, 2_000_000),
    ("What is the deductible for each loss?", "amount", LIMITS, 5_000),
    ("What is the annual premium?", "amount", LIMITS, 12_345.67),
    ("What is the limit for Buildings?", "amount", TABLE, 500_000),
    ("What is the deductible for Stock and Contents?", "amount", TABLE, 7_500),
    ("How many employees does the insured have?", "number", DECLARATIONS, 11),
    ("What is the date of this contract (agreement date)?", "date", CONTRACT, "2015-03-01"),
    ("What is the term (duration) of this agreement?", "duration", CONTRACT, 2),
    ("What is the renewal term?", "duration", CONTRACT, 1),
    ("What is the notice period required to terminate renewal?", "duration", CONTRACT, 60),
]
TEXTS: list[tuple[str, AnswerType, Sequence[Printed], str]] = [
    ("What is the policy number?", "identifier", DECLARATIONS, "HB-2026-0042"),
    ("Who is the named insured?", "name", DECLARATIONS, "Bramley Foods Inc."),
    ("Who is the insurer?", "name", DECLARATIONS, "Harbour Mutual Insurance Company"),
    ("Which broker placed the policy?", "name", DECLARATIONS, "Finch & Marlow"),
    (
        "What is the mailing address of the insured?",
        "address",
        DECLARATIONS,
        "12 Mill Lane, Portland, ME 04101",
    ),
    ("Under which state's law is this agreement governed?", "name", CONTRACT, "New York"),
    ("Which coverage part has the highest limit?", "name", TABLE, "Buildings"),
    (
        "To which address must notice of claims be sent?",
        "address",
        ["Notice of claims shall be sent to Harbour Mutual, 9 Canal Street, Duluth, MN 55802."],
        "9 Canal Street, Duluth, MN 55802",
    ),
]
YES_NO: list[tuple[str, Sequence[Printed], bool]] = [
    ("Is earthquake covered?", ["Loss caused by earthquake is covered."], True),
    ("Is earthquake covered?", ["We do not cover loss caused by earthquake."], False),
    ("Is earthquake excluded?", ["Loss caused by earthquake is excluded."], True),
    (
        "Is flood covered?",
        [("Exclusions", "heading"), "We pay nothing for:", "(a) flood;", "(b) war."],
        False,
    ),
    ("Is the limit for Buildings higher than the limit for Stock and Contents?", TABLE, True),
    ("Is the deductible for Buildings higher than that for Stock and Contents?", TABLE, False),
]
UNANSWERABLE: list[tuple[str, AnswerType, Sequence[Printed]]] = [
    ("What is the sublimit for volcanic eruption?", "amount", LIMITS),
    ("Is earthquake covered?", "boolean", LIMITS),
    ("Who is the appointed loss adjuster?", "name", DECLARATIONS),
    ("What is the rate of profit commission?", "percent", ["A tax of 2.5% is charged."]),
    ("When was the last survey of the premises carried out?", "date", PERIOD),
    ("What is the grace period?", "duration", CONTRACT),
    (
        "On what date will the contract's initial term expire?",
        "date",
        ["The term of exclusivity for this area shall expire on October 29, 2005."],
    ),
]


@pytest.mark.parametrize(("question", "answer_type", "lines", "value"), VALUES)
def test_the_value_asked_for_is_chosen_among_its_neighbours(
    question: str, answer_type: AnswerType, lines: Sequence[Printed], value: object
) -> None:
    answer = read(asked(question, answer_type), lines)
    found = str(answer.value_date) if answer_type == "date" else answer.value_number
    assert found == value


@pytest.mark.parametrize(("question", "answer_type", "lines", "text"), TEXTS)
def test_names_and_codes_stand_behind_their_label_or_role(
    question: str, answer_type: AnswerType, lines: Sequence[Printed], text: str
) -> None:
    assert read(asked(question, answer_type), lines).value_text == text


@pytest.mark.parametrize(("question", "lines", "is_so"), YES_NO)
def test_yes_or_no_follows_the_polarity_of_the_text(
    question: str, lines: Sequence[Printed], is_so: bool
) -> None:
    assert read(asked(question, "boolean"), lines).value_bool is is_so


@pytest.mark.parametrize(("question", "answer_type", "lines"), UNANSWERABLE)
def test_what_the_text_does_not_say_is_not_found(
    question: str, answer_type: AnswerType, lines: Sequence[Printed]
) -> None:
    assert not read(asked(question, answer_type), lines).answer_found


def test_an_exception_is_a_caveat_of_a_yes() -> None:
    lines = ["Loss caused by theft is covered unless the premises were left unlocked."]
    answer = read(asked("Is theft covered?", "boolean"), lines)
    assert answer.value_bool is True
    assert "unless the premises were left unlocked" in answer.caveats[0]


def test_a_sentence_over_two_lines_is_quoted_whole() -> None:
    answer = read(asked("When does the policy expire?", "date"), PERIOD)
    (span,) = answer.evidence
    assert (span.line_start, span.line_end) == (1, 2)


def test_an_endorsement_is_followed_and_the_body_kept() -> None:
    lines: list[Printed] = [
        "The deductible is $5,000 for each and every loss.",
        "",
        ("Endorsement No. 1 - Amendment of Deductible", "heading"),
        "The deductible for each and every loss is amended to read $10,000.",
    ]
    answer = read(asked("What is the deductible for each and every loss?", "amount"), lines)
    assert answer.value_number == 10_000
    assert "endorsement is followed" in answer.caveats[0]
    assert len(answer.evidence) == 2


def test_parties_are_named_without_their_description() -> None:
    answer = read(asked("Who are the parties to this agreement?", "name", "listing"), CONTRACT)
    assert [item.value for item in answer.items] == ["Acme Widgets, Inc.", "Zenith Tools LLC"]


def test_list_items_stand_below_what_introduces_them_and_end_with_the_list() -> None:
    lines: list[Printed] = [
        ("Exclusions", "heading"),
        "We do not pay for:",
        ("(a) war or civil", "list_item"),
        "commotion;",
        ("(b) wear and tear; or", "list_item"),
        ("(c) confiscation.", "list_item"),
        "",
        "All other terms remain.",
    ]
    answer = read(asked("List all exclusions.", "text", "listing"), lines)
    values = [item.value for item in answer.items]
    assert values == ["war or civil commotion", "wear and tear", "confiscation"]
    assert answer.complete_answer_found


def test_a_series_in_running_text_is_a_list() -> None:
    lines = ["The insured perils are: fire, theft, flood and hail."]
    answer = read(asked("Which perils are insured?", "text", "listing"), lines)
    assert [item.value for item in answer.items] == ["fire", "theft", "flood", "hail"]


def test_numbered_headings_are_a_list() -> None:
    lines: list[Printed] = [
        ("ENDORSEMENT NO. 1 - LOSS PAYEE", "heading"),
        "Loss is payable to the lender.",
        ("ENDORSEMENT NO. 2 - ASBESTOS EXCLUSION", "heading"),
        "Asbestos is not insured.",
    ]
    answer = read(asked("Which endorsements are attached?", "name", "listing"), lines)
    assert [item.value for item in answer.items] == ["LOSS PAYEE", "ASBESTOS EXCLUSION"]


def test_rows_of_a_table_are_items_with_their_label() -> None:
    question = asked("Give me the limits by coverage part.", "amount", "table")
    values = [item.value for item in read(question, TABLE).items]
    assert values == ["Buildings: USD 500,000", "Stock and Contents: USD 90,000"]


def test_a_definition_is_the_sentence_that_gives_the_meaning() -> None:
    lines = [
        "An Occurrence must be reported at once.",
        "",
        "“Occurrence” means an accident, including repeated exposure to the same conditions.",
    ]
    answer = read(asked("What does “Occurrence” mean?"), lines)
    assert answer.value_text is not None
    assert answer.value_text.startswith("“Occurrence” means an accident")


def test_a_section_is_returned_up_to_the_next_heading() -> None:
    lines: list[Printed] = [
        ("4.1 Premium", "heading"),
        "The premium is due at inception.",
        ("4.2 Cancellation", "heading"),
        "Either party may cancel on notice.",
        ("4.3 Fraud", "heading"),
        "Fraud ends cover.",
    ]
    question = asked("What does Section 4.2 say?").model_copy(
        update={"intent": "section_retrieval", "section_hint": "Section 4.2"}
    )
    assert read(question, lines).value_text == "Either party may cancel on notice."


def test_parts_are_answered_each() -> None:
    question = asked("What are the premium and the policy number?").model_copy(
        update={
            "decomposition": "independent",
            "parts": (
                asked("What is the annual premium?", "amount"),
                asked("What is the sublimit for volcanic eruption?", "amount"),
            ),
        }
    )
    answer = read_offline(question, (window(LIMITS),))
    assert [part.answer_found for part in answer.parts] == [True, False]
    assert answer.answer_found
    assert not answer.complete_answer_found


def test_two_policy_years_are_compared_with_both_quotes() -> None:
    question = asked("How did the annual premium change?", "amount").model_copy(
        update={"intent": "comparison", "decomposition": "unified"}
    )
    windows = (
        window(["The annual premium is $1,000."], doc_id="a" * 16),
        window(["The annual premium is $1,250."], doc_id="b" * 16, rank=2),
    )
    answer = validate_answer(read_offline(question, windows), question, windows).answer
    assert answer.value_text is not None
    assert "difference +250" in answer.value_text
    assert {span.doc_id for span in answer.evidence} == {"a" * 16, "b" * 16}


@pytest.mark.parametrize(
    ("question", "keywords", "number"),
    [
        ("What are Acme's total current liabilities for FY2017?",
         ("Acme", "FY2017", "total", "current", "liabilities"), 5_466_312_000),
        ("What were total liabilities in 2016?", ("total", "liabilities", "2016"), 10_906_810_000),
        ("What were total liabilities in 2015?", ("total", "liabilities", "2015"), None),
        ("What are total deferred liabilities for FY2017?",
         ("total", "deferred", "liabilities", "FY2017"), None),
    ],
)  # fmt: skip
def test_a_statement_is_looked_up_by_row_and_year_and_scaled_by_its_caption(
    question: str, keywords: tuple[str, ...], number: float | None
) -> None:
    question_asked = asked(question, "amount").model_copy(update={"keywords": keywords})
    assert read(question_asked, BALANCE).value_number == number


def test_the_date_of_a_contract_is_looked_for_where_it_begins() -> None:
    question = asked(AGREEMENT_DATE, "date")
    near = window(["Nothing of the kind."])
    far = near.model_copy(update={"line_df": near.line_df.with_columns(page=pl.lit(7))})
    assert read_offline(question, (far,)).pending_references == ("first page",)
    assert read_offline(question, (near,)).pending_references == ()


def test_who_owns_what_between_the_parties_is_no_list_of_parties() -> None:
    question = (
        "Is there any clause providing for joint ownership between the parties to the contract?"
    )
    assert not read(asked(question, "boolean"), CONTRACT).answer_found


def test_a_reference_to_another_place_is_reported() -> None:
    lines = ["The deductible for flood is shown in Table 3."]
    answer = read(asked("What is the deductible for flood?", "amount"), lines)
    assert not answer.answer_found
    assert answer.pending_references == ("Table 3",)


def test_other_words_are_suggested_when_nothing_is_found() -> None:
    answer = read(asked("Which broker placed the policy?", "name"), ["Nothing of the kind."])
    assert "intermediary" in answer.llm_discovered_keywords
    assert not {"courtier", "makler"} & set(answer.llm_discovered_keywords)


def test_suggested_words_are_in_the_language_of_the_text() -> None:
    lines = ["Die Versicherung gilt für das Jahr und nicht für die Zeit, die davor liegt."]
    answer = read(asked("Wer ist der Makler?", "name", language="de"), lines)
    assert "vermittler" in answer.llm_discovered_keywords
    assert not {"broker", "courtier"} & set(answer.llm_discovered_keywords)


@pytest.mark.parametrize("text", ["", "\x01\x02\ufffd\ufffd\x03\x04\ufffd\ufffd\x05"])
def test_pages_that_cannot_be_read_are_reported(text: str) -> None:
    answer = read_offline(
        asked("What is the premium?", "amount"), (window([text] if text else []),)
    )
    assert not answer.context_structured
    assert answer.unstructured_pages == (1,)


@pytest.mark.parametrize(
    ("language", "question", "line", "number"),
    [
        ("fr", "Quel est le montant de la franchise ?", "La franchise est de 1 500,00 EUR.", 1500),
        ("de", "Wie hoch ist die Selbstbeteiligung?", "Die Selbstbeteiligung ist EUR 2.000.", 2000),
        ("es", "¿Cuál es la franquicia?", "La franquicia es de 1.500 EUR.", 1500),
    ],
)
def test_other_languages_are_read_in_their_own_figures(
    language: str, question: str, line: str, number: float
) -> None:
    filler = {
        "fr": "Le présent contrat est soumis aux conditions qui suivent.",
        "de": "Die Versicherung gilt nach den folgenden Bedingungen für den Vertrag.",
        "es": "El presente contrato se rige por las condiciones que siguen para los asegurados.",
    }[language]
    answer = read(asked(question, "amount", language=language), [line, "", filler])
    assert answer.value_number == number


def test_the_front_page_is_followed_when_nothing_is_found() -> None:
    lines = ["The period of insurance is that stated in the Declarations."]
    answer = read(asked("Who is the insurer?", "name"), lines)
    assert answer.pending_references == ("Declarations",)


def test_a_value_is_not_compared_with_itself() -> None:
    lines = ["The deductible for flood and for theft is $7,000."]
    question = asked("Is the deductible for flood higher than the deductible for theft?", "boolean")
    assert not read(question, lines).answer_found


def test_an_answer_over_a_line_end_keeps_the_hyphens_that_belong_to_its_words() -> None:
    assert plain("reinsurance capabili\u00ad\nties and a price-\ndetermining\nevent") == (
        "reinsurance capabilities and a price-determining event"
    )
