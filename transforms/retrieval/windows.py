"""Give candidates their lines: what is rendered for an engine and checked against."""

from collections.abc import Sequence

import polars as pl

from transforms.retrieval.figures import figure_notes, notes_within
from transforms.values import Candidate, CorpusFrames, Window


def make_windows(candidates: Sequence[Candidate], corpus: CorpusFrames) -> tuple[Window, ...]:
    """Return one window per candidate, in their order: lines, table cells, notes on figures."""
    note_df = _notes(candidates, corpus)
    windows: list[Window] = []
    for candidate in candidates:
        offered_df = corpus.line_df.filter(_is_within(candidate)).sort("page", "line")
        windows.append(
            Window(
                candidate=candidate,
                line_df=offered_df,
                table_cell_df=_cells(candidate, corpus),
                notes=() if note_df is None else notes_within(note_df, offered_df),
            )
        )
    return tuple(windows)


def _notes(candidates: Sequence[Candidate], corpus: CorpusFrames) -> pl.DataFrame | None:
    """Return the descriptions of figures with their lines; null when there are none."""
    if not corpus.image_df.height:
        return None
    of_candidates = pl.col("doc_id").is_in({candidate.doc_id for candidate in candidates})
    image_df = corpus.image_df.filter(of_candidates, "is_described")
    return figure_notes(image_df, corpus.line_df.filter(of_candidates)) if image_df.height else None


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
    if not corpus.table_cell_df.height:
        return None
    is_on_page = pl.col("page").is_between(candidate.page_start, candidate.page_end)
    table_df = corpus.object_df.filter(
        is_on_page, pl.col("doc_id") == candidate.doc_id, pl.col("kind") == "table"
    )
    if table_df.is_empty():
        return None
    cell_df = corpus.table_cell_df.join(table_df, on=["doc_id", "object_id"], how="semi").filter(
        is_on_page
    )
    return None if cell_df.is_empty() else cell_df
