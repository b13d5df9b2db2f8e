"""Documents that would like to do something: only what they print is read."""

import random
import time
import zlib
from datetime import UTC, datetime
from pathlib import Path

import pymupdf
import pytest

from tests.bench.fuzz import pdf_with_outline
from transforms.parsing import parse_document

PRINTED = "The annual premium is 1,200."
PARSED_AT = datetime(2026, 11, 30, tzinfo=UTC)
SECRET = "nobody may read this"


def a_pdf(*, mediabox: tuple[float, float] = (612, 792), n_outline: int = 0) -> bytes:
    """Return a PDF that prints one line and carries all that a PDF can carry beside it."""
    with pymupdf.open() as document:
        page = document.new_page(width=mediabox[0], height=mediabox[1])
        page.insert_text((72, 72), PRINTED)
        document.embfile_add("../../evil.exe", SECRET.encode())
        script = document.get_new_xref()
        document.update_object(script, f"<</S/JavaScript/JS(app.alert\\('{SECRET}'\\))>>")
        launch = document.get_new_xref()
        document.update_object(launch, "<</S/Launch/F(/bin/sh)>>")
        document.xref_set_key(document.pdf_catalog(), "OpenAction", f"{script} 0 R")
        document.xref_set_key(page.xref, "AA", f"<</O {launch} 0 R>>")
        if n_outline:
            document.set_toc([[1, f"1.{n} Cover", 1] for n in range(n_outline)])
        return document.tobytes()


def printed(content: bytes, file_name: str = "a.pdf") -> str:
    """Return all text of all tables of a document that could be parsed."""
    frames = parse_document(content, file_name=file_name, parsed_at=PARSED_AT)
    assert frames["document_df"]["parse_status"].to_list() == ["parsed"]
    return str([frame.to_dicts() for frame in frames.values()])


def test_scripts_launches_and_attachments_are_not_read() -> None:
    text = printed(a_pdf())
    assert PRINTED in text
    for hidden in (SECRET, "evil", "app.alert", "/bin/sh"):
        assert hidden not in text


@pytest.mark.parametrize("name", ["a.html", "a.svg", "a.xhtml"])
def test_what_a_document_points_to_is_not_fetched(name: str, tmp_path: Path) -> None:
    secret = tmp_path / "secret.txt"
    secret.write_text(SECRET, encoding="utf-8")
    pointers = (
        f'<img src="file://{secret}"/><iframe src="{secret}"></iframe>'
        f'<link rel="stylesheet" href="file://{secret}"/><script>alert(1)</script>'
    )
    html = f"<html><body><p>{PRINTED}</p>{pointers}</body></html>"
    entity = f'<!DOCTYPE svg [<!ENTITY x SYSTEM "file://{secret}">]>'
    svg = (
        f'{entity}<svg xmlns="http://www.w3.org/2000/svg" width="400" height="90">'
        f'<text x="9" y="20">{PRINTED} &x;</text></svg>'
    )
    frames = parse_document(
        (svg if name.endswith("svg") else html).encode(), file_name=name, parsed_at=PARSED_AT
    )
    assert SECRET not in str([frame.to_dicts() for frame in frames.values()])


def test_a_page_as_large_as_a_town_is_a_page() -> None:
    assert PRINTED in printed(a_pdf(mediabox=(14_400_000, 14_400_000)))


def test_a_small_file_with_a_huge_stream_is_read_in_time() -> None:
    with pymupdf.open(stream=a_pdf()) as document:
        page = document[0]
        content = page.read_contents() + b" " * 60_000_000
        document.update_stream(page.get_contents()[0], content)
        bomb = document.tobytes(deflate=True)
    assert len(bomb) < 200_000
    started = time.monotonic()
    assert PRINTED in printed(bomb)
    assert time.monotonic() - started < 30


def test_an_outline_of_thousands_of_entries_is_read_in_time() -> None:
    started = time.monotonic()
    assert PRINTED in printed(a_pdf(n_outline=5_000))
    assert time.monotonic() - started < 30


@pytest.mark.parametrize(
    ("shape", "n_entries", "says"),
    [("wide", 30_000, "20,000 entries"), ("deep", 100_000, "100 levels"), ("round", 3, "levels")],
)
def test_an_outline_beyond_measure_is_left_out_and_the_pages_are_read(
    shape: str, n_entries: int, says: str
) -> None:
    started = time.monotonic()
    content = pdf_with_outline(n_entries, shape)
    frames = parse_document(content, file_name="a.pdf", parsed_at=PARSED_AT)
    [document] = frames["document_df"].to_dicts()
    assert (document["parse_status"], document["error_code"]) == ("partial", "outline_ignored")
    assert says in document["error_message"]
    assert "print it to a new PDF" in document["error_message"]
    assert frames["line_df"]["text"].to_list() == ["The premium is 1,200."]
    assert time.monotonic() - started < 10


def test_a_name_that_climbs_out_is_only_a_name() -> None:
    text = printed(a_pdf(), "../../etc/\x1b[2Jpasswd.pdf")
    assert PRINTED in text


@pytest.mark.parametrize("seed", range(12))
def test_a_broken_copy_is_a_row_and_never_a_crash(seed: int) -> None:
    chance = random.Random(seed)
    broken = bytearray(a_pdf(n_outline=3))
    for _ in range(chance.choice((1, 5, 40))):
        place = chance.randrange(len(broken))
        broken[place : place + chance.randrange(4)] = chance.randbytes(chance.randrange(4))
    frames = parse_document(bytes(broken), file_name="a.pdf", parsed_at=PARSED_AT)
    [status] = frames["document_df"]["parse_status"]
    assert status in ("parsed", "partial", "failed")
    assert status == "parsed" or frames["document_df"]["error_message"][0]


def test_a_stream_that_unpacks_without_end_is_a_row() -> None:
    bomb = zlib.compress(zlib.compress(b"\0" * 50_000_000))
    with pymupdf.open(stream=a_pdf()) as document:
        xref = document[0].get_contents()[0]
        document.update_stream(xref, bomb, compress=False)
        document.xref_set_key(xref, "Filter", "[/FlateDecode/FlateDecode]")
        content = document.tobytes()
    frames = parse_document(content, file_name="a.pdf", parsed_at=PARSED_AT)
    assert frames["document_df"].height == 1
