"""Prompt tokens per question: sequential dispatch against naive top-5 batch, same model.

    python -m tests.bench.tokens [SET …] [--keep FOLDER] [--documents N]

SET is `sample` or a gold file of ../shared. A loopback endpoint reads the prompts by the offline
reader and counts o200k tokens of messages and schema, as a provider would bill them. Each set is
asked three times: all windows in one call and no second look (naive), all windows in one call with
the loop, and as Compline dispatches. Corrections and later passes are in the figures.
"""

import argparse
import csv
import json
import tempfile
from collections import Counter
from pathlib import Path
from typing import NamedTuple

import polars as pl

from flows import prefect_setup
from flows.warehouse import Warehouse
from tests.bench.gold import ROOT, SHARED, GoldSet, gold_set
from tests.e2e.endpoint import Endpoint
from tests.e2e.reader_model import read_and_reply

SAMPLE = ROOT / "data" / "sample"
SETS = ("sample", "kleister-nda", "cuad")
EASY_SHARE = 0.8
ALL_BATCH = json.dumps({"single_value": "batch", "short_text": "batch"})

PAIRS = """
select p.pair_id, p.route, a.status, a.prompt_tokens, c.n_calls, w.n_window_tokens
from dispatch_df p
join answer_df a using (run_id, pair_id)
join (
    select run_id, pair_id, count(*) as n_calls from llm_call_df group by all
) c using (run_id, pair_id)
left join (
    select run_id, pair_id, sum(n_tokens) as n_window_tokens from candidate_df where is_read
    group by all
) w using (run_id, pair_id)
where a.sub_question = 0 and p.run_id = (select max(run_id) from run_df)
"""


class Variant(NamedTuple):
    """A way to ask a set."""

    name: str
    environment: dict[str, str]


VARIANTS = (
    Variant("naive", {"COMPLINE_ROUTES": ALL_BATCH, "COMPLINE_MAX_ITERATIONS": "1"}),
    Variant("batch with the loop", {"COMPLINE_ROUTES": ALL_BATCH}),
    Variant("dispatched", {}),
)


def measured(made: GoldSet, variant: Variant, endpoint: Endpoint) -> pl.DataFrame:
    """Ask a set in one way.

    One row per pair: what its calls sent, and whether its answer is right.
    """
    environment = {"OPENAI_BASE_URL": endpoint.base_url, **variant.environment}
    questions = str(made.questions)
    options = ["--engine", "openai", "--model", "m", "--new", "--refresh", "--quiet"]
    made.compline("run", questions, *options, **environment)
    scores = made.compline("eval", questions, "--gold", str(made.gold), "--json", **environment)
    score_df = pl.DataFrame(json.loads(scores), infer_schema_length=None)
    right_df = score_df.group_by("pair_id").agg(is_right=pl.col("is_right").all())
    pair_df = Warehouse.open(str(made.warehouse)).query(PAIRS)
    return pair_df.join(right_df, on="pair_id", how="left").with_columns(
        variant=pl.lit(variant.name)
    )


def compared(made: GoldSet) -> pl.DataFrame:
    """Ask a set in every way; the route of a pair is the dispatcher's in all of them."""
    with Endpoint(read_and_reply) as endpoint:
        pair_df = pl.concat([measured(made, variant, endpoint) for variant in VARIANTS])
    route_df = pair_df.filter(variant="dispatched").select("pair_id", "route")
    return pair_df.drop("route").join(route_df, on="pair_id")


def sums(pair_df: pl.DataFrame) -> pl.DataFrame:
    """Return one row per variant, in their order."""
    return pair_df.group_by("variant", maintain_order=True).agg(
        n_pairs=pl.len(),
        right_share=pl.col("is_right").mean(),
        calls_per_pair=pl.col("n_calls").mean(),
        tokens_per_pair=pl.col("prompt_tokens").mean(),
        overhead_per_call=(pl.sum("prompt_tokens") - pl.sum("n_window_tokens")) / pl.sum("n_calls"),
    )


