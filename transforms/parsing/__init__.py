"""Brick 1: documents. Bytes go in, the tables of what a document says come out."""

from transforms.parsing.document import PARSER_VERSION, failed_document, parse_document
from transforms.parsing.highlight import Mark, highlighted_pages, highlighted_pdf
from transforms.parsing.profile import detect_document_type
from transforms.parsing.reparse import reparse_pages

__all__ = [
    "PARSER_VERSION",
    "Mark",
    "detect_document_type",
    "failed_document",
    "highlighted_pages",
    "highlighted_pdf",
    "parse_document",
    "reparse_pages",
]
