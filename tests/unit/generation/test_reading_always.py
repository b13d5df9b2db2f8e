"""What is true of the offline reader whatever stands in the lines."""

from typing import get_args

from hypothesis import example, given, settings, target
from hypothesis import strategies as st

from transforms.generation import read_offline, validate_answer
from transforms.generation.folding import CURRENCY
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
    "The deductible is $5,000 for each loss.", "between Acme, Inc. (“Acme”) and Zen LLC (“Zen”)",
    "The exclusions are: (a) fire; (b) war.", "Peril  Limit  Deductible", "Fire  USD 1,000  USD 5",
    "Section 4.2 Cancellation", "“Loss” means damage.", "This Agreement is dated as of",
    "May 1, 2014", "1. Januar 2026", "governed by the laws of the State of New York",
    "The term of this Agreement is thirty (30) months.", "Exclusions:", "(a) flood", "(b) hail;",
    "Loss is excluded unless insured.", "see Table 3", "Perils include fire, hail and theft.", "(",
    "Broker: Finch & Marlow", "A.  Name", "•", "\u00a0\u00a0", "The limit of fire is $10 and",
)  # fmt: skip
QUESTIONS: tuple[tuple[str, AnswerType, AnswerShape, Intent], ...] = (
    ("What is the deductible?", "amount", "single", "factual"),
    ("What is the deductible for each loss?", "text", "single", "comparison"),
    ("Who are the parties to this agreement?", "name", "listing", "listing"),
    ("Who is the broker?", "name", "single", "factual"),
    ("Is loss excluded?", "boolean", "single", "factual"),
    ("List all exclusions.", "text", "listing", "listing"),
    ("Show the limits by peril.", "amount", "table", "listing"),
    ("What does “Loss” mean?", "text", "single", "factual"),
    ("Which state's law governs the contract?", "name", "single", "factual"),
    ("What is the date of this agreement?", "date", "single", "factual"),
    ("What is the term of this agreement?", "duration", "single", "factual"),
    ("Is the limit of fire higher than the deductible?", "boolean", "single", "comparison"),
    ("Which peril has the highest limit?", "name", "single", "factual"),
    ("What does Section 4.2 say?", "text", "single", "section_retrieval"),
    ("???", "identifier", "nested", "open_scoped"),
    ("", "address", "tree", "factual"),
)

texts = st.lists(st.sampled_from(FRAGMENTS) | st.text(max_size=9), min_size=1, max_size=3)
roles = st.sampled_from(("body", "body", *get_args(LineRole)))
# a line after a hyphen begins in the middle of a word, one with a sign may belong to the number
# above it: no quote may begin there
texts = texts.filter(lambda parts: parts[-1][-1:] not in "-\u00ad‐‑–—−")
texts = texts.filter(lambda parts: " ".join(parts).lstrip()[:1] not in {*CURRENCY, *"%‰"})
printed = st.tuples(texts.map(" ".join), roles, st.integers(1, 3))


def asked(text: str, kind: AnswerType, shape: AnswerShape, intent: Intent) -> ParsedQuestion:
    return ParsedQuestion(
        text=text,
        corrected_text=text,
        intent=intent,
        answer_shape=shape,
        answer_type=kind,
        section_hint="Section 4.2" if intent == "section_retrieval" else None,
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


@settings(deadline=None, max_examples=200)
@given(st.sampled_from(QUESTIONS), st.lists(printed, max_size=10))
@example(
    ("What is the deductible for each loss?", "text", "single", "comparison"),
    [("The deductible is $5,000 for each loss.", "heading", 1), ("•", "body", 1)],
)
def test_every_found_answer_quotes_what_stands_there(
    question: tuple[str, AnswerType, AnswerShape, Intent], lines: list[tuple[str, str, int]]
) -> None:
    windows = (window(lines),)
    parsed = asked(*question)
    answer = read_offline(parsed, windows)
    checked = validate_answer(answer, parsed, windows)
    target(float(answer.answer_found))
    assert answer.answer_found or not answer.complete_answer_found
    assert not answer.answer_found or answer.cited or all(item.cited for item in answer.items)
    assert not [failure for failure in checked.failures if failure.check == "quote_not_found"]


def test_a_sentence_is_not_joined_over_lines_that_are_not_offered() -> None:
    whole = window(
        [
            ("The deductible for each loss is $5,000 and", "body", 1),
            ("is not paid for theft,", "body", 1),
            ("hail or flood.", "body", 1),
        ]
    )
    offered = whole.model_copy(update={"line_df": whole.line_df.filter(whole.line_df["line"] != 2)})
    parsed = asked("What is the deductible for each loss?", "amount", "single", "factual")
    answer = read_offline(parsed, (offered,))
    assert answer.answer_found
    assert not validate_answer(answer, parsed, (offered,)).failures
