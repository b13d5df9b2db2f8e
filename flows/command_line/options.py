"""Options that several commands share."""

from pathlib import Path
from typing import Annotated

import typer

Warehouse = Annotated[
    str | None, typer.Option("--warehouse", metavar="DIR", help="Folder or URL of all tables.")
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
