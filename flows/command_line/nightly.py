"""The command that stays: serve."""

from pathlib import Path
from typing import Annotated

import typer

from flows.command_line import options
from flows.command_line.output import say


def serve(
    questions: options.QuestionFile,
    sources: Annotated[
        list[str], typer.Argument(metavar="PATHS", help="Files, folders, globs or fsspec URLs.")
    ],
    cron: Annotated[str, typer.Option(help="When: minute hour day month weekday.")] = "0 2 * * *",
    time_zone: Annotated[str, typer.Option(metavar="ZONE", help="Such as Europe/Paris.")] = "UTC",
    metadata: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="CSV with a column file_name; default: metadata.csv."),
    ] = None,
    notify: Annotated[
        str | None,
        typer.Option(
            metavar="BLOCK", help="Prefect notification block, such as slack-webhook/ops."
        ),
    ] = None,
    warehouse: options.Warehouse = None,
    engine: options.Engine = None,
    model: options.Model = None,
    runner: options.Runner = None,
) -> int:
    """Ingest and answer every night, on a schedule of the Prefect server at PREFECT_API_URL."""
    import flows.prefect_setup  # noqa: F401  # pyright: ignore[reportUnusedImport]  (before Prefect)
    from flows.nightly import serve as serve_nightly
    from flows.notify import notify_through

    overrides = {"warehouse": warehouse, "engine": engine, "model": model, "runner": runner}
    if notify:
        notify_through(notify)
    say(
        f"{questions.name} is asked at {cron!r} ({time_zone}) while this command runs;"
        " Ctrl-C stops it"
    )
    serve_nightly(
        str(questions.absolute()),
        sources,
        cron=cron,
        time_zone=time_zone,
        metadata=metadata and str(metadata.absolute()),
        overrides={name: value for name, value in overrides.items() if value is not None},
    )
    return 0
