"""Commands about documents and the warehouse: ingest, forget, doctor."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from flows.command_line import options
from flows.command_line.bar import progress_bar
from flows.command_line.output import print_rows, say, typable
from flows.settings import load_settings
from flows.warehouse import Warehouse

if TYPE_CHECKING:
    from flows.ingest import IngestSummary


def ingest(
    paths: Annotated[
        list[str], typer.Argument(metavar="PATHS", help="Files, folders, globs or fsspec URLs.")
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
    if summary.is_cancelled:
        say(
            f"cancelled: {summary.n_parsed} documents are kept;"
            f" run the same command again for the other {summary.n_left}"
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
                    "what to do": typable(report.error_message or ""),
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
    for said in escalated(summary):
        say(said)


def escalated(summary: "IngestSummary") -> Iterator[str]:
    """Say what was read by other means, what still cannot be read, and what to do about it."""
    counts = summary.escalated
    read = {
        "by OCR": counts.n_ocr,
        "by putting tables together": counts.n_table,
        "by the vision model": counts.n_vision,
    }
    if any(read.values()):
        yield "pages read " + ", ".join(f"{how}: {n}" for how, n in read.items() if n)
    if summary.stop:
        yield f"the vision model was not asked about everything: {summary.stop.message}"
    left = {
        "pages that cannot be read": counts.n_unread,
        "charts and diagrams without a description": counts.n_undescribed,
    }
    if any(left.values()):
        said = ", ".join(f"{what}: {n}" for what, n in left.items() if n)
        yield said if summary.vision_model else f"{said}; set vision_model and ingest again"


def forget(
    document: Annotated[str, typer.Argument(metavar="DOC", help="doc_id or file name.")],
    warehouse: options.Warehouse = None,
    as_json: options.AsJson = False,
) -> int:
    """Erase a document and all that was quoted from it; counts and costs stay."""
    from flows.answering.run import open_ledger
    from flows.forget import forget as erase
    from flows.ingesting.alone import alone_with_corpus, without_runs

    settings = load_settings(warehouse=warehouse)
    store = Warehouse.open(settings.warehouse)
    ledger = open_ledger(settings, store)
    with alone_with_corpus(store), without_runs(store):
        forgotten = erase(document, store, ledger)
    ledger.close()
    print_rows([forgotten.model_dump()], as_json=as_json)
    return 0


def doctor(
    fix: Annotated[
        bool, typer.Option("--fix", help="Delete what interrupted writes left behind.")
    ] = False,
    warehouse: options.Warehouse = None,
    as_json: options.AsJson = False,
) -> int:
    """Examine a warehouse: checksums, leftovers, dangling keys, unread pages; what to do."""
    from flows.doctor import examine, findings_frame, notes, tidy

    settings = load_settings(warehouse=warehouse)
    store = Warehouse.open(settings.warehouse)
    found = tidy(store) if fix else examine(store)
    is_broken = any(finding.severity == "error" for finding in found)
    noted = [] if is_broken else notes(store, settings.vision_model)
    if as_json or found or noted:
        told = [
            finding.model_copy(update={"what_to_do": typable(finding.what_to_do)})
            for finding in (*found, *noted)
        ]
        print_rows(findings_frame(told), as_json=as_json)
    if not found:
        say("the warehouse is in order")
    return int(is_broken)
