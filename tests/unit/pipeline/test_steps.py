"""What one step reads: a case for each row of the table, and what holds for all of them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.unit.pipeline.loops import (
    MANY_TOKENS,
    answering,
    candidate,
    candidates,
    found,
    generated,
    generating,
    question,
    retrieved,
    state,
)
from transforms.pipeline.loop import advance, start
from transforms.pipeline.state import LoopState
from transforms.pipeline.steps import REST_TOKENS, STEPS, windows_of_step
from transforms.values import Candidate, Generate, RouteDecision

SEQUENTIAL = RouteDecision(route="sequential", route_rule="single_value", reason="")
BATCH = RouteDecision(route="batch", route_rule="many_values", reason="")


def reading(
    *sizes: int, route: RouteDecision = SEQUENTIAL, tokens: int = MANY_TOKENS, n_steps: int = 0
) -> LoopState:
    unread = tuple(candidate(page, n_tokens=size) for page, size in enumerate(sizes, start=1))
    return state(route=route, unread=unread, tokens=tokens, n_steps=n_steps)


def pages(windows: tuple[Candidate, ...]) -> list[int]:
    return [window.page_start for window in windows]


@pytest.mark.parametrize(
    ("rule", "state_before", "read"),
    [
        ("batch", reading(600, 600, 600, 600, 600, route=BATCH), [1, 2, 3, 4, 5]),
        ("opening", reading(600, 600, 600), [1]),
        ("rest", reading(600, 600, 600, 600, n_steps=1), [1, 2, 3, 4]),
        ("rest", reading(1000, 1000, 1000, n_steps=1), [1, 2]),
        ("rest", reading(9000, 100, n_steps=1), [1]),
        ("rest", reading(600, 600, 600, n_steps=1, tokens=1500), [1, 2]),
    ],
)
def test_each_row_says_what_is_read(rule: str, state_before: LoopState, read: list[int]) -> None:
    assert next(row.name for row in STEPS if row.holds(state_before)) == rule
    assert pages(windows_of_step(state_before)) == read


def test_what_is_read_later_comes_with_the_windows_that_hold_the_evidence() -> None:
    step = answering(generating(state(), 2, 1), generated(), generated(found(complete=False)))
    after, command = advance(step[0], retrieved(7, 8, 9))
    assert isinstance(command, Generate)
    assert pages(command.candidates) == [7, 8, 9, 1]
    assert pages(after.unread) == []


def test_evidence_is_kept_by_its_line_and_not_by_its_page() -> None:
    begun, _ = start(state(question(answer_shape="listing", intent="listing")))
    upper = candidate(1, line_end=9)
    lower = candidate(1, line_start=10, line_end=20, rank=2)
    offered = retrieved().model_copy(update={"candidates": (upper, lower)})
    step = answering(advance(begun, offered), generated(found(complete=False)))
    _, command = advance(step[0], retrieved(5))
    assert isinstance(command, Generate)
    assert command.candidates == (*candidates(5), upper)


@given(
    st.lists(st.integers(1, 3000), min_size=1, max_size=20),
    st.integers(0, 3),
    st.sampled_from([SEQUENTIAL, BATCH]),
    st.integers(0, 20_000),
)
def test_a_step_reads_something_in_order_and_no_more_than_fits(
    sizes: list[int], n_steps: int, route: RouteDecision, tokens: int
) -> None:
    before = reading(*sizes, route=route, n_steps=n_steps, tokens=tokens)
    windows = windows_of_step(before)
    assert windows == before.unread[: len(windows)]
    assert windows
    if route is SEQUENTIAL and len(windows) > 1:
        assert n_steps
        assert sum(window.n_tokens for window in windows) <= min(REST_TOKENS, tokens)
