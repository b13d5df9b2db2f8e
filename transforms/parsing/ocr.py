"""Text of a page from its picture, by rapidocr, or by Tesseract where that does better.

The models of rapidocr come in its package, no network. It reads English and Chinese; Tesseract,
when it is installed with its data, reads what rapidocr cannot and the languages it has data for.
"""

import re
from collections.abc import Iterable
from functools import cache
from statistics import median
from typing import Any, NamedTuple

import numpy as np
import pymupdf

from transforms.parsing.formats import MUPDF_ERRORS
from transforms.parsing.fragments import PageText, read_fragments
from transforms.parsing.model import Fragment

DPI = 200
MAX_SIDE_PX = 3000
"""Longest side of the picture: what is larger is rendered smaller."""

MIN_SCORE = 0.5
"""Confidence below which a piece of text is dropped."""

GOOD_SCORE = 0.9
"""Mean confidence below which the page may stand upside down."""

SURE_SCORE = 0.8
"""Confidence of an engine from which on its reading stands: text that can be read has 0.95."""

UNSURE_SCORE = 0.5
"""What a reading is worth of which another engine made nothing, or of hardly any text."""

FEW_CHARS = 8

MIN_DPI = 36

TESSERACT_LANGUAGES = {
    "ar": "ara", "cs": "ces", "da": "dan", "de": "deu", "el": "ell", "es": "spa", "fi": "fin",
    "fr": "fra", "he": "heb", "hu": "hun", "it": "ita", "ja": "jpn", "ko": "kor", "nl": "nld",
    "no": "nor", "pl": "pol", "pt": "por", "ro": "ron", "ru": "rus", "sv": "swe", "tr": "tur",
    "uk": "ukr",
}  # fmt: skip
"""Languages that rapidocr's models do not spell, by the name that Tesseract gives their data."""

_WORD = re.compile(r"[^\W\d_]{3}|\d")

NOISE_LOW, NOISE_HIGH = 0.75, 1.35
"""Box heights within these parts of the median are one font size, read with noise."""

Box = tuple[tuple[float, float], ...]
Piece = tuple[Box, str, float]
"""Corners, text and confidence."""

Picture = np.ndarray[Any, Any]


class OcrText(NamedTuple):
    """What an engine reads on a page, and how sure it is of it, 0 to 1."""

    content: PageText
    score: float


def ocr_page(page: pymupdf.Page, language: str | None = None) -> OcrText | None:
    """Return what stands on the picture of a page, as if it were its text.

    Null when nothing is read, or no engine is installed. `language` is that of the document, as far
    as it is known.
    """
    if language in TESSERACT_LANGUAGES:
        read = _by_tesseract(page, language)
        if read and read.score >= SURE_SCORE:
            return read
    read = _by_rapidocr(page)
    if read or language in TESSERACT_LANGUAGES:
        return read
    read = _by_tesseract(page, "en")
    if _engine() is None:
        return read
    return read._replace(score=UNSURE_SCORE) if read and read.score >= SURE_SCORE else None


def _by_rapidocr(page: pymupdf.Page) -> OcrText | None:
    """Read a page by rapidocr.

    A picture that lies on its side or upside down reads badly as it is: it is turned, and the
    turn that reads best is kept.
    """
    if _engine() is None:
        return None
    side_px = max(page.rect.width, page.rect.height, 1.0) / 72 * DPI
    dpi = max(MIN_DPI, int(DPI * min(1.0, MAX_SIDE_PX / side_px)))
    pixmap = page.get_pixmap(dpi=dpi, colorspace=pymupdf.csRGB, alpha=False)
    picture = np.frombuffer(pixmap.samples, np.uint8).reshape(pixmap.height, pixmap.width, 3)
    found = {0: _read(picture)}
    if _is_sideways(found[0]):
        found = {turn: _read(_rotated(picture, turn)) for turn in (1, 3)}
    elif found[0] and _score(found[0]) < GOOD_SCORE:
        found[2] = _read(_rotated(picture, 2))
    turn = max(found, key=lambda turn: _score(found[turn]))
    if not found[turn]:
        return None
    size = (pixmap.width, pixmap.height)
    content = PageText({turn: _fragments(found[turn], turn, size, 72 / dpi)}, [])
    is_hardly_any = sum(len(text) for _, text, _ in found[turn]) < FEW_CHARS
    return OcrText(content, UNSURE_SCORE if is_hardly_any else _score(found[turn]))


