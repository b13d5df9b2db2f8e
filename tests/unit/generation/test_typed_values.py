"""What stands in a text as a typed value, and when two values mean the same."""

import pytest

from transforms.generation.amounts import find_scale
from transforms.generation.typed_values import find_values, is_same_value, parse_value
from transforms.values import AnswerType

DATES = [
    ("en", "effective January 1, 2026.", "2026-01-01"),
    ("en", "as of the 1st day of May, 2014", "2014-05-01"),
    ("en", "this twentieth day of May, 2014", "2014-05-20"),
    ("en", "September 4 , 2012", "2012-09-04"),
    ("en", "Sept. 4th, 2012", "2012-09-04"),
    ("en", "4 September 2012", "2012-09-04"),
    ("en", "01/02/2026", "2026-01-02"),
    ("en", "13/02/2026", "2026-02-13"),
    ("en", "2026-03-04", "2026-03-04"),
    ("en", "12/31/98", "1998-12-31"),
    ("fr", "le 1er janvier 2026", "2026-01-01"),
    ("fr", "01/02/2026", "2026-02-01"),
    ("fr", "15 août 2025", "2025-08-15"),
    ("de", "am 1. Januar 2026", "2026-01-01"),
    ("de", "31. März 2025", "2025-03-31"),
    ("de", "01.02.2026", "2026-02-01"),
    ("es", "1 de enero de 2026", "2026-01-01"),
]
AMOUNTS = [
    ("en", "a limit of $1.25 million", 1_250_000, "USD"),
    ("en", "USD 1,250,000", 1_250_000, "USD"),
    ("en", "USD1,000", 1_000, "USD"),
    ("en", "EUR 2.500,00", 2_500, "EUR"),
    ("en", "1 250 000 EUR", 1_250_000, "EUR"),
    ("en", "One Million Dollars", 1_000_000, "USD"),
    ("en", "£2bn", 2_000_000_000, "GBP"),
    ("en", "$(1,577)", -1_577, "USD"),
    ("en", "-$3", -3, "USD"),
    ("en", "Rs. 5,00,000", 500_000, "INR"),
    ("en", "capital expenditures (1,577)", -1_577, None),
    ("de", "2,5 Mio. EUR", 2_500_000, "EUR"),
    ("de", "EUR 1.000.000", 1_000_000, "EUR"),
    ("en", "$47.455.36", 47_455.36, "USD"),
    ("de", "CHF 1'250'000", 1_250_000, "CHF"),
    ("fr", "1 000 €", 1_000, "EUR"),
    ("fr", "une prime de 1\n500,00 EUR par an", 1_500, "EUR"),
    ("fr", "5\u00a0000\n000 €", 5_000_000, "EUR"),
    ("fr", "EUR 1\n500,00", 1_500, "EUR"),
    ("fr", "2 millions d'euros", 2_000_000, "EUR"),
]
DURATIONS = [
    ("en", "within thirty (30) days", 30, "day"),
    ("en", "thirty (30) calendar days", 30, "day"),
    ("en", "for two years", 2, "year"),
    ("en", "36 months", 36, "month"),
    ("en", "a one-year term", 1, "year"),
    ("en", "the third (3rd) anniversary", 3, "year"),
    ("de", "sechs Monate", 6, "month"),
    ("de", "zweiundvierzig Tage", 42, "day"),
    ("fr", "quatre-vingt-dix (90) jours", 90, "day"),
    ("es", "treinta y seis (36) meses", 36, "month"),
]
NUMBERS = [
    ("en", "1,250 employees", 1_250),
    ("de", "1.250 Mitarbeiter", 1_250),
    ("de", "0,250", 0.25),
    ("en", "forty-five thousand two hundred and ten", 45_210),
    ("en", "thirty (30) seats", 30),
    ("en", "paid 5.5 times", 5.5),
]
PERCENTS = [
    ("en", "a deductible of 12.5%", 12.5),
    ("en", "five percent (5%)", 5),
    ("en", "(3.2)%", -3.2),
    ("de", "12,5 %", 12.5),
    ("fr", "10 pour cent", 10),
]
NOT_THERE: list[tuple[AnswerType, str]] = [
    ("date", "you may 2 times"),
    ("date", "31 February 2026"),
    ("date", "version 1.2.3.4"),
    ("number", "one of them"),
    ("number", "12.5%"),
    ("percent", "12.5 days"),
    ("duration", "30 dayrooms"),
    ("name", "Acme Inc."),
]
IDENTIFIERS = [
    ("Policy No. POL-2026-0042.", "POL-2026-0042"),
    ("call 1-800-555-1212 now", "1-800-555-1212"),
    ("call +1 (555) 123-4567", "+1 (555) 123-4567"),
    ("write to claims.desk@acme-mutual.com.", "claims.desk@acme-mutual.com"),
]
PAIRS: list[tuple[AnswerType, str, str, bool]] = [
    ("date", "May 20, 2014", "2014-05-20", True),
    ("date", "May 20, 2014", "May 21, 2014", False),
    ("date", "May 2014", "May 21, 2014", True),
    ("amount", "$1,000,000", "USD 1 million", True),
    ("amount", "$1,000,000", "EUR 1,000,000", False),
    ("amount", "1577", "1,577", True),
    ("amount", "$1,577", "$(1,577)", False),
    ("duration", "12 months", "one year", True),
    ("duration", "two weeks", "14 days", True),
    ("duration", "30 days", "one month", False),
    ("percent", "5%", "five percent", True),
    ("boolean", "yes", "true", True),
    ("boolean", "yes", "no", False),
    ("name", "ACME, Inc.", "Acme Inc", True),
]


