"""What the images of a document are, by cheap cues: size, repetition, place, colours."""

from collections import Counter

from transforms.parsing.model import Picture, PrintedPage
from transforms.values import ImageKind

MIN_SIDE = 24.0
"""Points: anything smaller on one side decorates."""

REPEATED_PAGES = 3
"""An image on this many pages is a logo or a background."""


def classify_images(pages: list[PrintedPage]) -> list[tuple[int, Picture, ImageKind]]:
    """Return page, image and kind of every image placed, in reading order."""
    n_pages = Counter(
        identity for page in pages for identity in {_identity(p) for p in page.pictures}
    )
    return [
        (page.page, picture, _kind(picture, page, n_pages[_identity(picture)]))
        for page in pages
        for picture in page.pictures
    ]


def _identity(picture: Picture) -> tuple[int, int, int]:
    """Return what repeats of an image share: its pixels and its compressed size."""
    return (picture.width_px, picture.height_px, picture.n_bytes)


def _kind(picture: Picture, page: PrintedPage, n_pages: int) -> ImageKind:
    width, height = picture.x1 - picture.x0, picture.y1 - picture.y0
    share = width * height / max(page.width * page.height, 1.0)
    if min(width, height) < MIN_SIDE or max(width, height) > 15 * min(width, height):
        return "decoration"
    n_chars = sum(len(line.text) for line in page.lines)
    if (share >= 0.5 and n_chars < 400) or share > 0.85:
        return "scan"
    if n_pages >= REPEATED_PAGES:
        return "logo" if share < 0.1 else "decoration"
    if share < 0.03:
        return "logo"
    n_pixels = max(1, picture.width_px * picture.height_px)
    bytes_per_pixel = picture.n_bytes / n_pixels
    if picture.n_colours >= 3 and bytes_per_pixel > 0.25:
        return "photo"
    return "chart" if any(line.role == "caption" for line in page.lines) else "diagram"
