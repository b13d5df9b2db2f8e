"""The best answer, parts and contradictions."""

from tests.unit.pipeline.loops import candidates, found, listed, span
from transforms.pipeline.answers import best_answer
from transforms.pipeline.state import Attempt
from transforms.values import AnswerWithEvidence, CheckFailure


def attempt(answer: AnswerWithEvidence, *, has_failed: bool = False) -> Attempt:
    failures = (CheckFailure(check="format", message="bad"),) if has_failed else ()
    return Attempt(iteration_number=1, candidates=candidates(1), answer=answer, failures=failures)


def test_complete_beats_partial_whatever_the_confidence() -> None:
    complete, partial = found("a", confidence=0.2), found("b", complete=False, confidence=0.9)
    assert best_answer([attempt(partial), attempt(complete)], "single").value_text == "a"


def test_checked_beats_unchecked() -> None:
    assert (
        best_answer(
            [attempt(found("a"), has_failed=True), attempt(found("b", complete=False))], "single"
        ).value_text
        == "b"
    )


def test_the_earlier_of_two_equals_wins() -> None:
    assert best_answer([attempt(found("a")), attempt(found("b"))], "single").value_text == "a"


def test_nothing_read_is_not_found() -> None:
    assert not best_answer([], "single").answer_found


def test_parts_of_a_listing_are_merged_in_the_order_they_were_found() -> None:
    parts = [attempt(listed("Fire", "Theft", complete=False)), attempt(
        listed("theft", "Flood", complete=False))]  # fmt: skip
    items = best_answer(parts, "listing").items
    assert [item.value for item in items] == ["Fire", "Theft", "Flood"]


def test_steps_that_agree_lend_their_evidence() -> None:
    other = found("$100.", evidence=(span(2, "premium: $100"),), confidence=0.1)
    answer = best_answer([attempt(found("$100")), attempt(other)], "single")
    assert [quote.page for quote in answer.evidence] == [1, 2]
    assert answer.caveats == ()


def test_a_contradiction_is_a_caveat_with_both_quotes() -> None:
    other = found("$200", evidence=(span(2, "premium: $200"),), confidence=0.1)
    answer = best_answer([attempt(found("$100")), attempt(other)], "single")
    assert answer.value_text == "$100"
    assert len(answer.caveats) == 1
    assert "$200" in answer.caveats[0]
    assert "the premium is $100" in answer.caveats[0]
