"""Windows that change what the question is about, and those that do not."""

import polars as pl
import pytest

from tests.unit.pipeline.loops import candidate
from transforms import tables
from transforms.retrieval import mark_amending
from transforms.values import CorpusFrames


def corpus(*lines: str) -> CorpusFrames:
    line_df = pl.DataFrame(
        {"doc_id": "doc", "page": 1, "line": range(1, len(lines) + 1), "text": lines}
    )
    frames = {name: tables.TABLES[name].empty() for name in CorpusFrames.model_fields}
    return CorpusFrames(**{**frames, "line_df": line_df})


@pytest.mark.parametrize(
    ("text", "is_amending"),
    [
        ("Clause 3.1 is deleted and replaced by the following:", True),
        ("The deductible is hereby increased from $5,000 to $10,000.", True),
        ("Section 4 is amended to read as follows:", True),
        ("Ziffer 3 wird durch folgende Fassung ersetzt:", True),
        ("La franchise est portée à 2 000 EUR.", True),
        ("The deductible is $5,000 for each loss.", False),
        ("The limit is increased to USD 2,000,000.", True),
        ("Without insurance for the full value, the loss is reduced in proportion.", False),
        ("The indemnity is reduced to the extent of other insurance.", False),
        ("No amendment of this policy binds us without our consent.", False),
    ],
)
def test_a_change_is_told_by_its_sentence(text: str, *, is_amending: bool) -> None:
    found = mark_amending({"pair": (candidate(1),)}, corpus("Endorsement No. 1", text))
    assert [window.is_amending for window in found["pair"]] == [is_amending]


def test_a_change_of_something_else_is_none() -> None:
    away = candidate(1, anchor_overlap=0.2)
    found = mark_amending({"pair": (away,)}, corpus("The premium is increased to $10."))
    assert not found["pair"][0].is_amending
