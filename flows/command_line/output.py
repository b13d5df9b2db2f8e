"""Results on stdout, progress and messages on stderr; frames as tables or as JSON rows."""

import json
import math
import re
import sys
from collections.abc import Mapping, Sequence
from datetime import date, datetime, time
from decimal import Decimal
from typing import Any

import polars as pl
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from transforms.errors import ComplineError
from transforms.values import plain_decimal

PIPED_WIDTH = 140
"""Columns of a table that goes to a file or a pipe."""

MAX_CELL_CHARS = 200
"""Characters of one value in a terminal table; JSON is never cut."""

WHOLE_CHARS = 20
"""A column of values up to this long, such as numbers, dates and ids, is never folded."""

FOLDED_CHARS = 12
"""Headings and longer values are folded, down to this many characters."""

SEPARATOR = " ┃ "
NULL = "[dim]–[/]"


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
    """Print rows as one JSON list; for people as a table, or as records if that is too wide."""
    dicts = rows.to_dicts() if isinstance(rows, pl.DataFrame) else [dict(row) for row in rows]
    if as_json:
        print_json(dicts)
        return
    names = (
        list(rows.columns) if isinstance(rows, pl.DataFrame) else list(dicts[0] if dicts else ())
    )
    console = stdout()
    if title:
        console.print(f"[italic]{escape(safe(title))}[/]", highlight=False, soft_wrap=True)
    columns = [_Column(name, [row[name] for row in dicts]) for name in names]
    if sum(column.min_width + len(SEPARATOR) for column in columns) <= console.width:
        console.print(_table(columns))
    else:
        _print_records(console, columns)


class _Column:
    """One column as text: its heading, its cells, and the fewest characters it is legible in."""

    def __init__(self, name: str, values: Sequence[object]) -> None:
        self.heading = safe(name)
        self.cells = [None if value is None else _cell(value) for value in values]
        self.is_number = any(_is_number(value) for value in values)
        widest = max((len(cell) for cell in self.cells if cell), default=1)
        self.is_whole = widest <= WHOLE_CHARS
        fewest = widest if self.is_whole else FOLDED_CHARS
        self.min_width = max(fewest, min(len(self.heading), FOLDED_CHARS))


def _table(columns: Sequence[_Column]) -> Table:
    table = Table(show_edge=False, pad_edge=False)
    for column in columns:
        table.add_column(
            escape(column.heading),
            overflow="fold",
            no_wrap=column.is_whole,
            min_width=column.min_width,
            justify="right" if column.is_number else "left",
        )
    for cells in zip(*(column.cells for column in columns), strict=True):
        table.add_row(*(NULL if cell is None else escape(cell) for cell in cells))
    return table


def _print_records(console: Console, columns: Sequence[_Column]) -> None:
    """Print each row as a block of lines `name  value`; what is null is left out."""
    width = max(len(column.heading) for column in columns)
    for number, cells in enumerate(zip(*(column.cells for column in columns), strict=True), 1):
        console.print(f"[dim]── {number}[/]", highlight=False)
        for column, cell in zip(columns, cells, strict=True):
            if cell:
                line = f"[bold]{escape(column.heading.ljust(width))}[/]  {escape(cell)}"
                console.print(line, highlight=False, soft_wrap=True)


def print_json(value: object) -> None:
    """Print a value as JSON; money and dates as text, so that nothing is rounded."""
    text = json.dumps(_finite(value), default=_plain, ensure_ascii=False)
    sys.stdout.write(_STEERING.sub(_json_escape, text) + "\n")


def _json_escape(match: re.Match[str]) -> str:
    """Return the same character as JSON can write it without steering a terminal."""
    return json.dumps(match[0])[1:-1]


def _finite(value: object) -> object:
    """Return a value without infinities and not-a-numbers, which JSON lacks: they become null."""
    if isinstance(value, float) and not math.isfinite(value):
        return None
    if isinstance(value, Mapping):
        return {str(name): _finite(each) for name, each in value.items()}
    if isinstance(value, list | tuple):
        return [_finite(each) for each in value]
    return value


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
    """Return text that cannot steer a terminal: control characters are shown, not obeyed.

    Spaces of other widths become spaces and invisible hyphens go, as a terminal would have it.
    """
    shown = _STEERING.sub(lambda match: f"\\x{ord(match[0]):02x}", text)
    return _INVISIBLE.sub("", _SPACE.sub(" ", shown))


_STEERING = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff\U000e0000-\U000e007f]"
)
"""C0 and C1 controls but tab and newline, turns of the writing direction, half pairs, tags."""

_SPACE = re.compile("[\xa0\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]")
_INVISIBLE = re.compile("[\xad\u200b\u200e\u200f\u2060\ufeff]")


def _cell(value: object) -> str:
    if isinstance(value, list | tuple):
        value = ", ".join(map(str, value))
    if isinstance(value, Decimal):
        value = plain_decimal(value)
    if isinstance(value, float):
        value = f"{value:.4g}" if abs(value) < 1 else f"{value:.2f}".rstrip("0").rstrip(".")
    if isinstance(value, datetime):
        value = value.strftime("%Y-%m-%d %H:%M:%S")
    text = safe(str(value))
    return text if len(text) <= MAX_CELL_CHARS else text[: MAX_CELL_CHARS - 1] + "…"


def _is_number(value: object) -> bool:
    return isinstance(value, int | float | Decimal) and not isinstance(value, bool)


def _plain(value: object) -> object:
    if isinstance(value, Decimal):
        return plain_decimal(value)
    if isinstance(value, date | time):  # datetime is a date too
        return value.isoformat()
    return str(value)
