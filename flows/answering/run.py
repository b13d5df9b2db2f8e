"""One execution of a question set: what it will answer, and what it reuses."""

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import datetime
from decimal import Decimal
from itertools import islice
from pathlib import Path

import polars as pl
from pydantic import Field

from flows.answering.model_parse import ModelParser, parsing_model
from flows.answering.planning import PlannedPair, plan_pairs
from flows.answering.rejections import rejections
from flows.answering.rows import SCHEMAS, Gathered
from flows.clock import after
from flows.engines import check_engine
from flows.ledger import Ledger
from flows.progress import Headway, report_progress
from flows.question_file import load_vocabulary, read_question_file
from flows.settings import Settings
from flows.warehouse import Warehouse
from transforms.errors import InputError
from transforms.questions import AskedQuestion, each_question
from transforms.values import AnswerStatus, Value

TOLD_EVERY = 1_000
"""Questions between two reports of how many are read, and in a part of a set."""

REUSABLE: tuple[AnswerStatus, ...] = ("answered", "partial", "not_found", "needs_clarification")
"""Answers that stand as long as nothing they depend on has changed."""

LATEST = """
select pair_id, fingerprint, run_id, status, stop_reason, missing_means
from answer_df
join dispatch_df using (run_id, pair_id)
semi join latest_answer using (run_id, pair_id)
where sub_question = 0
"""
"""The last answer of every pair, with what it depends on and the means it had to do without."""

AT_NO_COST = (
    pl.coalesce("reused_from_run_id", "run_id").alias("reused_from_run_id"),
    *(pl.lit(0).alias(name) for name in ("n_calls_reused", "prompt_tokens", "completion_tokens")),
    pl.lit(Decimal(0)).alias("cost_usd"),
    pl.lit(0).alias("latency_ms"),
)
"""What an answer says that is reused."""

RETRIED: tuple[AnswerStatus, ...] = ("failed", "over_budget", "not_run")
"""Answers that `--only failed` asks for again."""


class AnswerOptions(Value):
    """What one command wants of a run, beyond the settings."""

    limit: int | None = Field(default=None, ge=1)
    """Answer so many pairs only, spread over the set: a pilot."""
    only_failed: bool = False
    refresh: bool = False
    """Ask again, whatever is in the ledger or in earlier runs."""
    is_new: bool = False
    """Do not resume an unfinished run."""


class RunPlan(Value):
    """What a run will do, decided before it spends anything."""

    run_id: str
    resumed_from: str | None
    set_id: str
    started_at: datetime
    options: AnswerOptions
    asked: tuple[AskedQuestion, ...]
    pairs: tuple[PlannedPair, ...]
    to_answer: tuple[PlannedPair, ...]
    reused: Gathered
    n_pairs_of_set: int
    """Pairs of the whole set: more than `pairs` in a pilot."""


def asked_questions(questions: str, warehouse: Warehouse) -> tuple[AskedQuestion, ...]:
    """Return the questions of a file, parsed by rule. Raises InputError when the file is wrong."""
    rows = read_question_file(questions)
    asked: list[AskedQuestion] = []
    for question in _each_asked(questions, rows, warehouse):
        asked.append(question)
        if len(asked) % TOLD_EVERY == 0:
            report_progress(Headway(n_done=len(asked), n_all=len(rows), work="reading questions"))
    return tuple(asked)


def recalled_questions(
    questions: str, settings: Settings, warehouse: Warehouse
) -> tuple[AskedQuestion, ...]:
    """Return the questions of a file, parsed as far as is known without asking a model."""
    return _recalled(asked_questions(questions, warehouse), settings, warehouse)


def recalled_in_parts(
    questions: str, settings: Settings, warehouse: Warehouse
) -> Iterator[tuple[tuple[AskedQuestion, ...], int]]:
    """Yield what `recalled_questions` returns in parts of bounded size, with how many are left."""
    rows = read_question_file(questions)
    each, n_left = _each_asked(questions, rows, warehouse), len(rows)
    while part := tuple(islice(each, TOLD_EVERY)):
        n_left -= len(part)
        yield _recalled(part, settings, warehouse), n_left


