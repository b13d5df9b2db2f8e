"""What several commands share: options, arguments, and how a list of commands is shown."""

from pathlib import Path
from typing import Annotated

import typer
from typer._click import Context, HelpFormatter
from typer.core import TyperGroup

from flows.command_line.output import name_warehouse

WHOLE_SENTENCE = 1_000
"""Characters of a command's summary in the help: all of them, on as many lines as it takes."""

Warehouse = Annotated[
    str | None,
    typer.Option(
        "--warehouse",
        metavar="DIR",
        help="Folder or URL of all tables.",
        callback=name_warehouse,
    ),
]
AsJson = Annotated[
    bool, typer.Option("--json", help="Print rows as JSON, under the tables' column names.")
]
Engine = Annotated[
    str | None,
    typer.Option("--engine", help="offline, openai, openai-batch; default: auto."),
]
Model = Annotated[str | None, typer.Option("--model", help="Model of the endpoint.")]
Runner = Annotated[
    str | None,
    typer.Option("--runner", help="threads, processes, dask, ray; default: threads."),
]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="No progress, no messages.")]
QuestionFile = Annotated[
    Path, typer.Argument(metavar="QUESTIONS", help="Question set: CSV, JSONL, YAML or Parquet.")
]
PairId = Annotated[str, typer.Argument(metavar="PAIR", help="pair_id, or the first digits of one.")]


class Commands(TyperGroup):
    """Lists commands with their whole summaries; Click would cut each to one line."""

    def format_commands(self, ctx: Context, formatter: HelpFormatter) -> None:
        named = ((name, self.get_command(ctx, name)) for name in self.list_commands(ctx))
        rows = [(name, each.get_short_help_str(WHOLE_SENTENCE)) for name, each in named if each]
        with formatter.section("Commands"):
            formatter.write_dl(rows)
