"""The ledger: nothing is sent that is not written, no bound is exceeded, nothing is lost."""

import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from pathlib import Path

import pytest

from flows.ledger import Ledger
from flows.ledger.entries import (
    Bound,
    Bounds,
    Call,
    Counts,
    Estimate,
    Settlement,
    StepRequest,
    request_hash,
)
from transforms.errors import InputError
from transforms.tables import LlmCall
from transforms.values import Budget, Usage

ROOT = Path(__file__).parents[3]
AT = datetime(2026, 11, 30, 23, 59, tzinfo=UTC)
WIDE = Bound(tokens=10_000, usd=Decimal(10))
BOUNDS = Bounds(call=WIDE, run=WIDE, day=WIDE, month=WIDE)
ESTIMATE = Estimate(tokens=1_000, usd=Decimal("0.5"))
OK = Settlement(
    outcome="ok",
    latency_ms=12,
    http_status=200,
    finish_reason="stop",
    counts=Counts(prompt_tokens=300, cached_tokens=200, completion_tokens=40),
    cost_usd=Decimal("0.123456789"),
    price_source="settings",
    is_billed=True,
)
FAILED = Settlement(outcome="server_error", latency_ms=3, http_status=500, is_billed=False)
TIMED_OUT = Settlement(outcome="timed_out", latency_ms=3, is_billed=True)


@pytest.fixture
def ledger(tmp_path: Path) -> Iterator[Ledger]:
    ledger = Ledger.open(tmp_path / "ledger.sqlite")
    yield ledger
    ledger.close()


def call(call_id: str = "c1", **changes: object) -> Call:
    base = Call(
        call_id=call_id,
        purpose="answer",
        engine="openai",
        endpoint="http://localhost/v1",
        model="m",
        request_hash=request_hash({"ask": call_id}),
        run_id="r1",
        pair_id="p1",
        doc_ids=("d1",),
        iteration_number=1,
        step=1,
    )
    return base.model_copy(update=changes)


def make(ledger: Ledger, made: Call, settlement: Settlement = OK, body: str | None = "{}") -> None:
    assert ledger.reserve(made, 1, ESTIMATE, BOUNDS, at=AT) is None
    response = None if body is None else (body, 15)
    ledger.settle(made, 1, settlement, BOUNDS, at=AT, response=response)


def bounds_with(**bounds: Bound) -> Bounds:
    return BOUNDS.model_copy(update=bounds)


def test_a_settled_attempt_is_one_row_of_llm_call_df(ledger: Ledger) -> None:
    make(ledger, call())
    frame = LlmCall.checked(ledger.unpublished_calls())
    assert frame.height == 1
    row = frame.row(0, named=True)
    assert row["cost_usd"] == Decimal("0.123456789")
    assert (row["prompt_tokens"], row["cached_tokens"], row["completion_tokens"]) == (300, 200, 40)
    assert (row["doc_id"], row["called_at"], row["outcome"]) == ("d1", AT, "ok")
    assert row["budget_left_tokens"] == 10_000 - 340
    assert row["budget_left_usd"] == Decimal("9.876543211")


def test_an_attempt_in_flight_is_not_published(ledger: Ledger) -> None:
    ledger.reserve(call(), 1, ESTIMATE, BOUNDS, at=AT)
    assert ledger.unpublished_calls().is_empty()


@pytest.mark.parametrize("scope", ["run", "day", "month"])
def test_a_reservation_that_would_exceed_a_bound_is_refused(ledger: Ledger, scope: str) -> None:
    bounds = bounds_with(**{scope: Bound(tokens=2_500, usd=Decimal(10))})
    assert ledger.reserve(call("c1"), 1, ESTIMATE, bounds, at=AT) is None
    assert ledger.reserve(call("c2"), 1, ESTIMATE, bounds, at=AT) is None
    refusal = ledger.reserve(call("c3"), 1, ESTIMATE, bounds, at=AT)
    assert refusal is not None
    assert refusal.bound == scope


@pytest.mark.parametrize("scope", ["call", "run", "day", "month"])
def test_money_is_bounded_as_tokens_are(ledger: Ledger, scope: str) -> None:
    bounds = bounds_with(**{scope: Bound(tokens=10_000, usd=Decimal("0.499999999"))})
    refusal = ledger.reserve(call(), 1, ESTIMATE, bounds, at=AT)
    assert refusal is not None
    assert refusal.bound == scope


