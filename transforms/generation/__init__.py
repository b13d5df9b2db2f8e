"""Brick 4: from windows to a checked answer with evidence."""

from transforms.generation.correction import build_correction
from transforms.generation.matching import Match, find_quote
from transforms.generation.prompts import PROMPT_VERSION, build_request
from transforms.generation.reading import read_offline
from transforms.generation.render import render_window
from transforms.generation.replies import read_reply
from transforms.generation.validate import validate_answer

__all__ = [
    "PROMPT_VERSION",
    "Match",
    "build_correction",
    "build_request",
    "find_quote",
    "read_offline",
    "read_reply",
    "render_window",
    "validate_answer",
]
