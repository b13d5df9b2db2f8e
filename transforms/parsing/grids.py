"""Ruled tables: cells between drawn lines, with what spans rows or columns kept as one cell."""

from bisect import bisect_right
from collections import defaultdict
from itertools import pairwise
from typing import NamedTuple

from transforms.parsing.hyphens import join_lines
from transforms.parsing.lines import CELL_SEPARATOR, visual_rows
from transforms.parsing.model import Cell, Fragment, PrintedLine, Rule
from transforms.parsing.rules import (
    TOUCH,
    Segment,
    by_level,
    drawn_lines,
    has_line,
    levels,
    meeting,
)

MIN_PIECES = 4
"""Pieces of text in the smallest table."""

MAX_LINES_DRAWN = 3000
"""A drawing with more lines than this is a picture, not a table."""

MAX_ROW_CHARS = 320
"""A row of wrapped cells up to this long is one line; a longer one is read cell by cell."""

MAX_CELL_SHARE = 0.6
"""A cell with a larger part of the page's text is the page itself in a frame."""


class GridRow(NamedTuple):
    """A row of a table: its cells, and the lines that they read as."""

    cells: list[Cell]
    lines: list[PrintedLine]


class Grid(NamedTuple):
    """A ruled table, and the fragments that stand in it."""

    rows: list[GridRow]
    fragments: set[Fragment]


def find_grids(
    fragments: list[Fragment], rules: list[Rule], *, is_right_to_left: bool
) -> list[Grid]:
    """Return the ruled tables of a page with at least two rows and two columns of text."""
    if not 4 <= len(rules) <= MAX_LINES_DRAWN:
        return []
    across, down = drawn_lines(rules)
    grids: list[Grid] = []
    for rows, columns in meeting(across, down):
        grid = _grid(rows, columns, fragments, is_right_to_left=is_right_to_left)
        if grid is not None:
            grids.append(grid)
    return grids


def _grid(
    across: list[Segment],
    down: list[Segment],
    fragments: list[Fragment],
    *,
    is_right_to_left: bool,
) -> Grid | None:
    ys, xs = levels(across), levels(down)
    inside = [
        f
        for f in fragments
        if xs[0] - TOUCH < (f.x0 + f.x1) / 2 < xs[-1] + TOUCH
        and ys[0] - TOUCH < (f.y0 + f.y1) / 2 < ys[-1] + TOUCH
    ]
    if len(inside) < MIN_PIECES:
        return None
    top_left = _spans(across, down, ys, xs)
    cells: dict[tuple[int, int], list[Fragment]] = defaultdict(list)
    for f in inside:
        row = _between(ys, (f.y0 + f.y1) / 2)
        column = _between(xs, max(f.x0 + 0.5 * f.size, min((f.x0 + f.x1) / 2, f.x0 + 40)))
        cells[top_left[row, column]].append(f)
    if not _is_table(cells, fragments):
        return None
    by_row: dict[int, dict[int, list[Fragment]]] = defaultdict(dict)
    for (row, column), found in sorted(cells.items()):
        by_row[row][column] = found
    rows = [
        _row(part, is_right_to_left=is_right_to_left)
        for row in sorted(by_row)
        for part in _parted(by_row[row])
    ]
    return Grid(rows, set(inside))


def _parted(cells: dict[int, list[Fragment]]) -> list[dict[int, list[Fragment]]]:
    """Part a row between two rules that holds several rows of numbers, one below the other."""
    by_height: dict[int, dict[int, list[Fragment]]] = defaultdict(dict)
    heights: list[float] = []
    for f in sorted((f for found in cells.values() for f in found), key=lambda f: f.baseline):
        if not heights or f.baseline - heights[-1] > 0.4 * f.size:
            heights.append(f.baseline)
    for column, found in cells.items():
        for f in found:
            by_height[bisect_right(heights, f.baseline)].setdefault(column, []).append(f)
    parts = [by_height[height] for height in sorted(by_height)]
    pieces = [f for column in sorted(cells)[1:] for f in cells[column]]
    n_numbers = sum(1 for f in pieces if _is_number(f.text))
    are_full = len(parts) > 1 and all(len(part) > 0.6 * len(cells) for part in parts)
    return parts if are_full and 2 * n_numbers > len(pieces) else [cells]


def _is_number(text: str) -> bool:
    return len(text) <= 16 and sum(char.isalpha() for char in text) <= 2


def _between(places: list[float], at: float) -> int:
    return min(max(bisect_right(places, at) - 1, 0), len(places) - 2)


def _spans(
    across: list[Segment], down: list[Segment], ys: list[float], xs: list[float]
) -> dict[tuple[int, int], tuple[int, int]]:
    """Return for each field of the grid the first field of the cell that it belongs to."""
    above, beside = by_level(across, ys), by_level(down, xs)
    first: dict[tuple[int, int], tuple[int, int]] = {}
    for r, (top, bottom) in enumerate(pairwise(ys)):
        for c, (left, right) in enumerate(pairwise(xs)):
            if c and not has_line(beside[c], (top + bottom) / 2):
                first[r, c] = first[r, c - 1]
            elif r and not has_line(above[r], (left + right) / 2):
                first[r, c] = first[r - 1, c]
            else:
                first[r, c] = (r, c)
    return first


def _is_table(cells: dict[tuple[int, int], list[Fragment]], fragments: list[Fragment]) -> bool:
    n_in_row: dict[int, int] = defaultdict(int)
    for row, _ in cells:
        n_in_row[row] += 1
    n_chars = sum(len(f.text) for f in fragments)
    largest = max((sum(len(f.text) for f in found) for found in cells.values()), default=0)
    is_frame = largest > 600 and largest > MAX_CELL_SHARE * n_chars
    return sum(1 for n in n_in_row.values() if n >= 2) >= 2 and not is_frame


def _row(cells: dict[int, list[Fragment]], *, is_right_to_left: bool) -> GridRow:
    """Return a row: one line where it is short, else the lines of each cell in turn."""
    read = {
        column: visual_rows(found, 1, is_right_to_left=is_right_to_left)
        for column, found in cells.items()
    }
    columns = sorted(read, reverse=is_right_to_left)
    texts = {
        column: join_lines([line.text for line in read[column]], is_marked=False)
        for column in columns
    }
    made = [Cell(column + 1, texts[column], *_box(read[column])) for column in sorted(read)]
    lines = [line for column in columns for line in read[column]]
    if sum(map(len, texts.values())) <= MAX_ROW_CHARS:
        main = max(lines, key=lambda line: len(line.text))
        pieces = [
            Fragment(*_box(read[c]), read[c][-1].y1, texts[c], main.size, main.is_bold, False)
            for c in columns
        ]
        text = CELL_SEPARATOR.join(piece.text for piece in pieces)
        is_bold = all(line.is_bold for line in lines)
        lines = [
            PrintedLine(text, *_box(lines), main.size, is_bold, main.is_italic, 1, tuple(pieces))
        ]
    for line in lines:
        line.role = "table_row"
    return GridRow(made, lines)


def _box(lines: list[PrintedLine]) -> tuple[float, float, float, float]:
    return (
        min(line.x0 for line in lines),
        min(line.y0 for line in lines),
        max(line.x1 for line in lines),
        max(line.y1 for line in lines),
    )
