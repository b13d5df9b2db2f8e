"""The document of an answer with its evidence highlighted."""

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from flows.answering.reparse import document_content
from flows.explain import pipeline_trace
from flows.ingesting.sources import hash_uri
from flows.warehouse import Warehouse
from transforms.errors import InputError
from transforms.parsing import Mark, highlighted_pages, highlighted_pdf
from transforms.pipeline.story import Trace


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


def refuse_documents(warehouse: Warehouse, files: Iterable[Path]) -> None:
    """Raise InputError for a file that is a document: what was written over it would be lost."""
    for file in files:
        if (
            file.is_file()
            and hash_uri(str(file.absolute())) in warehouse.read("document_df")["doc_id"]
        ):
            raise InputError(
                f"{str(file)!r} is a document of the warehouse", hint="name another file to write"
            )


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
    page_df = warehouse.read("page_df", doc_ids=doc_ids)
    labels = dict(page_df.select("page", "page_label").iter_rows())
    # what an item or a part stands on is also evidence of the whole: it is marked once
    by_place = {
        (quote["page"], str(quote["bboxes"])): quote
        for quote in sorted(quotes, key=lambda row: (row["sub_question"], row["item"]))
    }
    return content, [_mark(trace, quote, labels) for quote in by_place.values()]


def _mark(trace: Trace, quote: dict[str, Any], labels: Mapping[int, str | None]) -> Mark:
    [answer] = [row for row in trace["answer_df"] if row["sub_question"] == quote["sub_question"]]
    asked = trace["question_df"][0]
    number, page = quote["sub_question"], quote["page"]
    question = asked["sub_questions"][number - 1] if number else asked["text"]
    value = answer["items"][quote["item"] - 1] if quote["item"] else answer["value_text"]
    label = labels.get(page)
    where = f"page {label} ({page} in the file)" if label and label != str(page) else f"page {page}"
    return Mark(
        page=page,
        bboxes=tuple(tuple(bbox) for bbox in quote["bboxes"]),
        note="\n".join(filter(None, [question, value, where])),
    )
