"""The HTML report of a run as one file: no script, style, font or picture from elsewhere."""

import base64
import hashlib
import re
import unicodedata
from collections.abc import Sequence
from datetime import datetime
from decimal import Decimal
from pathlib import Path
from typing import Any

import polars as pl
from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from flows.clock import now
from flows.outcome import MEANINGS, STATUSES, exit_code
from flows.report import latest_run, read_report
from flows.reporting.cards import Block, read_blocks
from flows.reporting.charts import run_charts
from flows.reporting.pictures import draw
from flows.settings import Settings
from flows.warehouse import Warehouse
from transforms.errors import InputError

TEMPLATES = Path(__file__).parent / "templates"

SYMBOLS = {
    "answered": "✓", "partial": "◐", "not_found": "○", "needs_clarification": "?",
    "over_budget": "$", "failed": "✕", "not_run": "–",
}  # fmt: skip
"""Said beside each colour, for those who do not tell colours apart."""

LISTED = (
    "failed_pairs", "failed_documents", "clarifications", "to_review", "exhausted_pairs",
    "vocabulary_gaps",
)  # fmt: skip
COSTS = ("by_model", "by_route", "by_rule", "by_tag")
MAX_BYTES = 18_000_000
"""Up to here pictures are added to the text of a report, which mail and browsers still take."""

PICTURES_BYTES = 10_000_000
"""All pictures together, in base64."""

MAX_LISTED = 200
"""Rows of a list; `compline report NAME --sheet FILE` writes all."""

MAX_COLUMNS = 150
"""Questions of the matrix; beyond, nobody finds a column."""

MAX_VALUE_COLUMNS = 12
"""Questions up to which the matrix shows values, not only how each ended."""

BIDI_CONTROLS = frozenset(
    "\u200e\u200f\u061c\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"
)


def html_report(warehouse: Warehouse, settings: Settings, run_id: str | None = None) -> bytes:
    """Return the report of a run, the latest by default. Raises InputError when there is none."""
    run_id = run_id or latest_run(warehouse)
    summary_df = read_report(warehouse, "summary", run_id).rows
    if summary_df.is_empty():
        raise InputError(f"there is no run {run_id!r}", hint="`compline report runs` lists them")
    blocks = read_blocks(warehouse, run_id)
    template = _environment().get_template("report.html.j2")
    content = {
        **_fixed(),
        "made_at": now(),
        "run": summary_df.row(0, named=True),
        "exit": _exit(blocks),
        "blocks": blocks,
        "questions": _questions(blocks),
        "anchors": {card.pair_id: card.anchor for block in blocks for card in block.cards},
        "changes": read_report(warehouse, "changes", run_id).rows,
        "charts": run_charts(warehouse, run_id),
        "costs": [read_report(warehouse, name, run_id) for name in COSTS],
        "lists": [read_report(warehouse, name, run_id) for name in LISTED],
    }
    room = MAX_BYTES - len(_dense(template.render(content, pictures={})))
    pictures = draw(blocks, warehouse, settings, room=min(room, PICTURES_BYTES))
    return _dense(template.render(content, pictures=pictures))


def _dense(page: str) -> bytes:
    """Return a page without the line ends between its tags: each would be a node of its own."""
    return re.sub(r">\n+<", "><", page).encode()


def _fixed() -> dict[str, Any]:
    """Return what is the same in every report."""
    style, script = (
        (TEMPLATES / name).read_text(encoding="utf-8") for name in ("report.css", "report.js")
    )
    return {
        "style": Markup(style),  # noqa: S704  (our own files)
        "script": Markup(script),  # noqa: S704
        "policy": _policy(style, script),
        "statuses": STATUSES,
        "symbols": SYMBOLS,
        "max_listed": MAX_LISTED,
        "max_columns": MAX_COLUMNS,
        "max_value_columns": MAX_VALUE_COLUMNS,
    }


def readable(value: object) -> object:
    """Return text in which nothing is hidden: control and direction characters are shown.

    A document could otherwise turn the digits of an amount around for the eye. Other values, and
    text that is markup of ours, stay as they are.
    """
    if not isinstance(value, str) or isinstance(value, Markup):
        return value
    if value.isascii() and value.isprintable():
        return value
    return "".join(_shown(char) for char in value)


def _shown(char: str) -> str:
    if char in "\n\t":
        return char
    is_hidden = char in BIDI_CONTROLS or unicodedata.category(char) in ("Cc", "Cs", "Cn")
    return f"⟦U+{ord(char):04X}⟧" if is_hidden else char


def _environment() -> Environment:
    environment = Environment(
        loader=FileSystemLoader(TEMPLATES),
        autoescape=True,
        undefined=StrictUndefined,
        finalize=readable,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters |= {"cell": _cell, "money": _money, "words": _words}
    return environment


def _policy(style: str, script: str) -> str:
    """Return a content security policy: our style and script, pictures inside, no network."""
    hashes = {
        name: base64.b64encode(hashlib.sha256(text.encode()).digest()).decode("ascii")
        for name, text in (("style", style), ("script", script))
    }
    return (
        f"default-src 'none'; style-src 'sha256-{hashes['style']}'; "
        f"script-src 'sha256-{hashes['script']}'; img-src data:; "
        "base-uri 'none'; form-action 'none'"
    )


def _exit(blocks: Sequence[Block]) -> tuple[int, str]:
    """Return the exit code of the run and what it means."""
    rows = [
        {name: card.row[name] for name in ("status", "stop_reason", "caveats")}
        for block in blocks
        for card in block.cards
    ]
    schema = {"status": pl.String, "stop_reason": pl.String, "caveats": pl.List(pl.String)}
    code = exit_code(pl.DataFrame(rows, schema=schema))
    return code, MEANINGS[code]


def _questions(blocks: Sequence[Block]) -> dict[str, str]:
    """Return the questions of the run, id to wording, in the order of ids."""
    asked = {
        card.row["question_id"]: card.row["question"] or ""
        for block in blocks
        for card in block.cards
    }
    return dict(sorted(asked.items()))


def _words(name: str) -> str:
    """Return the name of a status, report or column in words."""
    return name.removeprefix("n_").replace("_", " ").replace("usd", "USD")


def _money(value: Decimal | None) -> str:
    """Return US dollars to what matters: never rounded to nothing."""
    if value is None:
        return "price unknown"
    return f"${value:,.2f}" if value >= 1 or not value else f"${value:.2g}"


def _cell(value: Any, name: str = "") -> str:
    """Return a value of a table as text; its column's name tells what a number is."""
    if value is None:
        return "–"
    if isinstance(value, list):
        return "; ".join(map(str, value))
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, Decimal):
        return _money(value)
    if isinstance(value, int):
        return f"{value:,}"
    if isinstance(value, float):
        if name.endswith("_share"):
            return f"{100 * value:.0f} %"
        return f"{value:,.0f}" if abs(value) >= 100 else f"{value:.3g}"
    if isinstance(value, datetime):
        return f"{value:%Y-%m-%d %H:%M}"
    return str(value)
