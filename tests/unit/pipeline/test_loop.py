"""The loop within a pass, between passes and at its bounds."""

from datetime import UTC, datetime

import pytest

from tests.unit.pipeline.loops import (
    answering,
    candidate,
    candidates,
    found,
    generated,
    generating,
    listed,
    question,
    retrieved,
    state,
)
from transforms.errors import ContractError
from transforms.pipeline.answers import is_rejected_value
from transforms.pipeline.loop import advance, start
from transforms.pipeline.outcome import answer_status, final_answer
from transforms.pipeline.state import Rejection
from transforms.values import (
    AnswerWithEvidence,
    Finish,
    Generate,
    Reparse,
    Reparsed,
    Retrieve,
    Retrieved,
    Usage,
)

LISTING = question(intent="listing", answer_shape="listing", answer_type="name")


def stop_reason(command: object) -> str:
    assert isinstance(command, Finish), command
    return command.stop_reason


def test_sequential_stops_at_the_first_sufficient_candidate() -> None:
    step = answering(generating(state(), 1, 2, 3), generated(found()))
    assert stop_reason(step[1]) == "sufficient"
    assert step[0].n_steps == 1
    assert [c.page_start for c in step[0].read] == [1]


def test_sequential_reads_on_after_not_found_and_after_a_part() -> None:
    step = generating(state(), 1, 2, 3)
    step = answering(step, generated(found(complete=False)), generated(found()))
    assert stop_reason(step[1]) == "sufficient"
    assert [len(attempt.candidates) for attempt in step[0].attempts] == [1, 2]


def test_what_an_amendment_changes_is_not_answered_from_the_body_alone() -> None:
    begun, _ = start(state())
    offered = (candidate(1), candidate(2), candidate(3, is_amending=True))
    after, command = advance(begun, Retrieved(candidates=offered))
    assert isinstance(command, Generate)
    assert [c.page_start for c in command.candidates] == [1, 3]
    after, command = advance(after, generated())
    assert isinstance(command, Generate)
    assert [c.page_start for c in command.candidates] == [2]


def test_an_unanswerable_question_costs_one_pass() -> None:
    step = answering(generating(state(), 1, 2), generated(), generated())
    assert stop_reason(step[1]) == "exhausted"
    assert step[0].iteration_number == 1
    assert [record.stop_reason for record in step[0].records] == ["exhausted"]


def test_batch_sends_all_candidates_in_one_step() -> None:
    _, command = generating(state(LISTING), 1, 2, 3)
    assert [c.page_start for c in command.candidates] == [1, 2, 3]


def test_a_question_to_clarify_spends_nothing() -> None:
    vague = question(needs_clarification=True, suggested_clarification="Which cap?")
    after, command = start(state(vague))
    assert stop_reason(command) == "needs_clarification"
    assert after.records == ()
    assert after.route is not None
    assert after.route.route is None


def test_budget_is_checked_before_each_step_and_keeps_the_part() -> None:
    step = generating(state(tokens=600), 1, 2)
    step = answering(step, generated(found(complete=False)))
    assert stop_reason(step[1]) == "budget"
    assert answer_status(final_answer(step[0]), "budget") == "partial"


def test_budget_that_kept_nothing_is_over_budget() -> None:
    step = answering(generating(state(tokens=600), 1, 2), generated())
    assert stop_reason(step[1]) == "budget"
    assert answer_status(final_answer(step[0]), "budget") == "over_budget"


def test_a_call_refused_by_a_bound_of_the_run_stops_the_pair() -> None:
    step = answering(generating(state(), 1, 2), generated(is_over_budget=True))
    assert stop_reason(step[1]) == "budget"


def test_time_counts_as_budget() -> None:
    step = answering(generating(state(), 1, 2), generated(elapsed_ms=60_000))
    assert stop_reason(step[1]) == "budget"


def test_an_engine_that_fails_ends_the_pair_with_its_reason() -> None:
    step = answering(generating(state(), 1, 2), generated(error="unreachable"))
    assert stop_reason(step[1]) == "engine_failed"
    assert step[0].error == "unreachable"


