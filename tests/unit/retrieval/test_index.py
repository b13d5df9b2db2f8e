"""Postings of lines."""

from tests.unit.retrieval.corpora import lines
from transforms.retrieval import index_lines
from transforms.tables import TermPosting


def test_a_line_gives_its_terms_with_their_counts() -> None:
    term_df = index_lines(lines("d1", ["Premium and premiums of Section 5.4"]), language="en")
    assert dict(term_df.select("term", "tf").iter_rows()) == {"premium": 2, "section": 1, "5.4": 1}


def test_a_word_broken_at_the_end_of_a_line_counts_where_it_begins() -> None:
    term_df = index_lines(lines("d1", ["the reimburse-", "ment is paid"]), language="en")
    assert ("reimburs", 1) in list(term_df.select("term", "line").iter_rows())


def test_a_hyphen_that_belongs_to_its_word_leaves_the_first_part_a_word() -> None:
    term_df = index_lines(lines("d1", ["not a price-", "determining event"]), language="en")
    found = set(term_df.filter(line=1)["term"])
    assert {"price", "pricedetermin"} <= found


def test_postings_are_a_valid_table_sorted_by_term() -> None:
    term_df = index_lines(lines("d1", ["zebra apple", "apple"]), language="en")
    assert TermPosting.checked(term_df).height == 3
    assert term_df["term"].is_sorted()
