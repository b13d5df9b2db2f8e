"""Questions parsed by a model: `parser = "llm"`, through a real endpoint on loopback."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from flows.answering.forecast import forecast
from flows.answering.run import AnswerOptions
from flows.ingest import ingest
from flows.ledger import Ledger
from flows.pdf_qa import pdf_qa_loop
from flows.replay import replay
from flows.settings import load_settings
from tests.e2e.endpoint import Endpoint, Json
from tests.e2e.endpoint_acts import failing
from tests.e2e.night import PAGES, Night
from tests.e2e.reader_model import read_and_reply
from transforms.errors import InputError

pytestmark = pytest.mark.usefixtures("prefect")

PREMIUM = "What is the annual premium?"
PARSED: dict[str, Any] = {
    "intent": "factual",
    "answer_shape": "single",
    "answer_type": "amount",
    "decomposition": "single",
    "sub_questions": [],
    "keywords": ["annual premium", "premium"],
    "anchor_keywords": ["annual premium"],
    "rewrites": ["yearly premium"],
    "section_hint": None,
    "layout_hint": None,
    "page_hint": None,
    "needs_clarification": False,
    "suggested_clarification": None,
}


def is_parsing(body: Json) -> bool:
    return body["response_format"]["json_schema"]["name"] == "parsed_question"


def parse_or_read(parsed: str) -> Callable[[Json], str]:
    """Return a model that parses every question so, and reads documents as ever."""
    return lambda body: parsed if is_parsing(body) else read_and_reply(body)


@pytest.fixture
def endpoint() -> Iterator[Endpoint]:
    with Endpoint(parse_or_read(json.dumps(PARSED))) as running:
        yield running


@pytest.fixture
def night(tmp_path: Path, write_pdf: Callable[..., Path], endpoint: Endpoint) -> Night:
    night = Night(tmp_path, endpoint)
    night.overrides["parser"] = "llm"
    ingest([str(write_pdf("policy.pdf", *PAGES))], None, {"warehouse": str(tmp_path / "warehouse")})
    return night


def purposes(night: Night) -> list[str]:
    return sorted(night.calls()["purpose"])


def test_a_plausible_reply_fills_the_row_of_the_question(night: Night) -> None:
    run_id = night.ask(PREMIUM)
    [question] = night.rows("question_df", run_id).to_dicts()
    assert question["parser"] == "llm"
    assert question["rewrites"] == ["yearly premium"]
    [row] = night.rows("answer_df", run_id).to_dicts()
    assert row["value_number"] == 1200
    assert purposes(night) == ["answer", "parse_question"]
    [call] = night.calls().filter(purpose="parse_question").to_dicts()
    assert (call["run_id"], call["pair_id"], call["outcome"]) == (run_id, None, "ok")
    [run] = night.rows("run_df", run_id).to_dicts()
    assert run["spent_usd"] == night.calls()["cost_usd"].sum()


@pytest.mark.parametrize(
    "reply",
    ["no idea", json.dumps(PARSED | {"anchor_keywords": ["deductible"]})],
    ids=["malformed", "not in the question"],
)
def test_a_reply_that_fails_leaves_the_rules_and_says_so(night: Night, reply: str) -> None:
    night.endpoint.reply = parse_or_read(reply)
    run_id = night.ask(PREMIUM)
    [question] = night.rows("question_df", run_id).to_dicts()
    assert question["parser"] == "rules"
    assert question["cues"][-1].startswith("parser=rules_after_")
    assert night.rows("answer_df", run_id)["value_number"].item() == 1200
    [call] = night.calls().filter(purpose="parse_question").to_dicts()
    assert call["outcome"] == "malformed"


def test_an_endpoint_that_fails_leaves_the_rules_and_the_run_goes_on(night: Night) -> None:
    night.endpoint.play(failing(404))
    run_id = night.ask(PREMIUM)
    [question] = night.rows("question_df", run_id).to_dicts()
    assert question["cues"][-1] == "parser=rules_after_no_reply"
    assert night.rows("answer_df", run_id)["status"].item() == "answered"


@pytest.mark.parametrize("reply", ["no idea", json.dumps(PARSED)], ids=["malformed", "plausible"])
def test_what_a_model_said_of_a_question_is_asked_once(night: Night, reply: str) -> None:
    night.endpoint.reply = parse_or_read(reply)
    first = night.ask(PREMIUM)
    n_requests = night.endpoint.n_requests
    second = night.ask(PREMIUM)
    assert night.endpoint.n_requests == n_requests
    parsed = [night.rows("question_df", run_id).to_dicts() for run_id in (first, second)]
    assert parsed[0] == parsed[1]
    assert night.rows("run_df", second)["n_reused"].item() == 1


def test_refresh_asks_again(night: Night) -> None:
    night.ask(PREMIUM)
    night.ask(PREMIUM, options=AnswerOptions(refresh=True))
    assert purposes(night).count("parse_question") == 2


def test_a_pilot_parses_no_more_than_it_asks(night: Night) -> None:
    night.ask(PREMIUM, "List all exclusions in this policy.", options=AnswerOptions(limit=1))
    assert purposes(night).count("parse_question") == 1


def test_a_plan_spends_nothing_and_takes_what_is_known(night: Night) -> None:
    questions, settings = night.questions(PREMIUM), load_settings(**night.overrides)
    assert forecast(questions, settings)["parser"].to_list() == ["rules"]
    assert night.endpoint.n_requests == 0
    night.ask(PREMIUM)
    n_requests = night.endpoint.n_requests
    assert forecast(questions, settings)["parser"].to_list() == ["llm"]
    assert night.endpoint.n_requests == n_requests


def test_a_replay_takes_the_question_as_the_run_had_it(night: Night) -> None:
    run_id = night.ask(PREMIUM)
    night.overrides["parser"] = "rules"
    later = night.ask(PREMIUM)
    assert night.rows("question_df", later)["parser"].item() == "rules"
    n_requests = night.endpoint.n_requests
    for each in (run_id, later):
        assert differences(night, each) == []
    parts = night.warehouse.parts
    kept_df = parts.scan("dispatch_df", [run_id]).drop("part").collect()
    parts.write("dispatch_df", run_id, kept_df.with_columns(route_rule=pl.lit("edited")))
    [(table, _, column, recorded, replayed)] = differences(night, run_id)
    assert (table, column, recorded) == ("dispatch_df", "route_rule", "edited")
    assert replayed == "single_value"
    assert night.endpoint.n_requests == n_requests, "nobody is asked, the parser neither"


def differences(night: Night, run_id: str) -> list[tuple[object, ...]]:
    ledger = Ledger.open(night.warehouse.ledger_path)
    difference_df = replay(run_id, night.warehouse, ledger, load_settings(**night.overrides))
    ledger.close()
    return difference_df.rows()


def test_one_document_is_asked_the_same_way(night: Night) -> None:
    settings = load_settings(**night.overrides)
    output = pdf_qa_loop(night.folder / "policy.pdf", PREMIUM, settings=settings)
    assert output.question.parser == "llm"
    assert output.answer.value_number == 1200
    assert output.usage.n_calls == night.endpoint.n_requests == 2


def test_a_model_parser_without_a_model_is_refused_before_anything_is_done(night: Night) -> None:
    night.overrides |= {"model": None, "engine": "offline"}
    with pytest.raises(InputError, match="needs a model"):
        night.ask(PREMIUM)
    assert night.endpoint.n_requests == 0
