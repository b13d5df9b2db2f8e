"""Rate limits: what an endpoint says about its limits is kept to, and storms are sat out."""

import asyncio
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from flows.engines.gate import Gate, duration_s
from flows.engines.slots import Slots
from flows.ledger import Ledger
from tests.e2e.endpoint import Act, Endpoint
from tests.e2e.endpoint_acts import rate_limited
from tests.e2e.engine_tasks import ask, different_tasks, settings_for, task


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
    assert ledger.all_calls().filter(outcome="rate_limited")["cost_usd"].sum() == 0


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


def test_engines_of_several_threads_share_the_slots_of_the_process(
    endpoint: Endpoint, tmp_path: Path
) -> None:
    endpoint.play(*[Act(hang_s=0.05)] * 24)
    tasks = different_tasks(24)

    def answer(number: int) -> int:
        ledger = Ledger.open(tmp_path / "ledger.sqlite")
        settings = settings_for(endpoint, concurrency=3)
        generated = ask(settings, ledger, tasks[number::4])
        ledger.close()
        return sum(each.answer.answer_found for each in generated)

    with ThreadPoolExecutor(4) as pool:
        assert sum(pool.map(answer, range(4))) == 24
    assert endpoint.most_in_flight <= 3


def test_a_caller_that_gives_up_waiting_leaves_its_slot_to_the_next() -> None:
    async def run() -> list[str]:
        slots = Slots(1)
        log: list[str] = []

        async def hold(name: str, seconds: float) -> None:
            async with slots:
                log.append(name)
                await asyncio.sleep(seconds)

        first = asyncio.create_task(hold("first", 0.05))
        await asyncio.sleep(0)
        second, third = (asyncio.create_task(hold(name, 0)) for name in ("second", "third"))
        await asyncio.sleep(0)
        second.cancel()
        await asyncio.gather(first, second, third, return_exceptions=True)
        return log

    assert asyncio.run(run()) == ["first", "third"]
