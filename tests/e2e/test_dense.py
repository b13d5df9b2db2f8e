"""Dense retrieval: `embedding_model`, through a real endpoint on loopback."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from flows.answering.forecast import forecast
from flows.answering.run import AnswerOptions
from flows.doctor import examine
from flows.forget import forget
from flows.ingest import ingest
from flows.ledger import Ledger
from flows.pdf_qa import pdf_qa_loop
from flows.replay import replay
from flows.settings import load_settings
from tests.e2e.endpoint import Endpoint, Json
from tests.e2e.endpoint_acts import failing
from tests.e2e.night import PAGES, Night
from tests.e2e.reader_model import read_and_reply

pytestmark = pytest.mark.usefixtures("prefect")

OPEN = "Explain how the policy deals with cancellation."
PREMIUM = "What is the annual premium?"


@pytest.fixture
def endpoint() -> Iterator[Endpoint]:
    with Endpoint(read_and_reply) as running:
        yield running


@pytest.fixture
def night(tmp_path: Path, write_pdf: Callable[..., Path], endpoint: Endpoint) -> Night:
    night = Night(tmp_path, endpoint)
    night.overrides |= {
        "embedding_model": "e",
        "prices": {name: {"input": "1", "output": "2"} for name in ("m", "e")},
    }
    ingest([str(write_pdf("policy.pdf", *PAGES))], None, {"warehouse": str(tmp_path / "warehouse")})
    return night


def embeddings(night: Night) -> list[Json]:
    return [body for body in night.endpoint.bodies if "input" in body]


def detectors(night: Night, run_id: str) -> set[str]:
    return set(night.rows("candidate_df", run_id)["detectors"].explode())


def missing_means(night: Night, run_id: str) -> list[str]:
    return night.rows("dispatch_df", run_id)["missing_means"].item().to_list()


def test_an_open_question_is_retrieved_by_meaning_too(night: Night) -> None:
    run_id = night.ask(OPEN)
    assert "dense" in detectors(night, run_id)
    assert missing_means(night, run_id) == []
    embedding_df = night.warehouse.read("embedding_df")
    assert embedding_df["page"].unique().sort().to_list() == [1, 2, 3]
    assert embedding_df["model"].unique().to_list() == ["e"]
    [run] = night.rows("run_df", run_id).to_dicts()
    assert run["spent_usd"] == night.calls()["cost_usd"].sum()
    assert night.calls().filter(purpose="embed")["run_id"].unique().to_list() == [run_id]


def test_without_a_model_the_plan_says_that_means_are_missing(night: Night) -> None:
    night.overrides["embedding_model"] = None
    run_id = night.ask(OPEN)
    assert "dense" not in detectors(night, run_id)
    assert missing_means(night, run_id) == ["dense_retrieval"]
    assert embeddings(night) == []


def test_an_endpoint_that_embeds_nothing_leaves_keywords_and_says_so(night: Night) -> None:
    night.endpoint.play(failing(404, "no such model"))
    run_id = night.ask(OPEN)
    assert missing_means(night, run_id) == ["dense_retrieval"]
    assert "keywords" in detectors(night, run_id)
    assert "dense" not in detectors(night, run_id)
    assert night.rows("run_df", run_id)["status"].item() == "done"
    later = night.ask(OPEN)
    assert "dense" in detectors(night, later), "what had to do without its means does not stand"
    assert night.rows("run_df", night.ask(OPEN))["n_reused"].item() == 1


def test_a_question_without_the_pattern_embeds_nothing(night: Night) -> None:
    night.ask(PREMIUM)
    assert embeddings(night) == []


def test_vectors_are_paid_once(night: Night) -> None:
    first = night.ask(OPEN)
    paid = embeddings(night)
    second = night.ask(OPEN, options=AnswerOptions(refresh=True))
    assert embeddings(night) == paid
    candidates = [night.rows("candidate_df", run).drop("run_id") for run in (first, second)]
    assert candidates[0].equals(candidates[1])
    night.ask(OPEN, "Describe how the policy deals with war.")
    assert len(embeddings(night)) == len(paid) + 1, "only the new question"


def test_a_plan_embeds_nothing(night: Night) -> None:
    questions = night.questions(OPEN)
    forecast(questions, load_settings(**night.overrides))
    assert night.endpoint.n_requests == 0


def test_a_replay_has_the_vectors_of_the_run(night: Night) -> None:
    run_id = night.ask(OPEN)
    n_requests = night.endpoint.n_requests
    ledger = Ledger.open(night.warehouse.ledger_path)
    settings = load_settings(**night.overrides)
    assert replay(run_id, night.warehouse, ledger, settings).to_dicts() == []
    ledger.close()
    assert night.endpoint.n_requests == n_requests


def test_one_document_is_asked_the_same_way(night: Night) -> None:
    settings = load_settings(**night.overrides)
    output = pdf_qa_loop(night.folder / "policy.pdf", OPEN, settings=settings)
    found = {name for c in output.iterations[0].candidates for name in c.detectors}
    assert "dense" in found


def test_vectors_leave_the_warehouse_sound_and_are_forgotten_with_their_document(
    night: Night,
) -> None:
    night.ask(OPEN)
    assert examine(night.warehouse) == []
    ledger = Ledger.open(night.warehouse.ledger_path)
    forget("policy.pdf", night.warehouse, ledger)
    ledger.close()
    assert night.warehouse.read("embedding_df").is_empty()
    assert b"laws of the State of Ohio" not in night.warehouse.ledger_path.read_bytes()
