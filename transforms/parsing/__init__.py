"""Brick 1: documents. Bytes go in, the tables of what a document says come out."""

from transforms.parsing.document import PARSER_VERSION, failed_document, parse_document
from transforms.parsing.highlight import (
    MAX_STRIP_HEIGHT,
    STRIP_MARGIN,
    BBox,
    Mark,
    Strip,
    highlighted_pages,
    highlighted_pdf,
    page_strips,
)
from transforms.parsing.profile import detect_document_type
from transforms.parsing.reparse import reparse_pages

__all__ = [
    "MAX_STRIP_HEIGHT",
    "PARSER_VERSION",
    "STRIP_MARGIN",
    "BBox",
    "Mark",
    "Strip",
    "detect_document_type",
    "failed_document",
    "highlighted_pages",
    "highlighted_pdf",
    "page_strips",
    "parse_document",
    "reparse_pages",
]