def test_a_pending_reference_is_followed_in_a_second_pass() -> None:
    first = found(complete=False, pending_references=("Table 3",))
    step = answering(generating(state(LISTING), 1, 2), generated(first))
    after, command = step
    assert isinstance(command, Retrieve)
    assert command.request.references == ("Table 3",)
    assert command.request.activations.two_hop_references
    after, command = advance(after, retrieved(9))
    assert isinstance(command, Generate)
    assert command.iteration_number == 2
    assert 9 in [c.page_start for c in command.candidates]
    assert 1 in [c.page_start for c in command.candidates], "windows with evidence go along"
    done, command = advance(after, generated(listed("a", "b", "c")))
    assert stop_reason(command) == "sufficient"
    assert [r.signal.trigger for r in done.records] == ["initial", "pending_reference"]


def test_no_pass_begins_without_something_unread() -> None:
    first = found(complete=False, pending_references=("Table 3",))
    after, command = answering(generating(state(LISTING), 1, 2), generated(first))
    while isinstance(command, Retrieve):
        after, command = advance(after, retrieved(1, 2))
    assert stop_reason(command) == "no_new_candidates"
    assert after.iteration_number == 1
    assert len(after.records) == 1


def test_a_list_is_looked_for_further_as_long_as_that_brings_new_items() -> None:
    short = {"complete": False, "is_likely_complete": False}
    after, command = answering(generating(state(LISTING), 1), generated(listed("Fire", **short)))
    assert isinstance(command, Retrieve)
    assert after.signal.action == "widen_listing"
    more = generated(listed("fire", "Theft", **short))
    after, command = answering(advance(after, retrieved(2)), more)
    assert isinstance(command, Retrieve)
    assert after.signal.action == "widen_windows"
    done, command = answering(advance(after, retrieved(3)), more)
    assert stop_reason(command) == "no_new_signal"
    assert [item.value for item in final_answer(done).items] == ["Fire", "Theft"]


def test_a_wrong_count_is_no_fault_of_the_windows() -> None:
    failing = {"failures": ({"check": "count", "message": "three"},)}
    answer = generated(listed("Fire", complete=False), cardinality_cue=3, **failing)
    after, command = answering(generating(state(LISTING), 1), answer)
    while isinstance(command, Retrieve):
        assert command.request.dropped == ()
        after, command = advance(after, Retrieved(candidates=()))
    assert stop_reason(command) == "no_new_candidates"


def test_discovered_keywords_never_push_out_the_original_ones() -> None:
    words = tuple(f"word{number}" for number in range(30))
    step = answering(generating(state(LISTING), 1), generated(
        found(complete=False, llm_discovered_keywords=words)))  # fmt: skip
    assert isinstance(step[1], Retrieve)
    request = step[1].request
    assert request.question.anchor_keywords == ("premium",)
    assert len(request.keywords_added) == 14


def test_new_windows_without_the_original_anchors_are_drift() -> None:
    first = found(complete=False, llm_discovered_keywords=("reinsurance",))
    after, _ = answering(generating(state(LISTING), 1), generated(first))
    away = Retrieved(candidates=(candidate(7, anchor_overlap=0.0),))
    done, command = advance(after, away)
    assert stop_reason(command) == "drift"
    assert done.iteration_number == 1


def test_flagged_pages_are_read_again_and_no_others() -> None:
    flagged = (("doc", 2), ("doc", 8))
    step = answering(generating(state(LISTING, flagged_pages=flagged), 1, 2), generated())
    after, command = step
    assert command == Reparse(doc_id="doc", pages=(2,), reason="parsing_gap")
    after, command = advance(after, Reparsed(pages=(2,)))
    assert isinstance(command, Retrieve)
    assert command.request.pages == (2,)
    after, command = advance(after, retrieved(2))
    assert isinstance(command, Generate)
    assert command.iteration_number == 2


def test_a_document_without_text_is_re_parsed_before_giving_up() -> None:
    begun, _ = start(state(flagged_pages=(("doc", 1),)))
    after, command = advance(begun, Retrieved(candidates=()))
    assert isinstance(command, Reparse)
    done, command = advance(after, Reparsed(pages=()))
    assert stop_reason(command) == "no_new_candidates"
    assert len(done.records) == 1


def test_windows_whose_answer_failed_a_check_are_dropped() -> None:
    failing = generated(failures=({"check": "quote_not_found", "message": "no"},))
    _, command = answering(generating(state(LISTING), 1, 2), failing)
    assert isinstance(command, Retrieve)
    assert command.request.dropped == candidates(1, 2)


