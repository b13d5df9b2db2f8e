"""Sections: an outline is believed only as far as it makes sense."""

from datetime import UTC, datetime

import polars as pl
import pymupdf
import pytest

from transforms import tables
from transforms.parsing import parse_document

PROSE = "The insurer pays for loss of or damage to the insured property in transit."
TITLES = ("1 Cover", "2 Limits", "3 Claims", "4 Notices", "5 Law")


def toc(outline: list[list[object]]) -> pl.DataFrame:
    document = pymupdf.open()
    for title in TITLES:
        page = document.new_page()
        page.insert_text((72, 90), title, fontname="hebo", fontsize=12)
        page.insert_text((72, 130), PROSE)
    document.set_toc(outline)
    frames = parse_document(
        document.tobytes(), file_name="a.pdf", parsed_at=datetime(2026, 1, 1, tzinfo=UTC)
    )
    return tables.Section.checked(frames["toc_df"])


def entries(*pages: int) -> list[list[object]]:
    return [[1, TITLES[page - 1][2:], page] for page in pages]


@pytest.mark.parametrize(
    ("pages", "kept"),
    [
        ((1, 2, 3, 4, 5), [1, 2, 3, 4, 5]),
        ((1, 5, 2, 3, 4), [1, 2, 3, 4]),
        ((3, 1, 2, 4, 5), [1, 2, 4, 5]),
    ],
)
def test_entries_that_run_backwards_are_refused(pages: tuple[int, ...], kept: list[int]) -> None:
    toc_df = toc(entries(*pages))
    assert toc_df["source"].unique().to_list() == ["outline"]
    assert toc_df["page_start"].to_list() == kept


def test_an_outline_that_points_nowhere_leaves_the_headings() -> None:
    outline = [[1, f"Bookmark {i}", -1] for i in range(5)]
    toc_df = toc(outline)
    assert toc_df["source"].unique().to_list() == ["headings"]
    assert toc_df["number"].to_list() == ["1", "2", "3", "4", "5"]


def test_a_section_ends_where_the_next_begins() -> None:
    toc_df = toc([[1, "Cover", 1], [2, "Limits", 2], [1, "Claims", 3]])
    assert toc_df.select("page_start", "page_end").rows() == [(1, 2), (2, 2), (3, 5)]
    assert toc_df["parent_id"].to_list() == [None, "s1", None]
