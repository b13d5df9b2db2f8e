"""The openai-batch engine: nothing lost, nothing asked twice, whatever becomes of the jobs."""

import asyncio
from collections.abc import Sequence
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from flows.engines import make_engine
from flows.ledger import Ledger
from flows.settings import Settings
from tests.e2e.endpoint import BatchAct, Endpoint
from tests.e2e.engine_tasks import (
    ask,
    different_tasks,
    found,
    settings_for,
    task,
)
from transforms.values import Generated, GenerateTask


def batch_settings(endpoint: Endpoint, **changes: Any) -> Settings:
    quick = {"batch_gather_s": 0.05, "batch_poll_s": 0.02, "batch_deadline_s": 20}
    return settings_for(endpoint, engine="openai-batch", **(quick | changes))


def assert_all_right(generated: Sequence[Generated]) -> None:
    assert [each.error for each in generated] == [None] * len(generated)
    assert all(each.answer.answer_found for each in generated)


def test_first_steps_travel_in_one_job_at_half_the_price(
    endpoint: Endpoint, ledger: Ledger
) -> None:
    tasks = different_tasks(5)
    batched = ask(batch_settings(endpoint), ledger, tasks)
    assert_all_right(batched)
    assert endpoint.batches.n_lines == [5]
    assert endpoint.n_requests == 0
    live = ask(settings_for(endpoint), Ledger.open(":memory:"), tasks)
    for half, whole in zip(batched, live, strict=True):
        assert half.answer == whole.answer
        assert half.usage.cost_usd == (whole.usage.cost_usd or Decimal(0)) / 2
    assert set(ledger.all_calls()["engine"]) == {"openai-batch"}


def test_later_steps_and_corrections_are_asked_live(endpoint: Endpoint, ledger: Ledger) -> None:
    places = ({"iteration_number": 2}, {"step": 2}, {})
    tasks = [
        each.model_copy(update=place)
        for each, place in zip(different_tasks(3), places, strict=True)
    ]
    assert_all_right(ask(batch_settings(endpoint), ledger, tasks))
    assert endpoint.batches.n_lines == [1]
    assert endpoint.n_requests == 2


def test_identical_questions_are_one_line_and_ids_are_unique(
    endpoint: Endpoint, ledger: Ledger
) -> None:
    endpoint.batches.play(BatchAct(n_errors=2))
    tasks = [*different_tasks(3), *(task(f"twin{n}") for n in range(3))]
    generated = ask(batch_settings(endpoint), ledger, tasks)
    assert_all_right(generated)
    assert endpoint.batches.n_lines == [4, 2]
    assert len(set(endpoint.batches.custom_ids)) == 6
    assert sum(each.usage.n_calls_reused for each in generated) == 2


@pytest.mark.parametrize(
    ("act", "n_missing"),
    [
        (BatchAct(status="expired", n_answered=7), 3),
        (BatchAct(status="cancelled", n_answered=4), 6),
        (BatchAct(status="failed", n_answered=0), 10),
        (BatchAct(n_errors=2), 2),
        (BatchAct(n_answered=9), 1),
        (BatchAct(status="expired", n_answered=8, n_errors=3), 5),
    ],
)
def test_exactly_what_a_job_did_not_answer_is_sent_again(
    endpoint: Endpoint, ledger: Ledger, act: BatchAct, n_missing: int
) -> None:
    endpoint.batches.play(act)
    assert_all_right(ask(batch_settings(endpoint), ledger, different_tasks(10)))
    assert endpoint.batches.n_lines == [10, n_missing]
    assert endpoint.n_requests == 0
    assert set(endpoint.n_answered.values()) == {1}


def test_lines_that_stand_twice_are_billed_once(endpoint: Endpoint, ledger: Ledger) -> None:
    endpoint.batches.play(BatchAct(is_doubled=True))
    generated = ask(batch_settings(endpoint), ledger, different_tasks(4))
    assert_all_right(generated)
    assert ledger.all_calls().height == 4
    total = sum((each.usage.cost_usd or Decimal(0) for each in generated), Decimal(0))
    assert ledger.all_calls()["cost_usd"].sum() == total


