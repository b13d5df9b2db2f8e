"""Score retrieval, dispatch and answers against gold lines: one row per line, then sums by kind."""

import re
from collections.abc import Callable, Mapping, Sequence
from typing import TypeVar

import polars as pl
from rapidfuzz import fuzz

from transforms.pipeline.compare import Comparison, GivenAnswer, compare
from transforms.pipeline.gold import GoldLine
from transforms.values import Value

T = TypeVar("T")

PASSAGE_SIMILARITY = 90.0
"""Partial ratio from which a window holds a passage: line breaks and hyphens may differ."""
BREAKDOWNS = ("route", "answer_type", "answer_kind", "field")

SCORE_SCHEMA = pl.Schema(
    {
        "pair_id": pl.String(),
        "sub_question": pl.Int64(),
        "question_id": pl.String(),
        "file_name": pl.String(),
        "question": pl.String(),
        "field": pl.String(),
        "answer_kind": pl.String(),
        "answer_type": pl.String(),
        "route": pl.String(),
        "gold_answer": pl.String(),
        "given_answer": pl.String(),
        "status": pl.String(),
        "is_right": pl.Boolean(),
        "is_absent": pl.Boolean(),
        "n_gold": pl.Int64(),
        "n_given": pl.Int64(),
        "n_right": pl.Int64(),
        "overlap": pl.Float64(),
        "first_page_hit": pl.Int64(),
        "first_line_hit": pl.Int64(),
        "has_gold_place": pl.Boolean(),
        "evidence_recall": pl.Float64(),
        "is_route_right": pl.Boolean(),
        "n_dispatch": pl.Int64(),
        "n_dispatch_right": pl.Int64(),
    }
)
"""Columns of a score frame. `first_…_hit` is the rank of the first window that hits, or null."""


class OfferedWindow(Value):
    """A window as it was offered, best first."""

    file_name: str
    page_start: int
    page_end: int
    text: str


class ScoredPair(Value):
    """What a run made of one pair, as far as scoring needs it."""

    pair_id: str
    question_id: str
    file_name: str | None
    dispatch: Mapping[str, str | None]
    """intent, answer_shape, answer_type, decomposition, route and route_rule as decided."""
    windows: tuple[OfferedWindow, ...] = ()
    given: GivenAnswer | None = None
    """Null when no run has answered it."""
    status: str | None = None


def score_line(gold: GoldLine, pair: ScoredPair) -> dict[str, object]:
    """Return the row of one gold line in a score frame."""
    answer = compare(gold, pair.given) if pair.given else None
    return {
        "pair_id": pair.pair_id,
        "sub_question": gold.sub_question,
        "question_id": pair.question_id,
        "file_name": pair.file_name,
        "question": gold.question,
        "field": gold.field,
        "answer_kind": gold.kind,
        "answer_type": gold.dispatch.get("answer_type") or pair.dispatch.get("answer_type"),
        "route": pair.dispatch.get("route"),
        "gold_answer": "; ".join(gold.answers) or None,
        "given_answer": "; ".join(pair.given.texts) if pair.given else None,
        "status": pair.status,
        **_answer_columns(gold, answer),
        **_retrieval_columns(gold, pair.windows),
        **_dispatch_columns(gold, pair.dispatch),
    }


def summarise(score_df: pl.DataFrame) -> pl.DataFrame:
    """Add scores up.

    One row per value of each breakdown, and one for all lines together (breakdown "all").
    """
    whole_df = _sums(score_df.with_columns(pl.lit("all").alias("name")), "all")
    parts = [
        _sums(score_df.drop_nulls(by).with_columns(pl.col(by).alias("name")), by)
        for by in BREAKDOWNS
    ]
    return pl.concat([whole_df, *parts])


def _answer_columns(gold: GoldLine, answer: Comparison | None) -> dict[str, object]:
    if answer is None:
        return {"is_absent": gold.is_absent}
    return {
        "is_right": answer.is_right,
        "is_absent": gold.is_absent,
        "n_gold": answer.n_gold,
        "n_given": answer.n_given,
        "n_right": answer.n_right,
        "overlap": answer.overlap,
    }


