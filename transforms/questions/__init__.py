"""Brick 2: questions as typed values. Text and vocabulary in, `ParsedQuestion` out."""

from transforms.questions.llm_parse import build_parse_request, read_parse_reply
from transforms.questions.parse import parse_question
from transforms.questions.question_set import AskedQuestion, each_question, question_frame
from transforms.questions.scope import document_sides, narrow_documents
from transforms.questions.vocabulary import Vocabulary

__all__ = [
    "AskedQuestion",
    "Vocabulary",
    "build_parse_request",
    "document_sides",
    "each_question",
    "narrow_documents",
    "parse_question",
    "question_frame",
    "read_parse_reply",
]
