"""Make the postings of lines: which term stands where, how often."""

from collections import Counter

import polars as pl

from transforms.retrieval.figures import figure_notes
from transforms.tables import TermPosting
from transforms.text import terms

_PLACE = ["doc_id", "page", "page_version", "line"]


def index_lines(
    line_df: pl.DataFrame, *, language: str | None, image_df: pl.DataFrame | None = None
) -> pl.DataFrame:
    """Return the postings of lines in one language, sorted by term.

    One row per term and line (term_df). A word that is broken at the end of a line counts on
    the line where it begins, the words of a figure's description on the line it stands by.
    """
    ordered_df = line_df.sort(_PLACE)
    texts = _with_whole_words(ordered_df["text"].to_list(), _is_followed(ordered_df))
    if image_df is not None and image_df["is_described"].any():
        texts = _with_descriptions(texts, ordered_df, image_df)
    counts = [Counter(terms(text, language)) for text in texts]
    posting_df = ordered_df.select(
        "doc_id",
        pl.Series("term", [list(count) for count in counts], dtype=pl.List(pl.String)),
        "page",
        "page_version",
        "line",
        pl.Series("tf", [list(count.values()) for count in counts], dtype=pl.List(pl.Int64)),
    )
    return (
        posting_df.explode("term", "tf")
        .drop_nulls("term")
        .cast(TermPosting.polars_schema())
        .sort("term", "doc_id", "page", "page_version", "line")
    )


def _with_descriptions(
    texts: list[str], line_df: pl.DataFrame, image_df: pl.DataFrame
) -> list[str]:
    """Add the descriptions of figures to the texts of the lines that these stand by."""
    note_df = figure_notes(image_df, line_df).group_by(_PLACE).agg(pl.col("description").sort())
    described_df = line_df.select(_PLACE).join(
        note_df, on=_PLACE, how="left", maintain_order="left"
    )
    notes = described_df["description"].to_list()
    return ["\n".join([text, *(note or ())]) for text, note in zip(texts, notes, strict=True)]


def _is_followed(line_df: pl.DataFrame) -> list[bool]:
    """Return for each line whether the next row continues the same page."""
    place = pl.struct("doc_id", "page", "page_version")
    return line_df.select((place == place.shift(-1)).fill_null(value=False)).to_series().to_list()


def _with_whole_words(texts: list[str], is_followed: list[bool]) -> list[str]:
    """Join a word broken by a hyphen at the end of a line: the first part gets the rest.

    A hyphen that belongs to its word ("price-/determining") keeps the first part a word too.
    """
    whole = list(texts)
    for i, text in enumerate(texts[:-1]):
        stem = text.rstrip()
        following = texts[i + 1].lstrip()
        if not is_followed[i] or stem[-1:] not in "-\u00ad\u2010" or not following[:1].islower():
            continue
        if len(stem) > 1 and stem[-2].isalpha():
            rest = following.split(maxsplit=1)[0]
            is_soft = stem[-1] == "\u00ad"
            whole[i] = f"{stem[:-1]}{rest}" if is_soft else f"{stem[:-1]}{rest} {_last(stem)}"
    return whole


def _last(stem: str) -> str:
    """Return the last word of a line without its hyphen."""
    return stem[:-1].rsplit(maxsplit=1)[-1]
