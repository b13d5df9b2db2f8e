"""Compare what the ledger paid for with what a provider says it sold, by UTC day and model."""

import re
from collections.abc import Mapping, Sequence
from datetime import UTC, date, datetime
from decimal import Decimal, InvalidOperation

import polars as pl

from transforms.errors import InputError
from transforms.row import MONEY

COLUMNS: dict[str, tuple[str, ...]] = {
    "day": (
        "start_time_iso", "start_time", "date", "day", "usage_date", "timestamp", "created",
        "aggregation_timestamp",
    ),
    "model": ("model", "snapshot_id", "model_name", "line_item", "deployment"),
    "n_calls": ("num_model_requests", "n_requests", "num_requests", "requests", "request_count"),
    "prompt_tokens": (
        "input_tokens", "prompt_tokens", "n_context_tokens_total", "context_tokens",
    ),
    "cached_tokens": (
        "input_cached_tokens", "cached_tokens", "cached_input_tokens",
        "n_cached_context_tokens_total",
    ),
    "completion_tokens": (
        "output_tokens", "completion_tokens", "n_generated_tokens_total", "generated_tokens",
    ),
    "cost_usd": ("amount_value", "cost_usd", "cost_in_usd", "cost", "amount_usd", "amount"),
}  # fmt: skip
"""What a column is called in the usage and cost exports of OpenAI, old and new, and of gateways."""

MEASURES = ("n_calls", "prompt_tokens", "cached_tokens", "completion_tokens", "cost_usd")
CURRENCIES = ("amount_currency", "currency")

ALL_MODELS = "all models"
"""Model of an export that does not tell them apart."""

COST_TOLERANCE = Decimal("0.005")
"""Half a cent for a day and model: providers round."""

_SNAPSHOT = re.compile(r"-(?:\d{4}-\d{2}-\d{2}|\d{8}|\d{4})$")
"""A provider names the version that answered where we name the model that we asked."""

_MILLISECONDS = 10**11
"""From here a number of seconds would lie in the year 5138."""

MAX_FIGURE = 10**15
"""More tokens than anyone was ever billed for in a day."""

USAGE_SCHEMA = pl.Schema(
    {
        "day": pl.Date(),
        "model": pl.String(),
        **dict.fromkeys(MEASURES[:-1], pl.Int64()),
        "cost_usd": MONEY,
    }
)


def read_usage(rows: Sequence[tuple[int, Mapping[str, str]]], name: str) -> pl.DataFrame:
    """Return the usage that an export lists; what it does not say is null.

    One row per UTC day and model. Raises InputError that names row and column.
    """
    given = {column for _, cells in rows for column in cells}
    found = {ours: theirs for ours, names in COLUMNS.items() if (theirs := _first(names, given))}
    if "day" not in found or not found.keys() & set(MEASURES):
        raise InputError(
            f"{name!r} is no usage export: it has {', '.join(sorted(given)) or 'no columns'}",
            hint=f"it needs a day ({', '.join(COLUMNS['day'])}) and requests, tokens or a cost",
        )
    read = [_usage(number, cells, found, name) for number, cells in rows]
    return _summed(pl.DataFrame(read, schema=USAGE_SCHEMA, orient="row")).sort("day", "model")


def differences(ledger_df: pl.DataFrame, provider_df: pl.DataFrame) -> pl.DataFrame:
    """Compare both sides in every measure that the provider gives.

    One row per UTC day and model, for the days that the export covers, with the ledger's and the
    provider's figures and `finding`: same, differs, only_in_ledger or only_in_export. Where the
    export names versions of a model that the ledger names without, they are one model.
    """
    known = set(ledger_df["model"])
    provider_df = _summed(provider_df.with_columns(model=_our_names(provider_df, known)))
    if provider_df["model"].eq(ALL_MODELS).all():
        ledger_df = ledger_df.with_columns(model=pl.lit(ALL_MODELS))
    first, last = provider_df["day"].min(), provider_df["day"].max()
    covered_df = _summed(ledger_df.filter(pl.col("day").is_between(first, last)))
    both_df = covered_df.join(
        provider_df, on=["day", "model"], how="full", suffix="_provider", coalesce=True
    )
    given = [measure for measure in MEASURES if provider_df[measure].count()]
    return (
        both_df.with_columns(finding=_finding(given))
        .select("day", "model", "finding", *(
            pl.col(name).alias(f"{side}_{measure}")
            for measure in given
            for side, name in (("ledger", measure), ("provider", f"{measure}_provider"))
        ))
        .sort("day", "model")
    )  # fmt: skip


