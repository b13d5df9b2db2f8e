"""A judge looks at what was found: `judge_model`, through a real endpoint on loopback."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from flows.engines.answering import REJECTED
from flows.ingest import ingest
from tests.e2e.endpoint import Act, Endpoint, Json
from tests.e2e.endpoint_acts import failing
from tests.e2e.night import PAGES, Night
from tests.e2e.reader_model import read_and_reply

pytestmark = pytest.mark.usefixtures("prefect")

PREMIUM = "What is the annual premium?"


def read_or_judge(*, is_right: bool) -> Callable[[Json], str]:
    """Return a model that reads documents, and judges every answer so."""

    def reply(body: Json) -> str:
        if body["response_format"]["json_schema"]["name"] == "verdict":
            return json.dumps({"is_right": is_right, "reason": "so it is"})
        return read_and_reply(body)

    return reply


@pytest.fixture
def endpoint() -> Iterator[Endpoint]:
    with Endpoint(read_or_judge(is_right=True)) as running:
        yield running


@pytest.fixture
def night(tmp_path: Path, write_pdf: Callable[..., Path], endpoint: Endpoint) -> Night:
    night = Night(tmp_path, endpoint)
    night.overrides |= {
        "judge_model": "j",
        "prices": {name: {"input": "1", "output": "2"} for name in ("m", "j")},
    }
    ingest([str(write_pdf("policy.pdf", *PAGES))], None, {"warehouse": str(tmp_path / "warehouse")})
    return night


def test_what_the_judge_accepts_takes_one_pass_and_two_calls(night: Night) -> None:
    run_id = night.ask(PREMIUM)
    [row] = night.rows("answer_df", run_id).to_dicts()
    assert (row["status"], row["n_iterations"], row["value_number"]) == ("answered", 1, 1200)
    calls = night.calls().sort("called_at").select("purpose", "model").rows()
    assert calls == [("answer", "m"), ("judge", "j")]
    assert row["cost_usd"] == night.calls()["cost_usd"].sum()


def test_what_the_judge_rejects_leads_to_another_pass(night: Night) -> None:
    night.endpoint.reply = read_or_judge(is_right=False)
    run_id = night.ask(PREMIUM)
    passes = night.rows("iteration_df", run_id).sort("iteration_number")
    assert passes["trigger"].to_list()[:2] == ["initial", "external_rejection"]
    [row] = night.rows("answer_df", run_id).to_dicts()
    assert row["stop_reason"] != "sufficient"
    assert REJECTED in row["caveats"]


def test_a_judge_that_cannot_be_asked_rejects_nothing(night: Night) -> None:
    night.endpoint.play(Act(), failing(404))
    run_id = night.ask(PREMIUM)
    [row] = night.rows("answer_df", run_id).to_dicts()
    assert (row["status"], row["n_iterations"], row["caveats"]) == ("answered", 1, [])


def test_nobody_judges_unless_configured_and_a_new_judge_looks_at_old_answers(night: Night) -> None:
    judge = night.overrides.pop("judge_model")
    night.ask(PREMIUM)
    assert night.calls()["purpose"].to_list() == ["answer"]
    night.overrides["judge_model"] = judge
    run_id = night.ask(PREMIUM)
    assert night.rows("run_df", run_id)["n_reused"].item() == 0
    assert sorted(night.calls()["purpose"]) == ["answer", "judge"], "the answer is in the ledger"
