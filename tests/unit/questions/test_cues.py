"""Each cue decides the case that it is there for, and no cue is dead."""

from typing import get_args

import pytest

from transforms.questions.cues import CUES, Field, decide
from transforms.questions.grammar.language import question_language
from transforms.questions.grammar.reading import Reading

# fmt: off
CASES: tuple[tuple[Field, str, str], ...] = (
    # field          cue                question
    ("intent",       "compare_verb",    "Compare the deductibles of both policies."),
    ("intent",       "comparative",     "Is the rent higher than in the old lease?"),
    ("intent",       "choice",          "Which site had the largest headcount?"),
    ("intent",       "side_by_side",    "What was the rent in each of the two leases?"),
    ("intent",       "change",          "Did operating costs rise between 2019 and 2020?"),
    ("intent",       "change_in",       "What is the change in net debt?"),
    ("intent",       "place",           "What does Article 12 say about appeals?"),
    ("intent",       "corpus",          "Which leases contain a break option?"),
    ("intent",       "tree",            "Give the hierarchy of controls."),
    ("intent",       "list_verb",       "List all holidays."),
    ("intent",       "fields",          "For each vehicle, show plate and value."),
    ("intent",       "breakdown",       "Show the fees by country."),
    ("intent",       "value_each",      "What was turnover in each of the past five years?"),
    ("intent",       "table_word",      "Show a breakdown of costs."),
    ("intent",       "several_shown",   "Give me the names of the directors."),
    ("intent",       "several_things",  "Which hazards are excluded?"),
    ("intent",       "several_persons", "Who are the trustees?"),
    ("intent",       "uncounted",       "What information must be disclosed?"),
    ("intent",       "must_give",       "What must a notice of claim contain?"),
    ("intent",       "all_that",        "Who sits on the audit committee?"),
    ("intent",       "explain_verb",    "Summarize the appeals process."),
    ("intent",       "overview",        "Give me an overview of the plan."),
    ("intent",       "document_says",   "What does the handbook recommend for travel?"),
    ("intent",       "fact",            "What is the annual fee?"),

    ("answer_shape", "side_by_side",    "What was the rent in each of the two leases?"),
    ("answer_shape", "comparison",      "Is the rent higher than in the old lease?"),
    ("answer_shape", "place",           "What does Section 3 say?"),
    ("answer_shape", "tree",            "Show the hierarchy of committees."),
    ("answer_shape", "inner_lists",     "List each committee with its members."),
    ("answer_shape", "fields",          "For each vehicle, show plate and value."),
    ("answer_shape", "table_word",      "Give the premiums in a table."),
    ("answer_shape", "value_each",      "What was turnover in each of the past five years?"),
    ("answer_shape", "breakdown",       "Show revenue by region."),
    ("answer_shape", "list_verb",       "Name all signatories."),
    ("answer_shape", "several_shown",   "Give me the reporting deadlines."),
    ("answer_shape", "several_things",  "What are the tenant's obligations?"),
    ("answer_shape", "several_persons", "Who are the members of the board?"),
    ("answer_shape", "uncounted",       "What equipment is provided?"),
    ("answer_shape", "must_give",       "What does the seller have to deliver?"),
    ("answer_shape", "all_that",        "What is not covered?"),
    ("answer_shape", "one_value",       "When does cover begin?"),

    ("answer_type",  "yes_no",          "Does the lease allow pets?"),
    ("answer_type",  "names_in_tree",   "Show the hierarchy of committees."),
    ("answer_type",  "prose",           "How is the bonus calculated?"),
    ("answer_type",  "place",           "What does Section 3 say?"),
    ("answer_type",  "who",             "Who signed the lease?"),
    ("answer_type",  "when",            "When does cover begin?"),
    ("answer_type",  "where_valid",     "Where does the warranty apply?"),
    ("answer_type",  "where",           "Where is the head office?"),
    ("answer_type",  "how_long",        "How long is the warranty?"),
    ("answer_type",  "how_many_percent", "By how many percent may the rent rise?"),
    ("answer_type",  "how_many_days",   "Within how many days must we reply?"),
    ("answer_type",  "how_many",        "How many vehicles are insured?"),
    ("answer_type",  "how_often",       "How often are audits held?"),
    ("answer_type",  "corpus",          "Which leases contain a break option?"),
    ("answer_type",  "refers_back",     "Which one is the oldest?"),
    ("answer_type",  "as_percentage",   "What is the excess as a percentage of the loss?"),
    ("answer_type",  "number_called",   "What number do I call for roadside help?"),
    ("answer_type",  "overview",        "Give an overview of the pension plan."),
    ("answer_type",  "spending",        "What does a season ticket cost?"),
    ("answer_type",  "share_paid",      "What interest is charged on arrears?"),
    ("answer_type",  "sum_over_time",   "What are the lease obligations by year?"),
    ("answer_type",  "code_number",     "What is the registration number?"),
    ("answer_type",  "measure",         "What is the speed limit on site?"),
    ("answer_type",  "symbol",          "What is n_layers?"),
    ("answer_type",  "kinds_of_sums",   "Which expenses are excluded?"),
    ("answer_type",  "kinds_of_things", "List the categories of customers."),
    ("answer_type",  "price_rate",      "What is the hourly rate?"),
    ("answer_type",  "date_noun",       "What is the closing date?"),
    ("answer_type",  "duration_noun",   "What is the notice period?"),
    ("answer_type",  "percent_noun",    "What is the tax rate?"),
    ("answer_type",  "amount_noun",     "What is the annual premium?"),
    ("answer_type",  "identifier_noun", "What is the email address of the office?"),
    ("answer_type",  "number_noun",     "What is the minimum age?"),
    ("answer_type",  "how_much",        "How much was set aside?"),
    ("answer_type",  "how_big",         "How large is the garden?"),
    ("answer_type",  "address_noun",    "What is the registered office?"),
    ("answer_type",  "best_of_all",     "Which hazard has the highest limit?"),
    ("answer_type",  "text_noun",       "What is the purpose of the fund?"),
    ("answer_type",  "name_noun",       "What is the governing law?"),
    ("answer_type",  "role_noun",       "Which adjuster handles the file?"),
    ("answer_type",  "broken_down",     "Show the movements by category."),
    ("answer_type",  "where_traded",    "Where are the notes quoted?"),
    ("answer_type",  "share_of",        "What part of the premium is refunded?"),
    ("answer_type",  "manner",          "In what form must consent be given?"),
    ("answer_type",  "purpose",         "What is the levy used for?"),
    ("answer_type",  "outstanding",     "What is days payable outstanding?"),
    ("answer_type",  "compared_things", "Compare the two plans."),
    ("answer_type",  "meaning",         "What is a protocol?"),
    ("answer_type",  "worth",           "What is the value of the collateral?"),
    ("answer_type",  "which_numbered",   "Which version is binding?"),
    ("answer_type",  "described",        "What is the policy on gifts?"),
    ("answer_type",  "bound_to",         "What is the tenant obliged to do?"),
    ("answer_type",  "name_verb",        "Name the gods of the myth."),
    ("answer_type",  "which_one",       "Which hobby is excluded?"),
    ("answer_type",  "quantified",      "What is the maximum aid intensity?"),
    ("answer_type",  "prose_by_default", "What is subrogation?"),
)
# fmt: on


@pytest.mark.parametrize(("field", "cue", "question"), CASES)
def test_the_cue_decides_its_case(field: Field, cue: str, question: str) -> None:
    reading = Reading(text=question, language=question_language(question))
    assert decide(field, reading)[1] == f"{field}={cue}"


def test_every_cue_has_a_case() -> None:
    assert {(cue.field, cue.name) for cue in CUES} == {case[:2] for case in CASES}


def test_cue_names_are_unique_within_a_field() -> None:
    names = [(cue.field, cue.name) for cue in CUES]
    assert len(names) == len(set(names))


@pytest.mark.parametrize("field", get_args(Field))
def test_the_last_cue_of_a_field_matches_whatever_is_asked(field: Field) -> None:
    last = [cue for cue in CUES if cue.field == field][-1]
    assert last.when(Reading(text="", language="en"))