def test_what_is_left_of_the_pair_bounds_a_call(ledger: Ledger) -> None:
    left = Budget(tokens=999, usd=Decimal(1), ms=1_000)
    refusal = ledger.reserve(call(budget_left=left), 1, ESTIMATE, BOUNDS, at=AT)
    assert refusal is not None
    assert refusal.bound == "pair"


def test_processes_that_reserve_at_once_never_exceed_a_bound_together(tmp_path: Path) -> None:
    path = tmp_path / "ledger.sqlite"
    bounds = bounds_with(run=Bound(tokens=9_500, usd=Decimal(10)))
    ledgers = [Ledger.open(path) for _ in range(6)]

    def reserve(number: int) -> bool:
        asked = ledgers[number % 6].reserve(call(f"c{number}"), 1, ESTIMATE, bounds, at=AT)
        return asked is None

    with ThreadPoolExecutor(12) as pool:
        assert sum(pool.map(reserve, range(60))) == 9
    for ledger in ledgers:
        ledger.close()


def test_a_usage_above_its_estimate_is_a_row_that_says_so(ledger: Ledger) -> None:
    used = Counts(prompt_tokens=1_500, completion_tokens=9)
    make(ledger, call(), OK.model_copy(update={"counts": used}))
    row = ledger.unpublished_calls().row(0, named=True)
    assert row["prompt_tokens"] + row["completion_tokens"] > row["reserved_tokens"] == 1_000


def test_what_bounds_count_is_the_sum_of_the_rows_to_the_billionth(ledger: Ledger) -> None:
    for number in range(20):
        cost = Decimal(number) / 7_000
        priced = OK.model_copy(update={"cost_usd": cost.quantize(Decimal("1e-9"))})
        make(ledger, call(f"c{number}"), priced)
    total = LlmCall.checked(ledger.all_calls())["cost_usd"].sum()
    just_enough = bounds_with(month=Bound(tokens=100_000, usd=total + Decimal("0.5")))
    too_little = bounds_with(month=Bound(tokens=100_000, usd=total + Decimal("0.499999999")))
    wide = {"run": WIDE.model_copy(update={"tokens": 100_000}), "day": just_enough.month}
    for bounds, is_refused in ((too_little, True), (just_enough, False)):
        widened = bounds.model_copy(update=wide)
        refusal = ledger.reserve(call("last"), 1, ESTIMATE, widened, at=AT)
        assert (refusal is not None) == is_refused


def test_settling_gives_back_what_was_not_used(ledger: Ledger) -> None:
    bounds = bounds_with(run=Bound(tokens=1_340, usd=Decimal(10)))
    assert ledger.reserve(call("c1"), 1, ESTIMATE, bounds, at=AT) is None
    assert ledger.reserve(call("c2"), 1, ESTIMATE, bounds, at=AT) is not None
    ledger.settle(call("c1"), 1, OK, bounds, at=AT)
    assert ledger.reserve(call("c2"), 1, ESTIMATE, bounds, at=AT) is None


@pytest.mark.parametrize(("settlement", "n_free"), [(FAILED, 2_000), (TIMED_OUT, 1_000)])
def test_what_may_have_been_charged_stays_reserved(
    ledger: Ledger, settlement: Settlement, n_free: int
) -> None:
    bounds = bounds_with(run=Bound(tokens=2_000, usd=Decimal(10)))
    assert ledger.reserve(call("c1"), 1, ESTIMATE, bounds, at=AT) is None
    ledger.settle(call("c1"), 1, settlement, bounds, at=AT)
    exact, more = (Estimate(tokens=n, usd=None) for n in (n_free, n_free + 1))
    assert ledger.reserve(call("c2"), 1, more, bounds, at=AT) is not None
    assert ledger.reserve(call("c2"), 1, exact, bounds, at=AT) is None


def test_a_day_ends_at_midnight_utc_and_a_month_with_it(ledger: Ledger) -> None:
    bounds = bounds_with(
        day=Bound(tokens=1_000, usd=Decimal(10)), month=Bound(tokens=1_000, usd=Decimal(10))
    )
    assert ledger.reserve(call("c1"), 1, ESTIMATE, bounds, at=AT) is None
    assert ledger.reserve(call("c2"), 1, ESTIMATE, bounds, at=AT) is not None
    next_minute = AT + timedelta(minutes=1)
    assert ledger.reserve(call("c2"), 1, ESTIMATE, bounds, at=next_minute) is None


