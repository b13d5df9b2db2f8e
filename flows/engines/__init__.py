"""Engines: who answers a generation step.

offline.py    the built-in extractive reader
replay.py     the replies of a recorded run
live.py       any OpenAI-compatible endpoint, call by call
batch.py      first requests by its Batch API; batch_jobs.py and batch_api.py below it
assistant.py  parsed questions, embeddings, pages and images
answering.py  what every model engine does in a step: ask, check, correct once
caller.py     one call: ledger first, then attempts until it is answered
attempts.py   one attempt: reserve, send, settle
books.py      what attempts may take and what they came to
client.py     the one door to the OpenAI SDK
forms.py      the form of request that an endpoint takes
gate.py       concurrency and rate limits, over slots.py
"""

from typing import Protocol

from flows.engines.assistant import Assistant
from flows.engines.batch import OpenAIBatchEngine
from flows.engines.batch_jobs import Pace
from flows.engines.caller import Caller, CallSettings
from flows.engines.client import Client, check_address
from flows.engines.live import OpenAIEngine
from flows.engines.offline import OfflineEngine
from flows.engines.replay import ReplayEngine
from flows.engines.tiers import Models
from flows.ledger import Ledger
from flows.ledger.entries import Bound, Bounds
from flows.prices import PriceList
from flows.settings import Settings
from transforms.errors import InputError
from transforms.pipeline.registry import PatternRegistry
from transforms.values import Generated, GenerateTask

__all__ = [
    "Assistant",
    "Engine",
    "OfflineEngine",
    "OpenAIBatchEngine",
    "OpenAIEngine",
    "ReplayEngine",
    "check_engine",
    "make_assistant",
    "make_engine",
]


class Engine(Protocol):
    """Who answers generation steps."""

    name: str
    model: str | None

    async def answer(self, task: GenerateTask) -> Generated:
        """Answer one step; what cannot be answered is a value that says why."""
        ...

    async def close(self) -> None:
        """Release connections."""
        ...


def make_engine(
    settings: Settings,
    ledger: Ledger | None = None,
    *,
    refresh: bool = False,
    replayed_run: str | None = None,
    registry: PatternRegistry | None = None,
) -> Engine:
    """Return the engine that the settings ask for; the offline one reads by the registry's bricks.

    With `refresh` it asks again what was answered before the run began. Without a ledger the
    calls are recorded in memory only. `replayed_run` is what the replay engine follows.
    """
    name = check_engine(settings)
    if name == "offline":
        return OfflineEngine(registry)
    if name == "replay":
        return _replay_engine(ledger, replayed_run)
    models = Models(
        standard=settings.model or next(iter(settings.model_tiers.values())),
        tiers=settings.model_tiers,
        judge=settings.judge_model,
    )
    caller = make_caller(name, settings, ledger or Ledger.open(":memory:"), refresh=refresh)
    if name == "openai":
        return OpenAIEngine(caller, models)
    pace = Pace(
        gather_s=settings.batch_gather_s,
        poll_s=settings.batch_poll_s,
        deadline_s=settings.batch_deadline_s,
    )
    return OpenAIBatchEngine(caller, models, pace)


def check_engine(settings: Settings) -> str:
    """Return the name of the engine. Raises InputError for one that could not answer anything."""
    has_model = bool(settings.model or settings.model_tiers)
    name = settings.engine
    if name == "auto":
        name = "openai" if has_model else "offline"
    if name in ("offline", "replay"):
        return name
    if not has_model:
        raise InputError(
            f"engine {name!r} needs a model",
            hint='set model = "…" in compline.toml, or COMPLINE_MODEL, or engine = "offline"',
        )
    check_address(settings.base_url, settings.api_key)
    return name


def make_assistant(settings: Settings, ledger: Ledger, *, refresh: bool = False) -> Assistant:
    """Return who parses questions, embeds texts and sees pages at the configured endpoint."""
    return Assistant(make_caller("openai", settings, ledger, refresh=refresh))


def _replay_engine(ledger: Ledger | None, run_id: str | None) -> Engine:
    if ledger is None or run_id is None:
        raise InputError("a replay needs a run", hint="use `compline replay RUN`")
    return ReplayEngine(ledger, run_id)


def make_caller(
    engine: str, settings: Settings, ledger: Ledger, *, refresh: bool = False
) -> Caller:
    """Return what makes calls of the configured endpoint."""
    client = Client(settings.base_url, settings.api_key, ca_bundle=settings.ca_bundle)
    call_settings = CallSettings(
        bounds=bounds_of(settings),
        prices=PriceList(endpoint=client.endpoint, overrides=settings.prices),
        concurrency=settings.concurrency,
        timeout_s=settings.timeout_s,
        max_attempts=settings.max_attempts,
        is_refresh=refresh,
    )
    return Caller(engine, client, ledger, call_settings)


def bounds_of(settings: Settings) -> Bounds:
    """Return the bounds that hold for every call."""
    return Bounds(
        call=Bound(tokens=settings.call_budget_tokens, usd=settings.call_budget_usd),
        run=Bound(tokens=settings.run_budget_tokens, usd=settings.run_budget_usd),
        day=Bound(tokens=settings.day_budget_tokens, usd=settings.day_budget_usd),
        month=Bound(tokens=settings.month_budget_tokens, usd=settings.month_budget_usd),
    )