def _first(names: Sequence[str], given: set[str]) -> str | None:
    return next((name for name in names if name in given), None)


def _usage(
    number: int, cells: Mapping[str, str], found: Mapping[str, str], name: str
) -> tuple[object, ...]:
    for column in CURRENCIES:
        if cells.get(column, "usd").lower() != "usd":
            raise InputError(
                f"{name!r}, row {number}, column {column}: {cells[column]!r} is not USD",
                hint="export the costs in US dollars",
            )
    values: list[object] = []
    for ours in ("day", "model", *MEASURES):
        text = cells.get(found.get(ours, ""))
        try:
            values.append(_READERS.get(ours, _count)(text))
        except (ValueError, InvalidOperation, OverflowError):
            raise InputError(
                f"{name!r}, row {number}, column {found.get(ours)}: {text!r} cannot be read",
                hint="days as 2026-03-01 or seconds since 1970, figures as 1234.5",
            ) from None
    return tuple(values)


def _day(text: str | None) -> date:
    """Return the UTC day of a date, a moment in ISO 8601, or seconds since 1970."""
    if text is None:
        raise ValueError("no day")
    if re.fullmatch(r"\d{9,}(?:\.0*)?", text):
        seconds = int(float(text))
        return datetime.fromtimestamp(
            seconds / 1000 if seconds >= _MILLISECONDS else seconds, UTC
        ).date()
    moment = datetime.fromisoformat(text)
    return (moment.astimezone(UTC) if moment.tzinfo else moment).date()


def _model(text: str | None) -> str:
    """Return the model of a cell, or of a cost's line item: "gpt-4o-2024-08-06, input"."""
    return text.partition(",")[0].strip() if text else ALL_MODELS


def _count(text: str | None) -> int | None:
    return None if text is None else int(_figure(text))


def _cost(text: str | None) -> Decimal | None:
    return None if text is None else round(_figure(text.removeprefix("$")), 9)


def _figure(text: str) -> Decimal:
    figure = Decimal(text)
    if not figure.is_finite() or abs(figure) >= MAX_FIGURE:
        raise ValueError("no figure of a bill")
    return figure


_READERS = {"day": _day, "model": _model, "cost_usd": _cost}


def _our_names(provider_df: pl.DataFrame, known: set[str]) -> pl.Series:
    """Return the provider's models under the names that the ledger has."""
    names = []
    for model in provider_df["model"]:
        bare = _SNAPSHOT.sub("", model)
        names.append(bare if model not in known and bare in known else model)
    return pl.Series("model", names, dtype=pl.String)


def _summed(usage_df: pl.DataFrame) -> pl.DataFrame:
    """Return the sums by day and model; what no row says stays null."""
    told = [
        pl.when(pl.col(measure).count() > 0).then(pl.col(measure).sum()).alias(measure)
        for measure in MEASURES
    ]
    return usage_df.group_by("day", "model").agg(told).cast(USAGE_SCHEMA)


def _finding(measures: Sequence[str]) -> pl.Expr:
    ours = pl.any_horizontal(pl.col(m).is_not_null() for m in MEASURES)
    theirs = pl.any_horizontal(pl.col(f"{m}_provider").is_not_null() for m in MEASURES)
    differs = pl.any_horizontal(
        (pl.col(m).fill_null(0) - pl.col(f"{m}_provider").fill_null(0)).abs()
        > (COST_TOLERANCE if m == "cost_usd" else 0)
        for m in measures
    )
    return (
        pl.when(~theirs)
        .then(pl.lit("only_in_ledger"))
        .when(~ours)
        .then(pl.lit("only_in_export"))
        .when(differs)
        .then(pl.lit("differs"))
        .otherwise(pl.lit("same"))
    )
