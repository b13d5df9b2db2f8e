"""Question sets: what is checked, what a version is, and that text is data."""

from decimal import Decimal

import pytest

from transforms.errors import InputError
from transforms.questions import AskedQuestion, Vocabulary, each_question, question_frame
from transforms.tables import Question

ROW = {"question_id": "q1", "question": "What is the annual premium?"}


def asked(*rows: dict[str, object]) -> tuple[AskedQuestion, ...]:
    return tuple(each_question(rows, set_id="nightly", vocabulary=Vocabulary()))


def test_only_id_and_question_are_required() -> None:
    (question,) = asked({**ROW})
    assert (question.scope, question.k, question.documents) == ("document", None, ())
    assert question.parsed.answer_type == "amount"


def test_cells_are_read_as_what_their_columns_mean() -> None:
    (question,) = asked(
        {
            **ROW,
            "documents": "a.pdf, b*.pdf",
            "tags": "underwriting,  nightly ,",
            "k": "3",
            "budget_usd": "0.25",
            "scope": " group:policy_number ",
            "where": "insurer = 'Acme'",
            "answer_type": "number",
        }
    )
    assert question.documents == ("a.pdf", "b*.pdf")
    assert question.tags == ("underwriting", "nightly")
    assert (question.k, question.budget_usd) == (3, Decimal("0.25"))
    assert question.scope == "group:policy_number"
    assert question.where_sql == "insurer = 'Acme'"
    assert question.parsed.answer_type == "number"


@pytest.mark.parametrize(
    ("change", "column"),
    [
        ({"question_id": "  "}, "question_id"),
        ({"question": None}, "question"),
        ({"question": ["a", "b"]}, "question"),
        ({"question": "x" * 20_001}, "question"),
        ({"answer_type": "money"}, "answer_type"),
        ({"answer_shape": "graph"}, "answer_shape"),
        ({"scope": "everything"}, "scope"),
        ({"scope": "group:"}, "scope"),
        ({"k": "0"}, "k"),
        ({"k": "many"}, "k"),
        ({"budget_tokens": "-5"}, "budget_tokens"),
        ({"budget_usd": "nan"}, "budget_usd"),
        ({"budget_ms": "1.5"}, "budget_ms"),
        ({"colour": "red"}, "colour"),
    ],
)
def test_a_wrong_cell_is_named_by_row_and_column(change: dict[str, object], column: str) -> None:
    with pytest.raises(InputError, match=rf"row 2.*'{column}'") as caught:
        asked({**ROW}, {**ROW, "question_id": "q2", **change})
    assert caught.value.hint


def test_an_unknown_column_is_answered_with_the_known_ones() -> None:
    with pytest.raises(InputError) as caught:
        asked({**ROW, "colour": "red"})
    assert {"question_id", "answer_type", "scope", "tags"} <= set(
        str(caught.value.hint).replace(",", "").split()
    )


def test_an_id_used_twice_is_named_with_both_rows() -> None:
    with pytest.raises(InputError, match=r"row 3: question_id 'q1' was used in row 1"):
        asked({**ROW}, {**ROW, "question_id": "q2"}, {**ROW})


def test_an_empty_set_is_refused() -> None:
    with pytest.raises(InputError, match="no questions"):
        asked()


def test_the_version_is_the_content_of_the_row_whatever_file_it_came_from() -> None:
    from_csv, from_yaml, changed = (
        asked({**ROW, "k": k, "tags": tags})[0].question_version
        for k, tags in [("3", "a,b"), (3, ["a", "b"]), (4, "a,b")]
    )
    assert from_csv == from_yaml
    assert from_csv != changed


@pytest.mark.parametrize("text", ["=HYPERLINK(1)", "+1 covered?", "\x1b[31mred?", "a\nb?", "@SUM"])
def test_formulas_and_escape_sequences_are_kept_as_text(text: str) -> None:
    (question,) = asked({**ROW, "question": text})
    assert question.parsed.text == text


def test_whole_numbers_are_taken_as_ids() -> None:
    assert asked({**ROW, "question_id": 17})[0].question_id == "17"


def test_the_frame_has_one_checked_row_per_question() -> None:
    questions = asked(
        {**ROW}, {"question_id": "q2", "question": "Who is the insurer, and what is the fee?"}
    )
    question_df = Question.checked(question_frame(questions))
    assert question_df["question_id"].to_list() == ["q1", "q2"]
    assert question_df["sub_questions"].to_list() == [
        [],
        ["Who is the insurer", "what is the fee?"],
    ]
    assert question_df.schema == Question.polars_schema()
