"""Brick 1: documents. Bytes go in, the tables of what a document says come out."""

from transforms.parsing.document import PARSER_VERSION, failed_document, parse_document
from transforms.parsing.profile import detect_document_type
from transforms.parsing.reparse import reparse_pages

__all__ = [
    "PARSER_VERSION",
    "detect_document_type",
    "failed_document",
    "parse_document",
    "reparse_pages",
]