def test_a_resumed_run_shares_the_bound_of_the_run_it_continues(ledger: Ledger) -> None:
    bounds = bounds_with(run=Bound(tokens=1_500, usd=Decimal(10)))
    ledger.start_run("r1", "s", "h", AT)
    assert ledger.reserve(call("c1"), 1, ESTIMATE, bounds, at=AT) is None
    ledger.start_run("r2", "s", "h", AT, resumed_from="r1")
    ledger.start_run("r3", "s", "h", AT, resumed_from="r2")
    ledger.start_run("other", "s", "h", AT)
    assert ledger.reserve(call("c2", run_id="r3"), 1, ESTIMATE, bounds, at=AT) is not None
    assert ledger.reserve(call("c2", run_id="other"), 1, ESTIMATE, bounds, at=AT) is None


def test_calls_at_ingest_count_for_the_day(ledger: Ledger) -> None:
    bounds = bounds_with(day=Bound(tokens=1_000, usd=Decimal(10)))
    ingest = call("c1", run_id=None, pair_id=None, purpose="ocr_page")
    assert ledger.reserve(ingest, 1, ESTIMATE, bounds, at=AT) is None
    assert ledger.reserve(call("c2"), 1, ESTIMATE, bounds, at=AT) is not None


def test_an_interrupted_attempt_keeps_its_reservation_and_becomes_a_row(ledger: Ledger) -> None:
    bounds = bounds_with(run=Bound(tokens=1_000, usd=Decimal(10)))
    ledger.reserve(call("c1"), 1, ESTIMATE, bounds, at=AT)
    assert ledger.close_interrupted("r1", at=AT) == 1
    assert ledger.close_interrupted("r1", at=AT) == 0
    row = LlmCall.checked(ledger.unpublished_calls()).row(0, named=True)
    assert (row["outcome"], row["cost_usd"]) == ("cancelled", None)
    assert ledger.reserve(call("c2"), 1, ESTIMATE, bounds, at=AT) is not None


def test_a_call_without_a_run_is_given_up_when_nobody_can_be_waiting_for_it(
    ledger: Ledger,
) -> None:
    ledger.reserve(call("c1", run_id=None, pair_id=None), 1, ESTIMATE, BOUNDS, at=AT)
    ledger.reserve(call("c2"), 1, ESTIMATE, BOUNDS, at=AT)
    assert ledger.close_abandoned(longer_than_s=60, at=AT + timedelta(seconds=59)) == 0
    assert ledger.close_abandoned(longer_than_s=60, at=AT + timedelta(seconds=61)) == 1
    assert ledger.unpublished_calls()["call_id"].to_list() == ["c1"]


def test_a_response_that_comes_after_its_call_was_given_up_is_kept(ledger: Ledger) -> None:
    ledger.reserve(call(), 1, ESTIMATE, BOUNDS, at=AT)
    ledger.close_interrupted("r1", at=AT)
    ledger.settle(call(), 1, OK, BOUNDS, at=AT, response=("late", 9))
    stored = ledger.find_response(call().request_hash)
    assert stored is not None
    assert stored.body == "late"
    assert ledger.unpublished_calls().height == 1


def test_a_response_is_found_by_its_request_with_what_it_cost(ledger: Ledger) -> None:
    make(ledger, call(), body='{"choices": []}')
    stored = ledger.find_response(call().request_hash)
    assert stored is not None
    assert (stored.body, stored.elapsed_ms) == ('{"choices": []}', 15)
    assert stored.usage == Usage(
        prompt_tokens=300,
        cached_tokens=200,
        completion_tokens=40,
        cost_usd=Decimal("0.123456789"),
        n_calls=1,
    )
    assert ledger.find_response(request_hash({"ask": "else"})) is None


def test_a_response_from_before_a_time_is_not_found(ledger: Ledger) -> None:
    make(ledger, call())
    assert ledger.find_response(call().request_hash, since=AT) is not None
    assert ledger.find_response(call().request_hash, since=AT + timedelta(seconds=1)) is None


def test_a_usage_that_the_endpoint_did_not_give_is_bounded_by_the_estimate(ledger: Ledger) -> None:
    make(ledger, call(), OK.model_copy(update={"counts": None, "cost_usd": None}))
    stored = ledger.find_response(call().request_hash)
    assert stored is not None
    assert (stored.usage.tokens, stored.usage.cost_usd) == (1_000, None)
    row = ledger.unpublished_calls().row(0, named=True)
    assert (row["prompt_tokens"], row["cost_usd"]) == (None, None)


