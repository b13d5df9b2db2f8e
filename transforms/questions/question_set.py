"""Question sets: rows of a question file, checked, parsed, and as `question_df`."""

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from functools import lru_cache
from typing import Annotated

import polars as pl
from pydantic import BeforeValidator, ConfigDict, Field, ValidationError

from transforms.errors import InputError
from transforms.questions.parse import parse_question
from transforms.questions.vocabulary import Vocabulary
from transforms.tables import Question
from transforms.values import AnswerShape, AnswerType, ParsedQuestion, Value

MAX_QUESTION_CHARS = 20_000
"""Longer cells are a mistake in the file, not a question."""
VERSION_DIGITS = 16
MAX_KEPT = 1_000
"""Parses that are kept in mind: long sets put the same questions to one document after another."""


def _split(value: object) -> object:
    """Return a comma-separated cell as its parts; lists stay."""
    if value is None:
        return ()
    if isinstance(value, str):
        return tuple(part.strip() for part in value.split(",") if part.strip())
    return value


def _stripped(value: object) -> object:
    return value.strip() if isinstance(value, str) else value


def _text(value: object) -> object:
    """Return whole numbers, which YAML and Parquet give for ids like 17, as text."""
    return str(value) if isinstance(value, int) and not isinstance(value, bool) else value


_Parts = Annotated[tuple[str, ...], BeforeValidator(_split)]
_Word = BeforeValidator(_stripped)


class AskedRow(Value):
    """One row of a question file, checked."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    question_id: Annotated[str, _Word, BeforeValidator(_text), Field(min_length=1, max_length=200)]
    question: Annotated[str, _Word, Field(min_length=1, max_length=MAX_QUESTION_CHARS)]
    answer_type: Annotated[AnswerType | None, _Word] = None
    answer_shape: Annotated[AnswerShape | None, _Word] = None
    scope: Annotated[str, _Word, Field(pattern=r"^(?:document|corpus|group:\w+)$")] = "document"
    documents: _Parts = ()
    where: Annotated[str | None, _Word] = None
    k: Annotated[int | None, _Word, Field(ge=1, le=100)] = None
    budget_tokens: Annotated[int | None, _Word, Field(ge=1)] = None
    budget_usd: Annotated[Decimal | None, _Word, Field(gt=0, allow_inf_nan=False)] = None
    budget_ms: Annotated[int | None, _Word, Field(ge=1)] = None
    tags: _Parts = ()
    model_tier: Annotated[str, _Word, Field(min_length=1)] = "standard"


class AskedQuestion(Value):
    """A question of a set, parsed, with what the set says about scope, bounds and charging."""

    set_id: str
    question_id: str
    question_version: str
    parsed: ParsedQuestion
    scope: str = "document"
    documents: tuple[str, ...] = ()
    where_sql: str | None = None
    k: int | None = None
    budget_tokens: int | None = None
    budget_usd: Decimal | None = None
    budget_ms: int | None = None
    tags: tuple[str, ...] = ()
    model_tier: str = "standard"


def each_question(
    rows: Sequence[Mapping[str, object]],
    *,
    set_id: str,
    vocabulary: Vocabulary,
    corpus_terms: frozenset[str] = frozenset(),
) -> Iterator[AskedQuestion]:
    """Check all rows of a set, then parse and yield one question after the other.

    Raises InputError that names row and column. Text is data: formulas and escape sequences in it
    mean nothing.
    """
    if not rows:
        raise InputError(
            f"question set {set_id!r} has no questions",
            hint="a row needs at least question_id and question",
        )
    checked = [_checked(row, number) for number, row in enumerate(rows, start=1)]
    _refuse_duplicates(checked)

    @lru_cache(MAX_KEPT)
    def parsed(
        text: str, answer_type: AnswerType | None, answer_shape: AnswerShape | None
    ) -> ParsedQuestion:
        return parse_question(
            text,
            vocabulary=vocabulary,
            corpus_terms=corpus_terms,
            answer_type=answer_type,
            answer_shape=answer_shape,
        )

    for row in checked:
        yield _asked(row, set_id, parsed(row.question, row.answer_type, row.answer_shape))


def question_frame(asked: Sequence[AskedQuestion]) -> pl.DataFrame:
    """Return the questions as `question_df`.

    One row per question of the set.
    """
    return Question.frame(_question_row(question) for question in asked)


def _checked(row: Mapping[str, object], number: int) -> AskedRow:
    filled = {name: value for name, value in row.items() if not _is_blank(value)}
    unknown = [name for name in filled if name not in AskedRow.model_fields]
    if unknown:
        raise InputError(
            f"question row {number}: column {unknown[0]!r} is not known",
            hint=f"columns are {', '.join(AskedRow.model_fields)}",
        )
    try:
        return AskedRow.model_validate(filled)
    except ValidationError as error:
        problem = error.errors()[0]
        column = str(problem["loc"][0]) if problem["loc"] else "row"
        shown = str(filled.get(column, ""))[:60]
        raise InputError(
            f"question row {number}, column {column!r}: {problem['msg']} (found {shown!r})",
            hint="correct the cell and run again",
        ) from error


def _is_blank(value: object) -> bool:
    return value is None or (isinstance(value, str) and not value.strip())


def _refuse_duplicates(rows: Sequence[AskedRow]) -> None:
    first_seen: dict[str, int] = {}
    for number, row in enumerate(rows, start=1):
        if row.question_id in first_seen:
            raise InputError(
                f"question row {number}: question_id {row.question_id!r} was used in row "
                f"{first_seen[row.question_id]}",
                hint="give each question an id of its own",
            )
        first_seen[row.question_id] = number


def _asked(row: AskedRow, set_id: str, parsed: ParsedQuestion) -> AskedQuestion:
    return AskedQuestion(
        set_id=set_id,
        question_version=_version(row),
        parsed=parsed,
        where_sql=row.where,
        **row.model_dump(exclude={"question", "answer_type", "answer_shape", "where"}),
    )


def _version(row: AskedRow) -> str:
    """Return the hash of a row's content: the same row has the same version in any file format."""
    content = json.dumps(row.model_dump(mode="json"), sort_keys=True, ensure_ascii=False)
    return hashlib.sha256(content.encode()).hexdigest()[:VERSION_DIGITS]


def _question_row(question: AskedQuestion) -> dict[str, object]:
    parsed = question.parsed
    of_parsed = parsed.model_dump(
        include=set(Question.model_fields) & set(ParsedQuestion.model_fields)
    )
    of_set = question.model_dump(exclude={"parsed"})
    row = {
        **of_parsed,
        **of_set,
        "sub_questions": parsed.sub_questions,
        "parsed_parts": [part.model_dump_json() for part in parsed.parts],
    }
    return {name: list(value) if isinstance(value, tuple) else value for name, value in row.items()}
