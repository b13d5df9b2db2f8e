"""Measure the quote matcher on gold evidence and on mutants of it.

    python -m tests.bench.quotes [--mutants 2500]

Reads ../shared. Accepted means: found on an annotated page. A mutant is a gold evidence text, or a
few lines of it, changed by one of `MUTATIONS`; it counts when it does not stand in the raw text of
its document, white space aside. Negations of other languages are taken out of lines of French,
German and Spanish documents.
"""

import argparse
import json
import random
import re
import time
from collections import Counter
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from typing import NamedTuple

import polars as pl
import pymupdf

from transforms.generation import find_quote
from transforms.parsing import parse_document

SHARED = Path(__file__).parents[2].parent / "shared"
SETS = ("financebench", "cuad")
FOREIGN = ("corpus/insurance/de_*.pdf", "corpus/nonenglish/*.pdf")
FOREIGN_NEGATION = (
    r"\b(?:nicht|keine?[nmrs]?|nie|ohne|weder|ne|n'|pas|jamais|aucune?|sans|ni|sin|nunca"
    r"|ningun[oa])\b ?"
)
MIN_CHARACTERS = 12
CACHE = Path("/tmp/compline-quotes")


class Evidence(NamedTuple):
    """One gold evidence text with the pages that may hold it."""

    doc: str
    text: str
    pages: tuple[int, ...]


def gold_evidence() -> list[Evidence]:
    """Return all evidence texts long enough to be told apart."""
    found: list[Evidence] = []
    for name in SETS:
        for line in (SHARED / "gold" / f"{name}.jsonl").read_text().splitlines():
            row = json.loads(line)
            found += [
                Evidence(row["doc"], text, tuple(row["gold_pages"] or ()))
                for text in row["gold_evidence"]
                if len(text) >= MIN_CHARACTERS
            ]
    return found


def foreign_evidence() -> list[Evidence]:
    """Return stretches of three lines that hold a negation in French, German or Spanish."""
    return [
        Evidence(doc, text, (page,))
        for pattern in FOREIGN
        for path in sorted(SHARED.glob(pattern))
        for doc in [str(path.relative_to(SHARED))]
        for (page,), page_df in lines(doc).group_by("page", maintain_order=True)
        for start in range(0, page_df.height, 3)
        for text in ["\n".join(page_df["text"][start : start + 3])]
        if re.search(FOREIGN_NEGATION, text)
    ]


@cache
def lines(doc: str) -> pl.DataFrame:
    """Return line_df of a document; parsed once, kept between runs."""
    kept = CACHE / (re.sub(r"\W+", "_", doc) + ".parquet")
    if not kept.exists():
        content = (SHARED / doc).read_bytes()
        frames = parse_document(content, file_name=Path(doc).name, parsed_at=datetime.now(UTC))
        kept.parent.mkdir(parents=True, exist_ok=True)
        frames["line_df"].write_parquet(kept)
    return pl.read_parquet(kept)


@cache
def raw_text(doc: str) -> str:
    """Return the raw text of a document without white space: what the mutants are told from."""
    with pymupdf.open(SHARED / doc) as pdf:
        return bare("\n".join(str(page.get_text()) for page in pdf))


def bare(text: str) -> str:
    """Return the text without white space and soft hyphens."""
    return re.sub(r"[\s\u00ad]+", "", text)


def found_on(evidence: Evidence) -> str | None:
    """Return how the evidence was matched on one of its pages."""
    for page in evidence.pages:
        if match := find_quote(lines(evidence.doc), evidence.text, page=page):
            return match.match_kind
    return None


# -- mutants ---------------------------------------------------------------------------------------


def _substitute(pattern: str, change: Callable[[re.Match[str]], str]) -> Callable[..., str | None]:
    def mutate(text: str, dice: random.Random) -> str | None:
        places = list(re.finditer(pattern, text))
        if not places:
            return None
        place = dice.choice(places)
        return text[: place.start()] + change(place) + text[place.end() :]

    return mutate


def _swap_numbers(text: str, dice: random.Random) -> str | None:
    numbers = list(re.finditer(r"\d[\d.,]*\d|\d", text))
    if len({number.group() for number in numbers}) < 2:
        return None
    first, second = sorted(dice.sample(numbers, 2), key=lambda number: number.start())
    between = text[first.end() : second.start()]
    return text[: first.start()] + second[0] + between + first[0] + text[second.end() :]


def _add_not(text: str, dice: random.Random) -> str | None:
    gaps = list(re.finditer(r"(?<=[a-z]) (?=[a-z])", text))
    if not gaps:
        return None
    place = dice.choice(gaps).start()
    return f"{text[:place]} not{text[place:]}"


