"""Flagged pages are read again by OCR: a new version, in the same places, of those pages only."""

from datetime import UTC, datetime

import polars as pl
import pymupdf
import pytest

from transforms import tables
from transforms.parsing import parse_document, reparse_pages
from transforms.values import CorpusFrames

PARSED_AT = datetime(2026, 1, 1, tzinfo=UTC)
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
    assert [frame.height for frame in other.values()] == [0, 0, 0]
