"""The progress of a flow on stderr: how far, how fast, how much spent, how long still."""

import time
from collections.abc import Iterator
from contextlib import contextmanager

from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    ProgressColumn,
    Task,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)
from rich.text import Text

from flows.command_line.output import say, stderr
from flows.progress import Headway, listening

LINE_EVERY_S = 30
"""Pause between lines of progress where no bar can be drawn: in a log."""


class _RateColumn(ProgressColumn):
    """Units per minute, of late."""

    def render(self, task: Task) -> Text:
        speed = task.finished_speed or task.speed
        return Text("" if speed is None else f"{60 * speed:.0f}/min", style="progress.data.speed")


@contextmanager
def progress_bar(
    description: str, *, is_shown: bool, line_every_s: float = LINE_EVERY_S
) -> Iterator[None]:
    """Draw a bar for the flow that runs inside, or say a line now and then without a terminal.

    Notices are said in both; with `is_shown` false nothing is.
    """
    console = stderr()
    columns = (
        TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), _RateColumn(),
        TextColumn("{task.fields[spent]}"), TimeElapsedColumn(), TimeRemainingColumn(),
    )  # fmt: skip
    is_drawn = is_shown and console.is_terminal
    said: set[str] = set()
    next_line = time.monotonic() + line_every_s
    with Progress(*columns, console=console, transient=True, disable=not is_drawn) as bar:
        task = bar.add_task(description, total=None, spent="")

        def hear(headway: Headway) -> None:
            nonlocal next_line
            work = headway.work or description
            bar.update(
                task,
                description=work,
                completed=headway.n_done,
                total=headway.n_all,
                spent=_spent(headway),
            )
            if is_shown and headway.notice and headway.notice not in said:
                said.add(headway.notice)
                say(f"warning: {headway.notice}")
            if is_shown and not is_drawn and time.monotonic() >= next_line:
                next_line = time.monotonic() + line_every_s
                say(f"{work}: {headway.n_done:,} of {headway.n_all:,}")

        with listening(hear):
            yield


def _spent(headway: Headway) -> str:
    """Return what is spent so far; nothing when no model is asked."""
    if not headway.spent_tokens:
        return ""
    return f"{headway.spent_tokens:,} tokens, {headway.spent_usd:.2f} USD"