def test_passes_are_bounded() -> None:
    incomplete = found(complete=False, is_likely_complete=False, llm_discovered_keywords=())
    step = answering(generating(state(LISTING, max_iterations=2), 1), generated(incomplete))
    after, command = advance(step[0], retrieved(2))
    done, command = answering((after, command), generated(incomplete))
    assert stop_reason(command) == "max_iterations"
    assert done.iteration_number == 2


def test_a_clear_loss_of_confidence_ends_the_loop_with_the_better_answer() -> None:
    step = answering(
        generating(state(LISTING), 1),
        generated(found("first", complete=False, confidence=0.8)),
    )
    after, command = advance(step[0], retrieved(2))
    done, command = answering(
        (after, command), generated(found("second", complete=False, confidence=0.3))
    )
    assert stop_reason(command) == "confidence_drop"
    assert final_answer(done).value_text == "first"


def test_an_answer_out_of_turn_is_a_bug() -> None:
    begun, _ = start(state())
    with pytest.raises(ContractError, match="retrieving"):
        advance(begun, generated())


def test_a_page_that_a_model_reads_again_is_paid_in_the_record_of_the_pass_that_asked() -> None:
    flagged = (("doc", 2),)
    after, _ = answering(generating(state(LISTING, flagged_pages=flagged), 1, 2), generated())
    paid = Reparsed(pages=(), usage=Usage(prompt_tokens=70), elapsed_ms=5)
    done, command = advance(after, paid)
    assert isinstance(command, Finish)
    assert done.records[0].n_tokens == done.usage.tokens == 350 + 70
    assert done.records[0].parsing_ms == 5


def test_the_same_reference_again_is_no_new_signal() -> None:
    pending = AnswerWithEvidence(pending_references=("Table 3",))
    after, _ = answering(generating(state(LISTING), 1), generated(pending))
    step = answering(advance(after, retrieved(9)), generated(pending))
    assert stop_reason(step[1]) == "no_new_signal"


def test_no_action_begins_when_the_budget_is_spent() -> None:
    incomplete = generated(found(complete=False), elapsed_ms=60_000)
    step = answering(generating(state(LISTING), 1), incomplete)
    assert stop_reason(step[1]) == "budget"


def rejection(**changes: object) -> Rejection:
    return Rejection.model_validate(
        {
            "verdict": "wrong", "reviewer": "anna", "reviewed_at": datetime(2026, 3, 1, tzinfo=UTC),
            "answer_found": True, "value_text": "$100", **changes,
        }
    )  # fmt: skip


def test_an_answer_that_a_person_rejected_is_not_taken_again() -> None:
    begun = state(LISTING, rejection=rejection())
    after, command = answering(generating(begun, 1), generated(found("$100")))
    assert isinstance(command, Retrieve)
    assert after.signal.trigger == "external_rejection"
    done, command = answering(advance(after, retrieved(2)), generated(found("$120")))
    assert stop_reason(command) == "sufficient"
    assert final_answer(done).value_text == "$120"
    assert [record.signal.trigger for record in done.records] == ["external_rejection"] * 2


def test_a_rejected_answer_that_nothing_better_replaces_is_kept_as_incomplete() -> None:
    rejected = state(LISTING, rejection=rejection(note="last year's"), max_iterations=1)
    done, command = answering(generating(rejected, 1), generated(found("$100")))
    assert stop_reason(command) == "max_iterations"
    answer = final_answer(done)
    assert (answer.value_text, answer.complete_answer_found) == ("$100", False)
    assert "wrong, says anna on 2026-03-01" in answer.caveats[0]


@pytest.mark.parametrize(
    ("changes", "answer", "is_rejected"),
    [
        ({"answer_found": False, "value_text": None}, AnswerWithEvidence(), True),
        ({"answer_found": False, "value_text": None}, found("$1"), False),
        ({"value_number": 100.0}, found("100 dollars", value_number=100.0), True),
        ({"items": ("Fire", "Theft")}, listed("fire"), True),
        ({"items": ("Fire",)}, listed("Fire", "Theft"), False),
    ],
)
def test_a_verdict_is_against_the_value_and_not_against_others(
    changes: dict[str, object], answer: AnswerWithEvidence, *, is_rejected: bool
) -> None:
    assert is_rejected_value(rejection(**changes), answer) == is_rejected
