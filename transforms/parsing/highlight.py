"""Mark evidence in a document: highlights at its boxes, with a note that says what for."""

import io
from collections import defaultdict
from collections.abc import Sequence

import pymupdf
from PIL import Image

from transforms.errors import InputError
from transforms.parsing.formats import Trouble, media_type, open_document
from transforms.values import Value

PNG_DPI = 110
"""Sharp enough to read a page of 10 point text on a screen."""

POINT = PNG_DPI / 72
"""Pixels."""

STRIP_MARGIN = 26.0
"""Points of page kept above and below a quote."""

SIDE_MARGIN = 10.0
"""Points kept beside what is printed."""

INK = 40
"""Darkness, of 255, from which something is printed there."""

MAX_STRIP_HEIGHT = 260.0
"""Points; of a longer quote the beginning is shown."""

N_GREYS = 8
"""Text stays sharp, and a strip takes some 5 kB."""

BBox = tuple[float, float, float, float]


class Mark(Value):
    """One quote to mark. Boxes are points from the top left, after rotation."""

    page: int
    bboxes: tuple[BBox, ...]
    note: str


class Strip(Value):
    """A strip of a page, as wide as its print, around some boxes. Sizes and boxes are points."""

    webp: bytes
    width: float
    height: float
    bboxes: tuple[BBox, ...]
    """From the top left of the strip."""


def highlighted_pdf(content: bytes, marks: Sequence[Mark]) -> bytes:
    """Return the document as a PDF with every mark highlighted. Raises InputError."""
    with _marked(content, marks) as document:
        return document.tobytes(garbage=3, deflate=True, encryption=0)


def highlighted_pages(content: bytes, marks: Sequence[Mark]) -> dict[int, bytes]:
    """Return a PNG of every page that has a mark, by page number."""
    with _marked(content, marks) as document:
        return {
            page: document.load_page(page - 1).get_pixmap(dpi=PNG_DPI).tobytes("png")
            for page in sorted({mark.page for mark in marks})
        }


def page_strips(
    content: bytes, places: Sequence[tuple[int, tuple[BBox, ...]]]
) -> list[Strip | None]:
    """Return a strip for each place, a page and boxes on it; null where there is none to show."""
    kind = media_type(content)
    document = open_document(content, kind)
    if isinstance(document, Trouble):
        return [None] * len(places)
    with _as_pdf(document) as pdf:
        return [_strip(pdf, page, bboxes) for page, bboxes in places]


def _strip(document: pymupdf.Document, page_number: int, bboxes: Sequence[BBox]) -> Strip | None:
    if not bboxes or not 1 <= page_number <= document.page_count:
        return None
    page = document.load_page(page_number - 1)
    top = max(0.0, min(bbox[1] for bbox in bboxes) - STRIP_MARGIN)
    bottom = min(page.rect.height, max(bbox[3] for bbox in bboxes) + STRIP_MARGIN)
    area = pymupdf.Rect(0, top, page.rect.width, min(bottom, top + MAX_STRIP_HEIGHT))
    if area.is_empty:
        return None
    pixels = page.get_pixmap(dpi=PNG_DPI, clip=area, colorspace=pymupdf.csGRAY, alpha=False)
    grey = Image.frombytes("L", (pixels.width, pixels.height), pixels.samples)
    left, right = _printed_width(grey, bboxes)
    buffer = io.BytesIO()
    printed = grey.crop((round(left * POINT), 0, round(right * POINT), grey.height))
    printed.quantize(N_GREYS).convert("RGB").save(buffer, "WEBP", lossless=True)
    return Strip(
        webp=buffer.getvalue(),
        width=right - left,
        height=area.height,
        bboxes=tuple(
            (x0 - left, y0 - top, x1 - left, min(y1 - top, area.height))
            for x0, y0, x1, y1 in bboxes
            if y0 - top < area.height
        ),
    )


def _printed_width(grey: Image.Image, bboxes: Sequence[BBox]) -> tuple[float, float]:
    """Return left and right of what is printed or boxed, in points: margins would shrink it."""
    printed = grey.point([255 * (255 - level > INK) for level in range(256)]).getbbox()
    starts, ends = [bbox[0] for bbox in bboxes], [bbox[2] for bbox in bboxes]
    if printed:
        starts, ends = [*starts, printed[0] / POINT], [*ends, printed[2] / POINT]
    width = grey.width / POINT
    return max(0.0, min(starts) - SIDE_MARGIN), min(width, max(ends) + SIDE_MARGIN)


def _as_pdf(document: pymupdf.Document) -> pymupdf.Document:
    return document if document.is_pdf else pymupdf.open("pdf", document.convert_to_pdf())


def _marked(content: bytes, marks: Sequence[Mark]) -> pymupdf.Document:
    kind = media_type(content)
    if kind.pymupdf_type is None:
        raise InputError(
            f"a {kind.name} file has no pages to highlight on",
            hint="`compline explain` shows its quotes with their lines",
        )
    document = open_document(content, kind)
    if isinstance(document, Trouble):
        raise InputError(f"the document cannot be opened: {document.message}")
    document = _as_pdf(document)
    by_page: dict[int, list[Mark]] = defaultdict(list)
    for mark in marks:
        by_page[mark.page].append(mark)
    for number, marks_of_page in by_page.items():
        page = document.load_page(number - 1)
        for mark in marks_of_page:
            _add(page, mark)
    return document


def _along(bbox: BBox) -> pymupdf.Quad:
    """Return a box as a quad whose first side is its long one: ends are drawn round."""
    x0, y0, x1, y1 = bbox
    if x1 - x0 >= y1 - y0:
        return pymupdf.Quad((x0, y0), (x1, y0), (x0, y1), (x1, y1))
    return pymupdf.Quad((x1, y0), (x1, y1), (x0, y0), (x0, y1))


def _add(page: pymupdf.Page, mark: Mark) -> None:
    """Annotations lie in the page's own space, before it is rotated."""
    quads = [_along(bbox) * page.derotation_matrix for bbox in mark.bboxes]
    if not quads:
        return
    annotation = page.add_highlight_annot(quads=quads)
    annotation.set_info(title="Compline", content=mark.note)
    annotation.update()
