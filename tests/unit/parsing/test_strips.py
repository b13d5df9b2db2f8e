"""Strips of pages: the quote stands in its box, whatever the page, and nothing ever fails."""

import io

import pymupdf
import pytest
from PIL import Image

from transforms.parsing import MAX_STRIP_HEIGHT, Strip, page_strips

FAR_DOWN = (72.0, 700.0, 120.0, 712.0)


def pdf(*, rotation: int = 0) -> bytes:
    with pymupdf.open() as document:
        page = document.new_page()
        page.insert_text((150, 300), "needle", fontsize=12)
        page.insert_text((72, 60), "far away")
        page.set_rotation(rotation)
        return document.tobytes()


def place_of(content: bytes, text: str) -> tuple[float, float, float, float]:
    with pymupdf.open(stream=content) as document:
        page = document[0]
        [found] = page.search_for(text)
        x0, y0, x1, y1 = found * page.rotation_matrix
        return min(x0, x1), min(y0, y1), max(x0, x1), max(y0, y1)


def darkest(strip: Strip, *, is_inside: bool) -> int:
    """Return the darkest level inside of the boxes of a strip, or outside of them."""
    image = Image.open(io.BytesIO(strip.webp)).convert("L")
    scale = image.width / strip.width
    boxes = [tuple(round(value * scale) for value in bbox) for bbox in strip.bboxes]
    if is_inside:
        return min(image.crop(box).getextrema()[0] for box in boxes)
    for box in boxes:
        image.paste(255, box)
    return image.getextrema()[0]


@pytest.mark.parametrize("rotation", [0, 90, 180, 270])
def test_the_quote_stands_in_its_box_however_the_page_lies(rotation: int) -> None:
    content = pdf(rotation=rotation)
    [strip] = page_strips(content, [(1, (place_of(content, "needle"),))])
    assert strip is not None
    assert darkest(strip, is_inside=True) < 60
    assert darkest(strip, is_inside=False) > 200


def test_white_margins_are_cut_off() -> None:
    content = pdf()
    [strip] = page_strips(content, [(1, (place_of(content, "needle"),))])
    assert strip is not None
    assert strip.width < 80


def test_a_long_quote_shows_its_beginning() -> None:
    [strip] = page_strips(pdf(), [(1, ((72.0, 50.0, 120.0, 62.0), FAR_DOWN))])
    assert strip is not None
    assert strip.height == pytest.approx(MAX_STRIP_HEIGHT)
    assert len(strip.bboxes) == 1


@pytest.mark.parametrize("page", [0, 2])
def test_a_page_that_is_not_there_and_a_place_without_boxes_have_no_strip(page: int) -> None:
    assert page_strips(pdf(), [(page, (FAR_DOWN,)), (1, ())]) == [None, None]


@pytest.mark.parametrize("content", [b"", b"plain text", b"%PDF-1.7 broken"])
def test_what_has_no_pages_has_no_strips(content: bytes) -> None:
    assert page_strips(content, [(1, (FAR_DOWN,))]) == [None]
