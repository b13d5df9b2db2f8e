"""Usage exports: the forms that providers write, and what differs from the ledger."""

from datetime import date
from decimal import Decimal
from typing import Any

import polars as pl
import pytest

from transforms.errors import InputError
from transforms.pipeline.reconcile import ALL_MODELS, USAGE_SCHEMA, differences, read_usage

DAY = date(2026, 3, 1)
NOON_S = "1772366400"


def usage(*rows: dict[str, str]) -> list[tuple[Any, ...]]:
    return read_usage(list(enumerate(rows, start=2)), "export.csv").rows()


def test_the_usage_export_of_openai_is_read() -> None:
    row = {
        "start_time": NOON_S, "start_time_iso": "2026-03-01T00:00:00+00:00", "model": "gpt-x",
        "num_model_requests": "2", "input_tokens": "30", "input_cached_tokens": "10",
        "output_tokens": "4",
    }  # fmt: skip
    assert usage(row, row) == [(DAY, "gpt-x", 4, 60, 20, 8, None)]


def test_the_cost_export_of_openai_is_read_by_model() -> None:
    rows = [
        {"start_time": NOON_S, "amount_value": "0.25", "amount_currency": "usd", "line_item": item}
        for item in ("gpt-x-2026-01-31, input", "gpt-x-2026-01-31, output")
    ]
    model = "gpt-x-2026-01-31"
    assert usage(*rows) == [(DAY, model, None, None, None, None, Decimal("0.5"))]


def test_an_export_without_models_and_with_days_without_costs_is_read() -> None:
    rows = [{"date": "2026-03-01", "cost": "$1.50"}, {"date": "2026-03-02"}]
    assert [row[:2] + row[-1:] for row in usage(*rows)] == [
        (DAY, ALL_MODELS, Decimal("1.5")),
        (date(2026, 3, 2), ALL_MODELS, None),
    ]


@pytest.mark.parametrize(
    "moment",
    ["2026-03-01", "2026-03-01T23:59:59Z", "2026-03-02T00:30:00+01:00", NOON_S, NOON_S + "000"],
)
def test_days_are_utc(moment: str) -> None:
    assert usage({"timestamp": moment, "cost": "1"})[0][0] == DAY


@pytest.mark.parametrize(
    ("row", "says"),
    [
        ({"date": "2026-03-01", "model": "x"}, "is no usage export: it has date, model"),
        ({"cost": "1"}, "is no usage export"),
        ({"date": "1 March", "cost": "1"}, "row 2, column date: '1 March' cannot be read"),
        ({"date": "2026-03-01", "requests": "many"}, "row 2, column requests: 'many'"),
        ({"date": "2026-03-01", "cost": "NaN"}, "row 2, column cost"),
        ({"date": "2026-03-01", "cost": "1", "currency": "EUR"}, "'EUR' is not USD"),
    ],
)
def test_what_cannot_be_read_is_named(row: dict[str, str], says: str) -> None:
    with pytest.raises(InputError, match=says):
        usage(row)


def side(*rows: tuple[Any, ...]) -> pl.DataFrame:
    return pl.DataFrame(rows, schema=USAGE_SCHEMA, orient="row")


LEDGER = side(
    (DAY, "gpt-x", 2, 30, 10, 4, Decimal("0.5")),
    (DAY, "other", 1, 5, 0, 1, Decimal("0.1")),
    (date(2026, 2, 1), "gpt-x", 9, 9, 9, 9, Decimal(9)),
)


def findings(provider_df: pl.DataFrame) -> dict[str, str]:
    found_df = differences(LEDGER, provider_df)
    return dict(found_df.select("model", "finding").iter_rows())


def test_each_difference_has_a_name() -> None:
    provider_df = side(
        (DAY, "gpt-x", 2, 31, 10, 4, Decimal("0.5")), (DAY, "else", 1, 1, 0, 1, Decimal(1))
    )
    expected = {"gpt-x": "differs", "other": "only_in_ledger", "else": "only_in_export"}
    assert findings(provider_df) == expected


def test_versions_of_a_model_are_the_model_that_was_asked() -> None:
    provider_df = side(
        (DAY, "gpt-x-2026-01-31", 1, 20, 10, 3, Decimal("0.3")),
        (DAY, "gpt-x-2026-02-28", 1, 10, 0, 1, Decimal("0.2")),
    )
    assert findings(provider_df)["gpt-x"] == "same"


def test_what_the_export_does_not_say_is_not_compared() -> None:
    found_df = differences(LEDGER, side((DAY, "gpt-x", None, 30, None, None, None)))
    assert found_df.columns == [
        "day",
        "model",
        "finding",
        "ledger_prompt_tokens",
        "provider_prompt_tokens",
    ]
    assert found_df.filter(model="gpt-x")["finding"].item() == "same"


def test_an_export_without_models_is_compared_with_all_of_them() -> None:
    assert findings(side((DAY, ALL_MODELS, 3, 35, 10, 5, None))) == {ALL_MODELS: "same"}


def test_half_a_cent_is_rounding_and_more_is_not() -> None:
    for cost, finding in (("0.505", "same"), ("0.506", "differs")):
        assert findings(side((DAY, "gpt-x", 2, 30, 10, 4, Decimal(cost))))["gpt-x"] == finding
