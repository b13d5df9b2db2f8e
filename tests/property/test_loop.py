"""What the loop promises for arbitrary replies."""

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.unit.pipeline.loops import candidate, found, generated, listed, question, state
from transforms.pipeline.answers import best_answer
from transforms.pipeline.feedback import MAX_KEYWORDS
from transforms.pipeline.loop import Step, advance, start
from transforms.pipeline.outcome import final_answer
from transforms.pipeline.records import candidate_rows, iteration_rows
from transforms.pipeline.state import LoopState
from transforms.tables import TABLES
from transforms.values import (
    AnswerWithEvidence,
    Command,
    Finish,
    Generate,
    Generated,
    Reparse,
    Reparsed,
    Reply,
    Retrieve,
    Retrieved,
    Usage,
)

MAX_COMMANDS = 200
"""Four passes of at most 20 windows with some fruitless actions: far below this."""

WORDS = st.lists(st.sampled_from(["premium", "policy", "coverage", "Table 3", "5.4"]), max_size=3)
QUESTIONS = st.sampled_from(
    [
        question(),
        question(answer_type="text"),
        question(intent="listing", answer_shape="listing", answer_type="name"),
        question(intent="comparison", decomposition="unified"),
    ]
)
STATES = st.builds(
    state,
    QUESTIONS,
    tokens=st.integers(0, 20_000),
    k=st.integers(1, 5),
    max_iterations=st.integers(1, 4),
    means=st.sampled_from([(), ("dense_retrieval",), ("toc_retrieval",)]),
    flagged_pages=st.sampled_from([(), (("doc", 1),), (("doc", 3), ("doc", 4))]),
)
ANSWERS = st.one_of(
    st.just(AnswerWithEvidence()),
    st.builds(
        found,
        st.sampled_from(["$100", "$200"]),
        complete=st.booleans(),
        confidence=st.floats(0, 1),
        context_structured=st.booleans(),
        unstructured_pages=st.just((2,)),
        llm_discovered_keywords=WORDS,
        pending_references=WORDS,
    ),
    st.builds(
        listed,
        st.sampled_from(["Fire", "Theft"]),
        complete=st.booleans(),
        is_likely_complete=st.booleans(),
    ),
)
FAILURES = st.sampled_from([(), ({"check": "quote_not_found", "message": "no"},)])
GENERATED = st.builds(
    generated,
    ANSWERS,
    failures=FAILURES,
    cardinality_cue=st.none() | st.integers(1, 9),
    usage=st.builds(Usage, prompt_tokens=st.integers(0, 5_000), n_calls=st.just(1)),
    elapsed_ms=st.integers(0, 20_000),
    error=st.sampled_from([None, None, None, "unreachable"]),
    is_over_budget=st.sampled_from([False, False, False, True]),
    is_rejected=st.booleans(),
)
CANDIDATES = st.lists(
    st.builds(candidate, st.integers(1, 30), anchor_overlap=st.floats(0, 1)),
    max_size=5,
    unique_by=lambda window: window.page_start,
)
RETRIEVED = st.builds(
    lambda found, spent: Retrieved(candidates=tuple(found), elapsed_ms=spent),
    CANDIDATES,
    st.integers(0, 2_000),
)
REPARSED = st.builds(
    Reparsed,
    pages=st.sampled_from([(), (1,), (2,)]),
    usage=st.builds(Usage, prompt_tokens=st.integers(0, 500)),
    elapsed_ms=st.integers(0, 2_000),
)


def play(data: st.DataObject, first: LoopState) -> tuple[Step, list[Reply]]:
    """Answer every command with an arbitrary reply of its kind, until the loop finishes."""
    step, replies, _ = play_all(data, first)
    return step, replies


def play_all(data: st.DataObject, first: LoopState) -> tuple[Step, list[Reply], list[Command]]:
    """Play, and return the commands too."""
    replies: list[Reply] = []
    step = start(first)
    commands = [step[1]]
    while not isinstance(step[1], Finish):
        assert len(replies) < MAX_COMMANDS, "the loop does not end"
        match step[1]:
            case Retrieve():
                reply: Reply = data.draw(RETRIEVED)
            case Reparse():
                reply = data.draw(REPARSED)
            case Generate():
                reply = data.draw(GENERATED)
        replies.append(reply)
        step = advance(step[0], reply)
        commands.append(step[1])
    return step, replies, commands