def test_without_keep_text_no_prompt_and_no_reply_reaches_the_file(tmp_path: Path) -> None:
    path = tmp_path / "ledger.sqlite"
    ledger = Ledger.open(path, keep_text=False)
    ledger.record_request(call(), {"messages": "the insured is Bramblewick"})
    make(ledger, call(), body="the reply quotes Bramblewick")
    stored = ledger.find_response(call().request_hash)
    assert stored is not None
    assert stored.body == "the reply quotes Bramblewick"
    ledger.close()
    written = b"".join(part.read_bytes() for part in tmp_path.iterdir())
    assert b"Bramblewick" not in written
    again = Ledger.open(path, keep_text=False)
    assert again.find_response(call().request_hash) is None
    again.close()


def test_a_forgotten_document_leaves_counts_and_costs_and_no_text(tmp_path: Path) -> None:
    ledger = Ledger.open(tmp_path / "ledger.sqlite")
    for number, doc_id in enumerate(("d1", "d2")):
        made = call(f"c{number}", doc_ids=(doc_id, "d3"))
        ledger.record_request(made, {"messages": f"prompt quotes Bramblewick of {doc_id}"})
        refusal = OK.model_copy(update={"error": f"Bramblewick is refused in {doc_id}"})
        make(ledger, made, refusal, body=f"reply quotes Bramblewick of {doc_id}")
    assert ledger.forget_document("d1") == 2
    written = b"".join(part.read_bytes() for part in tmp_path.iterdir())
    assert b"Bramblewick of d1" not in written
    assert b"Bramblewick is refused in d1" not in written
    assert b"Bramblewick of d2" in written
    assert ledger.find_response(call("c0").request_hash) is None
    assert ledger.find_response(call("c1").request_hash) is not None
    assert ledger.all_calls()["cost_usd"].null_count() == 0
    ledger.close()


def test_what_was_committed_is_there_for_another_process(tmp_path: Path) -> None:
    path = tmp_path / "ledger.sqlite"
    first, second = Ledger.open(path), Ledger.open(f"sqlite:///{path}")
    make(first, call())
    assert second.find_response(call().request_hash) is not None
    first.close()
    second.close()


def test_publishing_hands_over_each_row_once(ledger: Ledger) -> None:
    make(ledger, call("c1"))
    chunks: dict[str, int] = {}
    assert ledger.publish_calls(lambda chunk_id, frame: chunks.update({chunk_id: len(frame)})) == 1
    make(ledger, call("c2"))
    ledger.publish_calls(lambda chunk_id, frame: chunks.update({chunk_id: len(frame)}))
    ledger.publish_calls(lambda chunk_id, frame: chunks.update({chunk_id: len(frame)}))
    assert list(chunks.values()) == [1, 1]


def test_a_chunk_whose_writer_died_is_written_again_under_its_own_id(ledger: Ledger) -> None:
    make(ledger, call("c1"))
    written: list[tuple[str, int]] = []

    def die(chunk_id: str, frame: object) -> None:
        written.append((chunk_id, 0))
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        ledger.publish_calls(die)
    make(ledger, call("c2"))
    ledger.publish_calls(lambda chunk_id, frame: written.append((chunk_id, len(frame))))
    assert written[0][0] in {chunk_id for chunk_id, n_rows in written if n_rows == 1}
    assert ledger.unpublished_calls().is_empty()


def test_an_unfinished_run_is_resumed_only_under_the_same_settings(ledger: Ledger) -> None:
    ledger.start_run("r1", "set", "h1", AT)
    assert ledger.unfinished_run("set", "h1") == "r1"
    assert ledger.unfinished_run("set", "h2") is None
    assert ledger.unfinished_run("other", "h1") is None
    ledger.finish_run("r1", AT)
    assert ledger.unfinished_run("set", "h1") is None


def test_the_steps_of_a_resumed_run_are_read_as_one(ledger: Ledger) -> None:
    ledger.start_run("r1", "set", "h", AT)
    ledger.start_run("r2", "set", "h", AT, resumed_from="r1")
    entry = StepRequest(
        purpose="answer",
        request_hash="sha256:1",
        endpoint="e",
        model="m",
        usage=Usage(n_calls=1),
        elapsed_ms=7,
    )
    ledger.record_step(call(), 1, entry.model_copy(update={"failure": "endpoint"}))
    ledger.record_step(call(run_id="r2"), 1, entry)
    assert ledger.read_step("r1", "p1", 1, 1) == (entry,)
    assert ledger.read_step("r2", "p1", 1, 1) == (entry,)
    assert ledger.read_step("r2", "p1", 1, 2) == ()


