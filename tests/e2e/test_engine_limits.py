"""Rate limits: what an endpoint says about its limits is kept to, and storms are sat out."""

import asyncio
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from flows.engines.gate import Gate, duration_s
from flows.ledger import Ledger
from tests.e2e.endpoint import Act, Endpoint
from tests.e2e.endpoint_acts import rate_limited
from tests.e2e.engine_tasks import ask, different_tasks, found, settings_for, task


@pytest.fixture
def ledger(tmp_path: Path) -> Iterator[Ledger]:
    ledger = Ledger.open(tmp_path / "ledger.sqlite")
    yield ledger
    ledger.close()


@pytest.fixture
def endpoint() -> Iterator[Endpoint]:
    with Endpoint(found) as endpoint:
        yield endpoint


@pytest.mark.parametrize(
    ("text", "seconds"),
    [("6m0s", 360), ("21ms", 0.021), ("1.5", 1.5), ("1h2m3s", 3_723), ("", 0), ("soon", 0)],
)
def test_durations_of_headers_are_read(text: str, seconds: float) -> None:
    assert duration_s(text) == pytest.approx(seconds)


def test_a_storm_of_rate_limits_loses_nothing(endpoint: Endpoint, ledger: Ledger) -> None:
    endpoint.play(*[rate_limited(0.01)] * 40)
    generated = ask(settings_for(endpoint, concurrency=16), ledger, different_tasks(30))
    assert [each.error for each in generated] == [None] * 30
    outcomes = dict(ledger.all_calls()["outcome"].value_counts().rows())
    assert outcomes == {"rate_limited": 40, "ok": 30}
    assert ledger.all_calls().filter(outcome="rate_limited")["cost_usd"].null_count() == 40


def test_one_rate_limit_stops_every_caller_until_it_is_over(
    endpoint: Endpoint, ledger: Ledger
) -> None:
    endpoint.play(rate_limited(0.6))
    started = time.monotonic()
    ask(settings_for(endpoint, concurrency=1), ledger, different_tasks(2))
    assert time.monotonic() - started > 0.6
    assert endpoint.n_requests == 3


def test_a_pause_holds_for_every_process_that_shares_the_ledger(tmp_path: Path) -> None:
    first, second = (Ledger.open(tmp_path / "ledger.sqlite") for _ in range(2))

    async def wait() -> float:
        Gate("e", 1, first).close_for(0.3)
        started = time.monotonic()
        async with Gate("e", 1, second).passage(1):
            return time.monotonic() - started

    assert asyncio.run(wait()) > 0.25
    first.close()
    second.close()


def test_an_endpoint_without_tokens_left_is_given_time(endpoint: Endpoint, ledger: Ledger) -> None:
    headers = {"x-ratelimit-remaining-tokens": "10", "x-ratelimit-reset-tokens": "400ms"}
    endpoint.play(Act(headers=headers))
    started = time.monotonic()
    ask(settings_for(endpoint, concurrency=1), ledger, different_tasks(2))
    assert time.monotonic() - started > 0.35


def test_an_endpoint_without_requests_left_is_given_time(
    endpoint: Endpoint, ledger: Ledger
) -> None:
    headers = {"x-ratelimit-remaining-requests": "0", "x-ratelimit-reset-requests": "0.4s"}
    endpoint.play(Act(headers=headers))
    started = time.monotonic()
    ask(settings_for(endpoint, concurrency=1), ledger, different_tasks(2))
    assert time.monotonic() - started > 0.35


def test_an_account_without_credit_is_not_asked_again(endpoint: Endpoint, ledger: Ledger) -> None:
    error = {"message": "You exceeded your current quota", "code": "insufficient_quota"}
    endpoint.play(Act(status=429, error=error))
    [generated] = ask(settings_for(endpoint), ledger, [task()])
    assert generated.error is not None
    assert "quota" in generated.error
    assert endpoint.n_requests == 1
