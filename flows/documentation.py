"""The parts of the README that are generated: `python -m flows.documentation` writes them anew.

A part stands between `<!-- begin NAME -->` and `<!-- end NAME -->`; a test holds the README to it.
Given the warehouse of `compline demo`, it also asks the questions of analysts again: each is one
select in a block of its own, and the block below it is what came back.
"""

import re
import sys
from pathlib import Path
from typing import Any

import polars as pl
from typer.main import get_command

from flows.database import sql_names, statement
from flows.settings import Settings
from flows.storage.views import header_line, macro_statements
from flows.warehouse import Warehouse
from transforms.dictionary import data_dictionary, table_overview
from transforms.pipeline.decide import PATTERNS, ROUTES
from transforms.pipeline.steps import STEPS

README = Path(__file__).parents[1] / "README.md"


def generated_parts() -> dict[str, str]:
    """Return the generated parts by name, as Markdown."""
    return {
        "commands": _commands(),
        "settings": _settings(),
        "routing": _routing(),
        "tables": table_overview(),
        "views": _views(),
        "macros": _macros(),
        "reports": _reports(),
        "dictionary": data_dictionary(),
    }


def with_parts(text: str) -> str:
    """Return a README with its generated parts as they are today."""
    for name, part in generated_parts().items():
        marked = re.compile(f"(<!-- begin {name} -->\n).*?(<!-- end {name} -->)", re.DOTALL)
        text = marked.sub(lambda match, part=part: f"{match[1]}{part.strip()}\n{match[2]}", text)
    return text


def with_answers(text: str, warehouse: Warehouse) -> str:
    """Return a README in which what stands below each select is what it gives today."""
    return ANALYST_QUESTION.sub(
        lambda found: (
            f"{found['head']}{found['sql']}{found['between']}"
            f"{_as_text(warehouse.query(found['sql']))}{found['after']}"
        ),
        text,
    )


ANALYST_QUESTION = re.compile(
    r"(?P<head>```sql\n)(?P<sql>[^\n]+)(?P<between>\n```\n\n```text\n)(?P<shown>.*?)(?P<after>```\n)",
    re.DOTALL,
)

MAX_CELL_CHARS = 60
"""Of a value in the README."""


def _as_text(frame: pl.DataFrame) -> str:
    """Return a frame as a table of plain text; long values are cut."""
    rows = [frame.columns, *([_cell(value) for value in row] for row in frame.rows())]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = [
        " | ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True))
        for row in rows
    ]
    rule = "-+-".join("-" * width for width in widths)
    return "\n".join(line.rstrip() for line in [lines[0], rule, *lines[1:]]) + "\n"


def _cell(value: object) -> str:
    shown = (
        "; ".join(map(str, value))
        if isinstance(value, list)
        else ""
        if value is None
        else str(value)
    )
    text = " ".join(shown.replace("|", "/").split())
    return text if len(text) <= MAX_CELL_CHARS else text[: MAX_CELL_CHARS - 1] + "…"


def _commands() -> str:
    from flows.command_line.app import app  # noqa: PLC0415  (the app imports nearly all of flows)

    lines = [
        "| command | what it does |",
        "|---|---|",
        *_command_lines("compline", get_command(app)),
    ]
    return "\n".join(lines).replace(" ` |", "` |")


def _routing() -> str:
    """Return the tables of decisions: routes, patterns, what a step reads."""
    route_lines = [f"| {row.name} | {row.when.words} | {row.route} |" for row in ROUTES]
    pattern_lines = [
        f"| {row.name} | {row.when.words} | {'yes' if row.needs_means else 'no'} |"
        for row in PATTERNS
    ]
    return "\n".join(
        [
            "| route rule | when | route |",
            "|---|---|---|",
            *route_lines,
            "",
            "| pattern | on when | needs means |",
            "|---|---|---|",
            *pattern_lines,
            "",
            "| step rule | when | what of the unread windows one call reads |",
            "|---|---|---|",
            *(f"| {rule.name} | {rule.when} | {rule.reads} |" for rule in STEPS),
        ]
    )


def _command_lines(name: str, command: Any) -> list[str]:
    """Return a line for a command, or for each command of a group."""
    if hasattr(command, "commands"):
        return [
            line
            for part, inner in command.commands.items()
            for line in _command_lines(f"{name} {part}", inner)
        ]
    arguments = " ".join(
        _argument(parameter)
        for parameter in command.params
        if parameter.param_type_name == "argument"
    )
    return [f"| `{name} {arguments}`".rstrip() + f" | {command.help} |"]


def _argument(parameter: Any) -> str:
    """Return an argument as people write it: `PATHS…` for several, `[QUERY]` where none will do."""
    name = parameter.metavar + ("…" if parameter.nargs == -1 else "")
    return name if parameter.required else f"[{name}]"


def _settings() -> str:
    lines = ["| setting | default | what it is |", "|---|---|---|"]
    for name, field in Settings.model_fields.items():
        default = "number of cores" if name == "n_workers" else field.default
        lines.append(f"| `{name}` | {default} | {field.description} |")
    return "\n".join(lines)


def _views() -> str:
    lines = ["| view | one row per | columns |", "|---|---|---|"]
    for name in sql_names("views"):
        columns = header_line(statement(name), "Columns")
        lines.append(f"| `{_bare(name)}` | {_one_row(name)} | {columns} |")
    return "\n".join(lines)


def _macros() -> str:
    lines = ["| macro | one row per | columns |", "|---|---|---|"]
    for (head, _), name in zip(macro_statements(), sql_names("macros"), strict=True):
        columns = header_line(statement(name), "Columns")
        lines.append(f"| `{head}` | {_one_row(name)} | {columns} |")
    return "\n".join(lines)


def _reports() -> str:
    lines = ["| report | one row per |", "|---|---|"]
    lines += [f"| `{_bare(name)}` | {_one_row(name)} |" for name in sql_names("reports")]
    return "\n".join(lines)


def _bare(name: str) -> str:
    return name.rpartition("/")[2]


def _one_row(name: str) -> str:
    """Return what the first line of a file in sql/ says after "One row"."""
    title = statement(name).partition("\n")[0].removeprefix("-- One row ")
    return title.removeprefix("per ").removesuffix(".")


if __name__ == "__main__":
    written = with_parts(README.read_text(encoding="utf-8"))
    for root in sys.argv[1:]:
        written = with_answers(written, Warehouse.open(root))
    README.write_text(written, encoding="utf-8")
