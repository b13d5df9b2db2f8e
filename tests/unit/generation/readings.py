"""Questions that the offline reader answers from a few printed lines, for its tests."""

from collections.abc import Sequence

import polars as pl

from transforms.generation import read_offline, validate_answer
from transforms.tables import Line
from transforms.values import (
    AnswerShape,
    AnswerType,
    AnswerWithEvidence,
    Candidate,
    LineRole,
    ParsedQuestion,
    Window,
)

LINE_HEIGHT = 12.0
Printed = str | tuple[str, LineRole]
"""A line of body text, or a line with its role."""


def line_df(lines: Sequence[Printed], *, doc_id: str = "d" * 16, page: int = 1) -> pl.DataFrame:
    """Return lines of one page; an empty text ends a paragraph."""
    rows, block = [], 1
    for line in lines:
        text, role = line if isinstance(line, tuple) else (line, "body")
        if not text:
            block += 1
            continue
        number = len(rows) + 1
        rows.append(
            {
                "doc_id": doc_id, "page": page, "page_version": 1, "line": number, "text": text,
                "x0": 72.0, "y0": number * LINE_HEIGHT, "x1": 500.0,
                "y1": (number + 1) * LINE_HEIGHT, "font_size": 10.0, "is_bold": False,
                "is_italic": False, "column_number": 1, "block": block, "role": role,
                "section_id": None,
            }
        )  # fmt: skip
    return Line.frame(rows)


def window(lines: Sequence[Printed], *, doc_id: str = "d" * 16, rank: int = 1) -> Window:
    frame = line_df(lines, doc_id=doc_id)
    candidate = Candidate(
        doc_id=doc_id, rank=rank, page_start=1, line_start=1, page_end=1,
        line_end=max(frame.height, 1), relevance=1.0, fused_score=1.0, detectors=("keywords",),
        n_tokens=10,
    )  # fmt: skip
    return Window(candidate=candidate, line_df=frame)


def asked(
    text: str,
    answer_type: AnswerType = "text",
    answer_shape: AnswerShape = "single",
    *,
    language: str = "en",
) -> ParsedQuestion:
    return ParsedQuestion(
        text=text,
        corrected_text=text,
        language=language,
        answer_type=answer_type,
        answer_shape=answer_shape,
    )


def read(question: ParsedQuestion, lines: Sequence[Printed]) -> AnswerWithEvidence:
    """Return the answer after the validator: what is found has evidence that stands there."""
    windows = (window(lines),)
    answer = validate_answer(read_offline(question, windows), question, windows).answer
    assert bool(answer.evidence) is answer.answer_found
    return answer
