"""Commands about documents: ingest."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from flows.command_line import options
from flows.command_line.output import print_rows, progress_bar, say
from flows.settings import load_settings
from flows.warehouse import Warehouse

if TYPE_CHECKING:
    from flows.ingest import IngestSummary


def ingest(
    paths: Annotated[
        list[str], typer.Argument(metavar="PATHS…", help="Files, folders, globs or fsspec URLs.")
    ],
    metadata: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="CSV with a column file_name; default: metadata.csv."),
    ] = None,
    warehouse: options.Warehouse = None,
    quiet: options.Quiet = False,
    as_json: options.AsJson = False,
) -> int:
    """Parse documents that are new or changed and store what they say as tables."""
    summary = run_ingest(
        paths, metadata and str(metadata), {"warehouse": warehouse}, quiet=quiet or as_json
    )
    if as_json:
        store = Warehouse.open(load_settings(warehouse=warehouse).warehouse)
        print_rows(store.documents(include_failed=True), as_json=True)
        return summary.exit_code
    if summary.failures:
        print_rows(
            [
                {
                    "file": report.file_name,
                    "status": report.status,
                    "trouble": report.error_code,
                    "what to do": report.error_message,
                }
                for report in summary.failures
            ],
            as_json=False,
            title="not wholly parsed",
        )
    if not quiet:
        print_ingested(summary)
    return summary.exit_code


def run_ingest(
    paths: list[str], metadata: str | None, overrides: dict[str, Any], *, quiet: bool
) -> "IngestSummary":
    """Run the ingest flow with a progress bar."""
    from flows import prefect_setup

    prefect_setup.start()
    from flows.ingest import ingest as ingest_flow

    prefect_setup.ready()
    with progress_bar("parsing", is_shown=not quiet):
        return ingest_flow(paths, metadata, overrides)


def print_ingested(summary: "IngestSummary") -> None:
    """Say in one line what an ingest did."""
    say(
        f"{summary.n_files} files: {summary.n_parsed} parsed ({summary.n_pages} pages),"
        f" {summary.n_unchanged} unchanged, {summary.n_superseded} superseded,"
        f" {summary.n_vanished} vanished, {len(summary.failures)} not wholly parsed,"
        f" in {summary.elapsed_ms / 1000:.1f} s"
    )
