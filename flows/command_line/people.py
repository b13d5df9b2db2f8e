"""Commands for those who check: review and reconcile."""

from pathlib import Path
from typing import Annotated

import typer

from flows.command_line import options
from flows.command_line.output import print_json, print_rows, say
from flows.settings import load_settings
from flows.warehouse import Warehouse

review = typer.Typer(
    name="review",
    cls=options.Commands,
    help="Let people judge answers: a sheet goes out, verdicts come back.",
    no_args_is_help=True,
)
Sheet = Annotated[Path, typer.Argument(metavar="FILE", help="Sheet: .xlsx or .csv.")]


@review.command("export")
def review_export(
    file: Sheet,
    run_id: Annotated[str | None, typer.Option("--run", help="Default: the latest run.")] = None,
    everything: Annotated[bool, typer.Option("--all", help="All answers of the run.")] = False,
    warehouse: options.Warehouse = None,
) -> int:
    """Write the answers of a run that a person should look at as a sheet to fill in."""
    from flows.review import export_sheet

    store = Warehouse.open(load_settings(warehouse=warehouse).warehouse)
    n_rows = export_sheet(store, file, run_id, is_all=everything)
    say(f"wrote {file}: {n_rows} answers; fill in verdict (right, wrong, incomplete), right_value")
    return 0


@review.command("import")
def review_import(
    file: Sheet,
    reviewer: Annotated[
        str | None, typer.Option(metavar="NAME", help="Who judged, where the sheet does not say.")
    ] = None,
    warehouse: options.Warehouse = None,
    as_json: options.AsJson = False,
) -> int:
    """Read the verdicts of a filled sheet, all or none; rejected answers are asked again."""
    from flows.review import import_sheet

    store = Warehouse.open(load_settings(warehouse=warehouse).warehouse)
    imported = import_sheet(store, file, reviewer=reviewer)
    if as_json:
        print_json(imported.model_dump())
    say(f"{imported.n_new} verdicts imported, {imported.n_known} were there already")
    return 0


@review.command("gold")
def review_gold(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="Gold file: .jsonl.")],
    warehouse: options.Warehouse = None,
) -> int:
    """Write what the verdicts make right as a gold file for `compline eval --gold`."""
    from flows.review import export_gold

    store = Warehouse.open(load_settings(warehouse=warehouse).warehouse)
    say(f"wrote {file}: {export_gold(store, file)} gold lines")
    return 0


def reconcile(
    files: Annotated[
        list[Path], typer.Argument(metavar="FILES", help="Usage or cost exports: .csv, .xlsx.")
    ],
    endpoint: Annotated[
        str | None, typer.Option(metavar="TEXT", help="Only calls to URLs that contain it.")
    ] = None,
    everything: Annotated[bool, typer.Option("--all", help="Also what is the same.")] = False,
    warehouse: options.Warehouse = None,
    as_json: options.AsJson = False,
) -> int:
    """Compare the ledger with usage exports of a provider by day and model; 1 if they differ."""
    from flows.reconcile import reconcile as compare

    store = Warehouse.open(load_settings(warehouse=warehouse).warehouse)
    found_df = compare(store, files, endpoint=endpoint)
    different_df = found_df.filter(found_df["finding"] != "same")
    shown_df = found_df if everything else different_df
    if as_json or shown_df.height:
        print_rows(shown_df, as_json=as_json)
    say(f"{different_df.height} of {found_df.height} days and models differ")
    return int(different_df.height > 0)
