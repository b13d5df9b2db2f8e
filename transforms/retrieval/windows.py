"""Give candidates their lines: what is rendered for an engine and checked against."""

from collections.abc import Sequence

import polars as pl

from transforms.retrieval.figures import figure_notes, notes_within
from transforms.values import Candidate, CorpusFrames, Window


def make_windows(candidates: Sequence[Candidate], corpus: CorpusFrames) -> tuple[Window, ...]:
    """Return one window per candidate, in their order: lines, table cells, notes on figures."""
    of_candidates = pl.col("doc_id").is_in({candidate.doc_id for candidate in candidates})
    line_df = corpus.line_df.filter(of_candidates)
    note_df = figure_notes(corpus.image_df.filter(of_candidates), line_df)
    return tuple(_window(candidate, line_df, note_df, corpus) for candidate in candidates)


def _window(
    candidate: Candidate, line_df: pl.DataFrame, note_df: pl.DataFrame, corpus: CorpusFrames
) -> Window:
    offered_df = line_df.filter(_is_within(candidate)).sort("page", "line")
    return Window(
        candidate=candidate,
        line_df=offered_df,
        table_cell_df=_cells(candidate, corpus),
        notes=notes_within(note_df, offered_df) if note_df.height else (),
    )


def _is_within(candidate: Candidate) -> pl.Expr:
    page, line = pl.col("page"), pl.col("line")
    is_after_start = (page > candidate.page_start) | (
        (page == candidate.page_start) & (line >= candidate.line_start)
    )
    is_before_end = (page < candidate.page_end) | (
        (page == candidate.page_end) & (line <= candidate.line_end)
    )
    return (pl.col("doc_id") == candidate.doc_id) & is_after_start & is_before_end


def _cells(candidate: Candidate, corpus: CorpusFrames) -> pl.DataFrame | None:
    """Return the cells of the tables that begin or lie in the window; null when there are none."""
    table_df = corpus.object_df.filter(
        pl.col("doc_id") == candidate.doc_id,
        pl.col("kind") == "table",
        pl.col("page").is_between(candidate.page_start, candidate.page_end),
    )
    if table_df.is_empty():
        return None
    cell_df = corpus.table_cell_df.join(table_df, on=["doc_id", "object_id"], how="semi").filter(
        pl.col("page").is_between(candidate.page_start, candidate.page_end)
    )
    return None if cell_df.is_empty() else cell_df
