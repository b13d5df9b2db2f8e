"""The bricks as the composition layer reaches them: replace one here, and the loop is untouched."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Self

import polars as pl

from transforms import generation, parsing, questions, retrieval
from transforms.values import (
    AnswerWithEvidence,
    Candidate,
    DocumentProfile,
    ParsedQuestion,
    ValidatedAnswer,
    Window,
)

Frames = dict[str, pl.DataFrame]


@dataclass(frozen=True)
class PatternRegistry:
    """One callable per thing that a brick does. A deployment replaces fields, not code:

    `dataclasses.replace(PatternRegistry.default(), parse_document=mine)`.
    """

    detect_document_type: Callable[[bytes], DocumentProfile]
    parse_document: Callable[..., Frames]
    reparse_pages: Callable[..., Frames]
    parse_question: Callable[..., ParsedQuestion]
    index_lines: Callable[..., pl.DataFrame]
    make_candidates: Callable[..., Mapping[str, tuple[Candidate, ...]]]
    make_windows: Callable[..., tuple[Window, ...]]
    read_offline: Callable[..., AnswerWithEvidence]
    validate_answer: Callable[..., ValidatedAnswer]

    @classmethod
    def default(cls) -> Self:
        """Return the bricks of this package."""
        return cls(
            detect_document_type=parsing.detect_document_type,
            parse_document=parsing.parse_document,
            reparse_pages=parsing.reparse_pages,
            parse_question=questions.parse_question,
            index_lines=retrieval.index_lines,
            make_candidates=retrieval.make_candidates,
            make_windows=retrieval.make_windows,
            read_offline=generation.read_offline,
            validate_answer=generation.validate_answer,
        )
