"""Dense retrieval over given vectors."""

import polars as pl

from flows.retrieve import retrieve
from tests.unit.retrieval.corpora import corpus, lines, request
from transforms.retrieval import DenseVectors, embedding_stretches, index_lines
from transforms.tables import Embedding
from transforms.values import Activations, Candidate, ParsedQuestion

PAGES = (["Premium is due in May."], ["Inundation is not covered."], ["Contact us by post."])
MEANING = {"Premium is due in May.": [1.0, 0.0], "Inundation is not covered.": [0.0, 1.0],
           "Contact us by post.": [0.6, 0.8]}  # fmt: skip
QUESTION = "Is water damage insured?"


def found(*, is_dense: bool, anchors: tuple[str, ...] = ()) -> tuple[Candidate, ...]:
    frames = corpus(lines("d1", *PAGES))
    stretch_df = embedding_stretches(frames.line_df)
    rows = [
        {**row, "model": "m", "vector": MEANING[row.pop("text")]}
        for row in stretch_df.iter_rows(named=True)
    ]
    vectors = DenseVectors(
        embedding_df=Embedding.frame(rows), question_vectors={QUESTION: (0.0, 1.0)}
    )
    question = ParsedQuestion(text=QUESTION, corrected_text=QUESTION, anchor_keywords=anchors)
    activations = Activations(dense_retrieval=is_dense)
    asked = request(QUESTION, "d1", question=question, activations=activations)
    term_df = index_lines(frames.line_df, language="en")
    return retrieve([asked], frames, term_df, vectors=vectors)["pair"]


def test_a_window_is_found_by_its_meaning_alone() -> None:
    assert [candidate.detectors for candidate in found(is_dense=True)] == [("dense",)]


def test_what_only_meaning_finds_holds_no_anchor_when_there_is_one() -> None:
    assert [window.anchor_overlap for window in found(is_dense=True)] == [1.0]
    with_anchor = found(is_dense=True, anchors=("hurricane",))
    assert [window.anchor_overlap for window in with_anchor] == [0.0]


def test_vectors_are_not_used_when_the_pattern_is_off() -> None:
    assert found(is_dense=False) == ()


def test_a_stretch_stands_on_one_page() -> None:
    stretch_df = embedding_stretches(lines("d1", *PAGES))
    assert stretch_df.select("page", "line_start", "line_end").rows() == [
        (1, 1, 1),
        (2, 1, 1),
        (3, 1, 1),
    ]
    assert stretch_df.schema["page_version"] == pl.Int64
