"""Tables from the positions of their cells: rows that are parted by wide gaps and line up."""

import re
from itertools import pairwise
from typing import NamedTuple

from transforms.parsing.model import Cell, Fragment, ObjectDraft, PrintedLine, PrintedPage
from transforms.parsing.roles import CAPTION

MAX_ROW_GAP = 2.6
"""White space between two rows of one table, in font sizes."""

MAX_LABEL_LINES = 2
"""Lines without cells that may stand between two rows: labels that span the table."""

_LIST_MARK = re.compile(r"(?:[•▪●○–—*·-]|\(?[A-Za-z0-9]{1,5}[.)]|\d+(?:\.\d+)+\.?|\(\w{1,4}\))")
_OPENS = frozenset("$€£¥(")
_CLOSES = re.compile(r"[)%]+|[)%]*\s*\(?\w{1,2}\)|%\)?")


class Interval(NamedTuple):
    """Horizontal extent of a column."""

    x0: float
    x1: float


def find_tables(pages: list[PrintedPage], skipped: frozenset[int]) -> list[ObjectDraft]:
    """Return the tables of a document in order, and mark their lines.

    A table that goes on at the top of the next page stays one object.
    """
    tables: list[ObjectDraft] = []
    open_columns: list[Interval] = []
    for page in pages:
        if page.page in skipped:
            continue
        for first, last in _runs(page):
            table = _ruled(page, first, last) or _table(page, first, last)
            if table is None:
                continue
            draft, columns = table
            if tables and _continues(tables[-1], draft, open_columns, columns, pages):
                tables[-1].rows.extend(draft.rows)
            else:
                tables.append(draft)
            open_columns = columns
    return tables


def _runs(page: PrintedPage) -> list[tuple[int, int]]:
    """Return first and last index of stretches of lines that look like rows of a table."""
    lines = page.lines
    runs: list[tuple[int, int]] = []
    first = last = -1
    for i, line in enumerate(lines):
        if not _is_row(line):
            continue
        if first >= 0 and _belongs(lines, last, i):
            last = i
            continue
        if first >= 0:
            runs.append((first, last))
        first = last = i
    if first >= 0:
        runs.append((first, last))
    return [
        (a, b)
        for a, b in runs
        if lines[a].grid or sum(1 for x in lines[a : b + 1] if _is_row(x)) >= 2
    ]


def _is_row(line: PrintedLine) -> bool:
    if line.grid is not None:
        return True
    if len(line.cells) < 2 or line.role in ("header", "footer"):
        return False
    return len(line.cells) > 2 or not _LIST_MARK.fullmatch(line.cells[0].text)


def _belongs(lines: list[PrintedLine], last: int, i: int) -> bool:
    """Return whether row i goes on with the table whose last row is `last`."""
    if lines[last].grid or lines[i].grid:
        a, b = lines[last].grid, lines[i].grid
        return a is not None and b is not None and a[0] == b[0]
    between = lines[last + 1 : i]
    if len(between) > MAX_LABEL_LINES or lines[last].column != lines[i].column:
        return False
    width = max(line.x1 for line in (lines[last], lines[i])) - min(
        line.x0 for line in (lines[last], lines[i])
    )
    if any(line.role in ("header", "footer") or CAPTION.match(line.text) for line in between):
        return False
    if any(line.x1 - line.x0 > 0.75 * width and len(line.text) > 50 for line in between):
        return False
    stretch = lines[last : i + 1]
    return all(
        -2 * b.size < b.y0 - a.y1 <= MAX_ROW_GAP * max(a.size, b.size) for a, b in pairwise(stretch)
    )


def _table(page: PrintedPage, first: int, last: int) -> tuple[ObjectDraft, list[Interval]] | None:
    rows = [_merged_signs(list(line.cells)) for line in page.lines[first : last + 1]]
    columns = _columns(rows)
    if len(columns) < 2 or not _is_aligned(rows, columns):
        return None
    draft = ObjectDraft("table", None, None, page.page, first + 1, last + 1)
    for row in rows:
        draft.rows.append((page.page, _placed(row, columns)))
    for line in page.lines[first : last + 1]:
        line.role = "table_row"
    return draft, columns


def _ruled(page: PrintedPage, first: int, last: int) -> tuple[ObjectDraft, list[Interval]] | None:
    """Return the table of a grid; its columns are those that were drawn."""
    grid = page.lines[first].grid
    if grid is None:
        return None
    draft = ObjectDraft("table", None, None, page.page, first + 1, last + 1)
    extents: dict[int, Interval] = {}
    for row in page.grids[grid[0]]:
        draft.rows.append((page.page, row))
        for cell in row:
            old = extents.get(cell.column, Interval(cell.x0, cell.x1))
            extents[cell.column] = Interval(min(old.x0, cell.x0), max(old.x1, cell.x1))
    for line in page.lines[first : last + 1]:
        if line.role == "body":
            line.role = "table_row"
    return draft, [extents[column] for column in sorted(extents)]