MUTATIONS: dict[str, Callable[..., str | None]] = {
    "digit": _substitute(r"\d", lambda m: str((int(m[0]) + 1 + m.start() % 8) % 10)),
    "sign": _substitute(r"(?<!\w)[-−–](?=[\d$])", lambda _: ""),
    "bracket": _substitute(r"\((?=[\d$])", lambda _: ""),
    "brackets": _substitute(r"\(([\d.,$]+)\)", lambda m: m[1]),
    "decimal point": _substitute(r"(?<=\d)\.(?=\d)", lambda _: ""),
    "thousands": _substitute(r"(?<=\d),(?=\d)", lambda _: ""),
    "percent": _substitute(r"%", lambda _: ""),
    "currency": _substitute(r"[$€£]", lambda _: ""),
    "word": _substitute(r"(?<=\s)[A-Za-z]{3,}\s", lambda _: ""),
    "not removed": _substitute(r"\b(?:not|no|non|never)\b[ -]?", lambda _: ""),
    "not added": _add_not,
    "prefix": _substitute(r"\b(?:un|non-?|in|ir|dis)(?=[a-z]{4,})", lambda _: ""),
    "prefix added": _substitute(r"\b(?=[a-z]{5,})", lambda _: "non-"),
    "sign added": _substitute(r"(?<![\w.,$€£(-])(?=[$€£]?\d)", lambda _: "-"),
    "brackets added": _substitute(r"(?<![\w.,(])\d[\d.,]*\d(?![\w.,)])", lambda m: f"({m[0]})"),
    "percent added": _substitute(r"(?<=\d)(?=\s)", lambda _: "%"),
    "other currency": _substitute(r"[$€£]", lambda m: "€" if m[0] == "$" else "$"),
    "scale": _substitute(r"\b[mb]illion", lambda m: "billion" if m[0][0] == "m" else "million"),
    "broken": _substitute(r"(?<=\d)[.,](?=\d)", lambda m: f"{m[0]}\n"),
    "foreign not": _substitute(FOREIGN_NEGATION, lambda _: ""),
    "numbers": _swap_numbers,
    "joined": _substitute(r"(?<=\d)\s+(?=\d)", lambda _: ""),
    "split": _substitute(r"(?<=\d)(?=\d)", lambda _: " "),
}


def mutants(
    gold: list[Evidence], foreign: list[Evidence], n: int
) -> Iterator[tuple[str, Evidence]]:
    """Yield n mutants by kind; half are of whole texts, half of some lines of one."""
    dice = random.Random(7)
    kinds = [*MUTATIONS, "other page"]
    for number in range(n):
        kind = kinds[number % len(kinds)]
        pool = foreign if kind == "foreign not" else gold
        tries = (_mutant(kind, dice.choice(pool), dice) for _ in range(500))
        if found := next(filter(None, tries), None):
            yield kind, found


def _mutant(kind: str, evidence: Evidence, dice: random.Random) -> Evidence | None:
    """Return a mutant that says something else and does not stand in the document."""
    text = _cut(evidence.text, dice)
    if kind == "other page":
        mutated = _from_other_page(evidence, dice)
    else:
        mutated = MUTATIONS[kind](text, dice)
    if not mutated or mutated == text or len(bare(mutated)) < MIN_CHARACTERS // 2:
        return None
    return evidence._replace(text=mutated) if _is_foreign(kind, mutated, evidence) else None


def _cut(text: str, dice: random.Random) -> str:
    rows = text.split("\n")
    if dice.random() < 0.5 or len(rows) < 4:
        return text
    start = dice.randrange(len(rows) - 2)
    return "\n".join(rows[start : start + dice.randint(1, 12)])


def _from_other_page(evidence: Evidence, dice: random.Random) -> str | None:
    line_df = lines(evidence.doc).filter(pl.col("text").str.len_chars() >= 40)
    pages = {near for page in evidence.pages for near in (page - 1, page, page + 1)}
    other_df = line_df.filter(~pl.col("page").is_in(list(pages)))
    return dice.choice(other_df["text"].to_list()) if other_df.height else None


def _is_foreign(kind: str, text: str, evidence: Evidence) -> bool:
    """Tell whether the mutant does not stand in the document; from another page: on the page."""
    if kind == "other page":
        page_df = lines(evidence.doc).filter(pl.col("page").is_in(evidence.pages))
        return bare(text) not in bare("\n".join(page_df["text"]))
    if kind in ("joined", "split", "broken"):
        return True
    return bare(text) not in raw_text(evidence.doc)


def main() -> None:
    """Print how much gold is accepted and which mutants are."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--mutants", type=int, default=2500)
    parser.add_argument("--show", type=int, default=20)
    arguments = parser.parse_args()
    gold = gold_evidence()
    started = time.perf_counter()
    kinds = {evidence: found_on(evidence) for evidence in gold}
    accepted = Counter(str(kinds[evidence]) for evidence in gold)
    share = 1 - accepted["None"] / len(gold)
    seconds = time.perf_counter() - started
    print(f"gold {len(gold)}: {share:.1%} accepted {dict(accepted)}, {seconds:.0f} s")
    for evidence in [e for e in gold if kinds[e] is None][: arguments.show]:
        print("  missed", evidence.doc, evidence.pages, repr(evidence.text[:200]))
    outcome: Counter[tuple[str, str]] = Counter()
    tried = [(kind, e) for kind, e in mutants(gold, foreign_evidence(), arguments.mutants)]
    for kind, mutant in tried:
        how = found_on(mutant)
        outcome[kind, str(how)] += 1
        if how in ("exact", "normalized"):
            print("  ACCEPTED", how, kind, mutant.doc, mutant.pages, repr(mutant.text[:300]))
    print(f"mutants {len(tried)}")
    for (kind, how), count in sorted(outcome.items()):
        print(f"  {kind:14} {how:11} {count}")


if __name__ == "__main__":
    main()
