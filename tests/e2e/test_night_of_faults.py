"""One night with everything that an endpoint can do wrong: each pair gets its own trouble."""

import json
from collections.abc import Callable, Iterator
from decimal import Decimal
from pathlib import Path
from typing import Any, NamedTuple

import polars as pl
import pytest

from flows.ingest import ingest
from flows.ledger import Ledger
from flows.outcome import exit_code
from tests.e2e.endpoint import Act, BatchAct, Endpoint
from tests.e2e.endpoint_acts import failing, rate_limited
from tests.e2e.night import Night
from tests.e2e.reader_model import read_and_reply
from transforms.values import AnswerStatus

pytestmark = pytest.mark.usefixtures("prefect")

PREMIUM = "What is the annual premium?"
CACHED = {
    "prompt_tokens": 262_960,
    "completion_tokens": 1_000,
    "total_tokens": 263_960,
    "prompt_tokens_details": {"cached_tokens": 257_955},
}
COST_OF_CACHED = (5_005 * Decimal(1) + 257_955 * Decimal("0.1") + 1_000 * Decimal(2)) / 1_000_000
INVENTED = json.dumps(
    {
        "answer_found": True,
        "complete_answer_found": True,
        "value_text": "$9,999.00",
        "value_number": 9999,
        "currency": "USD",
        "evidence": [{"line_ids": ["p1 l1"], "quote": "Annual premium: $9,999.00"}],
    }
)

CUT_OFF = Act(text='{"answer_found": true, "val', finish_reason="length")


class Trouble(NamedTuple):
    """What becomes of a pair whose requests are met so."""

    acts: tuple[Act, ...]
    status: AnswerStatus
    outcomes: str
    """Of its attempts, in order."""


# fmt: off
TROUBLES: dict[str, Trouble] = {
    "none":         Trouble((), "answered", "ok"),
    "storm":        Trouble((rate_limited(),) * 6, "answered", "rate_limited " * 6 + "ok"),
    "500s":         Trouble((failing(),) * 2, "answered", "server_error server_error ok"),
    "500s forever": Trouble((failing(),) * 40, "failed", "server_error " * 4),
    "hang":         Trouble((Act(hang_s=4),), "answered", "timed_out ok"),
    "cut off":      Trouble((CUT_OFF,), "answered", "truncated ok"),
    "malformed":    Trouble((Act(text="It is so."),), "answered", "malformed ok"),
    "wrong schema": Trouble((Act(text='{"premium": 1200}'),), "answered", "malformed ok"),
    "invented":     Trouble((Act(text=INVENTED),) * 40, "not_found", "ok ok"),
    "no usage":     Trouble((Act(usage={}),), "answered", "ok"),
    "cached":       Trouble((Act(usage=CACHED),), "answered", "ok"),
    "no reply":     Trouble((Act(raw=b"<html>proxy</html>"),), "answered", "malformed ok"),
    "dropped":      Trouble((Act(cut_at=40),), "answered", "unreachable ok"),
    "declined":     Trouble((Act(refusal="I cannot", text=""),) * 40, "failed", "refused"),
    "wrong key":    Trouble((failing(401, "bad key sk-test"),) * 40, "failed", "refused"),
}
# fmt: on
NAMES = list(TROUBLES)


def premium(name: str) -> str:
    """Return the premium that only the document of a trouble has."""
    return f"$1,2{NAMES.index(name):02}.00"


@pytest.fixture
def endpoint() -> Iterator[Endpoint]:
    with Endpoint(read_and_reply) as running:
        yield running


@pytest.fixture
def night(tmp_path: Path, write_pdf: Callable[..., Path], endpoint: Endpoint) -> Night:
    """Return a night over one short policy for each trouble."""
    for name in NAMES:
        write_pdf(f"policies/{name}.pdf", f"Policy Schedule\n\nAnnual premium: {premium(name)}\n")
    night = Night(tmp_path, endpoint)
    night.overrides |= {
        "prices": {"m": {"input": "1", "cached_input": "0.1", "output": "2"}},
        "timeout_s": 2,
        "concurrency": len(NAMES),
    }
    ingest([str(tmp_path / "policies")], None, {"warehouse": str(tmp_path / "warehouse")})
    return night


def answers_by_name(night: Night, run_id: str) -> dict[str, dict[str, Any]]:
    names = dict(night.warehouse.documents().select("doc_id", "file_name").iter_rows())
    rows = night.rows("answer_df", run_id).to_dicts()
    return {names[row["doc_id"]].removesuffix(".pdf"): row for row in rows}


def test_each_trouble_has_its_status_and_nothing_is_lost_or_paid_twice(night: Night) -> None:
    for name, trouble in TROUBLES.items():
        night.endpoint.play_about(premium(name), *trouble.acts)
    run_id = night.ask(PREMIUM)
    answers = answers_by_name(night, run_id)
    assert {name: row["status"] for name, row in answers.items()} == {
        name: trouble.status for name, trouble in TROUBLES.items()
    }
    call_df = night.calls().sort("called_at", "attempt")
    for name, trouble in TROUBLES.items():
        row = answers[name]
        own_df = call_df.filter(pair_id=row["pair_id"])
        assert own_df["outcome"].to_list() == trouble.outcomes.split(), name
        if row["status"] == "answered":
            assert row["value_text"] == premium(name)
            assert own_df.filter(outcome="ok").height == 1, "paid once"
        else:
            assert row["value_text"] is None
    assert answers["cached"]["cost_usd"] == COST_OF_CACHED
    assert answers["no usage"]["cost_usd"] is None
    assert exit_code(night.rows("answer_df", run_id)) == 1
    assert "sk-test" not in str(list(answers.values()))
    views = {row["pair_id"]: row for row in night.warehouse.query("from pair_cost").to_dicts()}
    unpriced = views[answers["no usage"]["pair_id"]]
    assert (unpriced["cost_usd"], unpriced["n_calls_unpriced"]) == (None, 1)
    ledger = Ledger.open(night.warehouse.ledger_path)
    assert ledger.all_calls()["cost_usd"].sum() == call_df["cost_usd"].sum()
    ledger.close()


def test_a_night_by_jobs_that_expire_and_fail_answers_all_and_pays_once(night: Night) -> None:
    night.overrides |= {"engine": "openai-batch", "batch_gather_s": 0.2, "batch_poll_s": 0.05}
    night.endpoint.batches.play(
        BatchAct(status="expired", n_answered=9, n_errors=3, is_doubled=True),
        BatchAct(status="failed", n_answered=0),
    )
    run_id = night.ask(PREMIUM)
    answer_df = night.rows("answer_df", run_id)
    assert set(answer_df["status"]) == {"answered"}
    assert exit_code(answer_df) == 0
    assert set(night.endpoint.n_answered.values()) == {1}
    paid_df = night.calls().filter(pl.col("cost_usd") > 0)
    assert paid_df.height == len(NAMES)
    assert answer_df["cost_usd"].sum() == paid_df["cost_usd"].sum()
    assert night.endpoint.batches.n_lines == [len(NAMES), len(NAMES) - 6, len(NAMES) - 6]
