"""The command that keeps a warehouse small: tidy."""

from typing import Annotated

import typer

from flows.command_line import options
from flows.command_line.output import print_rows
from flows.settings import load_settings
from flows.warehouse import Warehouse


def tidy(
    keep: Annotated[
        int | None,
        typer.Option(min=1, metavar="N", help="Drop runs but the newest N of each question set."),
    ] = None,
    warehouse: options.Warehouse = None,
    as_json: options.AsJson = False,
) -> int:
    """Merge small files and drop old runs, beside readers and writers; answers that hold stay."""
    from flows.tidy import tidy as tidy_up

    store = Warehouse.open(load_settings(warehouse=warehouse).warehouse)
    print_rows([tidy_up(store, keep_runs=keep).model_dump()], as_json=as_json)
    return 0
