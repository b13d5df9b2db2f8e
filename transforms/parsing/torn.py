"""Torn tables: their columns were taken for columns of text, and are put together by rows again."""

import re

from transforms.parsing.fragments import PageText
from transforms.parsing.lines import number_blocks, visual_rows
from transforms.parsing.model import PrintedLine, PrintedPage
from transforms.parsing.pages import lay_out

MIN_ROWS = 4
MAX_VALUE_CHARS = 24
LINED_UP = 0.35
"""Distance of the middles of two lines of one row, in font sizes."""

_VALUE = re.compile(r"[(+\-–—$€£¥<>≤≥]*\s*\d")


def torn_rows(page: PrintedPage) -> tuple[float, float] | None:
    """Return top and bottom of a torn table, null when the page has none.

    A table is torn when what the right columns hold is values, most of the time, and these stand
    beside lines of the first column that are labels.
    """
    right = [line for line in page.lines if line.column >= 2]
    values = [line for line in right if _is_value(line)]
    if len(values) < MIN_ROWS or 2 * len(values) < len(right):
        return None
    labels = [line for line in page.lines if line.column == 1 and line.text[:1].isalpha()]
    pairs = [(label, value) for value in values for label in labels if _is_beside(label, value)]
    if len({id(value) for _, value in pairs}) < max(MIN_ROWS, 0.7 * len(values)):
        return None
    rows = [line for pair in pairs for line in pair]
    return min(line.y0 for line in rows), max(line.y1 for line in rows)


def lay_out_rows(page: PrintedPage, content: PageText, rows: tuple[float, float]) -> None:
    """Put the text of a page into lines; between top and bottom each visual row is one line."""
    top, bottom = rows
    upright = content.fragments.get(0, [])
    above = [f for f in upright if f.baseline < top]
    below = [f for f in upright if f.baseline > bottom]
    between = [f for f in upright if top <= f.baseline <= bottom]
    turned = {turn: fragments for turn, fragments in content.fragments.items() if turn}
    lay_out(page, PageText({0: above}, content.rules))
    lines = visual_rows(between, 0, is_right_to_left=False)
    number_blocks(lines, after=page.lines[-1].block if page.lines else 0)
    page.lines.extend(lines)
    lay_out(page, PageText({0: below, **turned}, content.rules))


def _is_value(line: PrintedLine) -> bool:
    text = line.text.strip()
    return len(text) <= MAX_VALUE_CHARS and text[-1:] != "." and bool(_VALUE.match(text))


def _is_beside(label: PrintedLine, value: PrintedLine) -> bool:
    distance = abs(label.y0 + label.y1 - value.y0 - value.y1) / 2
    return distance < LINED_UP * value.size
