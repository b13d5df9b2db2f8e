"""Sheets of paper with text, rules and bands at their places, and how they become a PDF."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache

import pymupdf

BLACK = (0.0, 0.0, 0.0)
GREY = (0.35, 0.35, 0.35)
BAND = (0.92, 0.92, 0.92)


@dataclass(frozen=True)
class Ink:
    """One piece of text at its place."""

    x: float
    y: float
    text: str
    font: str
    size: float
    color: tuple[float, float, float] = BLACK


@dataclass
class Sheet:
    inks: list[Ink] = field(default_factory=list)
    rules: list[tuple[float, float, float, float]] = field(default_factory=list)
    bands: list[tuple[float, float, float, float]] = field(default_factory=list)


def drawn(sheets: Sequence[Sheet], paper: tuple[float, float]) -> pymupdf.Document:
    """Return a PDF with one page per sheet."""
    pdf = pymupdf.open()
    for sheet in sheets:
        shape = pdf.new_page(width=paper[0], height=paper[1]).new_shape()
        for x0, y0, x1, y1 in sheet.bands:
            shape.draw_rect((x0, y0, x1, y1))
            shape.finish(color=None, fill=BAND, width=0)
        for x0, y0, x1, y1 in sheet.rules:
            shape.draw_line((x0, y0), (x1, y1))
        if sheet.rules:
            shape.finish(color=GREY, width=0.5)
        for ink in sheet.inks:
            place = (ink.x, ink.y)
            shape.insert_text(
                place, ink.text, fontname=ink.font, fontsize=ink.size, color=ink.color
            )
        shape.commit()
    return pdf


def wrapped(text: str, font: str, size: float, width: float) -> list[tuple[int, str]]:
    """Return the lines of a paragraph, each with the position of its first character."""
    lines: list[tuple[int, str]] = []
    start = position = 0
    used = 0.0
    for word in text.split(" "):
        length = _em_width(word, font) * size
        if position > start and used + length > width:
            lines.append((start, text[start : position - 1]))
            start, used = position, 0.0
        used += length + _em_width(" ", font) * size
        position += len(word) + 1
    return [*lines, (start, text[start:])]


@cache
def _em_width(word: str, font: str) -> float:
    """Return the width of a word as a multiple of the font size."""
    return pymupdf.get_text_length(word, font, 1.0)
