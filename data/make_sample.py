"""Make the sample corpus: policies as PDF, their metadata, questions and right answers.

    python data/make_sample.py [--documents N] [--seed S] [--output DIR]

The same seed gives the same bytes; another seed gives documents that nobody has looked at.
"""

import argparse
import csv
import json
import random
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from sample_maker.corpus import PLAN, SampleDocument, broken_files, make_documents
from sample_maker.gold import COLUMNS, gold_lines, pose_questions
from sample_maker.questions import QUESTIONS
from sample_maker.spoken import plain

DEFAULT_SEED = 7
METADATA = ("file_name", "doc_type", "policy_number", "insurer", "period_start", "period_end")


def make_sample(output: Path, *, seed: int = DEFAULT_SEED, n_documents: int = len(PLAN)) -> None:
    """Write a sample corpus below `output`."""
    documents = make_documents(seed, n_documents)
    rng = random.Random(f"{seed}/questions")
    questions = pose_questions([rng.random() for _ in QUESTIONS], documents)
    broken = output / "broken"
    broken.mkdir(parents=True, exist_ok=True)
    for document in documents:
        (output / document.file_name).write_bytes(document.content)
    for name, content in broken_files(documents[0]).items():
        (broken / name).write_bytes(content)
    _write_csv(output / "metadata.csv", METADATA, map(_metadata, documents))
    _write_csv(output / "questions.csv", COLUMNS, (question.row for question in questions))
    lines = (json.dumps(line, ensure_ascii=False) + "\n" for line in gold_lines(questions))
    (output / "gold.jsonl").write_text("".join(lines), encoding="utf-8", newline="\n")


def _metadata(document: SampleDocument) -> dict[str, str]:
    facts = {name: plain(document.facts[name]) for name in METADATA[2:]}
    return {"file_name": document.file_name, "doc_type": document.doc_type, **facts}


def _write_csv(path: Path, columns: Sequence[str], rows: Iterable[Mapping[str, str]]) -> None:
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, columns, lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)


def main() -> None:
    """Read the command line and write the sample."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument("--documents", type=int, default=len(PLAN), metavar="N")
    parser.add_argument("--seed", type=int, default=DEFAULT_SEED, metavar="S")
    parser.add_argument("--output", type=Path, default=Path(__file__).parent / "sample")
    arguments = parser.parse_args()
    make_sample(arguments.output, seed=arguments.seed, n_documents=arguments.documents)


if __name__ == "__main__":
    main()