def report(name: str, pair_df: pl.DataFrame) -> None:
    """Print a row per variant; in brackets what it saves against the naive one."""
    row_dfs = sums(pair_df)
    naive = row_dfs["tokens_per_pair"][0] if row_dfs.height else None
    for row in row_dfs.iter_rows(named=True):
        right = "–" if row["right_share"] is None else f"{row['right_share']:.2f}"
        print(
            f"| {name} | {row['n_pairs']} | {row['variant']} | {right}"
            f" | {row['calls_per_pair']:.2f} | {row['tokens_per_pair']:,.0f}"
            f" | {1 - row['tokens_per_pair'] / naive:.0%} | {row['overhead_per_call']:.0f} |"
        )


def mixed(pair_df: pl.DataFrame, easy_share: float) -> list[tuple[str, float]]:
    """Return tokens per question of each variant when so many questions go the sequential route."""
    means = pair_df.group_by("variant", "route", maintain_order=True).agg(
        pl.col("prompt_tokens").mean()
    )
    by_key = {(row[0], row[1]): float(row[2]) for row in means.iter_rows()}
    return [
        (
            variant.name,
            easy_share * by_key[variant.name, "sequential"]
            + (1 - easy_share) * by_key[variant.name, "batch"],
        )
        for variant in VARIANTS
    ]


def dispatch_share() -> float:
    """Return the share of sequential routes in ../shared/gold/dispatch.csv, clarify left out."""
    with (SHARED / "gold" / "dispatch.csv").open(encoding="utf-8", newline="") as file:
        routes = Counter(row["route"] for row in csv.DictReader(file))
    return routes["sequential"] / (routes["sequential"] + routes["batch"])


def sample_set(folder: Path, n_documents: int | None) -> GoldSet:
    """Return the sample corpus, or its first documents, as a gold set, without its broken files."""
    made = GoldSet(folder / "sample", SAMPLE / "questions.csv", SAMPLE / "gold.jsonl")
    files = sorted(SAMPLE.glob("*.pdf"))
    if not made.warehouse.exists():
        made.compline("ingest", *map(str, files[:n_documents]), "--quiet")
    return made


def main() -> None:
    """Print all sets, then the mixes of the sample."""
    parser = argparse.ArgumentParser()
    parser.add_argument("sets", nargs="*", default=SETS)
    parser.add_argument("--keep", type=Path)
    parser.add_argument("--documents", type=int, help="of the sample; default: all")
    options = parser.parse_args()
    prefect_setup.ready()
    with tempfile.TemporaryDirectory() as temporary:
        folder = options.keep or Path(temporary)
        print("| pairs | n | variant | right | calls | tokens | saved | overhead per call |")
        print("|---|---|---|---|---|---|---|---|")
        for name in options.sets:
            is_sample = name == "sample"
            made = sample_set(folder, options.documents) if is_sample else gold_set(name, folder)
            pair_df = compared(made)
            report(name, pair_df)
            for route in ("sequential", "batch"):
                report(f"… {route}", pair_df.filter(route=route))
            is_found = pl.col("status").is_in(["answered", "partial"])
            found_df = pair_df.filter(is_found & (pl.col("variant") == "dispatched"))
            sequential_df = pair_df.filter(route="sequential")
            report("… … found", sequential_df.join(found_df, on="pair_id", how="semi"))
            report("… … not found", sequential_df.join(found_df, on="pair_id", how="anti"))
            shares = {"80/20": EASY_SHARE}
            if (SHARED / "gold").exists():
                shares["dispatch.csv"] = dispatch_share()
            for mix, share in shares.items():
                tokens = mixed(pair_df, share)
                said = ", ".join(
                    f"{variant} {each:,.0f} ({1 - each / tokens[0][1]:.0%} saved)"
                    for variant, each in tokens
                )
                print(f"{name}, mix {mix} ({share:.0%} sequential): {said}", flush=True)


if __name__ == "__main__":
    main()
