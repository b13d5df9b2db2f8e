"""Quotes stand in the lines or they do not: numeric-safe, and nothing cut off."""

import polars as pl
import pytest

from tests.unit.generation.lines import make_lines
from transforms.generation import find_quote
from transforms.generation.matching import Match, QuoteFinder

LONG = "The insurer shall pay for loss or damage caused by fire within {} of it"


def kind(quote: str, *texts: str) -> str | None:
    match = find_quote(make_lines(*texts), quote)
    return match.match_kind if match else None


@pytest.mark.parametrize(
    "printed",
    [
        "11,250", "1,250,000", "-1,250", "−1,250", "–1,250", "+1,250", "<1,250", "≥1,250",
        "(1,250)", "( 1,250 )", "$(1,250)", "$1,250", "$ 1,250", "€1,250", "1,250 €", "1,250€",
        "1,250%", "1,250 %", "1,250.50", "1,250-2", "x1,250", "1,250x", "1,250½", "1,250²",
        "1 1,250.5", "7/1,250/2", "1,250-", "≤ 1,250", "> 1,250", "1,250- %", "0.1,250",
    ],
)  # fmt: skip
def test_a_number_is_never_cut_out_of_what_belongs_to_it(printed: str) -> None:
    assert kind("1,250", f"The limit is {printed} per claim") is None
    assert kind("1,250", f"The limit is {printed}") is None


@pytest.mark.parametrize(
    "text",
    [
        "The limit is 1,250 per claim", "a limit, 1,250, per claim", "The limit is 1,250.",
        "the limit (1,250 per claim)", "a limit — 1,250", "- 1,250 per claim", "limit: 1,250",
        '"1,250"', "row: 5 1,250 7", "a limit of 1,250; or less",
    ],
)  # fmt: skip
def test_a_whole_number_is_found(text: str) -> None:
    assert kind("1,250", text) == "exact"


@pytest.mark.parametrize(
    ("quote", "text"),
    [
        ("covered", "theft is not covered"),
        ("covered here", "theft is not  covered here"),
        ("covered", "theft is never covered"),
        ("covered", "recovered amounts"),
        ("cover", "coverage"),
        ("covered loss", "any non-covered loss"),
        ("insured", "the self-insured"),
        ("sation", "the compen-\nsation"),
        ("est couvert", "il n'est couvert"),
        ("la garantie ne couvre", "la garantie ne couvre pas le vol"),
        ("Der Schaden ist", "Der Schaden ist nicht gedeckt"),
        ("the insurer shall", "the insurer shall not pay"),
        ("the insurer does", "the insurer doesn't pay"),
        ("written consent", "without written consent"),
        ("Section 7.2", "see Section 7.2.1"),
        ("5", "a 5-year term"),
        ("2019", "the years 2018-2019"),
        ("12/31", "on 12/31/2019"),
        ("250 000 euros", "1 250 000 euros"),
        ("1 250", "1 250 000 euros"),
        ("250", "1\u202f250 euros"),
    ],
)
def test_a_quote_that_leaves_out_what_changes_it_is_not_found(quote: str, text: str) -> None:
    assert kind(quote, *text.split("\n")) is None


@pytest.mark.parametrize(
    ("quote", "text"),
    [
        ("theft is not covered", "theft is not covered"),
        ("12345", "Policy No 12345"),
        ("Section 7.2", "see Section 7.2. It says"),
        ("30 days", "- 30 days"),
        ("insured", "the insured's property"),
        ("Net income $ 5,363", "row: Net income $ 5,363 $ 4,869"),
        ("Note 5 $ 10", "row: Note 5 $ 10 $ 15"),
        ("1.250 €", "row: 1.250 € 2.300 €"),
        ("2.300 €", "row: 1.250 € 2.300 €"),
        ("250", "row: 125 250 375"),
        ("- war", "Exclusions are\n- war\n- flood"),
        ("war - and peace", "war - and peace"),
        ("the amount is paid", "If not, the amount is paid"),
        ("Deductible amount 5", "Deductible\namount 5"),
    ],
)
def test_a_quote_that_stands_there_is_exact(quote: str, text: str) -> None:
    assert kind(quote, *text.split("\n")) == "exact"


@pytest.mark.parametrize(
    ("quote", "text"),
    [
        ("the compensation", "the compen-\nsation"),
        ("the compensation", "the com\u00adpensation"),
        ("the long-term debt", "the long-\nterm debt"),
        ('financial "loss"', "ﬁnancial “loss”"),
        ("the insured's own", "the insured’s own"),
        ("2018-2019", "2018–2019"),
        ("-5 %", "−5%"),
        ("Cash Flows", "Cash Flow s"),
        ("café", "cafe\u0301"),
        ("1 250 euros", "1\u00a0250euros"),
    ],
)
def test_a_quote_in_another_spelling_is_normalized(quote: str, text: str) -> None:
    assert kind(quote, *text.split("\n")) == "normalized"


