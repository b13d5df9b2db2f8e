"""What a document consists of before it is set: blocks whose text marks the facts it states.

`[[deductible|The deductible is USD 500]]` prints "The deductible is USD 500" and says that this is
where the deductible stands. Several facts of one quote are separated by commas.
"""

import re
from dataclasses import dataclass
from typing import Literal

BlockKind = Literal["title", "heading", "paragraph", "item", "table", "new_page", "small"]
MARK = re.compile(r"\[\[([^|\]]+)\|([^\]]*)\]\]")


@dataclass(frozen=True)
class Block:
    kind: BlockKind
    text: str = ""
    level: int = 0
    rows: tuple[tuple[str, ...], ...] = ()
    """Cells of a table; the first row is its header unless the table lists labels and values."""
    has_header: bool = False


@dataclass(frozen=True)
class Quote:
    """A stretch of printed text, from `start` to `end`, that states facts."""

    start: int
    end: int
    facts: tuple[str, ...]
    text: str


def unmarked(text: str) -> tuple[str, tuple[Quote, ...]]:
    """Return the text as printed and the quotes marked in it."""
    printed, quotes, position = "", [], 0
    for mark in MARK.finditer(text):
        printed += text[position : mark.start()]
        facts = tuple(name.strip() for name in mark[1].split(","))
        quotes.append(Quote(len(printed), len(printed) + len(mark[2]), facts, mark[2]))
        printed += mark[2]
        position = mark.end()
    return printed + text[position:], tuple(quotes)
