"""Small corpora written as lists of lines, for tests of retrieval."""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime

import polars as pl

from transforms.tables import (
    CrossReference,
    Document,
    DocumentImage,
    DocumentObject,
    DocumentPage,
    Line,
    Section,
    TableCell,
)
from transforms.values import Activations, CorpusFrames, ParsedQuestion, RetrievalRequest

PARSED_AT = datetime(2026, 1, 1, tzinfo=UTC)


def lines(
    doc_id: str, *pages: Sequence[str], roles: Mapping[str, str] | None = None
) -> pl.DataFrame:
    """Return line_df of a document given as one list of lines per page.

    An empty text ends a paragraph. `roles` gives the role of lines by their text.
    """
    rows: list[dict[str, object]] = []
    for page, texts in enumerate(pages, 1):
        number, block = 0, 1
        for text in texts:
            if not text:
                block += 1
                continue
            number += 1
            role = (roles or {}).get(text, "body")
            rows.append(
                {"doc_id": doc_id, "page": page, "page_version": 1, "line": number, "text": text,
                 "x0": 72.0, "y0": 14.0 * number, "x1": 500.0, "y1": 14.0 * number + 10,
                 "font_size": 10.0, "is_bold": False, "is_italic": False, "column_number": 1,
                 "block": block, "role": role, "section_id": None}
            )  # fmt: skip
    return Line.frame(rows)


def document(doc_id: str, *, n_pages: int = 1, language: str = "en") -> pl.DataFrame:
    """Return document_df of one document."""
    row = {"doc_id": doc_id, "file_name": f"{doc_id}.pdf", "n_bytes": 1, "n_pages": n_pages,
           "media_type": "application/pdf", "language": language, "has_outline": False,
           "has_usable_toc": False, "is_likely_scanned": False, "suggested_strategy": "native",
           "parse_status": "parsed", "parser_version": "1", "parsed_at": PARSED_AT}  # fmt: skip
    return Document.frame([row])


def corpus(*line_dfs: pl.DataFrame, **tables: pl.DataFrame) -> CorpusFrames:
    """Return the frames of a corpus; tables that are not given are empty."""
    line_df = pl.concat(line_dfs)
    empty = {
        row.table: row.empty()
        for row in (DocumentPage, Section, DocumentObject, CrossReference, DocumentImage, TableCell)
    }
    doc_ids = line_df["doc_id"].unique(maintain_order=True)
    document_df = pl.concat(document(doc_id) for doc_id in doc_ids)
    return CorpusFrames(**{"line_df": line_df, "document_df": document_df, **empty, **tables})


def request(text: str, *doc_ids: str, pair_id: str = "pair", **fields: object) -> RetrievalRequest:
    """Return a request for a question of which only the text matters."""
    defaults: dict[str, object] = {
        "question": ParsedQuestion(text=text, corrected_text=text),
        "activations": Activations(),
        "k": 5,
    }
    return RetrievalRequest.model_validate(
        {"pair_id": pair_id, "doc_ids": doc_ids, **defaults, **fields}
    )
