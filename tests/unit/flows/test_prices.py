"""What calls cost, to the billionth of a dollar."""

from datetime import UTC, datetime
from decimal import Decimal

import pytest

from flows.ledger.entries import Counts
from flows.prices import PriceList
from flows.settings import Price

AT = datetime(2026, 11, 30, tzinfo=UTC)
CACHED = Counts(prompt_tokens=262_960, cached_tokens=257_955, completion_tokens=1_000)
OWN = Price(input=Decimal("2.50"), cached_input=Decimal("0.25"), output=Decimal(10))


def test_cached_tokens_are_charged_once_at_the_cached_rate() -> None:
    # 5,005 fresh at 2.50, 257,955 cached at 0.25 and 1,000 completion at 10 per million
    expected = Decimal("0.012512500") + Decimal("0.064488750") + Decimal("0.010000000")
    cost = PriceList(overrides={"m": OWN}).cost("m", CACHED, at=AT)
    assert (cost.usd, cost.source) == (expected, "settings")


def test_published_prices_treat_cached_tokens_alike() -> None:
    # gpt-4.1: 2.00 fresh, 0.50 cached, 8.00 completion per million
    expected = Decimal(5_005 * 2 + 1_000 * 8) / 1_000_000 + Decimal(257_955) / 2_000_000
    cost = PriceList().cost("gpt-4.1", CACHED, at=AT)
    assert (cost.usd, cost.source) == (expected, "genai-prices")


def test_reasoning_tokens_are_part_of_the_completion() -> None:
    plain = Counts(prompt_tokens=10, completion_tokens=1_000)
    reasoned = Counts(prompt_tokens=10, completion_tokens=1_000, reasoning_tokens=900)
    prices = PriceList()
    assert prices.cost("o4-mini", plain, at=AT) == prices.cost("o4-mini", reasoned, at=AT)


def test_cached_tokens_cost_the_full_rate_when_no_cached_rate_is_given() -> None:
    price = Price(input=Decimal(1), output=Decimal(1))
    cost = PriceList(overrides={"m": price}).cost("m", CACHED, at=AT)
    assert cost.usd == Decimal(263_960) / 1_000_000


@pytest.mark.parametrize("model", ["gpt-4o-mini", "gpt-4.1", "gpt-5-mini"])
def test_a_batch_call_costs_half(model: str) -> None:
    counts = Counts(prompt_tokens=262_960, completion_tokens=1_000)
    live, batch = (PriceList().cost(model, counts, at=AT, is_batch=b).usd for b in (False, True))
    assert live is not None
    assert batch is not None
    assert batch * 2 == live


def test_a_batch_call_at_an_own_price_costs_half() -> None:
    counts = Counts(prompt_tokens=1_000_000)
    cost = PriceList(overrides={"m": OWN}).cost("m", counts, at=AT, is_batch=True)
    assert cost.usd == Decimal("1.25")


@pytest.mark.parametrize(
    ("model", "endpoint"),
    [
        ("my-own-model", "https://api.openai.com/v1"),
        ("gpt-4o", "http://127.0.0.1:8000/v1"),
    ],
)
def test_an_unknown_price_is_null_and_never_zero(model: str, endpoint: str) -> None:
    cost = PriceList(endpoint=endpoint).cost(model, CACHED, at=AT)
    assert (cost.usd, cost.source) == (None, None)


def test_an_own_price_goes_before_a_published_one() -> None:
    free = Price(input=Decimal(0), output=Decimal(0))
    assert PriceList(overrides={"gpt-4o": free}).cost("gpt-4o", CACHED, at=AT).usd == 0
