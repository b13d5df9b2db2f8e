"""The working values of the parser: what is known about a page before it becomes table rows."""

from dataclasses import dataclass, field
from typing import NamedTuple

from transforms.values import LineRole


class Fragment(NamedTuple):
    """A stretch of text on one baseline without a wide gap: a piece of a line, or a table cell."""

    x0: float
    y0: float
    x1: float
    y1: float
    baseline: float
    text: str
    size: float
    is_bold: bool
    is_italic: bool


class Rule(NamedTuple):
    """A straight line or thin or filled rectangle drawn on the page."""

    x0: float
    y0: float
    x1: float
    y1: float
    is_stroked: bool = False


class Picture(NamedTuple):
    """An image as placed on a page."""

    x0: float
    y0: float
    x1: float
    y1: float
    width_px: int
    height_px: int
    n_bytes: int
    n_colours: int


@dataclass(slots=True)
class PrintedLine:
    """One visual row of a page; `cells` are its fragments when wide gaps part them."""

    text: str
    x0: float
    y0: float
    x1: float
    y1: float
    size: float
    is_bold: bool
    is_italic: bool
    column: int
    cells: tuple[Fragment, ...] = ()
    block: int = 1
    role: LineRole = "body"
    section_id: str | None = None
    grid: tuple[int, int] | None = None
    """Ruled table on the page and row in it, from 0."""


@dataclass(slots=True)
class PrintedPage:
    """One page as read; lines are in reading order, numbered from 1 by position."""

    page: int
    width: float
    height: float
    rotation: int = 0
    lines: list[PrintedLine] = field(default_factory=list)
    rules: list[Rule] = field(default_factory=list)
    pictures: list[Picture] = field(default_factory=list)
    grids: list[list[list["Cell"]]] = field(default_factory=list)
    """Cells of each row of each ruled table."""
    n_columns: int = 1
    label: str | None = None
    error: str | None = None
    squashed: list[str] = field(default_factory=list)
    """Letters and digits of each line, made when a title is looked for."""


class Place(NamedTuple):
    """A line of the document: page and line number, both from 1; places sort in reading order."""

    page: int
    line: int


FIRST_PLACE = Place(1, 1)


@dataclass(slots=True)
class SectionDraft:
    """A section before its end is known."""

    level: int
    number: str | None
    title: str
    start: Place
    end: Place = FIRST_PLACE
    parent: int | None = None


@dataclass(slots=True)
class ObjectDraft:
    """A table, figure, annex, schedule or definition; `rows` are the cells of a table."""

    kind: str
    label: str | None
    caption: str | None
    page: int
    line_start: int
    line_end: int
    rows: list[tuple[int, list["Cell"]]] = field(default_factory=list)
    """Page and cells of each row, top to bottom, over all pages of the table."""


class Cell(NamedTuple):
    """A cell of a table with its column, from 1."""

    column: int
    text: str
    x0: float
    y0: float
    x1: float
    y1: float
