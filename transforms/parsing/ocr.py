"""Text of a page from its picture, by rapidocr: its models come in its package, no network."""

from collections.abc import Iterable
from functools import cache
from typing import Any

import numpy as np
import pymupdf

from transforms.parsing.fragments import PageText
from transforms.parsing.model import Fragment

DPI = 200
MAX_SIDE_PX = 3000
"""Longest side of the picture: what is larger is rendered smaller."""

MIN_SCORE = 0.5
"""Confidence below which a piece of text is dropped."""

Box = tuple[tuple[float, float], ...]


def ocr_page(page: pymupdf.Page) -> PageText:
    """Return what stands on the picture of a page, as if it were its text."""
    side_px = max(page.rect.width, page.rect.height, 1.0) / 72 * DPI
    dpi = max(36, int(DPI * min(1.0, MAX_SIDE_PX / side_px)))
    pixmap = page.get_pixmap(dpi=dpi, colorspace=pymupdf.csRGB, alpha=False)
    picture = np.frombuffer(pixmap.samples, np.uint8).reshape(pixmap.height, pixmap.width, 3)
    found = _read(picture)
    if _is_sideways(found):
        turns = {
            1: _read(np.ascontiguousarray(np.rot90(picture, k=3))),
            3: _read(np.ascontiguousarray(np.rot90(picture, k=1))),
        }
        turn = max(turns, key=lambda t: sum(score * len(text) for _, text, score in turns[t]))
        size = (pixmap.width, pixmap.height)
        return PageText({turn: _fragments(turns[turn], turn, size, 72 / dpi)}, [])
    return PageText({0: _fragments(found, 0, (pixmap.width, pixmap.height), 72 / dpi)}, [])


@cache
def _engine() -> Any:
    from rapidocr import RapidOCR  # noqa: PLC0415  # heavy, and only flagged pages need it

    return RapidOCR(params={"Global.log_level": "error"})


def _read(picture: np.ndarray[Any, Any]) -> list[tuple[Box, str, float]]:
    result = _engine()(picture)
    if result.boxes is None:
        return []
    return [
        (tuple((float(x), float(y)) for x, y in box), text, float(score))
        for box, text, score in zip(result.boxes, result.txts, result.scores, strict=True)
        if score >= MIN_SCORE and text.strip()
    ]


def _is_sideways(found: list[tuple[Box, str, float]]) -> bool:
    """Return whether most boxes of several characters are taller than wide."""
    shapes = [_extent(box) for box, text, _ in found if len(text) > 2]
    n_tall = sum(1 for x0, y0, x1, y1 in shapes if y1 - y0 > 1.5 * (x1 - x0))
    return bool(shapes) and 2 * n_tall > len(shapes)


def _extent(box: Iterable[tuple[float, float]]) -> tuple[float, float, float, float]:
    xs, ys = zip(*box, strict=True)
    return min(xs), min(ys), max(xs), max(ys)


def _fragments(
    found: list[tuple[Box, str, float]], turn: int, size: tuple[int, int], scale: float
) -> list[Fragment]:
    """Return fragments in points, in the coordinates of their turn."""
    width, height = size
    shift = {0: (0.0, 0.0), 1: (-float(height), 0.0), 3: (0.0, -float(width))}[turn]
    fragments: list[Fragment] = []
    for box, text, _ in found:
        x0, y0, x1, y1 = _extent(box)
        x0, x1 = (x0 + shift[0]) * scale, (x1 + shift[0]) * scale
        y0, y1 = (y0 + shift[1]) * scale, (y1 + shift[1]) * scale
        tall = y1 - y0
        fragments.append(
            Fragment(x0, y0, x1, y1, y1 - 0.22 * tall, text.strip(), 0.75 * tall, False, False)
        )
    return fragments