def _by_tesseract(page: pymupdf.Page, language: str) -> OcrText | None:
    """Read a page by Tesseract, which MuPDF carries; null without the data of the language.

    It does not say how sure it is: what it makes of a picture without text is single signs, so
    the share of words among all that it reads stands for that.
    """
    tessdata = _tessdata()
    if tessdata is None:
        return None
    name = TESSERACT_LANGUAGES.get(language, "eng")
    try:
        text_page = page.get_textpage_ocr(language=name, dpi=DPI, full=True, tessdata=tessdata)
        content = read_fragments(page, keep_invisible=True, text_page=text_page)
    except MUPDF_ERRORS:
        return None
    words = [w for found in content.fragments.values() for f in found for w in f.text.split()]
    score = sum(bool(_WORD.search(word)) for word in words) / max(1, len(words))
    return OcrText(content, score) if words else None


@cache
def _tessdata() -> str | None:
    """Return the folder of Tesseract's data, null when it is not installed."""
    try:
        return pymupdf.get_tessdata()
    except RuntimeError:
        return None


def _rotated(picture: Picture, turn: int) -> Picture:
    """Return the picture turned so that text of this turn reads from left to right."""
    return np.ascontiguousarray(np.rot90(picture, k={1: 3, 2: 2, 3: 1}[turn]))


def _score(found: list[Piece]) -> float:
    """Return the mean confidence per character."""
    n_chars = sum(len(text) for _, text, _ in found)
    return sum(score * len(text) for _, text, score in found) / max(1, n_chars)


@cache
def _engine() -> Any:
    """Return rapidocr, null where it cannot be loaded: not every system has its runtime."""
    try:
        from rapidocr import RapidOCR  # noqa: PLC0415  # heavy, and only flagged pages need it
    except ImportError:
        return None
    return RapidOCR(params={"Global.log_level": "error"})


def _read(picture: Picture) -> list[Piece]:
    result = _engine()(picture, use_cls=False)
    if result.boxes is None:
        return []
    return [
        (tuple((float(x), float(y)) for x, y in box), text, float(score))
        for box, text, score in zip(result.boxes, result.txts, result.scores, strict=True)
        if score >= MIN_SCORE and text.strip()
    ]


def _is_sideways(found: list[Piece]) -> bool:
    """Return whether most boxes of several characters are taller than wide."""
    shapes = [_extent(box) for box, text, _ in found if len(text) > 2]
    n_tall = sum(1 for x0, y0, x1, y1 in shapes if y1 - y0 > 1.5 * (x1 - x0))
    return bool(shapes) and 2 * n_tall > len(shapes)


def _extent(box: Iterable[tuple[float, float]]) -> tuple[float, float, float, float]:
    xs, ys = zip(*box, strict=True)
    return min(xs), min(ys), max(xs), max(ys)


def _height(box: Box) -> float:
    _, y0, _, y1 = _extent(box)
    return max(1.0, y1 - y0)


def _fragments(
    found: list[Piece], turn: int, size: tuple[int, int], scale: float
) -> list[Fragment]:
    """Return fragments in points, in the coordinates of their turn."""
    width, height = size
    shift = {
        0: (0.0, 0.0),
        1: (-float(height), 0.0),
        2: (-float(width), -float(height)),
        3: (0.0, -float(width)),
    }[turn]
    usual = median([_height(box) for box, _, _ in found]) if found else 1.0
    fragments: list[Fragment] = []
    for box, text, _ in found:
        x0, y0, x1, y1 = _extent(box)
        x0, x1 = (x0 + shift[0]) * scale, (x1 + shift[0]) * scale
        y0, y1 = (y0 + shift[1]) * scale, (y1 + shift[1]) * scale
        height = _height(box)
        height = usual if NOISE_LOW < height / usual < NOISE_HIGH else height
        baseline = y1 - 0.22 * (y1 - y0)
        fragments.append(
            Fragment(x0, y0, x1, y1, baseline, text.strip(), 0.75 * scale * height, False, False)
        )
    return fragments
