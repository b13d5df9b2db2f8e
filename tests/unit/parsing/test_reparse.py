"""Flagged pages are read again by OCR: a new version, in the same places, of those pages only."""

from datetime import UTC, datetime

import polars as pl
import pymupdf
import pytest

from transforms import tables
from transforms.parsing import parse_document, reparse_pages
from transforms.parsing.ocr import SURE_SCORE, _by_tesseract, _tessdata, ocr_page
from transforms.values import CorpusFrames

PARSED_AT = datetime(2026, 1, 1, tzinfo=UTC)
ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth")
LINES = ("Policy number HX 4471", "Sum insured 250,000 EUR", "Inception date 1 March 2025")


def scan(rotate: int = 0) -> bytes:
    """Return a page of text and a page that is only a picture of text, turned."""
    source = pymupdf.open()
    page = source.new_page(width=400, height=300)
    for i, line in enumerate(LINES):
        page.insert_text((40, 60 + 40 * i), line, fontsize=16)
    document = pymupdf.open()
    document.new_page(width=400, height=300).insert_text((40, 60), "A page of native text.")
    picture = source[0].get_pixmap(dpi=150)
    size = (400, 300) if rotate in (0, 180) else (300, 400)
    scanned = document.new_page(width=size[0], height=size[1])
    scanned.insert_image(scanned.rect, pixmap=picture, rotate=rotate)
    return document.tobytes()


def read_again(content: bytes) -> dict[str, pl.DataFrame]:
    frames = parse_document(content, file_name="scan.pdf", parsed_at=PARSED_AT)
    assert frames["page_df"]["is_flagged"].to_list() == [False, True]
    again = reparse_pages(content, [1, 2], corpus=CorpusFrames(**frames), parsed_at=PARSED_AT)
    return {name: tables.TABLES[name].checked(frame) for name, frame in again.items()}


@pytest.mark.parametrize("rotate", [0, 180])
def test_a_scanned_page_gets_a_new_version_with_its_text(rotate: int) -> None:
    frames = read_again(scan(rotate))
    row = frames["page_df"].row(0, named=True)
    assert frames["page_df"].height == 1
    assert (row["page"], row["page_version"], row["parse_method"]) == (2, 2, "ocr")
    assert row["escalation_reason"] == "image_without_text"
    assert frames["line_df"]["text"].str.replace_all(" ", "").to_list() == [
        line.replace(" ", "") for line in LINES
    ]


def test_lines_of_a_scan_stand_where_they_are_printed() -> None:
    line_df = read_again(scan())["line_df"]
    first = line_df.row(0, named=True)
    assert first["x0"] == pytest.approx(40, abs=4)
    assert first["y1"] == pytest.approx(62, abs=6)


def test_a_file_that_is_another_document_gives_no_rows() -> None:
    content = scan()
    frames = parse_document(content, file_name="scan.pdf", parsed_at=PARSED_AT)
    other = reparse_pages(b"no pdf", [1], corpus=CorpusFrames(**frames), parsed_at=PARSED_AT)
    assert {frame.height for frame in other.values()} == {0}


def torn_table() -> bytes:
    """Return a page on which a table has so wide a gap that it looks like columns of text."""
    document = pymupdf.open()
    page = document.new_page()
    page.insert_text((260, 60), "PAYMENT SCHEDULE", fontsize=8)
    for i, ordinal in enumerate(ORDINALS):
        label = f"Instalment for the {ordinal} stage of the works at the harbour"
        page.insert_text((50, 78 + 12.6 * i), label, fontsize=8)
        page.insert_text((446, 78 + 12.6 * i), f"{i + 1},250.00 EUR", fontsize=8)
    return document.tobytes()


def test_a_torn_table_is_put_together_by_rows() -> None:
    content = torn_table()
    frames = parse_document(content, file_name="a.pdf", parsed_at=PARSED_AT)
    assert frames["page_df"]["escalation_reason"].to_list() == ["broken_table"]
    again = reparse_pages(content, [1], corpus=CorpusFrames(**frames), parsed_at=PARSED_AT)
    page = again["page_df"].row(0, named=True)
    assert (page["page_version"], page["parse_method"], page["is_flagged"]) == (2, "table", False)
    assert page["escalation_reason"] == "broken_table"
    texts = again["line_df"]["text"].to_list()
    assert texts == ["PAYMENT SCHEDULE"] + [
        f"Instalment for the {ordinal} stage of the works at the harbour  {i},250.00 EUR"
        for i, ordinal in enumerate(ORDINALS, start=1)
    ]
    cells = again["table_cell_df"].filter(column_number=2)["text"].to_list()
    assert cells == [f"{i},250.00 EUR" for i in range(1, 9)]
    assert again["object_df"]["object_id"].to_list() == ["p1t1"]


def test_two_columns_of_text_are_no_torn_table() -> None:
    document = pymupdf.open()
    page = document.new_page()
    words = "the insurer pays what the policy says and not more than that in 2025 " * 12
    page.insert_textbox((60, 80, 290, 700), words)
    page.insert_textbox((320, 80, 550, 700), words)
    frames = parse_document(document.tobytes(), file_name="a.pdf", parsed_at=PARSED_AT)
    assert frames["page_df"]["n_columns"].to_list() == [2]
    assert frames["page_df"]["escalation_reason"].to_list() == [None]


def test_what_ocr_is_not_sure_of_stays_flagged_as_a_new_version() -> None:
    picture = pymupdf.open(stream=scan(), filetype="pdf")[1].get_pixmap(dpi=20)
    document = pymupdf.open()
    page = document.new_page(width=400, height=300)
    page.insert_image(page.rect, pixmap=picture)
    content = document.tobytes()
    frames = parse_document(content, file_name="a.pdf", parsed_at=PARSED_AT)
    again = reparse_pages(content, [1], corpus=CorpusFrames(**frames), parsed_at=PARSED_AT)
    row = again["page_df"].row(0, named=True)
    assert (row["parse_method"], row["is_flagged"]) == ("ocr", True)
    assert (row["escalation_reason"], row["page_version"]) == ("unsure_ocr", 2)
    assert row["text_quality"] < 0.8


@pytest.mark.skipif(_tessdata() is None, reason="Tesseract is not installed")
def test_tesseract_reads_a_page_when_it_has_the_language() -> None:
    page = pymupdf.open(stream=scan(), filetype="pdf")[1]
    read = _by_tesseract(page, "en")
    assert read is not None
    assert " ".join(f.text for f in read.content.fragments[0]) == " ".join(LINES)
    assert read.score >= SURE_SCORE


@pytest.mark.skipif(_tessdata() is None, reason="Tesseract is not installed")
def test_tesseract_makes_nothing_sure_of_a_picture_without_text() -> None:
    document = pymupdf.open()
    page = document.new_page(width=400, height=300)
    for i in range(60):
        page.draw_circle(
            (20 + 37 * i % 360, 20 + 53 * i % 260), 4 + i % 9, color=(i / 60, 0.2, 0.5)
        )
    read = ocr_page(page)
    assert read is None or read.score < SURE_SCORE
