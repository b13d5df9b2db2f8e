"""The openai engine against a loopback endpoint that behaves, and one that does not."""

from datetime import UTC, datetime
from decimal import Decimal
from pathlib import Path

import pytest

from flows.ledger import Ledger
from tests.e2e.endpoint import Act, Endpoint
from tests.e2e.endpoint_acts import context_too_long, failing, rate_limited
from tests.e2e.engine_tasks import (
    DOC_ID,
    RIGHT,
    ask,
    different_tasks,
    found,
    found_and_judged,
    settings_for,
    task,
    window,
)
from transforms.values import Budget


def outcomes(ledger: Ledger) -> list[str]:
    return ledger.all_calls().sort("called_at")["outcome"].to_list()


def test_a_right_reply_is_a_checked_answer_and_one_row(endpoint: Endpoint, ledger: Ledger) -> None:
    [generated] = ask(settings_for(endpoint), ledger, [task()])
    assert generated.error is None
    assert generated.answer.answer_found
    assert [span.quote for span in generated.answer.evidence] == [RIGHT]
    assert generated.usage.n_calls == 1
    [row] = ledger.all_calls().to_dicts()
    assert row["outcome"] == "ok"
    assert row["cost_usd"] == generated.usage.cost_usd
    assert (row["pair_id"], row["doc_id"]) == ("p1", DOC_ID)
    assert (row["iteration_number"], row["step"]) == (1, 1)


def test_equal_requests_are_sent_once_and_the_others_reuse_it(
    endpoint: Endpoint, ledger: Ledger
) -> None:
    generated = ask(settings_for(endpoint), ledger, [task(f"p{n}") for n in range(8)])
    assert endpoint.n_requests == 1
    assert sum(each.usage.n_calls for each in generated) == 1
    assert sum(each.usage.n_calls_reused for each in generated) == 7
    assert {each.answer for each in generated} == {generated[0].answer}
    assert len({each.elapsed_ms for each in generated}) == 1


def test_what_was_answered_before_is_reused_at_no_cost_unless_refreshed(
    endpoint: Endpoint, ledger: Ledger
) -> None:
    settings = settings_for(endpoint)
    ask(settings, ledger, [task()])
    [again] = ask(settings, ledger, [task(run_id="r2")])
    assert (again.usage.tokens, again.usage.cost_usd, again.usage.n_calls_reused) == (0, 0, 1)
    assert endpoint.n_requests == 1
    ask(settings, ledger, [task(run_id="r3")], refresh=True)
    assert endpoint.n_requests == 2


def test_a_resumed_refresh_reuses_what_it_paid_since_its_first_start(
    endpoint: Endpoint, ledger: Ledger
) -> None:
    settings = settings_for(endpoint)
    ask(settings, ledger, [task(run_id="old")])
    ledger.start_run("r1", "s", "h", datetime.now(UTC))
    [first] = ask(settings, ledger, [task()], refresh=True)
    ledger.start_run("r2", "s", "h", datetime.now(UTC), resumed_from="r1")
    [resumed] = ask(settings, ledger, [task(run_id="r2")], refresh=True)
    assert endpoint.n_requests == 2
    assert resumed == first


def test_a_refused_json_schema_is_remembered(ledger: Ledger) -> None:
    with Endpoint(found, levels=("json_object",)) as endpoint:
        settings = settings_for(endpoint)
        [generated] = ask(settings, ledger, [task()])
        assert generated.answer.answer_found
        ask(settings, ledger, [task(windows=(window(RIGHT + " Truly."),))])
        kinds = [body["response_format"]["type"] for body in endpoint.bodies]
    assert kinds == ["json_schema", "json_object", "json_object"]
    assert outcomes(ledger)[:2] == ["refused", "ok"]
    assert "JSON Schema" in endpoint.bodies[1]["messages"][0]["content"]


def test_an_endpoint_without_any_response_format_gets_the_schema_in_the_prompt(
    ledger: Ledger,
) -> None:
    with Endpoint(found, levels=()) as endpoint:
        [generated] = ask(settings_for(endpoint), ledger, [task()])
    assert generated.answer.answer_found
    assert "response_format" not in endpoint.bodies[-1]


