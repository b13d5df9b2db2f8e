"""What is true of the offline reader whatever stands in the lines."""

from typing import get_args

from hypothesis import given, settings
from hypothesis import strategies as st

from transforms.generation import read_offline, validate_answer
from transforms.tables import Line
from transforms.values import (
    AnswerShape,
    AnswerType,
    Candidate,
    Intent,
    LineRole,
    ParsedQuestion,
    Window,
)

DOC_ID = "d" * 16
FRAGMENTS = (
    "The deductible is $5,000 for each loss.", "between Acme, Inc. (“Acme”) and", "(a) fire; (b)",
    "Limit  Deductible", "USD 1,000  5%", "Section 4.2 Cancellation", "“Loss” means", "dated as of",
    "May 1, 2014", "1. Januar 2026", "laws of the State of New York", "thirty (30) days", ":", "(",
    "excluded unless", "see Table 3", "includes: a, b and c", "A.  Name", "•", "\u00a0\u00a0",
)  # fmt: skip
QUESTIONS = (
    "What is the deductible?", "Who are the parties?", "Is loss excluded?", "List all exclusions.",
    "What does “Loss” mean?", "Which state's law governs the contract?", "", "???",
    "What is the term of this agreement?", "Is the limit higher than the deductible?",
    "Which peril has the highest limit?", "What does Section 4.2 say?",
)  # fmt: skip

texts = st.lists(st.sampled_from(FRAGMENTS) | st.text(max_size=30), max_size=4).map(" ".join)
roles = st.sampled_from(get_args(LineRole))
questions = st.builds(
    lambda text, intent, shape, kind: ParsedQuestion(
        text=text,
        corrected_text=text,
        intent=intent,
        answer_shape=shape,
        answer_type=kind,
        section_hint="Section 4.2",
    ),
    st.sampled_from(QUESTIONS),
    st.sampled_from(get_args(Intent)),
    st.sampled_from(get_args(AnswerShape)),
    st.sampled_from(get_args(AnswerType)),
)


def window(lines: list[tuple[str, str, int]]) -> Window:
    frame = Line.frame(
        {
            "doc_id": DOC_ID, "page": 1, "page_version": 1, "line": number, "text": text,
            "x0": 72.0, "y0": 12.0 * number, "x1": 500.0, "y1": 12.0 * number + 10,
            "font_size": 10.0, "is_bold": False, "is_italic": False, "column_number": 1,
            "block": block, "role": role, "section_id": None,
        }
        for number, (text, role, block) in enumerate(lines, start=1)
    )  # fmt: skip
    candidate = Candidate(
        doc_id=DOC_ID, rank=1, page_start=1, line_start=1, page_end=1,
        line_end=max(1, len(lines)), relevance=1.0, fused_score=1.0, detectors=("keywords",),
        n_tokens=1,
    )  # fmt: skip
    return Window(candidate=candidate, line_df=frame)


@settings(deadline=None, max_examples=150)
@given(questions, st.lists(st.tuples(texts, roles, st.integers(1, 3)), max_size=8))
def test_every_found_answer_quotes_what_stands_there(
    question: ParsedQuestion, lines: list[tuple[str, str, int]]
) -> None:
    windows = (window(lines),)
    answer = read_offline(question, windows)
    checked = validate_answer(answer, question, windows)
    quotes_not_found = [f for f in checked.failures if f.check == "quote_not_found"]
    assert not answer.complete_answer_found or answer.answer_found
    assert not answer.answer_found or answer.cited or all(item.cited for item in answer.items)
    assert not quotes_not_found
