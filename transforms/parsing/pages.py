"""From a page of the file to a page of lines in reading order."""

from dataclasses import replace

import pymupdf

from transforms.parsing.columns import reading_order
from transforms.parsing.formats import MUPDF_ERRORS
from transforms.parsing.fragments import (
    RIGHT_TO_LEFT,
    PageText,
    Turn,
    read_fragments,
    read_pictures,
    turned,
    turned_back,
)
from transforms.parsing.grids import Grid, find_grids
from transforms.parsing.lines import number_blocks, visual_rows
from transforms.parsing.model import Fragment, PrintedLine, PrintedPage, Rule

SCAN_SHARE = 0.5
"""Part of the page that an image covers when it is a scan."""


def read_pages(document: pymupdf.Document) -> list[PrintedPage]:
    """Return all pages; one that cannot be read carries the reason and no lines."""
    return [_read_page(document, index) for index in range(document.page_count)]


def _read_page(document: pymupdf.Document, index: int) -> PrintedPage:
    try:
        page = document.load_page(index)
        width, height = page.rect.width, page.rect.height
        printed = PrintedPage(index + 1, width, height, page.rotation)
        if document.get_page_images(index) if document.is_pdf else True:
            printed.pictures = read_pictures(page)
        is_scan = image_share(printed) >= SCAN_SHARE
        lay_out(printed, read_fragments(page, keep_invisible=is_scan))
    except MUPDF_ERRORS as error:
        return PrintedPage(index + 1, 612.0, 792.0, error=str(error) or type(error).__name__)
    return printed


def image_share(page: PrintedPage) -> float:
    """Return the part of the page that images cover, 0 to 1; overlaps count twice."""
    area = page.width * page.height
    if not page.pictures or area <= 0:
        return 0.0
    covered = sum(
        max(0.0, min(p.x1, page.width) - max(p.x0, 0.0))
        * max(0.0, min(p.y1, page.height) - max(p.y0, 0.0))
        for p in page.pictures
    )
    return min(1.0, covered / area)


def lay_out(page: PrintedPage, content: PageText) -> None:
    """Put the text of a page into lines in reading order."""
    page.rules = content.rules
    most = 0
    for turn, fragments in _in_order(content.fragments):
        rules = content.rules
        if turn:
            rules = [_turned_rule(rule, turn) for rule in rules]
        lines, n_columns = _lines(page, fragments, rules)
        number_blocks(lines, after=page.lines[-1].block if page.lines else 0)
        if turn:
            lines = [_turned_line(line, turn) for line in lines]
        if _n_chars(fragments) > most:
            most, page.n_columns = _n_chars(fragments), n_columns
        page.lines.extend(lines)


def _in_order(fragments: dict[Turn, list[Fragment]]) -> list[tuple[Turn, list[Fragment]]]:
    """Return text of the main direction first, but for other text that stands above all of it."""
    by_length = sorted(fragments.items(), key=lambda item: -_n_chars(item[1]))
    if len(by_length) < 2:
        return by_length
    top = min(_heights(*by_length[0]))
    above = [part for part in by_length[1:] if max(_heights(*part)) <= top]
    return above + [part for part in by_length if part not in above]


def _heights(turn: Turn, fragments: list[Fragment]) -> list[float]:
    """Return the tops and bottoms of fragments on the page as it is printed."""
    boxes = [turned_back((f.x0, f.y0, f.x1, f.y1), turn) for f in fragments]
    return [y for _, y0, _, y1 in boxes for y in (y0, y1)]


def _lines(
    page: PrintedPage, fragments: list[Fragment], rules: list[Rule]
) -> tuple[list[PrintedLine], int]:
    is_right_to_left = _is_right_to_left(fragments)
    grids = find_grids(fragments, rules, is_right_to_left=is_right_to_left)
    row_of: dict[Fragment, list[PrintedLine]] = {}
    if grids:
        fragments, row_of = _absorbed(page, fragments, grids)
    regions = reading_order(fragments, rules, is_right_to_left=is_right_to_left)
    lines: list[PrintedLine] = []
    for region in regions:
        for line in visual_rows(region.fragments, region.column, is_right_to_left=is_right_to_left):
            stand_in = line.cells[0] if len(line.cells) == 1 else None
            lines.extend(row_of.get(stand_in, [line]) if stand_in else [line])
    return lines, max((region.column for region in regions), default=1)


def _absorbed(
    page: PrintedPage, fragments: list[Fragment], grids: list[Grid]
) -> tuple[list[Fragment], dict[Fragment, list[PrintedLine]]]:
    """Put one stand-in fragment per row of a ruled table in the place of its cells."""
    taken = {f for grid in grids for f in grid.fragments}
    kept = [f for f in fragments if f not in taken]
    row_of: dict[Fragment, list[PrintedLine]] = {}
    for grid in grids:
        for i, row in enumerate(grid.rows):
            for line in row.lines:
                line.grid = (len(page.grids), i)
            x0, y0 = min(line.x0 for line in row.lines), min(line.y0 for line in row.lines)
            x1, y1 = max(line.x1 for line in row.lines), max(line.y1 for line in row.lines)
            text = "".join(line.text for line in row.lines)
            stand_in = Fragment(x0, y0, x1, y1, (y0 + y1) / 2, text, 1.0, False, False)
            row_of[stand_in] = row.lines
            kept.append(stand_in)
        page.grids.append([row.cells for row in grid.rows])
    return kept, row_of


def _turned_line(line: PrintedLine, turn: int) -> PrintedLine:
    x0, y0, x1, y1 = turned_back((line.x0, line.y0, line.x1, line.y1), turn)
    return replace(line, x0=x0, y0=y0, x1=x1, y1=y1, cells=())


def _turned_rule(rule: Rule, turn: int) -> Rule:
    x0, y0, x1, y1 = turned((rule.x0, rule.y0, rule.x1, rule.y1), turn)
    return Rule(x0, y0, x1, y1, rule.is_stroked)


def _n_chars(fragments: list[Fragment]) -> int:
    return sum(len(f.text) for f in fragments)


def _is_right_to_left(fragments: list[Fragment]) -> bool:
    """Return whether most letters are Hebrew or Arabic."""
    sample = "".join(f.text for f in fragments[:40])
    if sample.isascii():
        return False
    n_rtl = len(RIGHT_TO_LEFT.findall(sample))
    return n_rtl > 0 and 2 * n_rtl > sum(1 for char in sample if char.isalpha())