def _each_asked(
    questions: str, rows: Sequence[Mapping[str, object]], warehouse: Warehouse
) -> Iterator[AskedQuestion]:
    return each_question(
        rows,
        set_id=_set_id(questions),
        vocabulary=load_vocabulary(),
        corpus_terms=frozenset(warehouse.query("select distinct term from term_df")["term"]),
    )


def _recalled(
    asked: tuple[AskedQuestion, ...], settings: Settings, warehouse: Warehouse
) -> tuple[AskedQuestion, ...]:
    model = parsing_model(settings)
    if model is None:
        return asked
    ledger = open_ledger(settings, warehouse)
    parser = ModelParser(model, settings, ledger, is_sending=False)
    recalled, _ = parser.parse_asked(asked, {question.question_id for question in asked})
    ledger.close()
    return recalled


def open_ledger(settings: Settings, warehouse: Warehouse) -> Ledger:
    """Open the ledger that these settings name: its own URL, else the warehouse's."""
    url = settings.ledger_url or warehouse.ledger_path
    return Ledger.open(url, keep_text=settings.keep_text)


@contextmanager
def alone_with_set(questions: str, ledger: Ledger) -> Iterator[None]:
    """Let no other process run the set of a file meanwhile: it would resume our run, and pay twice.

    Raises InputError when one does. A killed process holds nothing.
    """
    set_id = _set_id(questions)
    digest = hashlib.sha256(set_id.encode()).hexdigest()[:16]
    with ledger.store.alone(f"set-{digest}") as is_ours:
        if not is_ours:
            run_id = ledger.newest_unfinished_run(set_id) or "that is just starting"
            raise InputError(
                f"question set {set_id!r} is being answered already, by run {run_id}",
                hint="wait for its end, or stop it with Ctrl-C or SIGTERM (what it answered is"
                " kept); with another ledger_url the set can be answered beside it",
            )
        yield


def plan_run(
    questions: str, settings: Settings, options: AnswerOptions, warehouse: Warehouse, ledger: Ledger
) -> RunPlan:
    """Decide what a run answers and what it reuses, and enter it in the ledger as begun."""
    check_engine(settings)
    model = parsing_model(settings)
    asked = asked_questions(questions, warehouse)
    document_df = warehouse.documents(include_failed=True)
    every_pair = plan_pairs(asked, document_df, settings)
    if not every_pair:
        raise InputError(
            f"no document of the warehouse {warehouse.root!r} is asked anything by {questions!r}",
            hint="run `compline ingest` first, and check `documents` and `where` in the file",
        )
    pairs = _chosen(every_pair, options, warehouse)
    set_id, settings_hash = asked[0].set_id, _settings_hash(asked, settings, options)
    started_at = after(_latest_moment(warehouse, document_df))
    run_id = f"{started_at:%Y%m%dT%H%M%S}-{settings_hash[:4]}{started_at.microsecond:06}"
    resumed_from = None if options.is_new else ledger.unfinished_run(set_id, settings_hash)
    ledger.start_run(run_id, set_id, settings_hash, started_at, resumed_from=resumed_from)
    if model:
        parser = ModelParser(model, settings, ledger, run_id, is_refresh=options.refresh)
        asked, _ = parser.parse_asked(asked, {pair.asked.question_id for pair in pairs})
        pairs = _same_pairs(pairs, plan_pairs(asked, document_df, settings))
    rejected = rejections({pair.pair_id for pair in pairs}, warehouse, before=started_at)
    pairs = [pair.model_copy(update={"rejection": rejected.get(pair.pair_id)}) for pair in pairs]
    standing = [pair for pair in pairs if pair.rejection is None and not options.refresh]
    reused = _reused(standing, warehouse) if standing else Gathered()
    reused_ids = set(reused.frame("answer_df")["pair_id"])
    return RunPlan(
        run_id=run_id,
        resumed_from=resumed_from,
        set_id=set_id,
        started_at=started_at,
        options=options,
        asked=asked,
        pairs=tuple(pairs),
        to_answer=tuple(pair for pair in pairs if pair.pair_id not in reused_ids),
        reused=reused,
        n_pairs_of_set=len(every_pair),
    )


