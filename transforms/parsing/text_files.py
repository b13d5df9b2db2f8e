"""Plain text and Markdown as pages: lines of a fixed width, a block per paragraph."""

import re
import textwrap

from transforms.parsing.model import PrintedLine, PrintedPage

WIDTH = 110
"""Characters per line: a longer one is broken between words, as it would be in print."""

PAGE_LINES = 60
CHAR_WIDTH, LINE_HEIGHT, MARGIN, SIZE = 4.5, 12.0, 54.0, 10.0
PAGE_WIDTH, PAGE_HEIGHT = 612.0, 792.0
_HEADING = re.compile(r"(#{1,6})\s+(.*?)\s*#*$")


def text_pages(text: str, *, is_markdown: bool) -> list[PrintedPage]:
    """Return the text as pages; a form feed begins a page, and so do sixty lines."""
    pages: list[PrintedPage] = []
    for sheet in text.replace("\r\n", "\n").replace("\r", "\n").split("\f"):
        lines: list[PrintedLine] = []
        for block, paragraph in enumerate(_paragraphs(sheet), start=1):
            broken = [
                line
                for row in paragraph
                for line in textwrap.wrap(row, WIDTH, break_on_hyphens=False)
            ]
            if lines and len(lines) + min(len(broken), 5) > PAGE_LINES:
                pages.append(_page(len(pages) + 1, lines))
                lines = []
            for row in broken:
                if len(lines) == PAGE_LINES:
                    pages.append(_page(len(pages) + 1, lines))
                    lines = []
                lines.append(_line(row, len(lines), block, is_markdown=is_markdown))
        if lines or not pages:
            pages.append(_page(len(pages) + 1, lines))
    return pages


def _paragraphs(sheet: str) -> list[list[str]]:
    """Return the rows of each paragraph: blank lines part them, and so does a long row."""
    paragraphs: list[list[str]] = [[]]
    for row in sheet.split("\n"):
        if not row.strip():
            paragraphs.append([])
            continue
        if paragraphs[-1] and len(paragraphs[-1][-1]) > WIDTH:
            paragraphs.append([])
        paragraphs[-1].append(row.expandtabs(4).rstrip())
    return [paragraph for paragraph in paragraphs if paragraph]


def _line(row: str, index: int, block: int, *, is_markdown: bool) -> PrintedLine:
    heading = _HEADING.fullmatch(row) if is_markdown else None
    text = (heading[2] if heading else row).strip()
    indent = len(row) - len(row.lstrip())
    x0 = MARGIN + indent * CHAR_WIDTH
    y0 = MARGIN + index * LINE_HEIGHT * 0.94
    size = SIZE + (2 * (7 - len(heading[1])) if heading else 0)
    line = PrintedLine(
        text, x0, y0, x0 + len(text) * CHAR_WIDTH, y0 + SIZE, size, False, False, 1, block=block
    )
    if heading:
        line.role = "heading"
    return line


def _page(number: int, lines: list[PrintedLine]) -> PrintedPage:
    first = lines[0].block if lines else 1
    for line in lines:
        line.block -= first - 1
    return PrintedPage(number, PAGE_WIDTH, PAGE_HEIGHT, lines=lines)
