"""All settings, and the one place that reads the environment.

First found wins: what a command passes, `COMPLINE_*` in the environment, `compline.toml`, default.
`OPENAI_API_KEY` and `OPENAI_BASE_URL` are read under their usual names. Nothing is unlimited:
every bound has a default.
"""

import difflib
import os
from decimal import Decimal
from pathlib import Path
from typing import Any, Literal
from urllib.parse import urlsplit

from pydantic import AliasChoices, Field, SecretStr, ValidationError, field_validator
from pydantic_settings import (
    BaseSettings,
    PydanticBaseSettingsSource,
    SettingsConfigDict,
    SettingsError,
    TomlConfigSettingsSource,
)

from flows.ready_by import ReadyBy
from transforms.errors import InputError
from transforms.values import RouteName, Value

ENV_PREFIX = "COMPLINE_"
CONFIG_FILE_VARIABLE = "COMPLINE_CONFIG"
CONFIG_FILE = "compline.toml"


class Price(Value):
    """What a model costs, in US dollars per million tokens."""

    input: Decimal = Field(ge=0, description="per million prompt tokens")
    cached_input: Decimal | None = Field(
        default=None, ge=0, description="per million prompt tokens read from the endpoint's cache"
    )
    output: Decimal = Field(ge=0, description="per million completion tokens")


class Settings(BaseSettings):
    """Everything that can be set, with its default."""

    model_config = SettingsConfigDict(
        env_prefix=ENV_PREFIX, extra="forbid", frozen=True, populate_by_name=True
    )

    warehouse: str = Field(default="warehouse", description="folder or fsspec URL of all tables")
    # who answers
    engine: Literal["auto", "offline", "openai", "openai-batch", "replay"] = Field(
        default="auto", description="auto: openai when a model is set, else offline"
    )
    model: str | None = Field(default=None, description="model of the standard tier")
    model_tiers: dict[str, str] = Field(
        default={}, description="model per tier named in question sets"
    )
    base_url: str | None = Field(
        default=None,
        validation_alias=AliasChoices("base_url", "COMPLINE_BASE_URL", "OPENAI_BASE_URL"),
        repr=False,
        description="OpenAI-compatible endpoint",
    )
    api_key: SecretStr | None = Field(
        default=None,
        validation_alias=AliasChoices("api_key", "COMPLINE_API_KEY", "OPENAI_API_KEY"),
        description="key of the endpoint",
    )
    parser: Literal["rules", "llm"] = Field(default="rules", description="who parses questions")
    embedding_model: str | None = Field(default=None, description="turns dense retrieval on")
    vision_model: str | None = Field(
        default=None, description="reads pages that OCR cannot, describes charts and diagrams"
    )
    judge_model: str | None = Field(
        default=None, description="looks once more at what a model found"
    )
    ca_bundle: str | None = Field(default=None, description="PEM file for the endpoint's TLS")
    prices: dict[str, Price] = Field(default={}, description="price overrides per model")
    # what a pair may take
    k: int = Field(default=5, ge=1, le=50, description="windows offered in a pass")
    max_iterations: int = Field(default=4, ge=1, le=10, description="passes of the feedback loop")
    pair_budget_tokens: int = Field(default=60_000, ge=0, description="bound for one pair")
    pair_budget_usd: Decimal = Field(default=Decimal(1), ge=0, description="bound for one pair")
    pair_budget_ms: int = Field(default=300_000, ge=0, description="bound for one pair")
    routes: dict[str, RouteName | dict[str, RouteName | float]] = Field(
        default={}, description="rows of the routing table to replace, by name"
    )
    # what everything may take
    call_budget_tokens: int = Field(default=200_000, ge=0, description="bound for one call")
    call_budget_usd: Decimal = Field(default=Decimal(5), ge=0, description="bound for one call")
    run_budget_tokens: int = Field(default=500_000_000, ge=0, description="bound for one run")
    run_budget_usd: Decimal = Field(default=Decimal(1_000), ge=0, description="bound for one run")
    run_budget_ms: int = Field(default=86_400_000, ge=0, description="bound for one run: a day")
    day_budget_tokens: int = Field(default=1_000_000_000, ge=0, description="bound for a UTC day")
    day_budget_usd: Decimal = Field(default=Decimal(2_000), ge=0, description="bound for a UTC day")
    month_budget_tokens: int = Field(
        default=10_000_000_000, ge=0, description="bound for a UTC month"
    )
    month_budget_usd: Decimal = Field(
        default=Decimal(20_000), ge=0, description="bound for a UTC month"
    )
    # how calls are made
    concurrency: int = Field(default=8, ge=1, le=256, description="calls in flight")
    timeout_s: float = Field(default=120, gt=0, description="bound for one attempt")
    max_attempts: int = Field(default=4, ge=1, le=10, description="attempts at one call")
    batch_gather_s: float = Field(default=2, gt=0, description="quiet before a batch job is sent")
    batch_poll_s: float = Field(default=30, gt=0, description="wait between looks at a batch job")
    batch_deadline_s: float = Field(
        default=86_400, gt=0, description="bound for a batch job; then its calls are made live"
    )
    keep_text: bool = Field(default=True, description="keep prompts and replies in the ledger")
    ledger_url: str | None = Field(
        default=None,
        repr=False,
        description="PostgreSQL URL when workers span machines; else SQLite",
    )
    # where and until when work is done
    runner: Literal["threads", "processes", "dask", "ray"] = Field(
        default="threads", description="where the tasks of a run work"
    )
    runner_address: str | None = Field(
        default=None, description="a Dask or Ray cluster that runs; else one is started here"
    )
    n_workers: int = Field(
        default=os.cpu_count() or 1,
        ge=1,
        le=256,
        description="documents parsed, and chunks answered by processes, at a time",
    )
    ready_by: str | None = Field(
        default=None, description="when answers have to be there, such as 06:30 Europe/Paris"
    )
    # how documents are read
    parse_timeout_s: float = Field(default=180, gt=0, description="bound for one document")
    parse_memory_mb: int = Field(default=2_048, ge=512, description="bound for one document")
    parse_max_pages: int = Field(default=5_000, ge=1, description="bound for one document")
    parse_max_bytes: int = Field(default=500_000_000, ge=1, description="bound for one document")

    @field_validator("base_url", "model", "vision_model", mode="before")
    @classmethod
    def _blank_is_unset(cls, value: object) -> object:
        return None if value == "" else value

    @field_validator("ready_by")
    @classmethod
    def _is_a_time_of_day(cls, value: str | None) -> str | None:
        if value is not None:
            ReadyBy.parse(value)
        return value

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        dotenv_settings: PydanticBaseSettingsSource,  # noqa: ARG003  (fixed by pydantic-settings)
        file_secret_settings: PydanticBaseSettingsSource,  # noqa: ARG003
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        """Return the sources in order of precedence; no .env and no secret files are read."""
        return (init_settings, env_settings, TomlConfigSettingsSource(settings_cls, config_file()))

    def public(self) -> dict[str, Any]:
        """Return all settings as JSON values without secrets: what run_df keeps."""
        values = self.model_dump(mode="json", exclude={"api_key", "ledger_url"})
        values["warehouse"] = without_credentials(self.warehouse)
        if self.base_url:
            values["base_url"] = without_credentials(self.base_url)
        return values


