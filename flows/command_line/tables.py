"""Commands about the tables: sql and report."""

import sys
from pathlib import Path
from typing import Annotated

import typer

from flows.command_line import options
from flows.command_line.output import print_json, print_rows, say
from flows.settings import load_settings
from flows.warehouse import Warehouse


def sql(
    query: Annotated[
        str | None, typer.Argument(metavar="QUERY", help="One select; without it, from stdin.")
    ] = None,
    warehouse: options.Warehouse = None,
    as_json: options.AsJson = False,
) -> int:
    """Run one select over all tables and views; nothing can be changed."""
    text = query if query is not None else sys.stdin.read()
    found_df = Warehouse.open(load_settings(warehouse=warehouse).warehouse).query(text)
    print_rows(found_df, as_json=as_json)
    return 0


def report(
    name: Annotated[
        str | None, typer.Argument(metavar="NAME", help="One report; default: all about a run.")
    ] = None,
    run_id: Annotated[str | None, typer.Option("--run", help="Default: the latest run.")] = None,
    html: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Write all about a run as one page that opens offline."),
    ] = None,
    sheet: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Write NAME, or answers by document: .csv, .xlsx, .parquet, .jsonl.",
        ),
    ] = None,
    warehouse: options.Warehouse = None,
    as_json: options.AsJson = False,
) -> int:
    """Show what a run came to: statuses, routes, cost, saving, what changed, what failed."""
    from flows.export import export, write_file
    from flows.report import answers_by_document, read_report, run_reports

    settings = load_settings(warehouse=warehouse)
    store = Warehouse.open(settings.warehouse)
    if html:
        from flows.reporting.page import html_report

        write_file(html_report(store, settings, run_id), html)
    if sheet:
        rows_df = read_report(store, name, run_id).rows if name else answers_by_document(store)
        export(rows_df, sheet)
    if html or sheet:
        say(f"wrote {' and '.join(str(file) for file in (html, sheet) if file)}")
        return 0
    reports = [read_report(store, name, run_id)] if name else run_reports(store, run_id)
    if as_json:
        rows = {each.name: each.rows.to_dicts() for each in reports}
        print_json(rows[name] if name else rows)
        return 0
    for each in reports:
        print_rows(each.rows, as_json=False, title=f"{each.name}: {each.title}")
    return 0
