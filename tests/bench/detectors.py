"""What each detector of retrieval earns on gold sets: hits with all, and with one switched off.

    python -m tests.bench.detectors WAREHOUSE QUESTIONS GOLD [QUESTIONS GOLD …]

Takes pairs of a question set and its gold file over one warehouse, retrieves without any model, and
prints the share of lines with a hit in the first window and in the first five.
"""

import argparse
from collections.abc import Callable
from pathlib import Path

import polars as pl

from flows.answering.planning import PlannedPair
from flows.evaluate import evaluate
from flows.settings import load_settings
from transforms.values import ParsedQuestion, PatternName

Change = Callable[[PlannedPair], PlannedPair]
K = 5


def main() -> None:
    """Print a row per set: all detectors, then each switched off."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("warehouse")
    parser.add_argument("files", nargs="+", help="question set and gold file, in pairs")
    given = parser.parse_args()
    settings = load_settings(warehouse=given.warehouse, engine="offline")
    print(f"| set | hit at | {' | '.join(CHANGES)} |\n|---|---|{'---|' * len(CHANGES)}")
    for questions, gold in zip(given.files[::2], given.files[1::2], strict=True):
        found = [evaluate(questions, gold, settings, change=change) for change in CHANGES.values()]
        for k in (1, K):
            shares = " | ".join(f"{share_of_hits(each.score_df, k):.3f}" for each in found)
            print(f"| {Path(gold).stem} | {k} | {shares} |", flush=True)


def share_of_hits(score_df: pl.DataFrame, k: int) -> float:
    """Return the share of lines whose page or passage is in the first k windows."""
    placed_df = score_df.filter("has_gold_place")
    first_hit = pl.min_horizontal("first_page_hit", "first_line_hit")
    return placed_df.select((first_hit <= k).fill_null(value=False).mean()).item() or 0.0


def without_pattern(name: PatternName) -> Change:
    """Return the change that turns a pattern off."""

    def change(pair: PlannedPair) -> PlannedPair:
        activations = pair.plan.activations.model_copy(update={name: False})
        plan = pair.plan.model_copy(update={"activations": activations})
        return pair.model_copy(update={"plan": plan})

    return change


def without_field(**empty: object) -> Change:
    """Return the change that empties fields of the question and of its parts."""

    def emptied(question: ParsedQuestion) -> ParsedQuestion:
        parts = tuple(emptied(part) for part in question.parts)
        return question.model_copy(update={**empty, "parts": parts})

    def change(pair: PlannedPair) -> PlannedPair:
        asked = pair.asked.model_copy(update={"parsed": emptied(pair.asked.parsed)})
        return pair.model_copy(update={"asked": asked})

    return change


CHANGES: dict[str, Change] = {
    "all": lambda pair: pair,
    "no sections": without_pattern("toc_retrieval"),
    "no hints": without_field(section_hint=None, page_hint=None, layout_hint=None),
    "no two-hop": without_pattern("two_hop_references"),
    "no listing": without_pattern("listing_aggregation"),
    "no vocabulary": without_field(rewrites=()),
}


if __name__ == "__main__":
    main()
