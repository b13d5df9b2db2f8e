"""Whole runs: real PDFs, a real Prefect run, a real endpoint on loopback, a warehouse on disk."""

import json
from collections.abc import Callable
from pathlib import Path

import polars as pl
import pytest

from flows import pdf_qa_loop
from flows.answering.run import AnswerOptions
from flows.command_line.summary import exit_code
from flows.ingest import ingest
from flows.ledger import Ledger
from flows.replay import replay
from flows.settings import load_settings
from tests.e2e.endpoint import Act, Endpoint
from tests.e2e.endpoint_acts import Json
from tests.e2e.night import PAGES, Night
from tests.e2e.reader_model import read_and_reply

pytestmark = pytest.mark.usefixtures("prefect")

PREMIUM = "What is the annual premium?"
EXCLUSIONS = "List all exclusions in this policy."
ABSENT = "What is the deductible for premises under the laws of Ohio?"

Ask = Callable[..., pl.DataFrame]


def not_found(_: Json) -> str:
    return json.dumps({"answer_found": False, "complete_answer_found": False})


def complete(body: Json) -> str:
    """Reply as the reader does, but sure that nothing is missing."""
    reply = json.loads(read_and_reply(body))
    is_found = reply["answer_found"]
    return json.dumps({**reply, "complete_answer_found": is_found, "is_likely_complete": True})


@pytest.fixture
def endpoint():
    with Endpoint(read_and_reply) as running:
        yield running


@pytest.fixture
def night(tmp_path: Path, write_pdf: Callable[..., Path], endpoint: Endpoint) -> Night:
    night = Night(tmp_path, endpoint)
    ingest([str(write_pdf("policy.pdf", *PAGES))], None, {"warehouse": str(tmp_path / "warehouse")})
    return night


def test_sequential_stops_after_the_first_sufficient_candidate(night: Night) -> None:
    run_id = night.ask(PREMIUM)
    [row] = night.rows("answer_df", run_id).to_dicts()
    assert (row["route"], row["status"], row["stop_reason"]) == (
        "sequential",
        "answered",
        "sufficient",
    )
    assert row["value_number"] == 1200
    assert night.endpoint.n_requests == 1
    assert night.calls().height == 1
    assert night.rows("candidate_df", run_id)["is_read"].sum() == 1


def test_batch_makes_one_call_with_all_candidates(night: Night) -> None:
    night.endpoint.reply = complete
    run_id = night.ask(EXCLUSIONS)
    [row] = night.rows("answer_df", run_id).to_dicts()
    assert (row["route"], row["status"]) == ("batch", "answered")
    assert [item.split()[0] for item in row["items"]] == ["war", "wear", "nuclear"]
    assert night.endpoint.n_requests == 1
    first_df = night.rows("candidate_df", run_id).filter(iteration_number=1)
    assert first_df.height > 1
    assert first_df["is_read"].all()
    assert any(caveat.startswith("pages examined: ") for caveat in row["caveats"])


def test_two_years_of_a_policy_are_compared_in_one_call(
    night: Night, tmp_path: Path, write_pdf: Callable[..., Path]
) -> None:
    header = "file_name,policy_number,period_start,period_end"
    rows = [f"home-{year}.pdf,HO-77,{year}-03-01,{year + 1}-03-01" for year in (2022, 2023)]
    write_pdf("years/home-2022.pdf", *PAGES)
    write_pdf("years/home-2023.pdf", *(page.replace("1,200", "1,350") for page in PAGES))
    (tmp_path / "years" / "metadata.csv").write_text("\n".join([header, *rows]))
    ingest([str(tmp_path / "years")], None, {"warehouse": night.overrides["warehouse"]})
    run_id = night.ask(
        "Is the annual premium of the renewal higher than in the expiring policy?",
        scope="group:policy_number",
    )
    assert night.rows("pair_df", run_id).select("scope", "scope_key").rows() == [("group", "HO-77")]
    assert set(night.rows("pair_doc_df", run_id)["side"]) == {"expiring", "renewal"}
    first_df = night.rows("candidate_df", run_id).filter(iteration_number=1)
    assert first_df["doc_id"].n_unique() == 2
    assert set(night.calls()["step"]) == {1}
    ledger = Ledger.open(night.warehouse.ledger_path)
    difference_df = replay(run_id, night.warehouse, ledger, load_settings(**night.overrides))
    ledger.close()
    assert difference_df.to_dicts() == []


def test_a_version_that_is_superseded_is_never_retrieved(
    night: Night, write_pdf: Callable[..., Path]
) -> None:
    [before] = night.warehouse.documents()["doc_id"]
    changed = write_pdf("policy.pdf", *(page.replace("1,200", "1,350") for page in PAGES))
    ingest([str(changed)], None, {"warehouse": night.overrides["warehouse"]})
    run_id = night.ask(PREMIUM)
    assert before not in set(night.rows("candidate_df", run_id)["doc_id"])
    assert night.rows("answer_df", run_id)["value_number"].to_list() == [1350]


def test_a_row_of_the_routing_table_that_is_overridden_is_stored_with_the_run(
    night: Night,
) -> None:
    night.overrides["routes"] = {"single_value": "batch"}
    run_id = night.ask(PREMIUM)
    [decided] = night.rows("dispatch_df", run_id).to_dicts()
    assert (decided["route_rule"], decided["route"]) == ("single_value", "batch")
    settings = json.loads(night.rows("run_df", run_id)["settings"].item())
    assert settings["routes"] == {"single_value": "batch"}


def test_an_unanswerable_question_costs_one_pass(night: Night) -> None:
    night.endpoint.reply = not_found
    run_id = night.ask(ABSENT)
    [row] = night.rows("answer_df", run_id).to_dicts()
    assert (row["status"], row["n_iterations"]) == ("not_found", 1)
    assert night.calls().height == row["n_steps"] == night.endpoint.n_requests
    assert night.rows("candidate_df", run_id)["is_read"].all()