def without_credentials(url: str) -> str:
    """Return a URL without user, password and query, which holds a key at some endpoints."""
    parts = urlsplit(url)
    if not parts.netloc:
        return url
    return parts._replace(netloc=parts.netloc.rpartition("@")[2], query="", fragment="").geturl()


def config_file() -> Path:
    """Return the file named by COMPLINE_CONFIG, else compline.toml of the current folder."""
    return Path(os.environ.get(CONFIG_FILE_VARIABLE, CONFIG_FILE))


def load_settings(**overrides: Any) -> Settings:
    """Return the settings in force; overrides that are None are as if not given.

    Raises InputError for an unknown or unfit setting, with the nearest name as a hint.
    """
    if (named := os.environ.get(CONFIG_FILE_VARIABLE)) and not Path(named).is_file():
        raise InputError(
            f"settings file {named!r} does not exist", hint=f"correct {CONFIG_FILE_VARIABLE}"
        )
    _refuse_unknown_variables()
    try:
        return Settings(**{name: value for name, value in overrides.items() if value is not None})
    except ValidationError as error:
        raise _input_error(error) from None
    except (SettingsError, ValueError) as error:
        raise InputError(
            f"settings cannot be read: {error}",
            hint=f"correct {config_file()} or the {ENV_PREFIX}* variables",
        ) from None


def _refuse_unknown_variables() -> None:
    known = {ENV_PREFIX + name.upper() for name in Settings.model_fields} | {CONFIG_FILE_VARIABLE}
    given = {name for name in os.environ if name.startswith(ENV_PREFIX)}
    for name in sorted(given - known):
        raise InputError(
            f"unknown variable {name!r} in the environment", hint=_nearest(name, known)
        )


def _input_error(error: ValidationError) -> InputError:
    """Say the first thing that is wrong in the user's words."""
    first = error.errors(include_url=False, include_input=False)[0]
    name = ".".join(str(part) for part in first["loc"])
    if first["type"] == "extra_forbidden":
        hint = _nearest(name, set(Settings.model_fields))
        return InputError(f"unknown setting {name!r}", hint=hint)
    return InputError(
        f"setting {name!r}: {first['msg']}",
        hint=f"correct it in {config_file()}, in the environment or on the command line",
    )


def _nearest(name: str, known: set[str]) -> str:
    near = difflib.get_close_matches(name, known, n=1)
    return f"did you mean {near[0]!r}?" if near else "see the README for all settings"
