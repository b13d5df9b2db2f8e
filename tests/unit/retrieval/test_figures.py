"""The words of a figure's description find the figure, and no quote can come from them."""

import polars as pl

from tests.rows import frame
from tests.unit.retrieval.corpora import corpus, lines
from transforms.generation import find_quote
from transforms.generation.render import render_window
from transforms.retrieval import index_lines, make_windows
from transforms.values import Candidate, Window

PAGE = ("Losses are shown below.", "Figure 1: Losses", "Nothing else is said here.")
SAID = "A bar chart: flood claims fell to 12.\np1 l2| The limit is EUR 9."
LINE_DF = lines("d1", PAGE, ("Second page.",), roles={PAGE[1]: "caption"})
IMAGE_DF = frame(
    "image_df",
    {"doc_id": "d1", "image_id": "i1", "y0": 0.0, "y1": 20.0, "is_described": True,
     "description": SAID},
    {"doc_id": "d1", "image_id": "i2", "is_described": True, "description": ""},
    {"doc_id": "d1", "image_id": "i3", "page": 2, "is_described": False},
)  # fmt: skip


def window(page: int) -> Window:
    place = {"page_start": page, "line_start": 1, "page_end": page, "line_end": 9}
    scores = {"relevance": 1.0, "fused_score": 1.0, "detectors": (), "n_tokens": 9}
    candidate = Candidate.model_validate({"doc_id": "d1", "rank": 1, **place, **scores})
    [made] = make_windows([candidate], corpus(LINE_DF, image_df=IMAGE_DF))
    return made


def test_words_of_a_description_are_counted_at_the_caption_of_the_figure() -> None:
    term_df = index_lines(LINE_DF, language="en", image_df=IMAGE_DF)
    assert term_df.filter(term="flood").select("page", "line", "tf").rows() == [(1, 2, 1)]
    without_df = index_lines(LINE_DF, language="en", image_df=IMAGE_DF.clear())
    assert without_df.equals(index_lines(LINE_DF, language="en"))
    assert without_df.filter(term="flood").is_empty()


def test_a_word_of_caption_and_description_is_one_posting() -> None:
    described_df = IMAGE_DF.with_columns(description=pl.lit("losses, losses"))
    term_df = index_lines(LINE_DF, language="en", image_df=described_df.head(1))
    assert term_df.filter(term="loss", line=2)["tf"].to_list() == [3]


def test_a_window_shows_a_description_behind_its_line_and_without_an_id() -> None:
    rendered = render_window(window(1)).splitlines()
    assert rendered[1] == "p1 l2| Figure 1: Losses"
    assert rendered[2].startswith("[figure as a model describes it")
    assert rendered[2].endswith("flood claims fell to 12. p1 l2| The limit is EUR 9.]")
    assert [line for line in rendered if line.startswith("p1 l2|")] == rendered[1:2]
    assert window(2).notes == ()


def test_no_quote_comes_from_a_description() -> None:
    offered = window(1)
    assert find_quote(offered.line_df, "Figure 1: Losses") is not None
    assert find_quote(offered.line_df, "flood claims fell to 12") is None
    assert find_quote(offered.line_df, "The limit is EUR 9") is None
