"""Check the items of an answer: each by its own evidence, all by the number announced."""

from collections.abc import Iterator, Sequence

import polars as pl

from transforms.generation.citing import anchor
from transforms.generation.contracts import is_comparison
from transforms.generation.flags import not_found
from transforms.generation.following import TYPED, scales_of, text_follows, value_follows
from transforms.generation.render import Passage
from transforms.generation.typed_values import find_values
from transforms.text import cardinality_cue, fold
from transforms.values import (
    AnswerItem,
    AnswerWithEvidence,
    CheckFailure,
    EvidenceSpan,
    ParsedQuestion,
    ValidatedAnswer,
)

_LINES_ABOVE = 6
"""Lines above the first item in which the number of items is announced."""
_RUNNING_TEXT = ("body", "heading", "list_item")
"""Where a number is announced: a table, a figure or a page's header may stand in between."""
NO_ITEM = "no item of the answer has a quote that stands in the document: not found"


def validate_items(
    answer: AnswerWithEvidence, question: ParsedQuestion, offered: Sequence[Passage]
) -> ValidatedAnswer:
    """Return the answer with the items that have evidence, each once.

    Items without it are dropped and the answer is incomplete then; it is also incomplete when
    the text announces more items, or a comparison has lost a side.
    """
    kept, failures = _supported(answer.items, question, offered)
    if not kept:
        return ValidatedAnswer(answer=not_found(answer, NO_ITEM), failures=failures)
    cue = _announced(kept, question, offered) if question.answer_shape == "listing" else None
    caveats = list(answer.caveats)
    n_dropped = len(answer.items) - len(kept)
    if failures:
        caveats.append(f"{n_dropped} of {len(answer.items)} items had no evidence: dropped")
    is_short = (cue or 0) > len(kept) or (is_comparison(question) and len(kept) < 2)
    if is_short and cue:
        message = f"the text announces {cue} items, the answer has {len(kept)}"
        caveats.append(message)
        if answer.complete_answer_found:  # one that says itself that items are missing is right
            failures = (*failures, CheckFailure(check="count", message=message))
    return ValidatedAnswer(
        answer=answer.model_copy(
            update={
                "items": tuple(kept),
                "evidence": tuple(dict.fromkeys(_all_evidence(kept))),
                "is_likely_complete": answer.is_likely_complete and not (is_short or failures),
                "complete_answer_found": answer.complete_answer_found
                and not (is_short or failures),
                "caveats": tuple(caveats),
            }
        ),
        failures=failures,
        cardinality_cue=cue,
    )


def _supported(
    items: Sequence[AnswerItem], question: ParsedQuestion, offered: Sequence[Passage]
) -> tuple[list[AnswerItem], tuple[CheckFailure, ...]]:
    scales = scales_of(text for passage in offered for text in passage.line_df["text"])
    kept: dict[str, AnswerItem] = {}
    failures: list[CheckFailure] = []
    for item in items:
        evidence, failed = anchor(item.cited, offered)
        quoted = "\n".join(span.quote for span in evidence)
        if not evidence:
            failures += failed or [_failure("quote_not_found", item, "has no evidence; quote it")]
        elif not _follows(item.value, quoted, question, scales):
            failures.append(_failure("value_not_in_quote", item, "does not stand in its quote"))
        else:
            kept.setdefault(
                fold(item.value).strip(), item.model_copy(update={"evidence": evidence})
            )
    return list(kept.values()), tuple(failures)


def _follows(value: str, quoted: str, question: ParsedQuestion, scales: tuple[float, ...]) -> bool:
    """Tell whether an item is in its quotes: one of its typed values, or its words."""
    kind = question.answer_type
    if kind in TYPED and (found := find_values(value, kind, question.language)):
        return any(value_follows(each, quoted, question.language, scales) for each in found)
    if question.answer_shape == "listing":
        return text_follows(value, quoted, kind, question.language)
    return text_follows(value, quoted, "text", question.language)


def _announced(
    kept: Sequence[AnswerItem], question: ParsedQuestion, offered: Sequence[Passage]
) -> int | None:
    """Return the number of items that the text announces around and shortly above the evidence.

    The text may be on the page before.
    """
    first = min(_all_evidence(kept), key=lambda span: (span.doc_id, span.page, span.line_start))
    page, line = pl.col("page"), pl.col("line")
    is_above = (page < first.page) | ((page == first.page) & (line < first.line_start))
    is_quoted = (page == first.page) & line.is_between(first.line_start, first.line_end)
    told_dfs = [passage.line_df for passage in offered if passage.doc_id == first.doc_id]
    told_df = pl.concat(told_dfs).unique(["page", "line"]).sort("page", "line")
    above_df = told_df.filter(
        is_above & (page >= first.page - 1) & pl.col("role").is_in(_RUNNING_TEXT)
    )
    texts = [*above_df.tail(_LINES_ABOVE)["text"], *told_df.filter(is_quoted)["text"]]
    return cardinality_cue("\n".join(texts), question.text, question.language)


def _all_evidence(items: Sequence[AnswerItem]) -> Iterator[EvidenceSpan]:
    return (span for item in items for span in item.evidence)


def _failure(check: str, item: AnswerItem, what: str) -> CheckFailure:
    return CheckFailure.model_validate({"check": check, "message": f"item {item.value!r} {what}"})
