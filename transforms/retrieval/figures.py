"""Descriptions of figures: where in the text they count, so that their words find the figure.

A description is a model's word, not the document's. Its words are counted at the line that the
figure stands by, its caption if it has one; a window around that line carries it as a note. No
quote can come from it: quotes are looked for in lines alone.
"""

import polars as pl

from transforms.values import FigureNote

CAPTION_BONUS = 100.0
"""Points that a caption may stand further away than another line and still be taken."""

_PLACE = ["doc_id", "page", "page_version", "line"]


def figure_notes(image_df: pl.DataFrame, line_df: pl.DataFrame) -> pl.DataFrame:
    """Return the descriptions of figures with the lines they stand by.

    One row per description and line, in reading order. A figure on a page without lines has none.
    """
    described_df = image_df.filter("is_described").select(
        "doc_id", "page", "description", top="y0", bottom="y1"
    )
    distance = pl.max_horizontal(pl.col("y0") - pl.col("bottom"), pl.col("top") - pl.col("y1"), 0.0)
    bonus = pl.when(pl.col("role") == "caption").then(CAPTION_BONUS).otherwise(0.0)
    return (
        described_df.filter(pl.col("description") != "")
        .join(line_df, on=["doc_id", "page"])
        .with_columns(away=distance - bonus)
        .sort("doc_id", "page", "page_version", "top", "away", "line")
        .unique(
            ["doc_id", "page", "page_version", "description"], keep="first", maintain_order=True
        )
        .select(*_PLACE, "description")
        .sort(*_PLACE, "description")
    )


def notes_within(note_df: pl.DataFrame, line_df: pl.DataFrame) -> tuple[FigureNote, ...]:
    """Return the notes at these lines, in reading order."""
    found_df = note_df.join(line_df, on=_PLACE, how="semi").sort(*_PLACE, "description")
    return tuple(
        FigureNote(page=row["page"], line=row["line"], text=row["description"])
        for row in found_df.iter_rows(named=True)
    )
