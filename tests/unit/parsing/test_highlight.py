"""Highlights lie over the quoted words as a reader sees them, however the page is made."""

from collections.abc import Callable
from datetime import UTC, datetime

import numpy as np
import pymupdf
import pytest

from transforms.generation import find_quote
from transforms.parsing import (
    Mark,
    highlighted_pages,
    highlighted_pdf,
    parse_document,
    reparse_pages,
)
from transforms.values import CorpusFrames

PARSED_AT = datetime(2026, 1, 1, tzinfo=UTC)
LINES = (
    "The policy begins on 1 March 2025 at noon.",
    "The annual premium is EUR 1,200 payable",
    "in advance by the insured.",
    "Notice is thirty days in writing.",
)
QUOTE = "The annual premium is EUR 1,200 payable\nin advance by the insured."
LEFT, TOP, STEP, SIZE = 60, 80, 30, 14
ROUND_END = 6
"""Points by which a highlight's round ends may stand out."""

Box = tuple[float, float, float, float]


def upright(page: pymupdf.Page) -> None:
    for i, line in enumerate(LINES):
        page.insert_text((LEFT, TOP + STEP * i), line, fontsize=SIZE)


def turned(rotation: int) -> bytes:
    """Return a page of upright text that is rotated afterwards: it is read sideways."""
    with pymupdf.open() as document:
        page = document.new_page(width=600, height=400)
        upright(page)
        page.set_rotation(rotation)
        content: bytes = document.tobytes()
    return content


def righted(rotation: int) -> bytes:
    """Return a page whose text lies sideways in the file, and upright before the reader."""
    with pymupdf.open() as document:
        page = document.new_page(width=600, height=400)
        page.set_rotation(rotation)
        for i, line in enumerate(LINES):
            at = pymupdf.Point(LEFT, TOP + STEP * i) * page.derotation_matrix
            page.insert_text(at, line, fontsize=SIZE, rotate=rotation)
        content: bytes = document.tobytes()
    return content


def scanned(rotation: int) -> bytes:
    """Return a picture of text that a scanner stored sideways, and that is shown upright."""
    with pymupdf.open() as source, pymupdf.open() as document:
        upright(source.new_page(width=600, height=400))
        size = (600, 400) if rotation in (0, 180) else (400, 600)
        page = document.new_page(width=size[0], height=size[1])
        page.insert_image(page.rect, pixmap=source[0].get_pixmap(dpi=150), rotate=rotation)
        page.set_rotation(rotation)
        content: bytes = document.tobytes()
    return content


def two_columns(_: int) -> bytes:
    with pymupdf.open() as document:
        page = document.new_page(width=700, height=500)
        for i in range(12):
            for left in (40, 380):
                text = "Each party shall keep its books in order."
                if left == 380 and i < len(LINES):
                    text = LINES[i]
                page.insert_text((left, TOP + 20 * i), text, fontsize=SIZE)
        content: bytes = document.tobytes()
    return content


def cropped(_: int) -> bytes:
    with pymupdf.open("pdf", turned(0)) as document:
        document[0].set_cropbox(pymupdf.Rect(30, 20, 500, 300))
        content: bytes = document.tobytes()
    return content


CASES = [
    *((turned, rotation) for rotation in (0, 90, 180, 270)),
    *((righted, rotation) for rotation in (90, 180, 270)),
    *((scanned, rotation) for rotation in (0, 90, 270)),
    (two_columns, 0),
    (cropped, 0),
]


def marks_of(content: bytes, quote: str = QUOTE) -> list[Mark]:
    """Return the marks of a quote as the whole pipeline would make them."""
    frames = parse_document(content, file_name="page.pdf", parsed_at=PARSED_AT)
    line_df = frames["line_df"]
    if frames["page_df"]["is_flagged"].any():
        corpus = CorpusFrames(**{name: frames[name] for name in CorpusFrames.model_fields})
        line_df = reparse_pages(content, [1], corpus=corpus, parsed_at=PARSED_AT)["line_df"]
    match = find_quote(line_df, quote)
    assert match is not None
    parts = (match, *match.continued)
    return [Mark(page=part.page, bboxes=part.bboxes, note="note") for part in parts]