def test_resuming_a_run_gives_up_what_it_had_in_flight(ledger: Ledger) -> None:
    ledger.start_run("r1", "set", "h", AT)
    ledger.reserve(call(), 1, ESTIMATE, BOUNDS, at=AT)
    ledger.start_run("r2", "set", "h", AT, resumed_from="r1")
    assert ledger.unpublished_calls()["outcome"].to_list() == ["cancelled"]


def test_a_form_is_remembered_per_endpoint_and_model(ledger: Ledger) -> None:
    ledger.record_form("e", "m", "low", at=AT)
    assert ledger.read_form("e", "m") == "low"
    assert ledger.read_form("e", "other") is None
    ledger.record_form("e", "m", "lower", at=AT)
    assert ledger.read_form("e", "m") == "lower"


def test_a_ledger_of_the_first_version_is_brought_up_to_date(tmp_path: Path) -> None:
    path = tmp_path / "ledger.sqlite"
    schema = (ROOT / "flows" / "ledger" / "schema.sql").read_text(encoding="utf-8")
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript(schema)
    for _ in range(2):
        ledger = Ledger.open(path)
        entry = StepRequest(
            purpose="judge", request_hash="h", endpoint="e", model="m", usage=Usage(), elapsed_ms=7
        )
        ledger.record_step(call(), 1, entry)
        assert ledger.read_step("r1", "p1", 1, 1) == (entry,)
        ledger.close()


def test_a_database_that_is_not_supported_is_named() -> None:
    with pytest.raises(InputError, match="mysql"):
        Ledger.open("mysql://host/ledger")


def test_a_cancelled_run_is_seen_by_others_and_resumed_by_the_next(
    tmp_path: Path, ledger: Ledger
) -> None:
    ledger.start_run("r1", "s", "h", AT)
    other = Ledger.open(tmp_path / "ledger.sqlite")
    assert not other.is_cancelled("r1")
    ledger.cancel_run("r1", AT)
    assert other.is_cancelled("r1")
    other.close()
    assert ledger.unfinished_run("s", "h") == "r1"
    ledger.start_run("r2", "s", "h", AT, resumed_from="r1")
    assert not ledger.is_cancelled("r2")


def test_spent_counts_what_is_settled_and_what_is_on_its_way(ledger: Ledger) -> None:
    ledger.start_run("r1", "s", "h", AT)
    ledger.reserve(call("c1"), 1, ESTIMATE, BOUNDS, at=AT)
    ledger.settle(call("c1"), 1, OK, BOUNDS, at=AT)
    assert ledger.spent("r1") == (340, Decimal("0.123456789"))
    ledger.reserve(call("c2"), 1, ESTIMATE, BOUNDS, at=AT)
    assert ledger.spent("r1") == (1_340, Decimal("0.623456789"))
    assert ledger.spent("r2") == (0, Decimal(0))


def test_a_run_knows_those_it_goes_on_from_and_a_set_its_newest_run(ledger: Ledger) -> None:
    ledger.start_run("r1", "s", "h", AT)
    ledger.start_run("r2", "s", "h", AT + timedelta(seconds=1), resumed_from="r1")
    ledger.start_run("r3", "s", "h", AT + timedelta(seconds=2), resumed_from="r2")
    ledger.start_run("other", "t", "h", AT + timedelta(seconds=3))
    assert ledger.runs_before("r3") == ("r2", "r1")
    assert ledger.runs_before("r1") == ledger.runs_before("other") == ()
    assert ledger.newest_unfinished_run("s") == "r3"
    ledger.finish_run("r3", AT)
    ledger.finish_run("other", AT)
    assert ledger.newest_unfinished_run("t") is None


def test_a_name_is_held_by_one_process_and_freed_by_its_death(
    tmp_path: Path, ledger: Ledger
) -> None:
    program = (
        "import sys, time\nfrom flows.ledger import Ledger\n"
        "with Ledger.open(sys.argv[1]).store.alone('night') as is_ours:\n"
        "    print(is_ours, flush=True)\n    time.sleep(60)"
    )
    command = [sys.executable, "-c", program, str(tmp_path / "ledger.sqlite")]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline().strip() == "True"
        with ledger.store.alone("night") as is_ours:
            assert not is_ours
        with ledger.store.alone("day") as is_ours:
            assert is_ours
        holder.kill()
    with ledger.store.alone("night") as is_ours:
        assert is_ours