@pytest.mark.parametrize(("language", "text", "iso"), DATES)
def test_a_date_is_read_as_its_language_writes_it(language: str, text: str, iso: str) -> None:
    (value,) = find_values(text, "date", language)
    assert str(value.date) == iso
    assert text[value.start : value.end] == value.text


@pytest.mark.parametrize(("language", "text", "number", "currency"), AMOUNTS)
def test_an_amount_has_number_scale_and_currency(
    language: str, text: str, number: float, currency: str | None
) -> None:
    (value,) = find_values(text, "amount", language)
    assert (value.number, value.currency) == (number, currency)


@pytest.mark.parametrize(("language", "text", "number", "unit"), DURATIONS)
def test_a_duration_has_number_and_unit(language: str, text: str, number: float, unit: str) -> None:
    (value,) = find_values(text, "duration", language)
    assert (value.number, value.unit) == (number, unit)


@pytest.mark.parametrize(("language", "text", "number"), NUMBERS)
def test_a_number_is_read_in_digits_and_words(language: str, text: str, number: float) -> None:
    (value,) = find_values(text, "number", language)
    assert value.number == number


@pytest.mark.parametrize(("language", "text", "number"), PERCENTS)
def test_a_percent_is_read_once(language: str, text: str, number: float) -> None:
    (value,) = find_values(text, "percent", language)
    assert value.number == number


@pytest.mark.parametrize(("answer_type", "text"), NOT_THERE)
def test_what_is_no_value_of_the_type_is_not_found(answer_type: AnswerType, text: str) -> None:
    assert find_values(text, answer_type, "en") == []


@pytest.mark.parametrize(("text", "identifier"), IDENTIFIERS)
def test_an_identifier_is_found_whole(text: str, identifier: str) -> None:
    assert [value.text for value in find_values(text, "identifier", "en")] == [identifier]


@pytest.mark.parametrize(("answer_type", "left", "right", "is_same"), PAIRS)
def test_two_values_are_the_same_when_they_mean_the_same(
    answer_type: AnswerType, left: str, right: str, is_same: bool
) -> None:
    one, other = parse_value(left, answer_type, "en"), parse_value(right, answer_type, "en")
    assert one is not None
    assert other is not None
    assert is_same_value(one, other) is is_same


@pytest.mark.parametrize(
    ("caption", "scale"),
    [
        ("(In millions, except per share)", 1e6),
        ("(Dollars in thousands)", 1e3),
        ("(Millions)", 1e6),
        ("en milliers d'euros", 1e3),
        ("in Mio. EUR", 1e6),
        ("paid in full", None),
    ],
)
def test_a_caption_scales_the_numbers_below_it(caption: str, scale: float | None) -> None:
    assert find_scale(caption) == scale


def test_several_values_stand_in_the_order_of_the_text() -> None:
    text = "from January 1, 2026 to December 31, 2026"
    assert [str(value.date) for value in find_values(text, "date", "en")] == [
        "2026-01-01",
        "2026-12-31",
    ]
