"""Commands about the tables: sql and report."""

import sys
from typing import Annotated

import typer

from flows.command_line import options
from flows.command_line.output import print_rows
from flows.settings import load_settings
from flows.warehouse import Warehouse


def sql(
    query: Annotated[
        str | None, typer.Argument(metavar="[QUERY]", help="One select; without it, from stdin.")
    ] = None,
    warehouse: options.Warehouse = None,
    as_json: options.AsJson = False,
) -> int:
    """Run one select over all tables and views; nothing can be changed."""
    text = query if query is not None else sys.stdin.read()
    found_df = Warehouse.open(load_settings(warehouse=warehouse).warehouse).query(text)
    print_rows(found_df, as_json=as_json)
    return 0
