"""What issue 3 asks of real documents; they lie outside the project and may be absent."""

from datetime import UTC, datetime
from functools import cache
from pathlib import Path

import polars as pl
import pytest

from transforms import tables
from transforms.parsing import parse_document

SHARED = Path(__file__).parents[3].parent / "shared"
PARSED_AT = datetime(2026, 1, 1, tzinfo=UTC)

pytestmark = pytest.mark.skipif(not SHARED.exists(), reason="the shared corpus is not here")


@cache
def parsed(name: str) -> dict[str, pl.DataFrame]:
    content = (SHARED / name).read_bytes()
    return parse_document(content, file_name=Path(name).name, parsed_at=PARSED_AT)


ATTENTION = "corpus/papers/1706.03762v7_Attention.pdf"


def test_a_number_that_the_outline_leaves_out_is_found_in_the_text() -> None:
    toc_df = parsed(ATTENTION)["toc_df"]
    row = toc_df.filter(pl.col("title") == "Regularization").row(0, named=True)
    assert toc_df.height == 22
    assert (row["number"], row["page_start"], row["source"]) == ("5.4", 7, "outline")


def table_rows(page: int, label: str) -> list[list[str]]:
    frames = parsed(ATTENTION)
    object_id = frames["object_df"].filter(
        pl.col("page") == page, pl.col("label") == label, pl.col("kind") == "table"
    )["object_id"].item()  # fmt: skip
    cells = frames["table_cell_df"].filter(pl.col("object_id") == object_id)
    return (
        cells.sort("row_number", "column_number")
        .group_by("row_number", maintain_order=True)
        .agg("text")["text"]
        .to_list()
    )


def test_the_cells_of_a_table_without_rules_read_as_printed() -> None:
    rows = table_rows(9, "Table 3")
    base = next(row for row in rows if row[0] == "base")
    assert base[-6:] == ["0.1", "0.1", "100K", "4.92", "25.8", "65"]
    assert ["0.0", "5.77", "24.6"] in rows
    assert ["0.2", "4.95", "25.5"] in rows


@pytest.mark.parametrize(
    ("name", "page", "label"),
    [
        ("corpus/standards/NIST.CSWP.29.pdf", 20, "15"),
        ("corpus/standards/NIST.CSWP.29.pdf", 3, "ii"),
        ("corpus/standards/NIST.FIPS.199.pdf", 5, "1"),
    ],
)
def test_a_page_has_the_label_that_is_printed_on_it(name: str, page: int, label: str) -> None:
    page_df = parsed(name)["page_df"].filter(pl.col("page") == page)
    assert page_df["page_label"].item() == label


@pytest.mark.parametrize(
    ("name", "number", "first", "last"),
    [
        ("NIST.CSWP.29.pdf", "Appendix A", 20, 28),
        ("NIST.CSWP.29.pdf", "3.2", 12, 13),
        ("NIST.FIPS.199.pdf", "3", 5, 10),
        ("NIST.FIPS.199.pdf", "APPENDIX A", 11, 12),
        ("NIST.FIPS.199.pdf", "APPENDIX B", 13, 13),
    ],
)
def test_a_section_reaches_to_the_page_where_its_text_ends(
    name: str, number: str, first: int, last: int
) -> None:
    toc_df = parsed(f"corpus/standards/{name}")["toc_df"]
    row = toc_df.filter(pl.col("number") == number).row(0, named=True)
    assert (row["page_start"], row["page_end"]) == (first, last)


@pytest.mark.parametrize(
    ("name", "number", "page"),
    [
        ("AMAZON_2019_10K.pdf", "Item 1A", 6),
        ("AMAZON_2019_10K.pdf", "Item 7A", 32),
        ("AMAZON_2019_10K.pdf", "Item 8", 34),
        ("NETFLIX_2017_10K.pdf", "Item 1A", 5),
        ("NETFLIX_2017_10K.pdf", "Item 7", 21),
        ("BLOCK_2020_10K.pdf", "Item 1A", 18),
        ("BLOCK_2020_10K.pdf", "Item 2", 46),
        ("MICROSOFT_2023_10K.pdf", "Item 1A", 23),
        ("MICROSOFT_2023_10K.pdf", "Item 7", 40),
        ("BESTBUY_2023_10K.pdf", "Item 1A", 8),
        ("BESTBUY_2023_10K.pdf", "Item 7", 23),
        ("3M_2018_10K.pdf", "Item 7", 15),
    ],
)
def test_a_filing_without_an_outline_has_the_sections_of_its_contents_page(
    name: str, number: str, page: int
) -> None:
    toc_df = parsed(f"corpus/financebench/{name}")["toc_df"]
    found = toc_df.filter(pl.col("number").str.to_lowercase() == number.lower())
    assert found["source"].to_list() == ["printed_toc"]
    assert found["page_start"].to_list() == [page]


def nasty() -> list[str]:
    return sorted(str(path.relative_to(SHARED)) for path in SHARED.glob("nasty/*/*.pdf"))


@pytest.mark.parametrize("name", nasty())
def test_a_broken_or_hostile_file_ends_with_one_checked_document_row(name: str) -> None:
    frames = {key: tables.TABLES[key].checked(frame) for key, frame in parsed(name).items()}
    row = frames["document_df"].row(0, named=True)
    assert frames["document_df"].height == 1
    assert (row["parse_status"] == "parsed") == (row["error_code"] is None)
    if name.startswith("nasty/encrypted/") and row["parse_status"] == "failed":
        assert row["error_code"] == "encrypted"
