"""Results on stdout, progress and messages on stderr; frames as tables or as JSON rows."""

import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import date
from decimal import Decimal
from typing import Any

import polars as pl
from rich.console import Console
from rich.markup import escape
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)
from rich.table import Table

from flows.progress import listening
from transforms.errors import ComplineError

PIPED_WIDTH = 140
"""Columns of a table that goes to a file or a pipe."""

MAX_CELL_CHARS = 200
"""Characters of one value in a terminal table; JSON is never cut."""


def stdout() -> Console:
    """Return the console for results."""
    console = Console()
    return console if console.is_terminal else Console(width=PIPED_WIDTH)


def stderr() -> Console:
    """Return the console for progress and messages."""
    return Console(stderr=True, soft_wrap=True)


def print_rows(
    rows: pl.DataFrame | Sequence[Mapping[str, Any]], *, as_json: bool, title: str | None = None
) -> None:
    """Print rows as one JSON list, or as a table for people."""
    dicts = rows.to_dicts() if isinstance(rows, pl.DataFrame) else [dict(row) for row in rows]
    if as_json:
        print_json(dicts)
        return
    names = (
        list(rows.columns) if isinstance(rows, pl.DataFrame) else list(dicts[0] if dicts else ())
    )
    table = Table(title=title, title_justify="left", show_edge=False, pad_edge=False)
    for name in names:
        table.add_column(name, overflow="fold")
    for row in dicts:
        table.add_row(*(_cell(row[name]) for name in names))
    stdout().print(table)


def print_json(value: object) -> None:
    """Print a value as JSON; money and dates as text, so that nothing is rounded."""
    sys.stdout.write(json.dumps(value, default=_plain, ensure_ascii=False) + "\n")


def say(message: str) -> None:
    """Print a message for people on stderr; the text is never read as markup."""
    stderr().print(escape(safe(message)), highlight=False)


def say_error(error: ComplineError) -> None:
    """Print an error and what to do next on stderr."""
    console = stderr()
    console.print(f"[bold red]error:[/] {escape(safe(str(error)))}", highlight=False)
    if error.hint:
        console.print(f"[bold]do:[/]    {escape(safe(error.hint))}", highlight=False)


def safe(text: str) -> str:
    """Return text that cannot steer a terminal: control characters are shown, not obeyed."""
    return "".join(
        char if char.isprintable() or char in "\n\t" else f"\\x{ord(char):02x}" for char in text
    )


@contextmanager
def progress_bar(description: str, *, is_shown: bool) -> Iterator[None]:
    """Draw a bar on stderr for the flow that runs inside, when someone is there to see it."""
    console = stderr()
    if not (is_shown and console.is_terminal):
        yield
        return
    columns = (
        TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(),
        TimeElapsedColumn(), TimeRemainingColumn(),
    )  # fmt: skip
    with Progress(*columns, console=console, transient=True) as bar:
        task = bar.add_task(description, total=None)
        with listening(lambda n_done, n_all: bar.update(task, completed=n_done, total=n_all)):
            yield


def _cell(value: object) -> str:
    if value is None:
        return "[dim]–[/]"
    if isinstance(value, list):
        value = ", ".join(map(str, value))
    if isinstance(value, Decimal):
        value = _money(value)
    if isinstance(value, float):
        value = f"{value:g}"
    text = safe(str(value))
    return escape(text if len(text) <= MAX_CELL_CHARS else text[: MAX_CELL_CHARS - 1] + "…")


def _money(value: Decimal) -> str:
    """Return a decimal without exponent and without zeros at its end."""
    text = f"{value:f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


def _plain(value: object) -> object:
    if isinstance(value, Decimal):
        return _money(value)
    if isinstance(value, date):  # datetime is a date too
        return value.isoformat()
    return str(value)
