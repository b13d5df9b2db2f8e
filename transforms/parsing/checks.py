"""Page checks without a model: is the native text enough, or must the page be read again?"""

import re
from typing import NamedTuple

from transforms.parsing.model import PrintedPage
from transforms.parsing.pages import SCAN_SHARE, image_share
from transforms.parsing.torn import torn_rows

MIN_CHARS = 25
"""Characters below which a page with a large image has no text of its own."""

MANY_STROKES = 150
"""Drawn pieces on a page without any text from which on its letters may be drawings."""

MIN_QUALITY = 0.6
"""Share of readable words below which text counts as garbled."""

BROKEN_TABLE = "broken_table"
"""The one failure that needs no picture of the page: its words are right, their order is not."""

_BAD = re.compile(r"[\ufffd\x00-\x08\ue000-\uf8ff]")
_BAD_WORD = re.compile(r"\S*[\ufffd\x00-\x08\ue000-\uf8ff]\S+|\S+[\ufffd\x00-\x08\ue000-\uf8ff]")
_NO_VOWEL = re.compile(r"(?<!\S)[b-df-hj-np-tv-xz]{5,}(?!\S)")


class PageCheck(NamedTuple):
    """What the checks say of a page; `reason` is the check that failed, null when it passes.

    A page that was read anew keeps the reason for that without being flagged.
    """

    n_chars: int
    quality: float
    image_share: float
    reason: str | None
    is_flagged: bool


def check_page(page: PrintedPage) -> PageCheck:
    """Return the checks of one page."""
    text = " ".join(line.text for line in page.lines)
    share = image_share(page)
    n_chars = sum(len(line.text) for line in page.lines)
    quality = text_quality(text)
    reason = _reason(page, n_chars, quality, share)
    return PageCheck(n_chars, quality, share, reason, reason is not None)


def _reason(page: PrintedPage, n_chars: int, quality: float, share: float) -> str | None:
    if page.error:
        return "unreadable"
    if n_chars < MIN_CHARS and share >= SCAN_SHARE:
        return "image_without_text"
    if n_chars < 4 * MIN_CHARS and share >= 0.9:
        return "image_without_text"
    if n_chars == 0 and len(page.rules) >= MANY_STROKES:
        return "text_as_drawing"
    if n_chars >= MIN_CHARS and quality < MIN_QUALITY:
        return "garbled_text"
    return BROKEN_TABLE if torn_rows(page) else None


def text_quality(text: str) -> float:
    """Return the share of words that can be read, 0 to 1; 1 for a page without words.

    A word cannot be read when it holds a replacement or private-use character, or is a long run
    of small letters without any vowel.
    """
    n_words = len(text.split())
    if n_words == 0:
        return 1.0
    n_bad = len(_BAD_WORD.findall(text)) if _BAD.search(text) else 0
    if n_words >= 5:
        n_bad += len(_NO_VOWEL.findall(text))
    return round(1.0 - min(1.0, n_bad / n_words), 4)
