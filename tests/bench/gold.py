"""What the offline reader answers on real documents, by set and field: the table of the README.

    python -m tests.bench.gold [SET …] [--keep FOLDER]

Reads ../shared. Each set is ingested into a warehouse of its own (kept in FOLDER, if there is one),
asked of the documents that its gold file names, and scored by `compline eval`.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
from collections import defaultdict
from pathlib import Path
from typing import Any, NamedTuple

ROOT = Path(__file__).parents[2]
SHARED = ROOT.parent / "shared"
SETS = ("kleister-nda", "cuad", "financebench")
BREAKDOWN = {"financebench": "answer_kind"}
"""Where fields are not named, the kind of answer tells lines apart."""


class GoldSet(NamedTuple):
    """A warehouse that holds the documents of a gold file, and what is asked of them."""

    warehouse: Path
    questions: Path
    gold: Path

    def compline(self, command: str, *arguments: str, **environment: str) -> str:
        """Run a command over the warehouse and return what it prints."""
        program = [sys.executable, "-m", "flows.command_line", command, *arguments]
        done = subprocess.run(
            [*program, "--warehouse", str(self.warehouse)],
            cwd=ROOT,
            env=os.environ | environment,
            stdout=subprocess.PIPE,
            text=True,
            check=False,
        )
        if done.returncode not in (0, 1):
            raise RuntimeError(f"compline {command} exited with {done.returncode}")
        return done.stdout


def gold_set(name: str, folder: Path) -> GoldSet:
    """Return a gold set as a warehouse below the folder; it is made when it is not there."""
    gold = SHARED / "gold" / f"{name}.jsonl"
    made = GoldSet(folder / name, folder / f"{name}.questions.jsonl", gold)
    rows = [json.loads(line) for line in gold.read_text().splitlines()]
    asked: dict[str, list[str]] = defaultdict(list)
    for row in rows:
        asked[row["question"]].append(Path(row["doc"]).name)
    lines = [
        {"question_id": f"q{number}", "question": question, "documents": sorted(set(documents))}
        for number, (question, documents) in enumerate(asked.items(), start=1)
    ]
    folder.mkdir(parents=True, exist_ok=True)
    made.questions.write_text("\n".join(map(json.dumps, lines)))
    if not made.warehouse.exists():
        files = sorted({str(SHARED / row["doc"]) for row in rows})
        made.compline("ingest", *files, "--quiet")
    return made


def scores(made: GoldSet) -> list[dict[str, Any]]:
    """Answer a gold set by the offline reader and return its score per field."""
    made.compline("run", str(made.questions), "--quiet", "--engine", "offline", "--new")
    rows = json.loads(
        made.compline("eval", str(made.questions), "--gold", str(made.gold), "--json")
    )
    by_field: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for row in rows:
        field = row[BREAKDOWN.get(made.warehouse.name, "field")]
        by_field["all"].append(row)
        by_field[field or "other"].append(row)
    return [{"field": field, **_sums(lines)} for field, lines in by_field.items()]


def _sums(lines: list[dict[str, Any]]) -> dict[str, Any]:
    n_gold, n_given, n_right = (
        sum(line[name] or 0 for line in lines) for name in ("n_gold", "n_given", "n_right")
    )
    precision = n_right / n_given if n_given else None
    recall = n_right / n_gold if n_gold else None
    f1 = 2 * n_right / (n_given + n_gold) if n_given + n_gold else None
    return {"lines": len(lines), "precision": precision, "recall": recall, "F1": f1}


def main() -> None:
    """Print a row per set and field."""
    parser = argparse.ArgumentParser()
    parser.add_argument("sets", nargs="*", default=SETS)
    parser.add_argument("--keep", type=Path)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        folder = options.keep or Path(temporary)
        print("| set | field | lines | precision | recall | F1 |\n|---|---|---|---|---|---|")
        for name in options.sets:
            for row in scores(gold_set(name, folder)):
                figures = [_shown(row[each]) for each in ("precision", "recall", "F1")]
                print(f"| {name} | {row['field']} | {row['lines']} | {' | '.join(figures)} |")


def _shown(figure: float | None) -> str:
    return "–" if figure is None else f"{figure:.2f}"


if __name__ == "__main__":
    main()