def test_a_budget_too_small_for_the_second_step_keeps_nothing_and_exits_with_3(
    night: Night,
) -> None:
    night.endpoint.reply = not_found
    run_id = night.ask(ABSENT, budget_tokens="1800")
    answer_df = night.rows("answer_df", run_id)
    [row] = answer_df.to_dicts()
    assert (row["status"], row["stop_reason"]) == ("over_budget", "budget")
    assert night.calls().height == 1
    assert exit_code(answer_df) == 3


def test_a_budget_too_small_for_the_second_step_keeps_the_part(night: Night) -> None:
    def a_part(body: Json) -> str:
        return json.dumps({**json.loads(read_and_reply(body)), "complete_answer_found": False})

    night.endpoint.reply = a_part
    run_id = night.ask(PREMIUM, budget_tokens="1800")
    answer_df = night.rows("answer_df", run_id)
    [row] = answer_df.to_dicts()
    assert (row["status"], row["stop_reason"]) == ("partial", "budget")
    assert row["value_number"] == 1200
    assert exit_code(answer_df) == 3


def test_an_invented_quote_is_never_shipped(night: Night) -> None:
    def invented(body: Json) -> str:
        reply = json.loads(read_and_reply(body))
        quote = {"line_ids": ["p1 l3"], "quote": "Annual premium: $9,999.00"}
        return json.dumps(
            {
                **reply,
                "answer_found": True,
                "complete_answer_found": True,
                "value_text": "$9,999.00",
                "value_number": 9999,
                "currency": "USD",
                "evidence": [quote],
            }
        )

    night.endpoint.reply = invented
    run_id = night.ask(PREMIUM)
    [row] = night.rows("answer_df", run_id).to_dicts()
    assert row["status"] == "not_found"
    assert row["value_number"] is None
    assert night.rows("evidence_df", run_id).is_empty()


def test_an_endpoint_that_fails_for_good_is_a_failed_pair(night: Night) -> None:
    night.endpoint.play(*[Act(status=401)] * 50)
    run_id = night.ask(PREMIUM)
    answer_df = night.rows("answer_df", run_id)
    [row] = answer_df.to_dicts()
    assert (row["status"], row["stop_reason"]) == ("failed", "engine_failed")
    assert exit_code(answer_df) == 1
    assert "sk-test" not in str(answer_df.to_dicts())


def test_sql_and_ledger_agree_to_the_cent(night: Night) -> None:
    night.endpoint.play(Act(status=500), Act(status=200))
    night.ask(PREMIUM, EXCLUSIONS, ABSENT)
    ledger = Ledger.open(night.warehouse.ledger_path)
    in_ledger_df = ledger.all_calls().sort("call_id", "attempt")
    ledger.close()
    assert in_ledger_df.equals(night.calls().sort("call_id", "attempt"))
    spent = night.warehouse.query("select sum(cost_usd) as usd from answer_df")["usd"][0]
    assert spent == in_ledger_df["cost_usd"].sum()


def test_an_unchanged_set_is_reused_at_no_cost_and_refresh_gives_the_same_rows(
    night: Night,
) -> None:
    first = night.ask(PREMIUM, EXCLUSIONS, ABSENT, "What's the cap?")
    n_requests = night.endpoint.n_requests
    second = night.ask(PREMIUM, EXCLUSIONS, ABSENT, "What's the cap?")
    assert night.endpoint.n_requests == n_requests
    reused_df = night.rows("answer_df", second)
    assert reused_df["reused_from_run_id"].unique().to_list() == [first]
    assert night.rows("run_df", second)["n_reused"].item() == 4
    third = night.ask(
        PREMIUM, EXCLUSIONS, ABSENT, "What's the cap?", options=AnswerOptions(refresh=True)
    )
    assert night.endpoint.n_requests == 2 * n_requests
    for table in ("dispatch_df", "iteration_df", "candidate_df", "evidence_df", "answer_df"):
        measured = "^(latency|retrieval|parsing|generation)_ms$"
        kept = pl.exclude("run_id", measured, "reused_from_run_id")
        assert night.rows(table, first).select(kept).equals(night.rows(table, third).select(kept))


def test_a_replay_needs_no_model_and_finds_no_difference(night: Night) -> None:
    night.endpoint.play(Act(status=500))
    run_id = night.ask(PREMIUM, EXCLUSIONS, ABSENT)
    n_requests = night.endpoint.n_requests
    settings = load_settings(**night.overrides)
    ledger = Ledger.open(night.warehouse.ledger_path)
    difference_df = replay(run_id, night.warehouse, ledger, settings)
    ledger.close()
    assert difference_df.to_dicts() == []
    assert night.endpoint.n_requests == n_requests


def test_a_document_that_cannot_be_read_fails_its_pairs_and_no_others(night: Night) -> None:
    bad = night.folder / "bad.pdf"
    bad.write_bytes(b"%PDF-1.7 nothing follows")
    ingest([str(bad)], None, {"warehouse": night.overrides["warehouse"]})
    answer_df = night.rows("answer_df", night.ask(PREMIUM))
    assert sorted(answer_df["status"]) == ["answered", "failed"]
    assert exit_code(answer_df) == 1


def test_what_one_question_of_one_file_costs_is_kept_too(night: Night) -> None:
    settings = load_settings(**night.overrides)
    for _ in range(2):
        output = pdf_qa_loop(night.folder / "policy.pdf", PREMIUM, settings=settings)
        assert output.status == "answered"
    assert night.endpoint.n_requests == 1
    assert night.calls()["purpose"].to_list() == ["answer"]
