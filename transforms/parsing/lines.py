"""Visual rows of a region, and the paragraphs they form."""

from itertools import pairwise

from transforms.parsing.fragments import WIDE_GAP
from transforms.parsing.hyphens import FIRST_CJK
from transforms.parsing.model import Fragment, PrintedLine

SPACE_GAP = 0.12
"""Gap between fragments, in font sizes, from which on a space is printed."""

CELL_SEPARATOR = "  "
"""Two spaces stand for a wide gap: cells of a row stay apart in its text."""


def visual_rows(
    fragments: list[Fragment], column: int, *, is_right_to_left: bool
) -> list[PrintedLine]:
    """Return the rows of a region, top to bottom; cells of one table row are one line."""
    rows: list[list[Fragment]] = []
    for fragment in sorted(fragments, key=_by_baseline):
        row = _row_of(fragment, rows)
        if row is None:
            rows.append([fragment])
        else:
            row.append(fragment)
    return [_printed_line(row, column, is_right_to_left) for row in rows]


def _by_baseline(fragment: Fragment) -> tuple[float, float]:
    return (fragment.baseline, fragment.x0)


def _row_of(fragment: Fragment, rows: list[list[Fragment]]) -> list[Fragment] | None:
    """Return the row that a fragment stands in: same baseline, or raised or lowered in it."""
    for row in reversed(rows[-3:]):
        main = max(row, key=_size) if len(row) > 1 else row[0]
        small, large = sorted((fragment.size, main.size))
        shift = abs(fragment.baseline - main.baseline)
        if shift <= 0.3 * small or (small < 0.85 * large and shift <= 0.6 * large):
            if shift > 0.3 * small and not _is_beside(fragment, row):
                continue
            return row
    return None


def _is_beside(fragment: Fragment, row: list[Fragment]) -> bool:
    """Return whether a raised or lowered fragment touches the row it would belong to."""
    return any(
        min(abs(fragment.x0 - other.x1), abs(other.x0 - fragment.x1)) <= 0.5 * other.size
        for other in row
    )


def _size(fragment: Fragment) -> float:
    return fragment.size


def _printed_line(row: list[Fragment], column: int, is_right_to_left: bool) -> PrintedLine:
    if len(row) == 1:
        f = row[0]
        return PrintedLine(
            f.text, f.x0, f.y0, f.x1, f.y1, f.size, f.is_bold, f.is_italic, column, (f,)
        )
    row.sort(key=lambda f: f.x0)
    cells = _joined_cells(row, is_right_to_left=is_right_to_left)
    pieces = [cell.text for cell in (reversed(cells) if is_right_to_left else cells)]
    n_chars = sum(len(f.text) for f in row)
    main = max(row, key=lambda f: len(f.text))
    return PrintedLine(
        text=CELL_SEPARATOR.join(pieces),
        x0=min(f.x0 for f in row),
        y0=min(f.y0 for f in row),
        x1=max(f.x1 for f in row),
        y1=max(f.y1 for f in row),
        size=main.size,
        is_bold=2 * sum(len(f.text) for f in row if f.is_bold) > n_chars,
        is_italic=2 * sum(len(f.text) for f in row if f.is_italic) > n_chars,
        column=column,
        cells=tuple(cells),
    )


def _joined_cells(row: list[Fragment], *, is_right_to_left: bool) -> list[Fragment]:
    """Join neighbours without a wide gap, with a space where one is printed."""
    cells = [row[0]]
    for f in row[1:]:
        last = cells[-1]
        gap = f.x0 - last.x1
        size = max(f.size, last.size)
        if gap > WIDE_GAP * size:
            cells.append(f)
            continue
        first, second = (f, last) if is_right_to_left else (last, f)
        is_spaced = min(first.text[-1], second.text[0]) < FIRST_CJK
        is_apart = is_spaced and (gap > SPACE_GAP * size or gap < -0.5 * size)
        text = f"{first.text}{' ' if is_apart else ''}{second.text}"
        longer = max(last, f, key=lambda piece: len(piece.text))
        cells[-1] = longer._replace(
            text=text,
            x0=last.x0,
            y0=min(last.y0, f.y0),
            x1=max(last.x1, f.x1),
            y1=max(last.y1, f.y1),
        )
    return cells


def number_blocks(lines: list[PrintedLine], *, after: int = 0) -> None:
    """Number the paragraphs of a page: a new one at a gap, a jump, another size or an indent."""
    block = after + 1
    pitch = 0.0
    for before, line in pairwise(lines):
        before.block = block
        step = line.y0 - before.y0
        size = max(line.size, before.size, 1.0)
        is_new = (
            line.column != before.column
            or step < -0.2 * size
            or line.y0 - before.y1 > 0.55 * size
            or abs(line.size - before.size) > 0.12 * size
            or (line.is_bold != before.is_bold and min(len(line.text), len(before.text)) < 60)
            or (pitch and step > 1.3 * pitch)
            or (line.x0 - before.x0 > 1.0 * size and before.x1 < line.x1 - 2 * size)
        )  # fmt: skip
        if is_new:
            block += 1
            pitch = 0.0
        elif step > 0.5 * size:
            pitch = step
    if lines:
        lines[-1].block = block
