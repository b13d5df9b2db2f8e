"""What each line is on its page: heading, list item, caption, footnote, or body."""

import re
from collections import Counter

from transforms.parsing.model import PrintedLine, PrintedPage

NUMBER = (
    r"(?!(?:19|20)\d\d\s)(?:(?:section|article|artikel|item|part|teil|chapter|kapitel|clause|annex|annexe|anhang|"
    r"appendix|schedule|exhibit|endorsement|abschnitt|titre|chapitre|§)\s*)?"
    r"(?:\d+[A-Za-z]?(?:\.\d+[a-z]?)*|[A-Z](?:\.\d+)*|[IVXL]+)(?=[.):\s–—-]|$)"
)
NUMBERED = re.compile(rf"(?P<number>{NUMBER})[.):]?\s*[–—:-]?\s*(?P<title>\S.*)?", re.IGNORECASE)
LIST_ITEM = re.compile(
    r"(?:[•▪●○◦■□➢➤✓·\uf0b7\uf0a7*–—-]|\(?(?:[a-z]|[ivx]{1,5}|\d{1,3})[.)]|\(\d{1,3}\))\s+\S",
    re.IGNORECASE,
)
CAPTION = re.compile(
    r"(?P<label>(?P<kind>table|figure|fig\.|chart|tableau|tabelle|abbildung|abb\.|tab\.|图|表)"
    r"\s*(?P<number>[A-Z]?[-.]?\d+(?:[.-]\d+)*[a-z]?|[IVX]+))\s*(?:[.:–—|-]\s*|$|\s+(?=[A-Z]))",
    re.IGNORECASE,
)
FOOTNOTE = re.compile(r"(?:\d{1,3}|[*†‡§¹²³⁴⁵⁶⁷⁸⁹]+|\(\d{1,2}\)|\[\d{1,2}\])\s*\S")

MAX_HEADING_CHARS = 120


def body_size(pages: list[PrintedPage]) -> float:
    """Return the font size in which most of the document is set, points."""
    weight: Counter[float] = Counter()
    for page in pages:
        for line in page.lines:
            if line.role == "body":
                weight[round(2 * line.size) / 2] += len(line.text)
    return weight.most_common(1)[0][0] if weight else 10.0


def mark_roles(pages: list[PrintedPage], size: float) -> None:
    """Set the role of lines that are not running lines or table rows yet."""
    for page in pages:
        _mark_footnotes(page, size)
        lines = page.lines
        for i, line in enumerate(lines):
            if line.role != "body":
                continue
            before = lines[i - 1] if i else None
            after = lines[i + 1] if i + 1 < len(lines) else None
            starts_block = before is None or before.block != line.block
            ends_block = after is None or after.block != line.block
            if starts_block and CAPTION.match(line.text):
                line.role = "caption"
            elif is_heading(line, size, starts_block=starts_block, ends_block=ends_block):
                line.role = "heading"
            elif LIST_ITEM.match(line.text):
                line.role = "list_item"


def is_heading(line: PrintedLine, size: float, *, starts_block: bool, ends_block: bool) -> bool:
    """Return whether a line is set or numbered as a heading."""
    text = line.text
    if len(text) > MAX_HEADING_CHARS or not any(char.isalpha() for char in text):
        return False
    if text[-1] in ",;" or (text[-1] == "." and len(text) > 60) or text[0] in "•*":
        return False
    if len(text) < 3 or len(line.cells) > 2:
        return False
    if line.size >= 1.15 * size and len(text) > 3:
        return True
    is_alone = starts_block and ends_block
    if line.is_bold and (is_alone or (starts_block and NUMBERED.match(text))):
        return not text[0].islower()
    if starts_block and text.isupper() and sum(map(str.isalpha, text)) >= 4:
        return is_alone or len(text) < 60
    match = NUMBERED.match(text)
    if match and is_alone and match["title"] and len(text) <= 80:
        title = match["title"]
        return title[0].isupper() and text[-1] not in ".;:," and "." in match["number"] + " "
    return False


def _mark_footnotes(page: PrintedPage, size: float) -> None:
    """Mark the small print at the foot of each column, from a line that begins with a mark."""
    small = 0.93 * size
    body = [line for line in page.lines if line.role == "body" and line.size > small]
    for column in {line.column for line in page.lines}:
        tail: list[PrintedLine] = []
        for line in reversed(page.lines):
            if line.column != column or line.role in ("header", "footer"):
                continue
            if line.role != "body" or line.size > small or line.y0 < 0.45 * page.height:
                break
            tail.append(line)
        tail.reverse()
        first = next((i for i, line in enumerate(tail) if FOOTNOTE.match(line.text)), None)
        if first is None or any(_stands_below(line, tail[first]) for line in body):
            continue
        for footnote in tail[first:]:
            footnote.role = "footnote"


def _stands_below(line: PrintedLine, other: PrintedLine) -> bool:
    return line.y0 > other.y0 and line.x0 < other.x1 and line.x1 > other.x0
