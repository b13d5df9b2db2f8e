"""Images are classed by cheap cues, and only distinct charts and diagrams are shown to a model."""

import random
from collections.abc import Callable
from datetime import UTC, datetime

import polars as pl
import pymupdf
import pytest

from transforms.parsing import parse_document
from transforms.parsing.looks import draw_looks
from transforms.parsing.vision import with_descriptions

PARSED_AT = datetime(2026, 1, 1, tzinfo=UTC)
PROSE = "The insurer pays what the policy says. " * 30


def picture(colour_at: Callable[[int, int], tuple[int, int, int]]) -> pymupdf.Pixmap:
    pixmap = pymupdf.Pixmap(pymupdf.csRGB, pymupdf.IRect(0, 0, 120, 80), False)
    for x in range(120):
        for y in range(80):
            pixmap.set_pixel(x, y, colour_at(x, y))
    return pixmap


def bars(n: int) -> pymupdf.Pixmap:
    """Return a bar chart whose bars differ by n."""
    return picture(lambda x, y: (30, 60, 160) if y > (x // 20 * (n + 7)) % 80 else (255, 255, 255))


def noise() -> pymupdf.Pixmap:
    """Return what has as many colours as a photo."""
    random_ = random.Random(7)
    return picture(lambda *_: (random_.randrange(256), random_.randrange(256), 90))


def page_of(document: pymupdf.Document, image: pymupdf.Pixmap | None = None) -> pymupdf.Page:
    page = document.new_page()
    page.insert_textbox((72, 72, 520, 300), PROSE)
    if image:
        page.insert_image((72, 320, 372, 520), pixmap=image)
    return page


def images(document: pymupdf.Document) -> pl.DataFrame:
    frames = parse_document(document.tobytes(), file_name="a.pdf", parsed_at=PARSED_AT)
    assert not frames["image_df"]["is_described"].any()
    return frames["image_df"]


def test_what_repeats_is_no_content_however_often_it_is_embedded() -> None:
    document = pymupdf.open()
    page_of(document)
    for _ in range(3):
        page_of(document, bars(1))
    assert images(document)["kind"].to_list() == ["decoration"] * 3
    assert draw_looks(document.tobytes(), (), images(document)) == ()


def test_charts_of_one_size_are_told_apart_by_their_pixels() -> None:
    document = pymupdf.open()
    page_of(document)
    for n in range(3):
        page_of(document, bars(n))
    assert images(document)["kind"].to_list() == ["diagram"] * 3
    looks = draw_looks(document.tobytes(), (), images(document))
    assert [look.image_ids for look in looks] == [("i1",), ("i2",), ("i3",)]


def test_an_image_that_stands_twice_is_looked_at_once() -> None:
    document = pymupdf.open()
    page_of(document)
    page_of(document, bars(1))
    page_of(document, noise())
    page_of(document).insert_image((100, 400, 300, 533), pixmap=bars(1))
    image_df = images(document)
    assert image_df["kind"].to_list() == ["diagram", "photo", "diagram"]
    [look] = draw_looks(document.tobytes(), (), image_df)
    assert (look.image_ids, look.page) == (("i1", "i3"), 2)
    assert draw_looks(document.tobytes(), (), image_df) == (look,)
    described_df = with_descriptions(image_df, dict.fromkeys(look.image_ids, "Six bars."))
    assert described_df["is_described"].to_list() == [True, False, True]
    assert described_df["description"].to_list() == ["Six bars.", None, "Six bars."]
    assert draw_looks(document.tobytes(), (), described_df) == ()


def test_small_and_thin_images_and_scans_are_not_looked_at() -> None:
    document = pymupdf.open()
    page = page_of(document)
    page.insert_image((72, 320, 90, 332), pixmap=bars(1))
    page.insert_image((72, 420, 552, 446), pixmap=bars(2), keep_proportion=False)
    document.new_page().insert_image((0, 0, 595, 842), pixmap=bars(3), keep_proportion=False)
    image_df = images(document)
    assert image_df["kind"].to_list() == ["decoration", "decoration", "scan"]
    assert draw_looks(document.tobytes(), (), image_df) == ()


def test_a_drawn_figure_is_found_beside_its_caption() -> None:
    document = pymupdf.open()
    page = page_of(document)
    for i in range(12):
        page.draw_rect((100 + 25 * i, 480 - 9 * i, 118 + 25 * i, 500), fill=(0.2, 0.3, 0.7))
        page.insert_text((102 + 25 * i, 512), str(2010 + i), fontsize=7)
    page.insert_text((100, 540), "Figure 1: Premiums by year", fontsize=9)
    [row] = images(document).to_dicts()
    assert (row["kind"], row["page"]) == ("chart", 1)
    assert (row["x0"], row["y1"]) == pytest.approx((100, 500), abs=2)
    [look] = draw_looks(document.tobytes(), (), images(document))
    assert look.png.startswith(b"\x89PNG")


def test_lines_of_a_form_are_no_figure() -> None:
    document = pymupdf.open()
    page = page_of(document)
    for i in range(20):
        page.draw_line((72, 330 + 20 * i), (520, 330 + 20 * i))
        page.draw_line((72 + 22 * i, 330), (72 + 22 * i, 710))
    assert images(document).is_empty()


def test_a_page_is_drawn_within_bounds_of_its_pixels() -> None:
    document = pymupdf.open()
    document.new_page(width=5000, height=300)
    [look] = draw_looks(document.tobytes(), (1,), images(document))
    drawn = pymupdf.Pixmap(look.png)
    assert (look.purpose, drawn.width, drawn.height) == ("ocr_page", 2000, 120)
