"""What is always true of candidates, whatever the documents and questions."""

from itertools import accumulate

import polars as pl
from hypothesis import given, settings
from hypothesis import strategies as st

from flows.retrieve import retrieve
from tests.unit.retrieval.corpora import corpus, lines
from transforms.retrieval import index_lines, make_windows
from transforms.retrieval.geometry import Geometry
from transforms.retrieval.picking import pick
from transforms.retrieval.places import WINDOW_TOKENS
from transforms.retrieval.spans import overlap, span_of
from transforms.values import (
    Activations,
    Candidate,
    CorpusFrames,
    ParsedQuestion,
    RetrievalRequest,
)

WORDS = ["premium", "flood", "limit", "policy", "term", "2024", "ID.AM-1", "covers", ""]
LINE = st.lists(st.sampled_from(WORDS), min_size=1, max_size=30).map(" ".join)
PAGE = st.lists(LINE, min_size=1, max_size=40)
DOCUMENT = st.lists(PAGE, min_size=1, max_size=3).map(lambda pages: [["a title"], *pages])
DOCUMENTS = st.lists(DOCUMENT, min_size=1, max_size=3)
QUESTION = st.builds(
    lambda words, intent: ParsedQuestion(
        text=" ".join(words), corrected_text=" ".join(words), keywords=tuple(words), intent=intent
    ),
    st.lists(st.sampled_from(WORDS[:-1]), min_size=1, max_size=5, unique=True),
    st.sampled_from(["factual", "listing", "comparison"]),
)
ASKED = settings(max_examples=12, deadline=None)


def frames_of(documents: list[list[list[str]]]) -> CorpusFrames:
    return corpus(*(lines(f"d{number}", *pages) for number, pages in enumerate(documents)))


def asked(
    frames: CorpusFrames, question: ParsedQuestion, k: int, **fields: object
) -> RetrievalRequest:
    activations = Activations(
        listing_aggregation=question.intent == "listing", two_hop_references=True
    )
    return RetrievalRequest.model_validate(
        {"pair_id": "p", "doc_ids": tuple(frames.document_df["doc_id"]), "question": question,
         "activations": activations, "k": k, **fields}
    )  # fmt: skip


def found(frames: CorpusFrames, request: RetrievalRequest) -> tuple[Candidate, ...]:
    term_df = index_lines(frames.line_df, language="en")
    return retrieve([request], frames, term_df)["p"]


@ASKED
@given(DOCUMENTS, QUESTION, st.integers(1, 6))
def test_the_same_inputs_give_the_same_candidates_in_the_same_order(
    documents: list[list[list[str]]], question: ParsedQuestion, k: int
) -> None:
    frames = frames_of(documents)
    shuffled = frames.model_copy(
        update={"line_df": frames.line_df.sample(fraction=1, shuffle=True, seed=k)}
    )
    assert found(frames, asked(frames, question, k)) == found(shuffled, asked(frames, question, k))


@ASKED
@given(DOCUMENTS, QUESTION, st.integers(1, 6), st.integers(0, 2))
def test_windows_are_at_most_k_or_no_longer_stay_in_their_document_and_do_not_overlap(
    documents: list[list[list[str]]], question: ParsedQuestion, k: int, widen: int
) -> None:
    frames = frames_of(documents)
    candidates = found(frames, asked(frames, question, k, widen=widen))
    spans = [span_of(candidate) for candidate in candidates]
    assert widen or len(candidates) <= k
    if len(candidates) > 1:
        assert sum(candidate.n_tokens for candidate in candidates) <= max(k, 2) * WINDOW_TOKENS
    assert [candidate.rank for candidate in candidates] == list(range(1, len(candidates) + 1))
    assert not any(overlap(one, other) for i, one in enumerate(spans) for other in spans[i + 1 :])
    for window in make_windows(candidates, frames):
        assert set(window.line_df["doc_id"]) == {window.candidate.doc_id}
        if window.line_df.height > 1:
            assert window.candidate.n_tokens <= WINDOW_TOKENS


