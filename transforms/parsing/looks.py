"""What a vision model is to see of a document: pages nobody else could read, charts, diagrams."""

from collections.abc import Sequence
from hashlib import sha256
from typing import Literal

import polars as pl
import pymupdf

from transforms.parsing.checks import BROKEN_TABLE
from transforms.parsing.formats import MUPDF_ERRORS, Trouble, media_type, open_document
from transforms.parsing.images import image_digests, place_of
from transforms.values import Value

NEEDED = ("chart", "diagram")
"""Kinds of images that a question may need; the others say nothing, or are pages of text."""

MAX_PAGES = 20
"""Flagged pages of one document that are read by other means at once, the first ones: OCR takes
seconds a page. Of a long scan the rest is read when a question needs it."""

MAX_IMAGES = 12
"""Distinct images of one document that are described, the first ones."""

PAGE_DPI, MAX_PAGE_PX = 150, 2000
IMAGE_DPI, MAX_IMAGE_PX = 150, 1024
"""How pages and images are drawn: small print can be read, and no more is paid than that takes."""


class Look(Value):
    """A page to read, or an image to describe, as a picture."""

    purpose: Literal["ocr_page", "describe_image"]
    page: int
    image_ids: tuple[str, ...] = ()
    """All places of one distinct image."""
    png: bytes


def flagged_pages(page_df: pl.DataFrame) -> list[int]:
    """Return the pages of one document that are to be read by other means than before."""
    return page_df.filter("is_flagged")["page"].unique().sort().head(MAX_PAGES).to_list()


def unread_pages(page_df: pl.DataFrame) -> list[int]:
    """Return the pages of one document that a vision model is to read.

    OCR has had its turn with the first pages that failed a check: those of them that are flagged
    in their last version. A torn table is none: its words are right.
    """
    last_df = page_df.sort("page_version").unique("page", keep="last")
    tried_df = (
        last_df.filter(pl.col("escalation_reason").is_not_null()).sort("page").head(MAX_PAGES)
    )
    unread_df = tried_df.filter("is_flagged", pl.col("escalation_reason") != BROKEN_TABLE)
    return unread_df["page"].to_list()


def needed_images(image_df: pl.DataFrame) -> pl.DataFrame:
    """Return the images that a question may need and nobody has described."""
    return image_df.filter(pl.col("kind").is_in(NEEDED), ~pl.col("is_described"))


def draw_looks(content: bytes, pages: Sequence[int], image_df: pl.DataFrame) -> tuple[Look, ...]:
    """Draw these pages, and those of the images that a question may need, each image once.

    What cannot be drawn is left out.
    """
    wanted_df = needed_images(image_df)
    if not pages and wanted_df.is_empty():
        return ()
    document = open_document(content, media_type(content))
    if isinstance(document, Trouble):
        return ()
    with document:
        drawn = [(page, _drawn(document, page, None, (PAGE_DPI, MAX_PAGE_PX))) for page in pages]
        looks = [Look(purpose="ocr_page", page=page, png=png) for page, png in drawn if png]
        return (*looks, *_image_looks(document, wanted_df))


def _image_looks(document: pymupdf.Document, image_df: pl.DataFrame) -> list[Look]:
    looks: dict[bytes, Look] = {}
    digests = {page: image_digests(document, page) for page in image_df["page"].unique().sort()}
    for row in image_df.iter_rows(named=True):
        box = (row["x0"], row["y0"], row["x1"], row["y1"])
        digest, png = digests[row["page"]].get(place_of(*box)), None
        if digest not in looks:
            png = _drawn(document, row["page"], box, (IMAGE_DPI, MAX_IMAGE_PX))
            digest = digest or sha256(png or b"").digest()
        if known := looks.get(digest):
            image_ids = (*known.image_ids, row["image_id"])
            looks[digest] = known.model_copy(update={"image_ids": image_ids})
        elif png and len(looks) < MAX_IMAGES:
            looks[digest] = Look(
                purpose="describe_image",
                page=row["page"],
                image_ids=(row["image_id"],),
                png=png,
            )
    return list(looks.values())


def _drawn(
    document: pymupdf.Document,
    page: int,
    box: tuple[float, float, float, float] | None,
    bounds: tuple[int, int],
) -> bytes | None:
    """Return a page or a part of it as PNG within bounds of dots per inch and pixels on a side."""
    dpi, max_px = bounds
    try:
        printed = document.load_page(page - 1)
        clip = printed.rect & pymupdf.Rect(box) if box else printed.rect
        zoom = min(dpi / 72, max_px / max(clip.width, clip.height, 1.0))
        pixmap = printed.get_pixmap(
            matrix=pymupdf.Matrix(zoom, zoom), clip=clip, colorspace=pymupdf.csRGB, alpha=False
        )
        return pixmap.tobytes("png")
    except MUPDF_ERRORS:
        return None
