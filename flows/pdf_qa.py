"""One document, one question: the whole pipeline in one call, without a warehouse."""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from flows.answering.driver import LoopDriver, flagged_pages, index_corpus
from flows.answering.model_parse import ModelParser, parsing_model
from flows.answering.planning import means
from flows.answering.reparse import PageReader
from flows.answering.run import open_ledger
from flows.answering.vectors import make_vectors
from flows.clock import now
from flows.engines import Engine, make_engine
from flows.ledger import Ledger
from flows.question_file import load_vocabulary
from flows.settings import Settings, load_settings
from flows.warehouse import Warehouse
from transforms.errors import ContractError, InputError
from transforms.pipeline.decide import Limits, plan_pair
from transforms.pipeline.loop import Step, start
from transforms.pipeline.outcome import answer_status, final_answer
from transforms.pipeline.registry import PatternRegistry
from transforms.pipeline.state import LoopState, PassRecord
from transforms.values import (
    AnswerStatus,
    AnswerWithEvidence,
    Budget,
    CorpusFrames,
    ParsedQuestion,
    RouteDecision,
    StopReason,
    Usage,
    Value,
)


class CompositeOutput(Value):
    """The answer to one question about one document, and how it came about."""

    question: ParsedQuestion
    answer: AnswerWithEvidence
    status: AnswerStatus
    route: RouteDecision | None
    stop_reason: StopReason
    iterations: tuple[PassRecord, ...]
    usage: Usage
    elapsed_ms: int
    error: str | None = None
    """Why the engine could not answer; null when it did."""


def pdf_qa_loop(
    pdf_path: str | Path,
    question: str,
    *,
    registry: PatternRegistry | None = None,
    max_iterations: int | None = None,
    settings: Settings | None = None,
) -> CompositeOutput:
    """Answer one question about one document, in at most `max_iterations` passes.

    None means the setting `max_iterations`, never a loop without bound.

    Raises InputError when the file cannot be read or is not a document. Hitting a bound never
    raises: the best answer so far comes back with its stop_reason.
    """
    bricks = registry or PatternRegistry.default()
    settings = settings or load_settings()
    content = _read(Path(pdf_path))
    corpus = _corpus(content, Path(pdf_path).name, bricks)
    with _ledger(settings) as ledger:
        parsed, parsing = _parsed(question, bricks, settings, ledger)
        plan = plan_pair(
            parsed,
            bricks.detect_document_type(content),
            means=means(settings),
            limits=_limits(settings, max_iterations or settings.max_iterations),
        )
        first = LoopState(
            pair_id="ask",
            doc_ids=tuple(corpus.document_df["doc_id"]),
            question=parsed,
            plan=plan,
            activations=plan.activations,
            means=tuple(sorted(means(settings))),
            flagged_pages=flagged_pages(corpus),
            route_overrides=settings.routes,
            usage=parsing,
        )
        driver = LoopDriver(
            corpus=corpus,
            term_df=index_corpus(corpus, bricks),
            registry=bricks,
            pages=PageReader(lambda _: content, bricks),
            vectors=make_vectors(settings, ledger),
        )
        state = asyncio.run(
            _drive(start(first), driver, make_engine(settings, ledger, registry=bricks))
        )
    return _composite_output(state)


def _limits(settings: Settings, max_iterations: int) -> Limits:
    budget = Budget(
        tokens=settings.pair_budget_tokens,
        usd=settings.pair_budget_usd,
        ms=settings.pair_budget_ms,
    )
    return Limits(k=settings.k, max_iterations=max_iterations, budget=budget)


@contextmanager
def _ledger(settings: Settings) -> Iterator[Ledger]:
    """Open the ledger of the warehouse, so that no call of a model is lost; else one in memory."""
    if settings.engine == "offline" or not (settings.model or settings.model_tiers):
        yield Ledger.open(":memory:")
        return
    warehouse = Warehouse.open(settings.warehouse, create=True)
    ledger = open_ledger(settings, warehouse)
    try:
        yield ledger
    finally:
        ledger.publish_calls(warehouse.write_calls)
        ledger.close()


def _parsed(
    question: str, bricks: PatternRegistry, settings: Settings, ledger: Ledger
) -> tuple[ParsedQuestion, Usage]:
    """Return the question as parsed, and what that took."""
    parsed = bricks.parse_question(question, vocabulary=load_vocabulary())
    model = parsing_model(settings)
    if model is None:
        return parsed, Usage()
    [parsed], usage = ModelParser(model, settings, ledger).parse([parsed])
    return parsed, usage


async def _drive(step: Step, driver: LoopDriver, engine: Engine) -> LoopState:
    driver.engine = engine
    try:
        return (await driver.run([step]))[0]
    finally:
        await engine.close()


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        hint = f"name its files: {path}/*.pdf" if path.is_dir() else "check the path"
        raise InputError(f"{str(path)!r} cannot be read: {error.strerror}", hint=hint) from error


def _corpus(content: bytes, file_name: str, bricks: PatternRegistry) -> CorpusFrames:
    frames = bricks.parse_document(content, file_name=file_name, parsed_at=now())
    document = frames["document_df"].row(0, named=True)
    if document["parse_status"] == "failed":
        raise InputError(
            f"{file_name!r} cannot be read: {document['error_message']}",
            hint="name a PDF, text, HTML, EPUB or image file that opens",
        )
    return CorpusFrames.model_validate(frames)


def _composite_output(state: LoopState) -> CompositeOutput:
    if state.stop_reason is None:
        raise ContractError("the loop ended without a stop reason")
    answer = final_answer(state)
    return CompositeOutput(
        question=state.question,
        answer=answer,
        status=answer_status(answer, state.stop_reason),
        route=state.route,
        stop_reason=state.stop_reason,
        iterations=state.records,
        usage=state.usage,
        elapsed_ms=state.elapsed_ms,
        error=state.error,
    )