def test_990_good_lines_and_10_errors_make_1000_answers(endpoint: Endpoint, ledger: Ledger) -> None:
    endpoint.batches.play(BatchAct(n_errors=10))
    assert_all_right(ask(batch_settings(endpoint), ledger, different_tasks(1_000)))
    assert endpoint.batches.n_lines == [1_000, 10]
    outcomes = ledger.all_calls()["outcome"].value_counts().rows()
    assert dict(outcomes) == {"ok": 1_000, "server_error": 10}


def test_an_endpoint_without_batches_is_asked_live(endpoint: Endpoint, ledger: Ledger) -> None:
    endpoint.batches.play(*[BatchAct(create_status=404)] * 9)
    assert_all_right(ask(batch_settings(endpoint), ledger, different_tasks(3)))
    assert endpoint.n_requests == 3


def test_a_schema_that_the_endpoint_refuses_is_asked_for_live_and_learned(ledger: Ledger) -> None:
    with Endpoint(found, levels=("json_object",)) as endpoint:
        settings = batch_settings(endpoint)
        assert_all_right(ask(settings, ledger, different_tasks(3)[:2]))
        n_live = endpoint.n_requests
        assert_all_right(ask(settings, ledger, different_tasks(3)[2:]))
        assert endpoint.batches.n_lines == [2, 1]
        assert endpoint.n_requests == n_live


def test_at_the_deadline_the_job_is_stopped_and_the_rest_is_asked_live(
    endpoint: Endpoint, ledger: Ledger
) -> None:
    endpoint.batches.play(BatchAct(status="in_progress", n_answered=3))
    settings = batch_settings(endpoint, batch_deadline_s=0.3)
    assert_all_right(ask(settings, ledger, different_tasks(5)))
    assert endpoint.n_requests == 2
    assert set(endpoint.n_answered.values()) == {1}


def test_a_job_survives_the_process_that_sent_it(endpoint: Endpoint, tmp_path: Path) -> None:
    endpoint.batches.play(BatchAct(n_polls=20))
    settings = batch_settings(endpoint)
    tasks = different_tasks(6)
    first = Ledger.open(tmp_path / "ledger.sqlite")
    stop_after(0.3, settings, first, tasks)
    first.close()
    second = Ledger.open(tmp_path / "ledger.sqlite")
    second.start_run("r1", "s", "h", tasks[0].called_at)
    assert second.close_interrupted("r1", at=tasks[0].called_at) == 0
    generated = ask(settings, second, tasks)
    second.close()
    assert_all_right(generated)
    assert endpoint.batches.n_lines == [6]
    assert {endpoint.n_answered[name] for name in endpoint.n_answered} == {1}
    assert sum(each.usage.n_calls for each in generated) == 6


def test_a_job_whose_id_never_came_is_found_by_its_token(
    endpoint: Endpoint, ledger: Ledger
) -> None:
    endpoint.batches.play(BatchAct(create_status=0))
    assert_all_right(ask(batch_settings(endpoint), ledger, different_tasks(3)))
    assert endpoint.batches.n_lines == [3]


def test_a_call_that_no_budget_allows_is_in_no_job(endpoint: Endpoint, ledger: Ledger) -> None:
    settings = batch_settings(endpoint, run_budget_tokens=5_000)
    generated = ask(settings, ledger, different_tasks(10))
    n_refused = sum(each.is_over_budget for each in generated)
    assert 0 < n_refused < 10
    assert endpoint.batches.n_lines == [10 - n_refused]


def stop_after(
    seconds: float, settings: Settings, ledger: Ledger, tasks: Sequence[GenerateTask]
) -> None:
    """Begin to answer and stop in the middle, as when the user interrupts."""

    async def run() -> None:
        engine = make_engine(settings, ledger)
        answers = [asyncio.create_task(engine.answer(each)) for each in tasks]
        await asyncio.sleep(seconds)
        for answer in answers:
            answer.cancel()
        await asyncio.gather(*answers, return_exceptions=True)
        await engine.close()

    asyncio.run(run())
