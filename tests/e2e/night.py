"""A warehouse on disk, an endpoint on loopback, and question sets asked of them."""

import csv
from pathlib import Path
from typing import Any

import polars as pl

from flows.answer import answer
from flows.answering.run import AnswerOptions
from flows.warehouse import Warehouse
from tests.e2e.endpoint import Endpoint

FILLER = "The insured shall keep the premises in good repair and tell us of any change of risk. "
PAGES = (
    "Policy Schedule\n\nPolicy number: AB-12345\nAnnual premium: $1,200.00\n" + FILLER * 24,
    "Section 2 Exclusions\n\nWe do not cover:\n(a) war and civil war;\n(b) wear and tear;\n"
    "(c) nuclear risks.\n\n" + FILLER * 24,
    "Section 3 Conditions\n\nThis policy is governed by the laws of the State of Ohio.\n"
    "Either party may cancel with thirty (30) days notice.\n" + FILLER * 24,
)


class Night:
    """A warehouse with documents, an endpoint, and question sets asked of it."""

    def __init__(self, folder: Path, endpoint: Endpoint) -> None:
        self.folder = folder
        self.endpoint = endpoint
        self.overrides: dict[str, Any] = {
            "warehouse": str(folder / "warehouse"),
            "engine": "openai",
            "model": "m",
            "base_url": endpoint.base_url,
            "api_key": "sk-test",
            "prices": {"m": {"input": "1", "output": "2"}},
        }

    @property
    def warehouse(self) -> Warehouse:
        return Warehouse.open(self.folder / "warehouse")

    def questions(self, *texts: str, **columns: str) -> str:
        path = self.folder / "questions.csv"
        with path.open("w", encoding="utf-8", newline="") as file:
            writer = csv.DictWriter(file, ["question_id", "question", *columns])
            writer.writeheader()
            for number, text in enumerate(texts, start=1):
                writer.writerow({"question_id": f"q{number}", "question": text, **columns})
        return str(path)

    def ask(self, *texts: str, options: AnswerOptions | None = None, **columns: str) -> str:
        return answer(self.questions(*texts, **columns), options, self.overrides)

    def rows(self, table: str, run_id: str) -> pl.DataFrame:
        return self.warehouse.read(table, run_ids=[run_id])

    def calls(self) -> pl.DataFrame:
        return self.warehouse.read("llm_call_df")
