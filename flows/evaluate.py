"""Score a question set against a gold file: retrieval and dispatch afresh, answers of a run."""

import json
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path, PurePosixPath
from typing import Any

import polars as pl

from flows.answering.driver import LoopDriver
from flows.answering.planning import PlannedPair, chunks_of, plan_pairs
from flows.answering.run import open_ledger, recalled_questions
from flows.answering.vectors import make_vectors
from flows.settings import Settings
from flows.warehouse import Warehouse
from transforms.errors import InputError
from transforms.pipeline.compare import GivenAnswer
from transforms.pipeline.gold import GoldLine, read_gold_line
from transforms.pipeline.registry import PatternRegistry
from transforms.pipeline.score import (
    SCORE_SCHEMA,
    OfferedWindow,
    ScoredPair,
    score_line,
    summarise,
)
from transforms.pipeline.state import LoopState
from transforms.values import CorpusFrames, Value

PairKey = tuple[str, str]
"""Question, and name of the document or key of the group."""


class Evaluation(Value):
    """What an evaluation found."""

    run_id: str | None
    """Run whose answers were scored; null when no run of the set is there."""
    score_df: pl.DataFrame
    summary_df: pl.DataFrame
    unmatched: tuple[GoldLine, ...]
    """Gold lines that no pair of the question set asks."""

    def accuracy(self) -> float:
        """Return the share of right answers; of dispatch and retrieval when none were scored."""
        whole = self.summary_df.row(0, named=True) if self.summary_df.height else {}
        found = whole.get("accuracy")
        return found if found is not None else whole.get("page_hit_at_k") or 0.0


def evaluate(
    questions: str,
    gold: str,
    settings: Settings,
    *,
    run_id: str | None = None,
    change: Callable[[PlannedPair], PlannedPair] = lambda pair: pair,
) -> Evaluation:
    """Score every gold line that the question set asks.

    Retrieval and dispatch are done anew, without any model; `change` is made to each pair before.
    Answers are those of `run_id`, else of the latest run of the set. Raises InputError when a file
    is wrong or nothing matches.
    """
    gold_lines = read_gold_file(gold)
    warehouse = Warehouse.open(settings.warehouse)
    asked = recalled_questions(questions, settings, warehouse)
    document_df = warehouse.documents(include_failed=True)
    names = dict(document_df.select("doc_id", "file_name").iter_rows())
    by_key: dict[PairKey, list[GoldLine]] = {}
    for line in gold_lines:
        by_key.setdefault(_gold_key(line), []).append(line)
    pairs = {
        key: change(pair)
        for pair in plan_pairs(asked, document_df, settings)
        if (key := _pair_key(pair, names)) in by_key
    }
    if not pairs:
        raise InputError(
            f"no line of {gold!r} is asked by {questions!r} of a document in the warehouse",
            hint="a gold line matches by its question and its document's file name",
        )
    answered_run = run_id or _latest_run(warehouse, asked[0].set_id)
    given = _given_answers(warehouse, answered_run)
    rows = [
        score_line(line, _with_answer(scored, given.get((scored.pair_id, line.sub_question))))
        for scored, pair in _scored_pairs(pairs.values(), warehouse, settings, names)
        for line in by_key[_pair_key(pair, names)]
    ]
    score_df = pl.DataFrame(rows, schema=SCORE_SCHEMA).sort(
        "question_id", "file_name", "sub_question"
    )
    return Evaluation(
        run_id=answered_run,
        score_df=score_df,
        summary_df=summarise(score_df),
        unmatched=tuple(line for line in gold_lines if _gold_key(line) not in pairs),
    )


def read_gold_file(path: str) -> list[GoldLine]:
    """Return the lines of a gold file. Raises InputError that names the line."""
    try:
        text = Path(path).read_text(encoding="utf-8")
    except OSError as error:
        raise InputError(
            f"{path!r} cannot be read: {error.strerror}", hint="check the path"
        ) from None
    except UnicodeDecodeError as error:
        raise InputError(f"{path!r} is not UTF-8: {error}", hint="save it as UTF-8") from None
    lines = []
    for number, content in enumerate(text.splitlines(), start=1):
        if content.strip():
            lines.append(read_gold_line(_json_object(content, path, number), number=number))
    if not lines:
        raise InputError(f"{path!r} has no gold lines", hint="one JSON object per line")
    return lines


