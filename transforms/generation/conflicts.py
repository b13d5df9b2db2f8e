"""Evidence that contradicts itself: an endorsement against the body of a policy."""

import re
from collections.abc import Sequence

import polars as pl

from transforms.generation.following import given_value, value_follows
from transforms.generation.render import Passage
from transforms.generation.typed_values import find_values
from transforms.text import tokens
from transforms.values import AnswerWithEvidence, EvidenceSpan, ParsedQuestion

_AMENDING = re.compile(
    r"\b(?:endorse(?:ment|d)|amend(?:ment|s|ed|ing)|rider|supersed\w+|replace[sd]?|deleted?"
    r"|addendum|avenant|modifi\w+|remplac\w+|nachtrag\w*|geändert|ersetzt|suplemento)\b",
    re.IGNORECASE,
)
_ANY_SCALE = (1.0, 1e3, 1e6, 1e9)
_LINES_ABOVE = 12
"""Lines above a quote in which the heading of its endorsement stands."""


def conflict_caveat(
    answer: AnswerWithEvidence, question: ParsedQuestion, offered: Sequence[Passage]
) -> str | None:
    """Return which quote was followed and why, when the quotes state different values."""
    given = given_value(answer, question)
    if given is None:
        return None
    stating = [
        span
        for span in answer.evidence
        if find_values(span.quote, question.answer_type, question.language)
    ]
    followed = [s for s in stating if value_follows(given, s.quote, question.language, _ANY_SCALE)]
    others = [span for span in stating if span not in followed]
    if not followed or not others:
        return None
    said, other = followed[0], others[0]
    is_amending = _is_amending(said, offered), _is_amending(other, offered)
    if not any(is_amending) and not _is_same_matter(said.quote, other.quote):
        return None
    reason = _reason(*is_amending)
    return (
        f"page {said.page} says {_short(said.quote)!r}, page {other.page} says "
        f"{_short(other.quote)!r}: followed page {said.page}, {reason}"
    )


def _is_same_matter(text: str, other: str) -> bool:
    """Tell whether two quotes have half of their words in common, numbers aside."""
    said, others = (
        {word for word in tokens(each) if not any(c.isdigit() for c in word)}
        for each in (text, other)
    )
    return bool(said and others) and 2 * len(said & others) >= min(len(said), len(others))


def _reason(is_followed_amending: bool, is_other_amending: bool) -> str:
    if is_followed_amending and not is_other_amending:
        return "an amendment that goes before the body"
    if is_other_amending and not is_followed_amending:
        return "although the other is an amendment: check this answer"
    return "as the engine chose"


def _is_amending(span: EvidenceSpan, offered: Sequence[Passage]) -> bool:
    if _AMENDING.search(span.quote):
        return True
    is_above = (
        (pl.col("doc_id") == span.doc_id)
        & (pl.col("page") == span.page)
        & pl.col("line").is_between(span.line_start - _LINES_ABOVE, span.line_end)
    )
    texts = [text for p in offered for text in p.line_df.filter(is_above)["text"]]
    return any(_AMENDING.search(text) for text in texts)


def _short(text: str) -> str:
    joined = " ".join(text.split())
    return joined if len(joined) <= 80 else f"{joined[:77]}..."
