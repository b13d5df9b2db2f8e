"""Commands as if typed in a folder, in this process: where the start is not what is tested."""

import contextlib
import io
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from flows.command_line import main


class Typed(NamedTuple):
    """What a command said and how it ended."""

    returncode: int
    stdout: str
    stderr: str


def typed(folder: Path, *arguments: str | Path, **variables: str) -> Typed:
    """Run `compline` with these arguments in a folder, with no settings but these variables."""
    out, err = io.StringIO(), io.StringIO()
    with (
        _in(folder, list(map(str, arguments)), variables),
        contextlib.redirect_stdout(out),
        contextlib.redirect_stderr(err),
    ):
        try:
            main()
        except SystemExit as end:
            return Typed(int(end.code or 0), out.getvalue(), err.getvalue())
    raise AssertionError("main always exits")


@contextlib.contextmanager
def _in(folder: Path, arguments: list[str], variables: dict[str, str]) -> Iterator[None]:
    before, argv, environment = Path.cwd(), sys.argv, dict(os.environ)
    for name in environment:
        if name.startswith(("COMPLINE_", "OPENAI_")):
            del os.environ[name]
    os.environ.update(variables)
    os.chdir(folder)
    sys.argv = ["compline", *arguments]
    try:
        yield
    finally:
        os.chdir(before)
        sys.argv = argv
        for name in variables:
            os.environ.pop(name, None)
        os.environ.update(environment)
