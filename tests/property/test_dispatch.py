"""Whatever is asked, there is one route, one row that says why, and the same answer again."""

from typing import get_args

from hypothesis import given, settings
from hypothesis import strategies as st

from flows.question_file import load_vocabulary
from transforms.pipeline.decide import PATTERNS, ROUTES, Seen, decide_route, score_spread
from transforms.questions import Vocabulary, parse_question
from transforms.text import word_set
from transforms.values import (
    Activations,
    AnswerShape,
    AnswerType,
    Decomposition,
    Intent,
    ParsedQuestion,
)

WORDS = st.sampled_from(
    sorted(
        word_set("""
            what which who when how much many long is are the of and or if list show compare
            between premium deductible date exclusions section 4.2 page 3 table d_model "Net Loss"
            ? , . quelle wie hoch cuál by year than higher it =1+1 ﬁ 2021 each with its
        """)
        | {"\x1b[31m", "\u202e", "\x00"}
    )
)
TEXTS = st.one_of(st.text(max_size=80), st.lists(WORDS, max_size=14).map(" ".join))
QUESTIONS = st.builds(
    ParsedQuestion,
    text=st.just("q"),
    corrected_text=st.just("q"),
    intent=st.sampled_from(get_args(Intent)),
    answer_shape=st.sampled_from(get_args(AnswerShape)),
    answer_type=st.sampled_from(get_args(AnswerType)),
    decomposition=st.sampled_from(get_args(Decomposition)),
)
SCORES = st.lists(st.floats(-5, 100, allow_nan=False), max_size=6)


@given(QUESTIONS, SCORES)
def test_every_question_has_exactly_one_route(asked: ParsedQuestion, scores: list[float]) -> None:
    decision = decide_route(asked, scores)
    rows = [row for row in ROUTES if row.when.holds(Seen(asked, score_spread(scores)))]
    assert rows[0].name == decision.route_rule
    assert rows[0].route == decision.route
    assert decide_route(asked, scores) == decision


@given(SCORES)
def test_a_spread_is_no_smaller_than_zero_and_keeps_no_order(scores: list[float]) -> None:
    spread = score_spread(scores)
    assert spread is None or spread >= 0
    assert spread == score_spread(sorted(scores))


@settings(max_examples=150, deadline=None)
@given(TEXTS)
def test_whatever_is_asked_is_parsed_the_same_way_each_time(text: str) -> None:
    parsed = parse_question(text, vocabulary=load_vocabulary())
    assert parsed == parse_question(text, vocabulary=load_vocabulary())
    assert parsed.text == text
    has_route = decide_route(parsed, ()).route is not None
    assert has_route != parsed.needs_clarification
    assert parsed.needs_clarification == (parsed.suggested_clarification is not None)
    assert all(part.parts == () for part in parsed.parts)
    assert len(parsed.parts) != 1
    assert {cue.partition("=")[0] for cue in parsed.cues} == {
        "intent", "answer_shape", "answer_type", "decomposition",
    }  # fmt: skip


@settings(max_examples=50, deadline=None)
@given(TEXTS, st.frozensets(st.text("abcdefgh", min_size=4, max_size=9), max_size=20))
def test_correcting_twice_changes_nothing_more(text: str, corpus_terms: frozenset[str]) -> None:
    once = parse_question(text, vocabulary=Vocabulary(), corpus_terms=corpus_terms)
    again = parse_question(once.corrected_text, vocabulary=Vocabulary(), corpus_terms=corpus_terms)
    assert again.corrected_text == once.corrected_text


def test_the_pattern_table_has_one_row_for_each_activation() -> None:
    assert [row.name for row in PATTERNS] == list(Activations.model_fields)