def _set_id(questions: str) -> str:
    return Path(questions).stem


def _latest_moment(warehouse: Warehouse, document_df: pl.DataFrame) -> datetime | None:
    """Return the last moment that is stored: a run reads what was parsed before it began."""
    started_df = warehouse.read("run_df").select(at="started_at")
    moment = pl.concat([started_df, document_df.select(at="parsed_at")])["at"].max()
    return moment if isinstance(moment, datetime) else None


def _chosen(
    every_pair: Sequence[PlannedPair], options: AnswerOptions, warehouse: Warehouse
) -> list[PlannedPair]:
    pairs = list(every_pair)
    if options.only_failed:
        latest_df = warehouse.query("select pair_id, status from latest_answer")
        failed = set(latest_df.filter(pl.col("status").is_in(RETRIED))["pair_id"])
        pairs = [pair for pair in pairs if pair.pair_id in failed]
        if not pairs:
            raise InputError("no pair has failed", hint="leave out --only failed")
    return _spread(pairs, options.limit) if options.limit else pairs


def _spread(pairs: Sequence[PlannedPair], limit: int) -> list[PlannedPair]:
    """Return so many pairs, spread over all: a pilot of the first ones would ask one question."""
    n_chosen = min(limit, len(pairs))
    return [pairs[number * len(pairs) // n_chosen] for number in range(n_chosen)]


def _same_pairs(pairs: Sequence[PlannedPair], planned: Sequence[PlannedPair]) -> list[PlannedPair]:
    pair_ids = {pair.pair_id for pair in pairs}
    return [pair for pair in planned if pair.pair_id in pair_ids]


def _reused(pairs: Sequence[PlannedPair], warehouse: Warehouse) -> Gathered:
    """Return the rows of all pairs whose latest answer still stands, at no cost."""
    wanted_df = pl.DataFrame(
        [(pair.pair_id, pair.fingerprint, list(pair.plan.missing_means)) for pair in pairs],
        schema={
            "pair_id": pl.String,
            "fingerprint": pl.String,
            "missing_means": pl.List(pl.String),
        },
        orient="row",
    )
    standing_df = (
        warehouse.query(LATEST)
        .join(wanted_df, on=wanted_df.columns, how="semi")
        .filter(
            pl.col("status").is_in(REUSABLE)
            & ~pl.col("stop_reason").is_in(["budget", "engine_failed"])
        )
        .select("run_id", "pair_id")
    )
    run_ids = standing_df["run_id"].unique().to_list()
    reused = Gathered()
    for table, schema in SCHEMAS.items():
        row_df = warehouse.read(table, run_ids=run_ids).join(
            standing_df, on=["run_id", "pair_id"], how="semi"
        )
        if table == "answer_df":
            row_df = row_df.with_columns(AT_NO_COST)
        reused.add({table: row_df.select(schema.names()).cast(schema)})
    return reused


def _settings_hash(
    asked: Sequence[AskedQuestion], settings: Settings, options: AnswerOptions
) -> str:
    """Return a hash of all that makes an unfinished run worth resuming."""
    questions = [(question.question_id, question.question_version) for question in asked]
    wanted = options.model_dump(exclude={"is_new"})
    text = json.dumps([questions, settings.public(), wanted], sort_keys=True, default=str)
    return hashlib.sha256(text.encode()).hexdigest()[:16]
