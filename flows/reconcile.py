"""Reconcile the ledger's calls with the usage exports of a provider."""

from collections.abc import Sequence
from pathlib import Path

import polars as pl

from flows.sheets import read_sheet
from flows.warehouse import Warehouse
from transforms.errors import InputError
from transforms.pipeline.reconcile import USAGE_SCHEMA, differences, read_usage

LEDGER = """
select
    cast(called_at at time zone 'UTC' as date) as day,
    model,
    count(*) as n_calls,
    cast(sum(prompt_tokens) as bigint) as prompt_tokens,
    cast(coalesce(sum(cached_tokens), 0) as bigint) as cached_tokens,
    cast(coalesce(sum(completion_tokens), 0) as bigint) as completion_tokens,
    case when count(*) = count(cost_usd) then sum(cost_usd) end as cost_usd
from llm_call_df
where prompt_tokens > 0 and ($endpoint is null or contains(endpoint, $endpoint))
group by day, model
order by day, model
"""
"""Attempts that came back without a usage are left out: no provider counts them."""


def reconcile(
    warehouse: Warehouse, files: Sequence[Path], *, endpoint: str | None = None
) -> pl.DataFrame:
    """Return one row per UTC day and model of the exports: see `differences`.

    With `endpoint`, only calls to endpoints whose URL contains it count. Raises InputError when a
    file is no export.
    """
    exported = []
    for file in files:
        rows = [(row.number, row.cells) for row in read_sheet(file)]
        if not rows:
            raise InputError(f"{file.name!r} has no rows", hint="export a longer period")
        exported.append(read_usage(rows, file.name))
    ledger_df = warehouse.query(LEDGER, {"endpoint": endpoint}).cast(USAGE_SCHEMA)
    return differences(ledger_df, pl.concat(exported))