@settings(max_examples=300, deadline=None)
@given(st.data(), STATES)
def test_the_loop_ends_within_its_bounds_and_loses_nothing(
    data: st.DataObject, first: LoopState
) -> None:
    (last, _), replies = play(data, first)
    answers = [reply for reply in replies if isinstance(reply, Generated)]
    assert last.iteration_number <= first.plan.max_iterations
    assert last.n_steps == len(answers)
    paid = [reply for reply in replies if not isinstance(reply, Retrieved)]
    assert last.usage.tokens == sum(reply.usage.tokens for reply in paid)
    assert sum(record.n_tokens for record in last.records) == last.usage.tokens
    assert last.elapsed_ms == sum(reply.elapsed_ms for reply in replies)
    stages = [(r.retrieval_ms, r.parsing_ms, r.generation_ms) for r in last.records]
    assert sum(map(sum, stages)) == last.elapsed_ms
    numbers = [record.iteration_number for record in last.records]
    assert numbers == list(range(1, last.iteration_number + 1))
    assert [record.stop_reason is None for record in last.records[:-1]] == [True] * (
        len(last.records) - 1
    )
    assert last.records[-1].stop_reason == last.stop_reason


@settings(max_examples=200, deadline=None)
@given(st.data(), STATES)
def test_no_expansion_is_unbounded_and_only_doubtful_pages_are_read_again(
    data: st.DataObject, first: LoopState
) -> None:
    (last, _), replies, commands = play_all(data, first)
    own = {*first.question.keywords, *first.question.anchor_keywords}
    for command in commands:
        if isinstance(command, Retrieve):
            assert len(own | set(command.request.keywords_added)) <= MAX_KEYWORDS
            assert command.request.question.keywords == first.question.keywords
            assert command.request.question.anchor_keywords == first.question.anchor_keywords
            assert command.request.k == first.plan.k
    named = {
        page for r in replies if isinstance(r, Generated) for page in r.answer.unstructured_pages
    }
    named |= {page for _, page in first.flagged_pages}
    reread = [
        page for command in commands if isinstance(command, Reparse) for page in command.pages
    ]
    assert set(reread) <= named
    assert len(reread) == len(set(reread)), "no page is read again twice"
    acted = [signal for record in last.records for signal in (record.signal, *record.fruitless)]
    assert len(acted) == len(set(map(repr, acted))), "no action is taken twice"


def sure(reply: Reply, confidence: float) -> Reply:
    if not isinstance(reply, Generated):
        return reply
    answer = reply.answer.model_copy(update={"confidence": confidence})
    return reply.model_copy(update={"answer": answer})


@settings(max_examples=200, deadline=None)
@given(st.data(), STATES, st.floats(0, 1))
def test_nothing_iterates_on_confidence_alone(
    data: st.DataObject, first: LoopState, confidence: float
) -> None:
    _, replies = play(data, first)
    commands: list[list[Command]] = []
    for level in (0.5, confidence):
        step = start(first)
        commands.append([step[1]])
        for reply in replies:
            if isinstance(step[1], Finish):
                break
            if step[0].phase != PHASES[type(reply)]:
                break  # without a drop of confidence the loop goes on where these replies ended
            step = advance(step[0], sure(reply, level))
            commands[-1].append(step[1])
    assert commands[0] == commands[1]


PHASES = {Retrieved: "retrieving", Reparsed: "reparsing", Generated: "generating"}


@settings(max_examples=300, deadline=None)
@given(st.data(), STATES)
def test_no_worse_answer_is_returned_than_one_that_was_seen(
    data: st.DataObject, first: LoopState
) -> None:
    (last, _), _ = play(data, first)
    answer = final_answer(last)
    for attempt in last.attempts:
        alone = best_answer([attempt], last.question.answer_shape)
        assert answer.answer_found >= alone.answer_found
        is_valid = alone.answer_found and not attempt.failures and not attempt.is_rejected
        if is_valid and alone.complete_answer_found:
            assert answer.complete_answer_found


@settings(max_examples=100, deadline=None)
@given(st.data(), STATES)
def test_the_same_replies_give_the_same_rows_of_the_declared_types(
    data: st.DataObject, first: LoopState
) -> None:
    (last, _), replies = play(data, first)
    step = start(first)
    for reply in replies:
        step = advance(step[0], reply)
    assert step[0] == last
    for table, rows in (
        ("iteration_df", iteration_rows(last)),
        ("candidate_df", candidate_rows(last)),
    ):
        rows_of_run = [{"run_id": "run", **row} for row in rows]
        TABLES[table].checked(TABLES[table].frame(rows_of_run))


@settings(max_examples=100, deadline=None)
@given(STATES)
def test_a_state_survives_being_stored(first: LoopState) -> None:
    assert LoopState.model_validate_json(first.model_dump_json()) == first
