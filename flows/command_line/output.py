"""Results on stdout, progress and messages on stderr; frames as tables or as JSON rows."""

import json
import math
import os
import re
import shlex
import shutil
import sys
from collections.abc import Mapping, Sequence
from contextvars import ContextVar
from datetime import date, datetime, time
from decimal import Decimal
from pathlib import Path
from typing import Any

import polars as pl
from rich.cells import cell_len
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from transforms.errors import ComplineError
from transforms.values import plain_decimal

PIPED_WIDTH = 120
"""Columns of a table that goes to a file or a pipe, unless COLUMNS says otherwise."""

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
    is_told = console.is_terminal or bool(os.environ.get("COLUMNS"))
    return console if is_told else Console(width=PIPED_WIDTH)


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
        print_title(title)
    columns = [_Column(name, [row[name] for row in dicts]) for name in names]
    if sum(column.min_width + len(SEPARATOR) for column in columns) <= console.width:
        console.print(_table(columns, console.width))
    else:
        _print_records(console, columns)


def print_title(title: str) -> None:
    """Print the title of what follows on stdout, where that goes too."""
    stdout().print(f"[italic]{escape(safe(title))}[/]", highlight=False, soft_wrap=True)


class _Column:
    """One column as text: its heading, its cells, and the fewest characters it is legible in."""

    def __init__(self, name: str, values: Sequence[object]) -> None:
        self.heading = safe(name)
        self.cells = [None if value is None else _cell(value) for value in values]
        self.is_number = any(_is_number(value) for value in values)
        widest = max((len(cell) for cell in self.cells if cell), default=1)
        fewest = widest if widest <= WHOLE_CHARS else FOLDED_CHARS
        self.min_width = max(fewest, min(len(self.heading), FOLDED_CHARS))
        lines = (line for cell in (self.heading, *self.cells) for line in (cell or "").split("\n"))
        self.width = max(self.min_width, *map(cell_len, lines))


def _table(columns: Sequence[_Column], width: int) -> Table:
    table = Table(show_edge=False, pad_edge=False)
    widths = _widths(columns, width)
    for column, column_width in zip(columns, widths, strict=True):
        table.add_column(
            escape(fold(column.heading, column_width)),
            overflow="fold",
            width=column_width,
            justify="right" if column.is_number else "left",
        )
    for cells in zip(*(column.cells for column in columns), strict=True):
        table.add_row(
            *(
                NULL if cell is None else escape(fold(cell, column_width))
                for cell, column_width in zip(cells, widths, strict=True)
            )
        )
    return table


def _widths(columns: Sequence[_Column], width: int) -> list[int]:
    """Return how wide each column is: the widest give way first, down to what is legible."""
    widths = [column.width for column in columns]
    left = width - len(SEPARATOR) * (len(columns) - 1)
    while sum(widths) > left:
        able = [n for n, column in enumerate(columns) if widths[n] > column.min_width]
        if not able:
            break
        widths[max(able, key=lambda n: widths[n])] -= 1
    return widths


def fold(text: str, width: int) -> str:
    """Fold text between words, a long name after one of its hyphens, a long word anywhere."""
    return "\n".join(folded for line in text.split("\n") for folded in _folded(line, width))


def _folded(line: str, width: int) -> list[str]:
    lines = [""]
    for piece in _PIECE.findall(line):
        if lines[-1] and cell_len(lines[-1]) + cell_len(piece.rstrip()) > width:
            lines.append("")
        lines[-1] += piece
    return [line.rstrip() for line in lines]


_PIECE = re.compile(r"\s*[^\s/_-]*(?:[/_-]+|\s+|$)")
"""What stays together when a cell is folded."""


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
    stderr().print(escape(safe(typable(message))), highlight=False)


def say_error(error: ComplineError) -> None:
    """Print an error and what to do next on stderr."""
    console = stderr()
    console.print(f"[bold red]error:[/] {escape(safe(str(error)))}", highlight=False)
    if error.hint:
        console.print(f"[bold]do:[/]    {escape(safe(typable(error.hint)))}", highlight=False)


def name_warehouse(root: str | None) -> str | None:
    """Remember the warehouse that the command line names, for commands that we advise to type."""
    _warehouse.set(root)
    return root


def typable(text: str) -> str:
    """Return text in which every `compline …` in backquotes can be typed in the same shell.

    It names the program as it was called when the shell would not find it, and the warehouse when
    that was named by an option.
    """
    return _ADVISED.sub(lambda found: f"`{_typable_command(found[1])}`", text)


def _typable_command(command: str) -> str:
    called = sys.argv[0]
    if Path(called).name == "compline" and shutil.which("compline") is None:
        command = shlex.quote(called) + command.removeprefix("compline")
    root = _warehouse.get()
    if root is None or "--warehouse" in command:
        return command
    return f"{command} --warehouse {shlex.quote(root)}"


_ADVISED = re.compile("`(compline [a-z][^`]*)`")
_warehouse: ContextVar[str | None] = ContextVar("warehouse", default=None)


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