@pytest.mark.parametrize(
    ("message", "absent", "present"),
    [
        ("Unsupported value: 'temperature' does not support 0", "temperature", "messages"),
        ("unknown parameter max_completion_tokens", "max_completion_tokens", "max_tokens"),
    ],
)
def test_a_parameter_that_a_model_does_not_take_is_left_out(
    endpoint: Endpoint, ledger: Ledger, message: str, absent: str, present: str
) -> None:
    endpoint.play(failing(400, message))
    [generated] = ask(settings_for(endpoint), ledger, [task()])
    assert generated.answer.answer_found
    assert absent not in endpoint.bodies[1]
    assert present in endpoint.bodies[1]
    assert endpoint.bodies[1]["response_format"]["type"] == "json_schema"


@pytest.mark.parametrize(
    "text", ["I think it is in March.", '{"answer": "March"}', '{"answer_found": true, "value', ""]
)
def test_a_malformed_reply_is_corrected_once(endpoint: Endpoint, ledger: Ledger, text: str) -> None:
    endpoint.play(Act(text=text))
    [generated] = ask(settings_for(endpoint), ledger, [task()])
    assert generated.answer.answer_found
    assert generated.usage.n_calls == 2
    rows = ledger.all_calls().sort("called_at")
    assert rows["purpose"].to_list() == ["answer", "correct"]
    assert rows["outcome"].to_list() == ["malformed", "ok"]


def test_a_model_that_never_keeps_the_contract_is_asked_twice_and_not_believed(
    endpoint: Endpoint, ledger: Ledger
) -> None:
    endpoint.reply = lambda body: "no idea"
    [generated] = ask(settings_for(endpoint), ledger, [task()])
    assert not generated.answer.answer_found
    assert [failure.check for failure in generated.failures] == ["malformed"]
    assert endpoint.n_requests == 2


def test_an_invented_quote_is_never_shipped(endpoint: Endpoint, ledger: Ledger) -> None:
    endpoint.reply = lambda body: found(body, quote="The policy starts on 5 May 2031.")
    [generated] = ask(settings_for(endpoint), ledger, [task()])
    assert not generated.answer.answer_found
    assert generated.answer.evidence == ()
    assert endpoint.n_requests == 2
    assert generated.failures


def test_a_reply_cut_off_at_its_length_is_asked_for_again_with_more_room(
    endpoint: Endpoint, ledger: Ledger
) -> None:
    endpoint.play(Act(text='{"answer_found": true, "value', finish_reason="length"))
    [generated] = ask(settings_for(endpoint), ledger, [task()])
    assert generated.answer.answer_found
    assert outcomes(ledger) == ["truncated", "ok"]
    first, second = (body["max_completion_tokens"] for body in endpoint.bodies)
    assert second == 2 * first


def test_a_reply_that_only_repeats_itself_gets_no_more_room(
    endpoint: Endpoint, ledger: Ledger
) -> None:
    text = '{"answer_found": true, "evidence": [{"line_ids": [' + '"Section 7.2", ' * 90 + '"Sect'
    endpoint.play(Act(text=text, finish_reason="length"))
    [generated] = ask(settings_for(endpoint), ledger, [task()])
    assert generated.answer.answer_found
    first, second = (body["max_completion_tokens"] for body in endpoint.bodies)
    assert second == first


@pytest.mark.parametrize(
    "act", [Act(finish_reason="content_filter", text=""), Act(refusal="I cannot", text="")]
)
def test_a_reply_that_was_declined_is_an_engine_failure_and_not_repeated(
    endpoint: Endpoint, ledger: Ledger, act: Act
) -> None:
    endpoint.play(act)
    [generated] = ask(settings_for(endpoint), ledger, [task()])
    assert generated.error is not None
    assert "declined" in generated.error
    assert outcomes(ledger) == ["refused"]
    assert generated.usage.n_calls == 1


def test_reasoning_before_the_reply_is_no_part_of_it(endpoint: Endpoint, ledger: Ledger) -> None:
    endpoint.reply = lambda body: '<think>maybe {"answer_found": false}</think>\n' + found(body)
    [generated] = ask(settings_for(endpoint), ledger, [task()])
    assert generated.answer.answer_found


def test_a_rate_limit_is_waited_for(endpoint: Endpoint, ledger: Ledger) -> None:
    endpoint.play(rate_limited(0.05), rate_limited(0.05))
    [generated] = ask(settings_for(endpoint), ledger, [task()])
    assert generated.answer.answer_found
    assert outcomes(ledger) == ["rate_limited", "rate_limited", "ok"]
    assert generated.usage.n_calls == 1