def _retrieval_columns(gold: GoldLine, windows: Sequence[OfferedWindow]) -> dict[str, object]:
    """Return where gold pages and gold texts are first met; texts stand in for absent pages."""
    quotes = [_folded(text) for text in gold.evidence or gold.passages]
    passages = [_folded(text) for text in gold.passages or gold.evidence]
    texts = [_folded(window.text) for window in windows]
    has_pages = bool(gold.pages or gold.places)
    by_page = _first(windows, lambda window: _is_on_gold_page(gold, window))
    by_passage = _first(texts, lambda text: any(_holds(text, passage) for passage in passages))
    by_line = _first(texts, lambda text: any(_holds(text, quote) for quote in quotes))
    n_found = sum(any(_holds(text, quote) for text in texts) for quote in quotes)
    return {
        "has_gold_place": has_pages or bool(passages),
        "first_page_hit": by_page if has_pages else by_passage,
        "first_line_hit": by_line,
        "evidence_recall": n_found / len(quotes) if quotes else None,
    }


def _is_on_gold_page(gold: GoldLine, window: OfferedWindow) -> bool:
    pages = range(window.page_start, window.page_end + 1)
    if gold.places:
        return any((window.file_name, page) in gold.places for page in pages)
    return any(page in gold.pages for page in pages)


def _dispatch_columns(gold: GoldLine, decided: Mapping[str, str | None]) -> dict[str, object]:
    """Compare what was decided. A route that close scores chose says nothing about the rules."""
    expected = dict(gold.dispatch)
    if decided.get("route_rule") == "tight_scores":
        expected.pop("route", None)
    right = [decided.get(key) == value for key, value in expected.items()]
    route = expected.get("route")
    return {
        "is_route_right": None if route is None else decided.get("route") == route,
        "n_dispatch": len(right),
        "n_dispatch_right": sum(right),
    }


def _sums(score_df: pl.DataFrame, breakdown: str) -> pl.DataFrame:
    has_place = pl.col("has_gold_place")
    has_quote = pl.col("evidence_recall").is_not_null()

    def hits(column: str, where: pl.Expr, rank: int | None = None) -> pl.Expr:
        hit = pl.col(column).is_not_null() if rank is None else pl.col(column) <= rank
        return hit.fill_null(value=False).filter(where).mean()

    precision = pl.col("n_right").sum() / pl.col("n_given").sum()
    recall = pl.col("n_right").sum() / pl.col("n_gold").sum()
    return (
        score_df.group_by("name")
        .agg(
            pl.len().alias("n_lines"),
            pl.col("is_right").mean().alias("accuracy"),
            precision.fill_nan(None).alias("precision"),
            recall.fill_nan(None).alias("recall"),
            pl.col("overlap").mean().alias("token_f1"),
            pl.col("is_right").filter(pl.col("is_absent")).mean().alias("absent_accuracy"),
            hits("first_page_hit", has_place, 1).alias("page_hit_at_1"),
            hits("first_page_hit", has_place).alias("page_hit_at_k"),
            hits("first_line_hit", has_quote, 1).alias("line_hit_at_1"),
            hits("first_line_hit", has_quote).alias("line_hit_at_k"),
            pl.col("evidence_recall").mean(),
            pl.col("is_route_right").mean().alias("route_accuracy"),
            (pl.col("n_dispatch_right").sum() / pl.col("n_dispatch").sum())
            .fill_nan(None)
            .alias("dispatch_accuracy"),
        )
        .with_columns(
            (2 * pl.col("precision") * pl.col("recall") / (pl.col("precision") + pl.col("recall")))
            .fill_nan(0.0)
            .alias("f1")
        )
        .select(
            pl.lit(breakdown).alias("breakdown"),
            "name", "n_lines", "accuracy", "precision", "recall", "f1", "token_f1",
            "absent_accuracy", "page_hit_at_1", "page_hit_at_k", "line_hit_at_1", "line_hit_at_k",
            "evidence_recall", "route_accuracy", "dispatch_accuracy",
        )
        .sort("name")
    )  # fmt: skip


def _first(values: Sequence[T], holds: Callable[[T], bool]) -> int | None:
    """Return the rank, from 1, of the first value for which something holds."""
    return next((rank for rank, value in enumerate(values, 1) if holds(value)), None)


def _holds(text: str, passage: str) -> bool:
    """Return whether a window holds a passage, or lies within one that is longer than itself."""
    if not passage or not text:
        return False
    return passage in text or (
        len(passage) > 20 and fuzz.partial_ratio(passage, text) >= PASSAGE_SIMILARITY
    )


def _folded(text: str) -> str:
    """Drop white space, so that line breaks and cells do not matter."""
    return re.sub(r"\s+", "", text).lower()