def _merged_signs(cells: list[Fragment]) -> list[Fragment]:
    """Join a currency sign or opening bracket to its number, and a percent sign after it."""
    merged: list[Fragment] = []
    for cell in cells:
        last = merged[-1] if merged else None
        if last and (
            (len(last.text) <= 3 and last.text[-1] in _OPENS and not last.text[0].isalpha())
            or (_CLOSES.fullmatch(cell.text) and cell.x0 - last.x1 < 2.5 * cell.size)
        ):
            merged[-1] = last._replace(
                text=last.text + cell.text,
                x1=cell.x1,
                y0=min(last.y0, cell.y0),
                y1=max(last.y1, cell.y1),
            )
        else:
            merged.append(cell)
    return merged


def _columns(rows: list[list[Fragment]]) -> list[Interval]:
    """Return the columns as disjoint intervals: what overlaps in full rows is one column."""
    widest = max(len(row) for row in rows)
    full = [row for row in rows if len(row) >= max(2, 0.6 * widest)]
    columns: list[Interval] = []
    for cell in sorted((cell for row in full for cell in row), key=lambda c: c.x1 - c.x0):
        overlapping = [c for c in columns if cell.x0 < c.x1 and cell.x1 > c.x0]
        if len(overlapping) > 1:
            continue
        if overlapping:
            old = overlapping[0]
            columns.remove(old)
            columns.append(Interval(min(old.x0, cell.x0), max(old.x1, cell.x1)))
        else:
            columns.append(Interval(cell.x0, cell.x1))
    for cell in (cell for row in rows for cell in row):
        if not any(cell.x0 < c.x1 and cell.x1 > c.x0 for c in columns):
            columns.append(Interval(cell.x0, cell.x1))
    return sorted(columns)


def _is_aligned(rows: list[list[Fragment]], columns: list[Interval]) -> bool:
    """Return whether most cells stand in columns that several rows share."""
    n_rows = [0] * len(columns)
    n_cells = 0
    for row in rows:
        for cell in row:
            n_rows[_column_of(cell, columns)] += 1
            n_cells += 1
    shared = sum(n for n in n_rows if n >= 2)
    return shared >= 0.6 * n_cells and sum(1 for n in n_rows if n >= 2) >= 2


def _column_of(cell: Fragment, columns: list[Interval]) -> int:
    """Return the index of the first column that a cell covers, or else of the nearest."""
    for i, column in enumerate(columns):
        if min(cell.x1, column.x1) - max(cell.x0, column.x0) > 0:
            return i
    middle = (cell.x0 + cell.x1) / 2
    return min(range(len(columns)), key=lambda i: abs((columns[i].x0 + columns[i].x1) / 2 - middle))


def _placed(row: list[Fragment], columns: list[Interval]) -> list[Cell]:
    placed: dict[int, Cell] = {}
    for cell in row:
        number = _column_of(cell, columns) + 1
        if old := placed.get(number):
            placed[number] = Cell(
                number, f"{old.text} {cell.text}", old.x0, min(old.y0, cell.y0),
                max(old.x1, cell.x1), max(old.y1, cell.y1),
            )  # fmt: skip
        else:
            placed[number] = Cell(number, cell.text, cell.x0, cell.y0, cell.x1, cell.y1)
    return [placed[number] for number in sorted(placed)]


def _continues(
    before: ObjectDraft,
    draft: ObjectDraft,
    old_columns: list[Interval],
    columns: list[Interval],
    pages: list[PrintedPage],
) -> bool:
    """Return whether a table goes on from the foot of the page before with the same columns."""
    last_page = before.rows[-1][0]
    if draft.page != last_page + 1 or len(columns) != len(old_columns):
        return False
    if any(
        abs(a.x0 - b.x0) > 12 and abs(a.x1 - b.x1) > 12
        for a, b in zip(old_columns, columns, strict=True)
    ):
        return False
    above = pages[last_page - 1]
    n_rows = sum(1 for page, _ in before.rows if page == last_page)
    bottom = before.line_start + n_rows if last_page == before.page else n_rows
    body_after = [
        line for line in above.lines[bottom:] if line.role not in ("header", "footer", "footnote")
    ]
    body_before = [
        line
        for line in pages[draft.page - 1].lines[: draft.line_start - 1]
        if line.role not in ("header", "footer")
    ]
    return len(body_after) <= 1 and len(body_before) <= 1
