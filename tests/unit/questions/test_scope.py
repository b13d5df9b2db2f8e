"""Which documents of a corpus a question names."""

from datetime import date

import polars as pl
import pytest

from transforms.questions import (
    Vocabulary,
    document_sides,
    narrow_documents,
    parse_question,
)

DOCUMENTS = pl.DataFrame(
    [
        ("d1", "ACME_2021_10K.pdf", "Acme Corp annual report", "P-1001", "2021"),
        ("d2", "ACME_2022_10K.pdf", "Acme Corp annual report", "P-1002", "2022"),
        ("d3", "globex-policy.pdf", "Globex property policy", "HO-2023-0042", "2022"),
        ("d4", "initechsystems.pdf", None, None, None),
    ],
    schema=["doc_id", "file_name", "title", "policy_number", "year"],
    orient="row",
)


@pytest.mark.parametrize(
    ("text", "doc_ids"),
    [
        ("What was Acme's revenue?", ["d1", "d2"]),
        ("What was Acme's revenue in FY2022?", ["d2"]),
        ("What was Acme's revenue in FY21?", ["d1"]),
        ("What is the limit of policy HO-2023-0042?", ["d3"]),
        ("What does globex-policy.pdf say about hail?", ["d3"]),
        ("Which contracts of Globex and Initech Systems renew?", ["d3", "d4"]),
        ("What does Globex Holdings own?", ["d3"]),
        ("What does Holdings own?", ["d1", "d2", "d3", "d4"]),
        ("Which policies began in 2022?", ["d2", "d3"]),
        ("What was Acme's revenue in 1999?", ["d1", "d2"]),
        ("What is the annual premium?", ["d1", "d2", "d3", "d4"]),
        ("What does Umbrella insure?", ["d1", "d2", "d3", "d4"]),
    ],
)
def test_names_and_years_choose_documents(text: str, doc_ids: list[str]) -> None:
    question = parse_question(text, vocabulary=Vocabulary())
    assert narrow_documents(question, DOCUMENTS)[0] == doc_ids


def test_the_reason_says_in_words_what_matched() -> None:
    question = parse_question("What was Acme's revenue in FY2022?", vocabulary=Vocabulary())
    reason = narrow_documents(question, DOCUMENTS)[1]
    assert reason == "1 of 4 documents: named Acme; year 2022"


def test_no_documents_are_no_trouble() -> None:
    question = parse_question("What was Acme's revenue?", vocabulary=Vocabulary())
    assert narrow_documents(question, DOCUMENTS.clear())[0] == []


YEARS = pl.DataFrame(
    [
        ("d1", "home-2022.pdf", "P-77", date(2022, 3, 1), date(2023, 3, 1)),
        ("d2", "home-2023.pdf", "P-77", date(2023, 3, 1), date(2024, 3, 1)),
    ],
    schema=["doc_id", "file_name", "policy_number", "period_start", "period_end"],
    orient="row",
)


@pytest.mark.parametrize(
    ("text", "sides"),
    [
        ("Is the premium of 2023 higher than that of 2022?", ("2022", "2023")),
        ("Is the premium higher than last year's?", ("last year", "2023")),
        ("Does the renewal have a lower limit than the expiring policy?", ("expiring", "renewal")),
        ("How does the deductible differ between the two years?", ("2022", "2023")),
    ],
)
def test_a_comparison_tells_which_part_of_it_a_document_stands_for(
    text: str, sides: tuple[str, str]
) -> None:
    question = parse_question(text, vocabulary=Vocabulary())
    assert document_sides(question, YEARS) == dict(zip(("d1", "d2"), sides, strict=True))


def test_names_in_a_comparison_are_its_sides() -> None:
    question = parse_question("Is Acme's revenue higher than Globex's?", vocabulary=Vocabulary())
    documents = DOCUMENTS.filter(pl.col("doc_id").is_in(["d2", "d3"]))
    assert document_sides(question, documents) == {"d2": "Acme", "d3": "Globex"}


def test_what_compares_nothing_has_no_sides() -> None:
    question = parse_question("What is the annual premium?", vocabulary=Vocabulary())
    assert document_sides(question, YEARS) == {}