def test_a_server_error_is_retried_up_to_the_bound(endpoint: Endpoint, ledger: Ledger) -> None:
    endpoint.play(*[failing(500)] * 9)
    [generated] = ask(settings_for(endpoint, max_attempts=2), ledger, [task()])
    assert generated.error is not None
    assert "500" in generated.error
    assert outcomes(ledger) == ["server_error", "server_error"]


@pytest.mark.parametrize("status", [401, 403, 404])
def test_what_cannot_succeed_is_not_retried(
    endpoint: Endpoint, ledger: Ledger, status: int
) -> None:
    endpoint.play(failing(status, "no such model or key sk-test-0123456789"))
    [generated] = ask(settings_for(endpoint), ledger, [task()])
    assert generated.error is not None
    assert "sk-test" not in generated.error
    assert endpoint.n_requests == 1


def test_a_hanging_endpoint_times_out_and_is_asked_again(
    endpoint: Endpoint, ledger: Ledger
) -> None:
    endpoint.play(Act(hang_s=2.0))
    [generated] = ask(settings_for(endpoint, timeout_s=1.0), ledger, [task()])
    assert generated.answer.answer_found
    assert outcomes(ledger)[0] == "timed_out"
    assert outcomes(ledger)[-1] == "ok"


@pytest.mark.parametrize(
    "act", [Act(raw=b'{"choices": ['), Act(raw=b'{"choices": []}'), Act(raw=b"<html>proxy</html>")]
)
def test_a_body_without_a_reply_is_asked_for_again(
    endpoint: Endpoint, ledger: Ledger, act: Act
) -> None:
    endpoint.play(act)
    [generated] = ask(settings_for(endpoint), ledger, [task()])
    assert generated.answer.answer_found
    assert outcomes(ledger) == ["malformed", "ok"]


def test_a_connection_that_drops_is_tried_again(endpoint: Endpoint, ledger: Ledger) -> None:
    endpoint.play(Act(cut_at=40))
    [generated] = ask(settings_for(endpoint), ledger, [task()])
    assert generated.answer.answer_found
    assert outcomes(ledger) == ["unreachable", "ok"]


def test_an_endpoint_that_is_not_there_is_an_error_and_rows(ledger: Ledger) -> None:
    with Endpoint(found) as endpoint:
        settings = settings_for(endpoint, max_attempts=2)
    [generated] = ask(settings, ledger, [task()])
    assert generated.error is not None
    assert outcomes(ledger) == ["unreachable", "unreachable"]


def test_a_prompt_that_is_too_long_is_sent_with_fewer_windows(
    endpoint: Endpoint, ledger: Ledger
) -> None:
    endpoint.play(context_too_long(), context_too_long())
    windows = tuple(window(RIGHT if n == 1 else f"Other text {n}.", rank=n) for n in range(1, 5))
    [generated] = ask(settings_for(endpoint), ledger, [task(windows=windows)])
    assert generated.answer.answer_found
    sizes = [str(body["messages"]).count("Other text") for body in endpoint.bodies]
    assert sizes == [3, 1, 0]


def test_a_window_that_never_fits_is_an_engine_failure(endpoint: Endpoint, ledger: Ledger) -> None:
    endpoint.play(*[context_too_long()] * 9)
    [generated] = ask(settings_for(endpoint), ledger, [task(windows=(window(n_lines=16),))])
    assert generated.error is not None
    assert endpoint.n_requests == 3


def test_a_call_above_a_bound_is_not_sent(endpoint: Endpoint, ledger: Ledger) -> None:
    poor = Budget(tokens=100, usd=Decimal(1), ms=20_000)
    [generated] = ask(settings_for(endpoint), ledger, [task(budget_left=poor)])
    assert generated.is_over_budget
    assert generated.error is None
    assert endpoint.n_requests == 0
    [generated] = ask(settings_for(endpoint, day_budget_usd="0.000001"), ledger, [task()])
    assert generated.is_over_budget
    assert endpoint.n_requests == 0


