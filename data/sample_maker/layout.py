"""Set blocks on pages, and record on which pages each quote comes to stand."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import zip_longest

import pymupdf

from sample_maker.blocks import Block, Quote, unmarked
from sample_maker.house import House
from sample_maker.manuscript import Manuscript
from sample_maker.sheets import BLACK, GREY, Ink, Sheet, drawn, wrapped

GUTTER = 20.0
CELL_PADDING = 5.0


@dataclass(frozen=True)
class Printed:
    """A quote where it stands: page numbers from 1."""

    facts: tuple[str, ...]
    text: str
    pages: tuple[int, ...]


@dataclass(frozen=True)
class Entry:
    """A heading for the outline and the printed contents."""

    level: int
    title: str
    page: int


@dataclass
class Setting:
    """A document that has been set."""

    pdf: pymupdf.Document
    printed: list[Printed]
    entries: list[Entry]


def set_document(manuscript: Manuscript, house: House) -> Setting:
    """Return the pages of a manuscript. The contents page needs a second setting to know pages."""
    has_contents = house.contents in ("printed", "both")
    typesetter = _Typesetter(manuscript, house, [])
    if has_contents:
        typesetter = _Typesetter(manuscript, house, typesetter.entries)
        typesetter = _Typesetter(manuscript, house, typesetter.entries)
    return Setting(typesetter.pdf(), typesetter.printed, typesetter.entries)


class _Typesetter:
    def __init__(self, manuscript: Manuscript, house: House, contents: Sequence[Entry]) -> None:
        self._manuscript = manuscript
        self._house = house
        self._sheets: list[Sheet] = []
        self.printed: list[Printed] = []
        self.entries: list[Entry] = []
        self._n_columns = 1
        self._column = 0
        self._y = 0.0
        self._item_number = 0
        self._new_page()
        self._column_top = self._y
        self._set_blocks(contents)

    def pdf(self) -> pymupdf.Document:
        """Draw all sheets."""
        n_pages = len(self._sheets)
        for number, sheet in enumerate(self._sheets, 1):
            sheet.inks[:0] = self._running(number, n_pages)
        pdf = drawn(self._sheets, self._house.paper)
        if self._house.contents in ("outline", "both"):
            pdf.set_toc([[entry.level, entry.title, entry.page] for entry in self.entries])
        return pdf

    # -- flow --------------------------------------------------------------------------------------

    def _set_blocks(self, contents: Sequence[Entry]) -> None:
        is_front = True
        blocks = self._manuscript.blocks
        for block, following in zip_longest(blocks, blocks[1:]):
            if is_front and block.kind == "heading" and block.level == 1 and self.entries:
                is_front = False
                self._set_contents(contents)
                self._begin_columns()
            if block.kind == "heading" and following:
                self._need(self._house.size * 4 + self._height_at_least(following))
            self._set(block)
        header, quotes = unmarked(self._manuscript.header)
        if self._house.has_header and header:
            pages = tuple(range(2, len(self._sheets) + 1))
            self.printed += [Printed(quote.facts, quote.text, pages) for quote in quotes]

    def _height_at_least(self, block: Block) -> float:
        """Return what must fit below a heading: a table, a paragraph that states facts, two lines."""
        size = self._house.size
        if block.kind == "table":
            return size * 1.8 * (len(block.rows) + 1)
        printed, quotes = unmarked(block.text)
        n_lines = len(wrapped(printed, self._house.font, size, self._width))
        return size * self._house.leading * (n_lines if quotes else min(n_lines, 3))

    def _begin_columns(self) -> None:
        if self._house.n_columns > 1:
            self._new_page()
        self._n_columns = self._house.n_columns
        self._column_top = self._y

    def _set(self, block: Block) -> None:
        house = self._house
        match block.kind:
            case "title":
                self._y += 10
                self._text(block.text, house.bold, house.size * 2, house.accent, after=0.4)
            case "small":
                self._text(block.text, house.italic, house.size * 0.95, GREY, after=0.6)
            case "heading":
                self._heading(block)
            case "paragraph":
                self._text(block.text, house.font, house.size, BLACK, after=0.55)
            case "item":
                self._item(block.text)
            case "table":
                self._table(block)
            case "new_page":
                self._new_page()
        self._item_number = self._item_number if block.kind == "item" else 0

    def _heading(self, block: Block) -> None:
        house = self._house
        size = house.size * (1.25 if block.level == 1 else 1.05)
        self._need(size * (6 if block.level == 1 else 5))
        self._y += size * (0.9 if block.level == 1 else 0.4)
        title, _ = unmarked(block.text)
        self.entries.append(Entry(block.level, title, len(self._sheets)))
        self._text(
            block.text, house.bold, size, house.accent if block.level == 1 else BLACK, after=0.3
        )

    def _item(self, text: str) -> None:
        self._item_number += 1
        marker = self._house.marker(self._item_number)
        indent = self._house.size * 2.2
        self._text(
            text,
            self._house.font,
            self._house.size,
            BLACK,
            after=0.25,
            indent=indent,
            marker=marker,
        )

    def _text(
        self,
        text: str,
        font: str,
        size: float,
        color: tuple[float, float, float],
        *,
        after: float,
        indent: float = 0.0,
        marker: str = "",
    ) -> None:
        """Set one paragraph. One that states facts is not broken over pages."""
        printed, quotes = unmarked(text)
        lines = wrapped(printed, font, size, self._width - indent)
        step = size * self._house.leading
        if quotes or len(lines) < 4:
            self._need(step * len(lines))
        for index, (start, line) in enumerate(lines):
            self._need(step)
            self._y += step
            if marker and index == 0:
                self._ink(self._left, marker, font, size, color)
            self._ink(self._left + indent, line, font, size, color)
            self._record(quotes, start, start + len(line))
        self._y += size * after

    def _record(self, quotes: Iterable[Quote], start: int, end: int) -> None:
        """Note the page of quotes that begin in this line."""
        for quote in quotes:
            if start <= quote.start < end:
                self.printed.append(Printed(quote.facts, quote.text, (len(self._sheets),)))

    def _table(self, block: Block) -> None:
        house = self._house
        size = house.size * 0.95
        while sum(widths := self._column_widths(block, size)) > self._width:
            size *= 0.95
        step = size * 1.75
        self._need(step * (len(block.rows) + 1))
        self._y += 4
        top = self._y
        for index, row in enumerate(block.rows):
            is_header = block.has_header and index == 0
            font = house.bold if is_header else house.font
            if house.table_style == "banded" and index % 2 == 0:
                self._sheet.bands.append(
                    (self._left, self._y, self._left + sum(widths), self._y + step)
                )
            x = self._left
            for text, width in zip(row, widths, strict=True):
                cell, quotes = unmarked(text)
                self._sheet.inks.append(
                    Ink(x + CELL_PADDING, self._y + step * 0.68, cell, font, size)
                )
                self._record(quotes, 0, len(cell))
                x += width
            self._y += step
        if house.table_style == "ruled":
            self._rule_grid(top, widths, step, len(block.rows))
        self._y += size

    def _column_widths(self, block: Block, size: float) -> list[float]:
        """Give each column what its widest cell needs; spread what is left."""
        cells = [[unmarked(text)[0] for text in row] for row in block.rows]
        needed = [
            max(pymupdf.get_text_length(text, self._house.bold, size) for text in column)
            + 2 * CELL_PADDING
            for column in zip(*cells, strict=True)
        ]
        spare = max(0.0, self._width * (0.95 if self._n_columns > 1 else 0.85) - sum(needed))
        return [width + spare / len(needed) for width in needed]

    def _rule_grid(self, top: float, widths: Sequence[float], step: float, n_rows: int) -> None:
        right = self._left + sum(widths)
        for row in range(n_rows + 1):
            self._sheet.rules.append((self._left, top + row * step, right, top + row * step))
        for column in range(len(widths) + 1):
            x = self._left + sum(widths[:column])
            self._sheet.rules.append((x, top, x, top + n_rows * step))

    def _set_contents(self, contents: Sequence[Entry]) -> None:
        """Set a contents page with dot leaders, when this house prints one."""
        if not contents:
            return
        house = self._house
        self._new_page()
        self._text("Contents", house.bold, house.size * 1.4, house.accent, after=0.8)
        depth = 2 if house.contents == "printed" else 1
        for entry in (entry for entry in contents if entry.level <= depth):
            indent = 14.0 * (entry.level - 1)
            page = str(entry.page)
            self._need(house.size * 1.3)
            self._y += house.size * 1.3
            end = self._left + self._width - pymupdf.get_text_length(page, house.font, house.size)
            start = self._left + indent
            room = end - start - pymupdf.get_text_length(entry.title, house.font, house.size) - 8
            dots = "." * max(3, int(room / pymupdf.get_text_length(".", house.font, house.size)))
            self._ink(start, f"{entry.title} {dots}", house.font, house.size, BLACK)
            self._ink(end, page, house.font, house.size, BLACK)
        self._new_page()

    # -- page geometry -----------------------------------------------------------------------------

    @property
    def _sheet(self) -> Sheet:
        return self._sheets[-1]

    @property
    def _width(self) -> float:
        inner = self._house.paper[0] - 2 * self._house.margin
        return (inner - GUTTER * (self._n_columns - 1)) / self._n_columns

    @property
    def _left(self) -> float:
        return self._house.margin + self._column * (self._width + GUTTER)

    def _need(self, height: float) -> None:
        """Go to the next column or page when `height` is not left on this one."""
        if self._y + height <= self._house.paper[1] - self._house.margin - 14:
            return
        if self._column + 1 < self._n_columns:
            self._column += 1
            self._y = self._column_top
        else:
            self._new_page()

    def _new_page(self) -> None:
        self._sheets.append(Sheet())
        self._column = 0
        self._y = self._house.margin + 8
        self._column_top = self._y

    def _ink(
        self, x: float, text: str, font: str, size: float, color: tuple[float, float, float]
    ) -> None:
        self._sheet.inks.append(Ink(x, self._y, text, font, size, color))

    def _running(self, page: int, n_pages: int) -> Iterable[Ink]:
        """Return the header and footer of a page."""
        house = self._house
        label = house.page_label.format(page=page, pages=n_pages)
        width, height = house.paper
        length = pymupdf.get_text_length(label, house.font, 8)
        yield Ink((width - length) / 2, height - 30, label, house.font, 8, GREY)
        if house.has_header and page > 1:
            header, _ = unmarked(self._manuscript.header)
            yield Ink(house.margin, 34, header, house.italic, 8, GREY)