@pytest.mark.parametrize(
    ("quote", "text"),
    [
        ("1020", "row: 10 20"),
        ("٣٤", "٣ ٤"),
        ("10 20", "the number 1020"),
        ("1,250", "clauses 1, 250"),
        ("1250", "the sum of 1,250"),
        ("1.250", "the sum of 1,250"),
        ("12 5", "the sum of 12.5"),
        ("it is notable", "it is not able"),
        ("it is not able", "it is notable"),
        ("loss of 5", "loss of (5)"),
        ("up to 5 of it", "up to 5% of it"),
        ("up to 5 of it", "up to $5 of it"),
        ("re-signed", "resigned"),
        ("resigned", "re-signed"),
        ("us", "US"),
        ("limit deductible", "limit and deductible"),
    ],
)
def test_folding_never_drops_what_counts(quote: str, text: str) -> None:
    assert kind(quote, text) is None


@pytest.mark.parametrize(
    ("quote", "expected"),
    [
        (LONG.format("thirty days").replace("damage", "damamge"), "fuzzy"),
        (LONG.format("thirty days").replace("or ", ""), "fuzzy"),
        (LONG.format("thirty days").replace("shall pay", "shall not pay"), None),
        (LONG.format("thirty days").replace("fire", "fire except arson"), None),
        (LONG.format("30 days"), None),
        ("Something that is said nowhere in the whole of the text", None),
    ],
)
def test_a_fuzzy_match_has_all_numbers_and_negations(quote: str, expected: str | None) -> None:
    assert kind(quote, "Cover.", LONG.format("thirty days"), "Limits.") == expected


def test_a_fuzzy_match_may_not_change_a_number() -> None:
    text = LONG.format("30 days or of $1,250 that was lost")
    assert kind(text.replace("damage", "damagge"), text) == "fuzzy"
    for digits in ("31 days", "3 days", "30 days 5"):
        assert kind(text.replace("30 days", digits), text) is None
    assert kind(text.replace("$1,250", "1,250").replace("damage", "damagge"), text) is None


def test_offsets_lead_back_to_the_characters() -> None:
    line_df = make_lines("Cover applies. The limit", "is $1,250 per claim.")
    match = find_quote(line_df, "The limit is $1,250")
    assert match is not None
    assert (match.page, match.line_start, match.line_end) == (1, 1, 2)
    assert (match.char_start, match.char_end) == (15, 9)
    assert match.quote == "The limit\nis $1,250"
    assert match.bboxes == ((72.0, 72.0, 500.0, 82.0), (72.0, 84.0, 500.0, 94.0))


def test_a_quote_over_a_page_break_skips_header_and_footer() -> None:
    line_df = pl.concat(
        [
            make_lines("header: Policy AB-1", "The insurer pays for loss", "footer: Page 1"),
            make_lines("header: Policy AB-1", "caused by fire.", page=2),
        ]
    )
    for page in (None, 1, 2):
        match = find_quote(line_df, "pays for loss caused by fire", page=page)
        assert match is not None
        assert match.pages == (1, 2)
        assert (match.quote, match.continued[0].quote) == ("pays for loss", "caused by fire")
        assert (match.continued[0].line_start, match.continued[0].char_end) == (2, 14)


def test_a_header_can_be_quoted() -> None:
    assert kind("Policy AB-1 The insurer", "header: Policy AB-1", "The insurer pays") == "exact"


def test_lines_that_do_not_follow_each_other_are_not_joined() -> None:
    line_df = make_lines("The insurer pays for", "nothing at all, save", "loss by fire.")
    gap_df = line_df.filter(pl.col("line") != 2)
    for gap in (" ", "\n\0\n", "\0"):
        assert find_quote(gap_df, f"pays for{gap}loss by fire") is None


def test_page_and_lines_choose_between_places() -> None:
    line_df = pl.concat([make_lines("limit 5", "x", "limit 5"), make_lines("limit 5", page=2)])

    def place(match: Match | None) -> tuple[int, int] | None:
        return (match.page, match.line_start) if match else None

    assert place(find_quote(line_df, "limit 5")) == (1, 1)
    assert place(find_quote(line_df, "limit 5", page=1, lines={3})) == (1, 3)
    assert place(find_quote(line_df, "limit 5", page=2)) == (2, 1)
    assert find_quote(line_df, "limit 5", page=3) is None
    assert find_quote(line_df, "limit 5", page=1, lines={2}) is None


def test_only_the_last_parse_of_a_page_counts() -> None:
    line_df = pl.concat([make_lines("limit 5"), make_lines("limit 6", page_version=2)])
    assert find_quote(line_df, "limit 5") is None
    match = find_quote(line_df, "limit 6")
    assert match is not None
    assert match.page_version == 2


def test_a_quote_without_letters_and_digits_is_nothing() -> None:
    assert kind("—", "a — b") is None
    assert kind("", "a — b") is None


def test_nothing_is_found_in_nothing() -> None:
    assert find_quote(make_lines(), "limit 5") is None


def test_a_finder_looks_at_the_page_asked_for_whatever_it_was_asked_before() -> None:
    printed = LONG.format("thirty days")
    line_df = pl.concat([make_lines("Nothing of it here.", page=1), make_lines(printed, page=2)])
    finder = QuoteFinder(line_df)
    quote = printed.replace("damage", "damagge")
    assert finder.find(quote, page=1) is None
    for page in (2, None, 2):
        match = finder.find(quote, page=page)
        assert match == find_quote(line_df, quote, page=page)
        assert match is not None
        assert (match.match_kind, match.page) == ("fuzzy", 2)
    assert finder.find(quote, page=1) is None