def test_a_correction_that_the_budget_forbids_leaves_the_answer_as_it_was(
    endpoint: Endpoint, ledger: Ledger
) -> None:
    used = {"prompt_tokens": 1_900, "completion_tokens": 10, "total_tokens": 1_910}
    endpoint.play(Act(text="nonsense", usage=used))
    tight = Budget(tokens=2_000, usd=Decimal(1), ms=20_000)
    [generated] = ask(settings_for(endpoint), ledger, [task(budget_left=tight)])
    assert endpoint.n_requests == 1
    assert [failure.check for failure in generated.failures] == ["malformed"]


def test_cached_tokens_are_priced_as_such(endpoint: Endpoint, ledger: Ledger) -> None:
    usage = {
        "prompt_tokens": 262_960,
        "completion_tokens": 1_000,
        "total_tokens": 263_960,
        "prompt_tokens_details": {"cached_tokens": 257_955},
    }
    endpoint.play(Act(usage=usage))
    [generated] = ask(settings_for(endpoint), ledger, [task()])
    expected = (5_005 * Decimal(1) + 257_955 * Decimal("0.1") + 1_000 * Decimal(2)) / 1_000_000
    assert generated.usage.cost_usd == expected
    assert ledger.all_calls()["cost_usd"].sum() == expected


def test_a_missing_usage_is_null_in_the_row_and_bounded_in_the_answer(
    endpoint: Endpoint, ledger: Ledger
) -> None:
    endpoint.play(Act(usage={}))
    [generated] = ask(settings_for(endpoint), ledger, [task()])
    assert generated.answer.answer_found
    assert generated.usage.cost_usd is None
    assert generated.usage.tokens > 0
    [row] = ledger.all_calls().to_dicts()
    assert (row["prompt_tokens"], row["cost_usd"]) == (None, None)


def test_no_key_reaches_the_ledger(endpoint: Endpoint, ledger: Ledger, tmp_path: Path) -> None:
    endpoint.play(failing(401, "bad key sk-test-0123456789"))
    ask(settings_for(endpoint), ledger, [task(), task("p2")])
    assert endpoint.keys == {"Bearer sk-test-0123456789"}
    assert all(b"sk-test" not in part.read_bytes() for part in tmp_path.iterdir())


def test_a_tier_that_fails_its_checks_hands_over_to_the_next(
    endpoint: Endpoint, ledger: Ledger
) -> None:
    endpoint.reply = lambda body: found(body) if body["model"] == "big" else "no idea"
    settings = settings_for(endpoint, model_tiers={"cheap": "small", "strong": "big"})
    [generated] = ask(settings, ledger, [task(model_tier="cheap")])
    assert generated.answer.answer_found
    rows = ledger.all_calls().sort("called_at")
    assert rows["model"].to_list() == ["small", "small", "big"]


@pytest.mark.parametrize("is_right", [True, False])
def test_a_judge_looks_at_what_was_found(
    endpoint: Endpoint, ledger: Ledger, *, is_right: bool
) -> None:
    endpoint.reply = lambda body: found_and_judged(body, is_right=is_right)
    [generated] = ask(settings_for(endpoint, judge_model="j"), ledger, [task()])
    assert generated.is_rejected == (not is_right)
    assert generated.usage.n_calls == 2
    rows = ledger.all_calls().sort("called_at")
    assert rows.select("purpose", "model").rows() == [("answer", "m"), ("judge", "j")]
    assert RIGHT in endpoint.bodies[1]["messages"][1]["content"]


def test_a_judge_that_cannot_be_asked_rejects_nothing(endpoint: Endpoint, ledger: Ledger) -> None:
    endpoint.play(Act(), failing(404))
    [generated] = ask(settings_for(endpoint, judge_model="j"), ledger, [task()])
    assert generated.answer.answer_found
    assert not generated.is_rejected
    assert generated.error is None


def test_what_was_not_found_needs_no_judge(endpoint: Endpoint, ledger: Ledger) -> None:
    endpoint.reply = lambda body: '{"answer_found": false, "complete_answer_found": false}'
    ask(settings_for(endpoint, judge_model="j"), ledger, [task()])
    assert endpoint.n_requests == 1


def test_concurrency_is_bounded(endpoint: Endpoint, ledger: Ledger) -> None:
    endpoint.play(*[Act(hang_s=0.05)] * 12)
    ask(settings_for(endpoint, concurrency=3), ledger, different_tasks(12))
    assert endpoint.n_requests == 12
    assert endpoint.most_in_flight <= 3
