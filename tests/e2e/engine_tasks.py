"""Tasks for engines, and settings that point them at a loopback endpoint."""

import asyncio
import json
from collections.abc import Sequence
from datetime import UTC, datetime
from decimal import Decimal
from typing import Any

import polars as pl

from flows.engines import make_engine
from flows.ledger import Ledger
from flows.settings import Settings
from tests.e2e.endpoint import Endpoint, Json
from transforms.tables import Line
from transforms.values import Budget, Candidate, Generated, GenerateTask, ParsedQuestion, Window

DOC_ID = "d" * 16
RIGHT = "The policy is effective from 1 March 2025."
PRICES = {"m": {"input": "1", "cached_input": "0.1", "output": "2"}}
QUESTION = ParsedQuestion(
    text="What is the effective date?",
    corrected_text="What is the effective date?",
    answer_type="date",
)


def window(text: str = RIGHT, *, rank: int = 1, n_lines: int = 1) -> Window:
    """Return a window of one page of its own, the same text on every line."""
    lines = [
        {
            "doc_id": DOC_ID, "page": rank, "page_version": 1, "line": n, "text": text,
            "x0": 0.0, "y0": 10.0 * n, "x1": 100.0, "y1": 10.0 * n + 9, "font_size": 10.0,
            "is_bold": False, "is_italic": False, "column_number": 1, "block": 1, "role": "body",
        }
        for n in range(1, n_lines + 1)
    ]  # fmt: skip
    candidate = Candidate(
        doc_id=DOC_ID,
        rank=rank,
        page_start=rank,
        line_start=1,
        page_end=rank,
        line_end=n_lines,
        relevance=1.0,
        fused_score=1.0,
        detectors=("keywords",),
        n_tokens=10,
    )
    return Window(candidate=candidate, line_df=pl.DataFrame(lines, schema=Line.polars_schema()))


def task(pair_id: str = "p1", **changes: Any) -> GenerateTask:
    """Return the first step of a pair."""
    base = GenerateTask(
        run_id="r1",
        pair_id=pair_id,
        question=QUESTION,
        windows=(window(),),
        iteration_number=1,
        step=1,
        budget_left=Budget(tokens=50_000, usd=Decimal(1), ms=20_000),
        called_at=datetime(2026, 11, 30, tzinfo=UTC),
    )
    return base.model_copy(update=changes)


def different_tasks(n_tasks: int) -> list[GenerateTask]:
    """Return tasks of as many pairs, no two with the same request."""
    return [task(f"p{n}", windows=(window(f"{RIGHT} Form {n}."),)) for n in range(n_tasks)]


def found(body: Json, quote: str = RIGHT) -> str:
    """Return a right reply to QUESTION."""
    return json.dumps(
        {
            "answer_found": True,
            "complete_answer_found": True,
            "value_text": "1 March 2025",
            "value_date": "2025-03-01",
            "evidence": [{"line_ids": ["p1 l1"], "quote": quote}],
            "confidence": 0.9,
        }
    )


def found_and_judged(body: Json, *, is_right: bool) -> str:
    """Return a right reply, or a verdict when the request asks for one."""
    if body["response_format"]["json_schema"]["name"] == "verdict":
        return json.dumps({"is_right": is_right, "reason": "so it is"})
    return found(body)


def settings_for(endpoint: Endpoint, **changes: Any) -> Settings:
    """Return settings of the openai engine at a loopback endpoint."""
    given: dict[str, Any] = {
        "engine": "openai",
        "model": "m",
        "base_url": endpoint.base_url,
        "api_key": "sk-test-0123456789",
        "prices": PRICES,
        "timeout_s": 5,
    }
    return Settings(**(given | changes))


def ask(
    settings: Settings, ledger: Ledger, tasks: Sequence[GenerateTask], **options: Any
) -> list[Generated]:
    """Let a new engine answer all tasks at once."""

    async def run() -> list[Generated]:
        engine = make_engine(settings, ledger, **options)
        try:
            return list(await asyncio.gather(*(engine.answer(task) for task in tasks)))
        finally:
            await engine.close()

    return asyncio.run(run())