def ink(content: bytes, *, page: int = 1) -> np.ndarray:
    with pymupdf.open("pdf", content) as document:
        pixels = document[page - 1].get_pixmap(dpi=72)
        flat = np.frombuffer(pixels.samples, np.uint8).astype(int)
        return flat.reshape(pixels.height, pixels.width, pixels.n)


def painted(content: bytes, marks: list[Mark]) -> np.ndarray:
    """Return which pixels the highlight of the first page changes."""
    return np.abs(ink(content) - ink(highlighted_pdf(content, marks))).max(axis=2) > 20


def shown_words(content: bytes, make: Callable[[int], bytes]) -> list[Box]:
    """Return the boxes of the quote's words as shown, by other means than the parser's."""
    source = turned(0) if make is scanned else content
    with pymupdf.open("pdf", source) as document:
        page = document[0]
        found = [rect for line in QUOTE.splitlines() for rect in page.search_for(line)]
        boxes = [rect * page.rotation_matrix for rect in found]
    return [(box.x0, box.y0, box.x1, box.y1) for box in boxes]


@pytest.mark.parametrize(
    ("make", "rotation"), CASES, ids=lambda each: getattr(each, "__name__", each)
)
def test_a_highlight_covers_the_quoted_words_and_nothing_else(
    make: Callable[[int], bytes], rotation: int
) -> None:
    content = make(rotation)
    changed = painted(content, marks_of(content))
    boxes = shown_words(content, make)
    assert len(boxes) == 2
    allowed = np.zeros_like(changed)
    for x0, y0, x1, y1 in boxes:
        middle = changed[round(y0 + 4) : round(y1 - 4), round(x0 + 4) : round(x1 - 4)]
        dark = ink(content)[round(y0 + 4) : round(y1 - 4), round(x0 + 4) : round(x1 - 4)]
        light = dark.min(axis=2) > 200
        assert (middle | ~light).mean() > 0.95, "words are not covered"
        grown = [round(each) for each in (x0 - ROUND_END, y0 - 4, x1 + ROUND_END, y1 + 4)]
        allowed[max(0, grown[1]) : grown[3], max(0, grown[0]) : grown[2]] = True
    assert not (changed & ~allowed).any(), "more than the words is covered"


@pytest.mark.parametrize(
    "quote",
    [
        "保険料は年額十二万円です",
        "الوثيقة سارية من مارس",
        "Prämie: 1.200 € – jährlich",
        "Fire 🔥 and flood 🌊 are covered",
        "Le de\u0301lai est de\u0301passe\u0301 a\u0300 midi",
        "The oﬃce ﬁles all ﬂood claims",
    ],
)
def test_quotes_in_other_scripts_are_marked(quote: str) -> None:
    with pymupdf.open() as document:
        page = document.new_page(width=600, height=400)
        html = f'<p style="font-size:16px">{quote}</p><p>Something else.</p>'
        page.insert_htmlbox(pymupdf.Rect(60, 60, 540, 300), html)
        content = document.tobytes()
    frames = parse_document(content, file_name="page.pdf", parsed_at=PARSED_AT)
    printed = frames["line_df"]["text"][0]
    changed = painted(content, marks_of(content, printed))
    assert changed.sum() > 500
    rows = np.where(changed.any(axis=1))[0]
    assert rows.min() > 50
    assert rows.max() < 105, "the line below"


def test_a_quote_over_two_pages_is_marked_on_both() -> None:
    with pymupdf.open() as document:
        document.new_page().insert_text((60, 780), "The premium is due in advance")
        document.new_page().insert_text((60, 60), "on the first day of every month.")
        content = document.tobytes()
    marks = marks_of(content, "due in advance\non the first day")
    assert [mark.page for mark in marks] == [1, 2]
    with pymupdf.open("pdf", highlighted_pdf(content, marks)) as marked:
        assert [len(list(page.annots())) for page in marked] == [1, 1]
    assert sorted(highlighted_pages(content, marks)) == [1, 2]


def test_a_note_may_hold_any_text() -> None:
    content = turned(0)
    note = "Prämie? 保険 🎉 \u202eabc\nline two"
    marks = [mark.model_copy(update={"note": note}) for mark in marks_of(content)]
    with pymupdf.open("pdf", highlighted_pdf(content, marks)) as marked:
        page = marked[0]
        [annotation] = page.annots()
        assert annotation.info["content"].replace("\r", "\n") == note
