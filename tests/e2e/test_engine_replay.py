"""A recorded run gives the same answers, costs and times again, and asks nobody."""

from datetime import UTC, datetime
from pathlib import Path

import pytest

from flows.ledger import Ledger
from tests.e2e.endpoint import Act, Endpoint
from tests.e2e.endpoint_acts import failing
from tests.e2e.engine_tasks import (
    RIGHT,
    ask,
    different_tasks,
    found,
    found_and_judged,
    settings_for,
    task,
    window,
)
from transforms.errors import InputError


def test_a_replay_gives_answers_costs_times_and_failures_again(
    endpoint: Endpoint, ledger: Ledger
) -> None:
    endpoint.play(Act(text="nonsense"), Act(refusal="no", text=""), failing(401))
    settings = settings_for(endpoint, concurrency=1)
    tasks = [*different_tasks(4), task("twin", windows=different_tasks(1)[0].windows)]
    recorded = ask(settings, ledger, tasks)
    n_requests = endpoint.n_requests
    replay = settings.model_copy(update={"engine": "replay"})
    assert ask(replay, ledger, tasks, replayed_run="r1") == recorded
    assert endpoint.n_requests == n_requests
    assert {each.error is None for each in recorded} == {True, False}


def test_a_replay_follows_the_tier_that_took_over(endpoint: Endpoint, ledger: Ledger) -> None:
    endpoint.reply = lambda body: found(body) if body["model"] == "big" else "no idea"
    settings = settings_for(endpoint, model_tiers={"cheap": "small", "strong": "big"})
    tasks = [task(model_tier="cheap")]
    recorded = ask(settings, ledger, tasks)
    replay = settings.model_copy(update={"engine": "replay", "model_tiers": {}})
    assert ask(replay, ledger, tasks, replayed_run="r1") == recorded


def test_a_replay_follows_the_judge(endpoint: Endpoint, ledger: Ledger) -> None:
    endpoint.reply = lambda body: found_and_judged(body, is_right=False)
    settings = settings_for(endpoint, judge_model="j")
    recorded = ask(settings, ledger, [task()])
    assert recorded[0].is_rejected
    replay = settings.model_copy(update={"engine": "replay", "judge_model": None})
    assert ask(replay, ledger, [task()], replayed_run="r1") == recorded


def test_a_replay_of_a_resumed_run_sees_both_of_its_parts(
    endpoint: Endpoint, ledger: Ledger
) -> None:
    settings = settings_for(endpoint)
    tasks = different_tasks(4)
    ledger.start_run("r1", "s", "h", datetime.now(UTC))
    first = ask(settings, ledger, tasks[:2])
    ledger.start_run("r2", "s", "h", datetime.now(UTC), resumed_from="r1")
    rest = ask(settings, ledger, [each.model_copy(update={"run_id": "r2"}) for each in tasks[2:]])
    replay = settings.model_copy(update={"engine": "replay"})
    assert ask(replay, ledger, tasks, replayed_run="r2") == first + rest


def test_a_replay_over_changed_documents_says_so(endpoint: Endpoint, ledger: Ledger) -> None:
    settings = settings_for(endpoint)
    ask(settings, ledger, [task()])
    replay = settings.model_copy(update={"engine": "replay"})
    changed = task(windows=(window(RIGHT.replace("2025", "2026")),))
    [generated] = ask(replay, ledger, [changed], replayed_run="r1")
    assert generated.error is not None
    assert "have changed" in generated.error


def test_a_run_whose_texts_were_not_kept_cannot_be_replayed(
    endpoint: Endpoint, tmp_path: Path
) -> None:
    ledger = Ledger.open(tmp_path / "other.sqlite", keep_text=False)
    settings = settings_for(endpoint)
    ask(settings, ledger, [task()])
    replay = settings.model_copy(update={"engine": "replay"})
    with pytest.raises(InputError, match="not kept"):
        ask(replay, ledger, [task()], replayed_run="r1")
    ledger.close()


def test_a_run_that_called_nobody_cannot_be_replayed(ledger: Ledger, endpoint: Endpoint) -> None:
    replay = settings_for(endpoint, engine="replay")
    with pytest.raises(InputError, match="no call"):
        ask(replay, ledger, [task()], replayed_run="r1")
