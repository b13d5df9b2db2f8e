"""Nearly the same is not enough where numbers, negations or labels are concerned."""

import pytest

from tests.unit.generation.lines import make_lines
from transforms.generation import find_quote
from transforms.generation.folding import Folded
from transforms.generation.likeness import is_like

TABLE = (
    "row: (in millions)  Employee Costs  Related Costs  Other Costs",
    "row: December 2,  December 3,  November 27,",
    "row: 2022  2021  2020",
    "row: Subscription revenue  $ 16,388  $ 14,573  $ 11,626",
    "row: Cost of revenue, net of rebates  (2,165)  \u2014  1,722",
)
RAW_ORDER = """\
(in millions)
Employee Costs
Related Costs
Other Costs
December 2,
2022
December 3,
2021
November 27,
2020
Subscription revenue
$ 16,388
$ 14,573
$ 11,626
Cost of revenue, net of rebates
(2,165)
1,722"""


def kind(quote: str) -> str | None:
    match = find_quote(make_lines(*TABLE), quote, page=1)
    return match.match_kind if match else None


def test_a_table_in_the_raw_order_of_its_file_is_fuzzy() -> None:
    assert kind(RAW_ORDER) == "fuzzy"


@pytest.mark.parametrize(
    ("printed", "changed"),
    [
        ("2022\nDecember 3,\n2021", "2021\nDecember 3,\n2022"),
        ("$ 14,573\n$ 11,626", "$ 11,626\n$ 14,573"),
        ("$ 14,573", "14,573"),
        ("(2,165)", "2,165"),
        ("(2,165)", "-2,165"),
        ("1,722", "1.722"),
        ("16,388", "16,389"),
        ("Subscription revenue", "Subscription revenue not"),
        ("net of rebates", "except rebates"),
    ],
)
def test_a_changed_table_is_not_found(printed: str, changed: str) -> None:
    assert printed in RAW_ORDER
    assert kind(RAW_ORDER.replace(printed, changed)) is None


def test_a_line_may_move_but_not_over_a_number() -> None:
    years = "For the years 2019 2018"
    title = "Statement of operations of the company and its subsidiaries, in dollars, as reported"
    rows = "Net sales 5 6 and cost of sales 7 8 and all of the other expenses in total 9 10"
    rows = "\n".join([rows] * 5)
    found = Folded(f"{years}\n{title}\n{rows}\n{title} once more\n{rows}\n{rows}")
    quote = Folded(f"{title}\n{years}\n{rows}\n{title} once more\n{rows}\n{rows}")
    assert is_like(found, quote)
    label = "Deductible of theft 3"
    found = Folded(f"{label} 5\nLimit 7\n{rows}\n{rows}\n{rows}\n{rows}\n{rows}\n{title}")
    quote = Folded(f"5\nLimit {label} 7\n{rows}\n{rows}\n{rows}\n{rows}\n{rows}\n{title}")
    assert not is_like(found, quote)


@pytest.mark.parametrize(
    ("found", "quote", "expected"),
    [
        ("Fixed Asset Total Costs 97 and 3", "Total Costs Fixed Asset 97 and 3", True),
        ("the deductible 5 the limit 7", "the limit 5 the deductible 7", False),
        ("A is covered and B is not, 5", "A is not covered and B is, 5", False),
        ("all of it except war and fire 5", "all war except of it and fire 5", False),
        (
            "the limit of the insured sum is five in all",
            "the limit of the insured sum is five in all",
            True,
        ),
        (
            "the limit of the insured sum is five in all",
            "the limit of the uninsured sum is five in all",
            False,
        ),
        (
            "an assigning Party may void the license in whole",
            "an non-assigning Party may void the license in whole",
            False,
        ),
        (
            "the limit of the insured sum is five million in all",
            "the limit of the insured sum is five billion in all",
            False,
        ),
        (
            "liability of the vendor is unlimited under this clause, save for theft and fire",
            "liability of the vendor is limited under this clause, save for theft and fire",
            False,
        ),
        (
            "the total change in percent of net sales (%) in all",
            "the total change in percent of net sales () in all",
            False,
        ),
    ],
)
def test_likeness_keeps_what_a_statement_says(found: str, quote: str, expected: bool) -> None:
    assert is_like(Folded(found), Folded(quote)) == expected