@ASKED
@given(DOCUMENTS, QUESTION, st.integers(1, 3), st.integers(0, 2))
def test_every_later_window_holds_something_unread(
    documents: list[list[list[str]]], question: ParsedQuestion, k: int, widen: int
) -> None:
    frames = frames_of(documents)
    first = found(frames, asked(frames, question, k))
    later = found(frames, asked(frames, question, k, seen=first, widen=widen))
    read = [span_of(candidate) for candidate in first]
    geometry = Geometry(frames)
    for candidate in later:
        assert geometry.document(candidate.doc_id).holds_unread(span_of(candidate), read)


@ASKED
@given(DOCUMENTS, QUESTION)
def test_another_document_changes_nothing(
    documents: list[list[list[str]]], question: ParsedQuestion
) -> None:
    frames = frames_of(documents)
    alone = frames_of(documents[:1])
    request = asked(alone, question.model_copy(update={"intent": "factual"}), 5)
    assert found(frames, request) == found(alone, request)


@ASKED
@given(DOCUMENTS, st.lists(st.tuples(QUESTION, st.integers(1, 6)), min_size=2, max_size=4))
def test_what_else_is_asked_changes_nothing(
    documents: list[list[list[str]]], questions: list[tuple[ParsedQuestion, int]]
) -> None:
    frames = frames_of(documents)
    term_df = index_lines(frames.line_df, language="en")
    requests = [
        asked(frames, question, k, pair_id=f"p{number}")
        for number, (question, k) in enumerate(questions)
    ]
    together = retrieve(requests, frames, term_df)
    assert list(together) == [request.pair_id for request in requests]
    for request in requests:
        assert retrieve([request], frames, term_df) == {request.pair_id: together[request.pair_id]}


@ASKED
@given(
    st.lists(st.tuples(st.integers(0, 2), st.integers(0, 40)), unique=True, max_size=60),
    st.lists(st.integers(1, 4), min_size=3, max_size=3),
    st.lists(st.integers(0, 3), min_size=41, max_size=41),
)
def test_the_best_place_that_overlaps_none_before_it_is_picked_next(
    hits: list[tuple[int, int]], k_by_ask: list[int], lengths: list[int]
) -> None:
    ends = list(accumulate((start + length for start, length in enumerate(lengths)), max_plus_one))
    place_df = pl.DataFrame(
        {"place": range(41), "unit_start": range(41), "unit_end": ends},
        schema_overrides={"place": pl.Int64, "unit_start": pl.Int64, "unit_end": pl.Int64},
    )
    ordered = sorted(hits, key=lambda hit: hit[0])
    expected: list[tuple[int, int]] = []
    for ask, place in ordered:
        taken = [other for of_ask, other in expected if of_ask == ask]
        is_free = all(ends[place] < other or ends[other] < place for other in taken)
        if is_free and len(taken) < k_by_ask[ask]:
            expected.append((ask, place))
    hit_df = pl.DataFrame(ordered, schema={"ask_id": pl.Int64, "place": pl.Int64}, orient="row")
    assert pick(hit_df, place_df, k_by_ask).rows() == expected


def max_plus_one(before: int, end: int) -> int:
    return max(before + 1, end)


@ASKED
@given(DOCUMENTS, QUESTION)
def test_a_superseded_page_is_never_retrieved(
    documents: list[list[list[str]]], question: ParsedQuestion
) -> None:
    old = frames_of(documents)
    new_df = old.line_df.with_columns(page_version=pl.lit(2, pl.Int64), text=pl.lit("nothing"))
    frames = old.model_copy(update={"line_df": new_df})
    request = asked(frames, question, 5)
    term_df = index_lines(pl.concat([old.line_df, new_df]), language="en")
    assert retrieve([request], frames, term_df)["p"] == ()
