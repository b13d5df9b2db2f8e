"""The document of an answer with its evidence highlighted."""

from typing import Any

from flows.answering.reparse import document_content
from flows.explain import Trace, pipeline_trace
from flows.warehouse import Warehouse
from transforms.errors import InputError
from transforms.parsing import Mark, highlighted_pages, highlighted_pdf


def highlight_pdf(warehouse: Warehouse, pair: str) -> bytes:
    """Return the answer's document as a PDF with all quotes marked.

    Raises InputError when there is nothing to mark, when the quotes stand in several documents, or
    when the file is gone.
    """
    content, marks = _content_and_marks(warehouse, pair)
    return highlighted_pdf(content, marks)


def highlight_pages(warehouse: Warehouse, pair: str) -> dict[int, bytes]:
    """Return a PNG of every page that holds a quote of the answer. Raises as `highlight_pdf`."""
    content, marks = _content_and_marks(warehouse, pair)
    return highlighted_pages(content, marks)


def _content_and_marks(warehouse: Warehouse, pair: str) -> tuple[bytes, list[Mark]]:
    trace = pipeline_trace(warehouse, pair)
    quotes = trace["evidence_df"]
    doc_ids = sorted({quote["doc_id"] for quote in quotes})
    if not doc_ids:
        raise InputError(
            f"the answer of pair {trace['pair_id']!r} has no quote to highlight",
            hint="`compline explain` says how it ended",
        )
    if len(doc_ids) > 1:
        raise InputError(
            f"the quotes of pair {trace['pair_id']!r} stand in {len(doc_ids)} documents",
            hint="`compline explain` lists them with page and line",
        )
    content = document_content(doc_ids[0], warehouse)
    if content is None:
        raise InputError(
            f"the file of document {doc_ids[0]!r} is gone or has changed",
            hint="put it back where it was ingested from",
        )
    return content, [_mark(trace, quote) for quote in quotes]


def _mark(trace: Trace, quote: dict[str, Any]) -> Mark:
    answer = trace["answer_df"][0]
    value = answer["value_text"] or ", ".join(answer["items"])
    return Mark(
        page=quote["page"],
        bboxes=tuple(tuple(bbox) for bbox in quote["bboxes"]),
        note=f"{trace['question_df'][0]['text']}\n{value}\npage {quote['page']}",
    )
