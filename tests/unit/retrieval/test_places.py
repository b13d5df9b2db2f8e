"""Units and places: how documents are cut into stretches that may become windows."""

import polars as pl

from tests.unit.retrieval.corpora import lines
from transforms.retrieval.places import WINDOW_TOKENS, places, unit_lines

PARAGRAPH = ["one two three four five six seven eight nine ten"] * 6 + [""]


def cut(*line_dfs: pl.DataFrame) -> pl.DataFrame:
    return places(unit_lines(pl.concat(line_dfs)))


def test_a_place_fits_into_a_window_and_overlaps_its_neighbour() -> None:
    place_df = cut(lines("d1", PARAGRAPH * 30))
    assert place_df["n_tokens"].max() <= WINDOW_TOKENS  # pyright: ignore[reportOperatorIssue]
    starts = place_df["unit_start"].to_list()[1:]
    ends = place_df["unit_end"].to_list()[:-1]
    assert all(start <= end for start, end in zip(starts, ends, strict=True))


def test_no_place_lies_within_another() -> None:
    place_df = cut(lines("d1", PARAGRAPH * 30))
    assert place_df["unit_end"].is_unique().all()
    assert place_df["unit_start"].is_unique().all()


def test_a_place_ends_with_its_document() -> None:
    place_df = cut(lines("d1", ["short"]), lines("d2", ["short too"]))
    assert place_df.select("doc_id", "page_start", "line_end").rows() == [
        ("d1", 1, 1),
        ("d2", 1, 1),
    ]


def test_a_heading_begins_a_unit() -> None:
    texts = [*PARAGRAPH, "Exclusions", "We do not pay for flood."]
    unit_line_df = unit_lines(lines("d1", texts, roles={"Exclusions": "heading"}))
    before, heading = unit_line_df["unit"].to_list()[5:7]
    assert heading == before + 1


def test_a_document_without_lines_has_no_place() -> None:
    assert cut(lines("d1", [])).is_empty()
