"""A document in, eight typed frames out; a bad file is a row, never an exception."""

from datetime import UTC, datetime

import polars as pl
import pymupdf
import pytest

from transforms import tables
from transforms.parsing import detect_document_type, failed_document, parse_document

PARSED_AT = datetime(2026, 1, 1, tzinfo=UTC)
AES_256 = 5
"""PyMuPDF's number for the method."""
PROSE = "The insurer pays for loss of or damage to the insured property while it is in transit."


def make_pdf(*texts: str) -> bytes:
    """Return a PDF with one page per text."""
    document = pymupdf.open()
    for text in texts:
        document.new_page().insert_textbox((72, 72, 540, 720), text, fontsize=11)
    return document.tobytes()


def parse(content: bytes, file_name: str = "policy.pdf") -> dict[str, pl.DataFrame]:
    frames = parse_document(content, file_name=file_name, parsed_at=PARSED_AT)
    return {name: tables.TABLES[name].checked(frame) for name, frame in frames.items()}


def test_every_frame_fits_its_table_and_lines_count_from_one() -> None:
    frames = parse(make_pdf(f"1 Cover\n{PROSE}", f"2 Exclusions\n{PROSE}"))
    assert frames["document_df"]["parse_status"].to_list() == ["parsed"]
    assert frames["document_df"]["language"].to_list() == ["en"]
    first = frames["line_df"].filter(pl.col("line") == 1)
    assert first["text"].to_list() == ["1 Cover", "2 Exclusions"]
    assert frames["page_df"]["n_lines"].sum() == frames["line_df"].height


def encrypted(user_password: str) -> bytes:
    document = pymupdf.open(stream=make_pdf(PROSE))
    return document.tobytes(encryption=AES_256, owner_pw="owner", user_pw=user_password)


@pytest.mark.parametrize(
    ("content", "file_name", "code"),
    [
        (b"", "empty.pdf", "empty"),
        (b"just some words", "words.pdf", "not_a_document"),
        (bytes(range(256)) * 8, "blob", "not_a_document"),
        (b"PK\x03\x04" + b"\x00" * 40, "policies.zip", "archive"),
        (encrypted("secret"), "locked.pdf", "encrypted"),
        (b"%PDF-1.7\n1 0 obj\n<< /Type /Catalog", "cut.pdf", "truncated"),
    ],
)
def test_a_bad_file_is_a_failed_row_that_says_what_to_do(
    content: bytes, file_name: str, code: str
) -> None:
    frames = parse(content, file_name)
    row = frames["document_df"].row(0, named=True)
    assert (row["parse_status"], row["error_code"], row["n_pages"]) == ("failed", code, 0)
    assert row["error_message"]
    assert frames["line_df"].is_empty()


def test_a_pdf_with_an_empty_user_password_is_simply_read() -> None:
    frames = parse(encrypted(""))
    assert frames["document_df"]["parse_status"].item() == "parsed"
    assert frames["line_df"]["text"].item(0).startswith("The insurer pays")


def test_a_document_with_too_many_pages_is_refused() -> None:
    frames = parse_document(
        make_pdf("a", "b", "c"), file_name="long.pdf", parsed_at=PARSED_AT, max_pages=2
    )
    assert frames["document_df"]["error_code"].item() == "too_large"


def test_a_failure_seen_from_outside_is_a_row_too() -> None:
    frames = failed_document(
        make_pdf("a"), file_name="slow.pdf", parsed_at=PARSED_AT,
        error_code="timed_out", error_message="took longer than 60 s",
    )  # fmt: skip
    row = tables.Document.checked(frames["document_df"]).row(0, named=True)
    assert (row["parse_status"], row["error_code"]) == ("failed", "timed_out")


def test_plain_text_has_a_block_per_paragraph() -> None:
    frames = parse(f"{PROSE}\n\n{PROSE} {PROSE}\n".encode(), "policy.txt")
    assert frames["line_df"]["block"].to_list() == [1, 2, 2]
    assert " ".join(frames["line_df"]["text"].to_list()[1:]) == f"{PROSE} {PROSE}"


def test_markdown_headings_become_sections() -> None:
    frames = parse(f"# Cover\n\n{PROSE}\n\n## Limits\n\n{PROSE}\n".encode(), "policy.md")
    assert frames["toc_df"]["title"].to_list() == ["Cover", "Limits"]
    assert frames["toc_df"]["parent_id"].to_list() == [None, "s1"]


def test_html_is_read_as_pages() -> None:
    frames = parse(f"<html><body><h1>Cover</h1><p>{PROSE}</p></body></html>".encode(), "a.html")
    assert frames["document_df"]["media_type"].item() == "text/html"
    assert "Cover" in frames["line_df"]["text"].to_list()


def test_the_profile_needs_no_parse_of_the_body() -> None:
    document = pymupdf.open(stream=make_pdf(PROSE, PROSE, PROSE))
    document.set_toc([[1, "Cover", 1], [1, "Limits", 2], [1, "Claims", 3]])
    profile = detect_document_type(document.tobytes())
    assert (profile.total_pages, profile.has_usable_toc) == (3, True)
    assert (profile.is_likely_scanned, profile.suggested_strategy) == (False, "native")


def test_a_page_that_is_only_a_picture_asks_for_ocr() -> None:
    source = pymupdf.open(stream=make_pdf(PROSE))
    scan = pymupdf.open()
    scan.new_page().insert_image((0, 0, 595, 842), pixmap=source[0].get_pixmap(dpi=72))
    content = scan.tobytes()
    assert detect_document_type(content).suggested_strategy == "ocr"
    frames = parse(content)
    assert frames["page_df"]["escalation_reason"].to_list() == ["image_without_text"]
    assert frames["document_df"]["is_likely_scanned"].item()
