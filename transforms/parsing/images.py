"""What the images of a document are, by cheap cues first: size, repetition, place, colours.

A cascade: what is small or thin decorates; what covers the page is a scan; what repeats, by the
hash of its pixels, is a logo or a background; of the few that are left a thumbnail tells photos
from drawings. Figures that are drawn instead of placed are found by drawings.py.
"""

import re
from collections import Counter

import pymupdf

from transforms.parsing.drawings import caption_of, drawn_figures, lines_within
from transforms.parsing.formats import MUPDF_ERRORS
from transforms.parsing.fragments import shown
from transforms.parsing.model import Picture, PrintedPage
from transforms.values import ImageKind

MIN_SIDE = 24.0
"""Points: anything smaller on one side decorates."""

REPEATED_PAGES = 3
"""An image on this many pages is a logo or a background."""

LOGO_SHARE, TITLE_LOGO_SHARE = 0.03, 0.1
"""Part of the page below which an image is a logo; the second of a title page, or repeated."""

MAX_HASHED_PAGES = 60
MAX_THUMBNAILS = 60
"""Images are decoded for hash and thumbnail: what lies beyond keeps what the cheap cues say."""

THUMBNAIL_PX = 48
DRAWN_SHARE = 0.45
"""Part of a thumbnail in its four commonest colours from which on it is drawn: photos have less."""

MIN_NUMBERS = 6
"""Numbers in a figure, or just above or below it, from which on they are the marks of axes."""
AXIS_GAP = 18.0

Size = tuple[int, int, int]
"""What repeats of an image share: its pixels across and down, and its compressed size."""

Place = tuple[int, int, int, int]

_CHART = re.compile(
    r"\b(?:charts?|graphs?|plots?|histogram|trends?|curves?|diagramme|graphique|verlauf)\b|%",
    re.IGNORECASE,
)
_NUMBER = re.compile(r"[-–+$€£]?\d[\d.,]*%?")


def classify_images(
    pages: list[PrintedPage], document: pymupdf.Document | None
) -> list[tuple[int, Picture, ImageKind]]:
    """Return page, image and kind of every image placed or drawn, page by page."""
    n_pages = _repeats(pages, document)
    found: list[tuple[int, Picture, ImageKind]] = []
    n_thumbnails = 0
    for page in pages:
        for picture in page.pictures:
            n_repeats = n_pages.get((page.page, _size(picture)), 1)
            kind: ImageKind | None = _cheap_kind(picture, page, n_repeats)
            if kind is None and document is not None and n_thumbnails < MAX_THUMBNAILS:
                n_thumbnails += 1
                kind = _kind_by_colours(document, page.page, picture)
            found.append((page.page, picture, kind or _drawn_kind(picture, page)))
        for figure in drawn_figures(page):
            found.append((page.page, figure, _drawn_kind(figure, page)))
    return found


def image_digests(document: pymupdf.Document, page: int) -> dict[Place, bytes]:
    """Return hashes of the pixels of a page's images by where they stand."""
    try:
        printed = document.load_page(page - 1)
        placed = printed.get_image_info(hashes=True)
    except MUPDF_ERRORS:
        return {}
    matrix = printed.rotation_matrix
    return {place_of(*shown(one["bbox"], matrix)): one["digest"] for one in placed}


def place_of(x0: float, y0: float, x1: float, y1: float) -> Place:
    """Return a box in whole points: the same however often the page is read."""
    return (round(x0), round(y0), round(x1), round(y1))


def _size(picture: Picture) -> Size:
    return (picture.width_px, picture.height_px, picture.n_bytes)


def _repeats(
    pages: list[PrintedPage], document: pymupdf.Document | None
) -> dict[tuple[int, Size], int]:
    """Return for pages and sizes that repeat, on how many pages the same image stands.

    Only what would be worth a look is counted: what is small is a logo, however often it stands.
    """
    on_pages: dict[Size, dict[int, Picture]] = {}
    for page in pages:
        for picture in page.pictures:
            if _cheap_kind(picture, page, 1) is None:
                on_pages.setdefault(_size(picture), {})[page.page] = picture
    repeated = {size: on for size, on in on_pages.items() if len(on) >= REPEATED_PAGES}
    hashed = sorted({number for on in repeated.values() for number in on})[:MAX_HASHED_PAGES]
    digests = {number: image_digests(document, number) for number in hashed} if document else {}
    n_pages: dict[tuple[int, Size], int] = {}
    for size, on in repeated.items():
        found = {n: digests.get(n, {}).get(place_of(*picture[:4])) for n, picture in on.items()}
        n_same = Counter(found.values())
        n_pages |= {
            (number, size): len(on) if digest is None else n_same[digest] + n_same[None]
            for number, digest in found.items()
        }
    return n_pages


def _cheap_kind(picture: Picture, page: PrintedPage, n_repeats: int) -> ImageKind | None:
    """Return the kind as far as it can be told without looking at the image."""
    width, height = picture.x1 - picture.x0, picture.y1 - picture.y0
    share = width * height / max(page.width * page.height, 1.0)
    if min(width, height) < MIN_SIDE or max(width, height) > 15 * min(width, height):
        return "decoration"
    n_chars = sum(len(line.text) for line in page.lines)
    if (share >= 0.5 and n_chars < 400) or share > 0.85:
        return "scan"
    if n_repeats >= REPEATED_PAGES:
        return "logo" if share < TITLE_LOGO_SHARE else "decoration"
    is_on_title = page.page == 1 and not caption_of(picture, page)
    if share < (TITLE_LOGO_SHARE if is_on_title else LOGO_SHARE):
        return "logo"
    return None


def _kind_by_colours(document: pymupdf.Document, page: int, picture: Picture) -> ImageKind | None:
    """Return photo, or null when few colours make most of an image, as in charts and diagrams."""
    box = pymupdf.Rect(picture.x0, picture.y0, picture.x1, picture.y1)
    zoom = THUMBNAIL_PX / max(box.width, box.height, 1.0)
    try:
        thumbnail = document.load_page(page - 1).get_pixmap(
            matrix=pymupdf.Matrix(zoom, zoom), clip=box, colorspace=pymupdf.csRGB, alpha=False
        )
    except MUPDF_ERRORS:
        return None
    pixels = bytes(byte & 0xF0 for byte in thumbnail.samples)
    colours = Counter(pixels[i : i + 3] for i in range(0, len(pixels), 3))
    n_common = sum(n for _, n in colours.most_common(4))
    return None if n_common >= DRAWN_SHARE * max(1, colours.total()) else "photo"


def _drawn_kind(picture: Picture, page: PrintedPage) -> ImageKind:
    """Tell charts from diagrams by their caption and by the marks of their axes."""
    caption = caption_of(picture, page)
    if caption and _CHART.search(caption.text):
        return "chart"
    around = picture._replace(y0=picture.y0 - AXIS_GAP, y1=picture.y1 + AXIS_GAP)
    words = [word for line in lines_within(around, page) for word in line.text.split()]
    n_numbers = sum(bool(_NUMBER.fullmatch(word)) for word in words)
    return "chart" if n_numbers >= max(MIN_NUMBERS, 0.3 * len(words)) else "diagram"