def _json_object(content: str, path: str, number: int) -> Mapping[str, Any]:
    try:
        parsed = json.loads(content)
    except (ValueError, RecursionError) as error:  # also a number of 5,000 digits
        parsed = error
    if not isinstance(parsed, dict):
        raise InputError(
            f"{path!r}, line {number} is not a JSON object", hint="one JSON object per line"
        )
    return parsed


def _gold_key(line: GoldLine) -> PairKey:
    place = PurePosixPath(line.doc.replace("\\", "/")).name if line.doc else line.scope_key or ""
    return _squeezed(line.question), place


def _pair_key(pair: PlannedPair, names: Mapping[str, str]) -> PairKey:
    return _squeezed(pair.asked.parsed.text), names.get(pair.scope.key, pair.scope.key)


def _squeezed(question: str) -> str:
    return " ".join(question.split())


def _scored_pairs(
    pairs: Iterable[PlannedPair],
    warehouse: Warehouse,
    settings: Settings,
    names: Mapping[str, str],
) -> Iterable[tuple[ScoredPair, PlannedPair]]:
    """Retrieve for the pairs, chunk by chunk, and yield what was offered and decided."""
    ledger = open_ledger(settings, warehouse)
    vectors = make_vectors(settings, ledger, warehouse, is_sending=False)
    for chunk in chunks_of(list(pairs)):
        readable = [pair for pair in chunk if not pair.failure]
        doc_ids = {doc_id for pair in readable for doc_id in pair.scope.doc_ids}
        registry = PatternRegistry.default()
        driver = LoopDriver(
            corpus=warehouse.corpus(doc_ids),
            term_df=warehouse.terms(doc_ids),
            registry=registry,
            vectors=vectors,
        )
        states = {state.pair_id: state for state, _ in driver.begin(readable, settings)}
        for pair in chunk:
            windows = _offered(states.get(pair.pair_id), driver.corpus, registry, names)
            yield _scored(pair, states.get(pair.pair_id), windows, names), pair
    ledger.close()


def _offered(
    state: LoopState | None,
    corpus: CorpusFrames,
    registry: PatternRegistry,
    names: Mapping[str, str],
) -> tuple[OfferedWindow, ...]:
    candidates = state.records[0].candidates if state and state.records else ()
    return tuple(
        OfferedWindow(
            file_name=names[candidate.doc_id],
            page_start=candidate.page_start,
            page_end=candidate.page_end,
            text="\n".join(window.line_df["text"]),
        )
        for candidate, window in zip(
            candidates, registry.make_windows(candidates, corpus), strict=True
        )
    )


def _scored(
    pair: PlannedPair,
    state: LoopState | None,
    windows: tuple[OfferedWindow, ...],
    names: Mapping[str, str],
) -> ScoredPair:
    parsed = pair.asked.parsed
    route = state.route if state else None
    return ScoredPair(
        pair_id=pair.pair_id,
        question_id=pair.asked.question_id,
        file_name=names.get(pair.scope.key),
        dispatch={
            "intent": parsed.intent,
            "answer_shape": parsed.answer_shape,
            "answer_type": parsed.answer_type,
            "decomposition": parsed.decomposition,
            "route": route.route if route else None,
            "route_rule": route.route_rule if route else None,
        },
        windows=windows,
    )


def _with_answer(scored: ScoredPair, answer: Mapping[str, Any] | None) -> ScoredPair:
    if answer is None:
        return scored
    given = GivenAnswer(
        is_found=answer["answer_found"],
        text=answer["value_text"],
        number=answer["value_number"],
        day=answer["value_date"],
        boolean=answer["value_bool"],
        unit=answer["unit"],
        currency=answer["currency"],
        items=tuple(answer["items"]),
    )
    return scored.model_copy(update={"given": given, "status": answer["status"]})


def _latest_run(warehouse: Warehouse, set_id: str) -> str | None:
    run_df = warehouse.read("run_df").filter(set_id=set_id).sort("started_at")
    return run_df["run_id"][-1] if run_df.height else None


def _given_answers(
    warehouse: Warehouse, run_id: str | None
) -> dict[tuple[str, int], Mapping[str, Any]]:
    """Return the answers of a run by pair and part; none when there is no run."""
    if run_id is None:
        return {}
    answer_df = warehouse.read("answer_df").filter(run_id=run_id)
    if answer_df.is_empty():
        raise InputError(f"there is no run {run_id!r}", hint="`compline report runs` lists them")
    return {(row["pair_id"], row["sub_question"]): row for row in answer_df.iter_rows(named=True)}
