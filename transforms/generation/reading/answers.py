"""Answers as the offline reader gives them: every one with the quote it stands on."""

import re
from collections.abc import Sequence

from transforms.generation.reading.units import Unit
from transforms.generation.typed_values import TypedValue
from transforms.values import AnswerItem, AnswerWithEvidence, CitedQuote

SOFT_LINE_END = re.compile("\u00ad\n")
HARD_LINE_END = re.compile(r"(?<=[^\W\d_]-)\n(?=[a-zà-ÿ])")
COMPLETE_FROM = 0.7
"""Coverage from which an answer counts as complete: most of the question stands around it."""

NOT_FOUND = AnswerWithEvidence(confidence=0.0)


def plain(text: str) -> str:
    """Return printed text on one line: a word that a line end had split is whole again."""
    return " ".join(HARD_LINE_END.sub("", SOFT_LINE_END.sub("", text)).split())


def value_answer(
    value: TypedValue, unit: Unit, *, coverage: float, caveats: Sequence[str] = ()
) -> AnswerWithEvidence:
    """Return a single typed value with the sentence or row it stands in."""
    return AnswerWithEvidence(
        value_text=plain(value.text),
        value_number=value.number,
        value_date=value.date if value.precision != "year" else None,
        value_bool=value.boolean,
        unit=value.unit,
        currency=value.currency,
        cited=(unit.cite(value.start, value.end),),
        answer_found=True,
        complete_answer_found=coverage >= COMPLETE_FROM,
        is_likely_complete=coverage >= COMPLETE_FROM,
        confidence=_confidence(coverage),
        caveats=tuple(caveats),
    )


def text_answer(
    text: str, cited: Sequence[CitedQuote], *, coverage: float, caveats: Sequence[str] = ()
) -> AnswerWithEvidence:
    """Return a text with its quotes."""
    return AnswerWithEvidence(
        value_text=plain(text),
        cited=tuple(cited),
        answer_found=True,
        complete_answer_found=coverage >= COMPLETE_FROM,
        is_likely_complete=coverage >= COMPLETE_FROM,
        confidence=_confidence(coverage),
        caveats=tuple(caveats),
    )


def list_answer(
    items: Sequence[tuple[str, CitedQuote]], *, coverage: float, is_complete: bool
) -> AnswerWithEvidence:
    """Return items, each with the quote it stands in."""
    return AnswerWithEvidence(
        items=tuple(AnswerItem(value=plain(text), cited=(quote,)) for text, quote in items),
        answer_found=bool(items),
        complete_answer_found=bool(items) and is_complete,
        is_likely_complete=is_complete,
        confidence=_confidence(coverage) if items else 0.0,
    )


def _confidence(coverage: float) -> float:
    return round(min(max(coverage, 0.05), 0.95), 3)
