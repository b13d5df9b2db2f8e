"""One pass of PyMuPDF over a page: fragments of text, rules, pictures.

Text is turned so that it reads from left to right, whichever way the page prints it; rows and
columns are then found in one way only, and coordinates are turned back at the end.
"""

import re
from collections.abc import Iterator
from typing import Any, NamedTuple

import pymupdf

from transforms.parsing.model import Fragment, Picture, Rule
from transforms.parsing.stacked import parted_columns

TEXT_FLAGS = (
    pymupdf.TEXT_PRESERVE_WHITESPACE | pymupdf.TEXT_MEDIABOX_CLIP | (pymupdf.TEXT_COLLECT_VECTORS)
)
"""Ligatures are spelled out, text outside the page is dropped, vectors cost nothing here."""

WIDE_GAP = 0.8
"""Gap between two fragments of a line, in font sizes: wider than any word space."""

UPRIGHT = (1.0, 0.0)
BOLD = 16
ITALIC = 2
BOLD_STROKE = 8
"""Bit of char_flags that is set when a regular font is thickened by stroking."""

SPACE_WIDTH = 0.25
"""Width of a space, in font sizes."""

RIGHT_TO_LEFT = re.compile(r"[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff]")

Box = tuple[float, float, float, float]

Turn = int
"""Quarter turns that make text read from left to right: 0 upright, 1 up, 2 upside down, 3 down."""

DOWN: Turn = 3


class PageText(NamedTuple):
    """Fragments by turn, and the rules of the page."""

    fragments: dict[Turn, list[Fragment]]
    rules: list[Rule]


def read_fragments(
    page: pymupdf.Page, *, keep_invisible: bool, text_page: pymupdf.TextPage | None = None
) -> PageText:
    """Return the text of a page; invisible text only where it stands for a scan.

    `text_page` holds what somebody else read on the page.
    """
    if text_page is not None:
        content = text_page.extractDICT()
    else:
        content = page.get_textpage(flags=TEXT_FLAGS).extractDICT()
        if page.rotation:
            _rotate(content["blocks"], page.rotation_matrix)
    fragments: dict[Turn, list[Fragment]] = {}
    rules: list[Rule] = []
    for block in content["blocks"]:
        if block["type"] == 0:
            for line in block["lines"]:
                spans = line["spans"]
                if not keep_invisible:
                    spans = [span for span in spans if span["alpha"]]
                turn = 0 if line["dir"] == UPRIGHT else _turn(line["dir"], line["wmode"])
                if turn in fragments:
                    _collect(spans, turn, fragments[turn])
                else:
                    _collect(spans, turn, fragments.setdefault(turn, []))
        elif block["type"] == 3:
            x0, y0, x1, y1 = block["bbox"]
            rules.append(Rule(x0, y0, x1, y1, block["stroked"]))
    distinct = {turn: _distinct(found) for turn, found in fragments.items()}
    if 0 in distinct:
        distinct[0], columns = parted_columns(distinct[0])
        if columns:
            downwards = [_turned_fragment(column, DOWN) for column in columns]
            distinct[DOWN] = [*distinct.get(DOWN, []), *downwards]
    return PageText({turn: found for turn, found in distinct.items() if found}, rules)


def read_pictures(page: pymupdf.Page) -> list[Picture]:
    """Return the images as placed on the page."""
    return [
        Picture(x0, y0, x1, y1, info["width"], info["height"], info["size"], info["colorspace"])
        for info in page.get_image_info()
        for x0, y0, x1, y1 in (shown(info["bbox"], page.rotation_matrix),)
    ]


def _rotate(blocks: list[dict[str, Any]], matrix: pymupdf.Matrix) -> None:
    """Put blocks where the page shows them: PyMuPDF tells where they lie before it is rotated."""
    for block in blocks:
        block["bbox"] = shown(block["bbox"], matrix)
        for line in block.get("lines", ()):
            dx, dy = line["dir"]
            line["dir"] = (dx * matrix.a + dy * matrix.c, dx * matrix.b + dy * matrix.d)
            for span in line["spans"]:
                span["bbox"] = shown(span["bbox"], matrix)
                x, y = span["origin"]
                span["origin"] = shown((x, y, x, y), matrix)[:2]


def shown(box: Box, matrix: pymupdf.Matrix) -> Box:
    """Return a box where the page shows it, given the page's rotation_matrix."""
    rect = pymupdf.Rect(box) * matrix
    return (rect.x0, rect.y0, rect.x1, rect.y1)


def _turn(direction: tuple[float, float], wmode: int) -> Turn:
    dx, dy = direction
    if wmode:
        return DOWN
    if abs(dx) >= abs(dy):
        return 0 if dx >= 0 else 2
    return 1 if dy < 0 else DOWN


def turned(box: Box, turn: Turn) -> Box:
    """Return a box in the coordinates in which text of this turn reads from left to right."""
    x0, y0, x1, y1 = box
    if turn == 1:
        return (-y1, x0, -y0, x1)
    if turn == 2:
        return (-x1, -y1, -x0, -y0)
    if turn == 3:
        return (y0, -x1, y1, -x0)
    return box


def _turned_fragment(fragment: Fragment, turn: Turn) -> Fragment:
    x0, y0, x1, y1 = turned((fragment.x0, fragment.y0, fragment.x1, fragment.y1), turn)
    return fragment._replace(x0=x0, y0=y0, x1=x1, y1=y1, baseline=y1)


def turned_back(box: Box, turn: Turn) -> Box:
    """Undo `turned`."""
    return turned(box, (4 - turn) % 4)


def _collect(spans: list[dict[str, Any]], turn: Turn, found: list[Fragment]) -> None:
    """Add the fragments of a line: stretches of its spans without a wide gap."""
    if len(spans) == 1:
        _add(spans, turn, found)
        return
    group: list[dict[str, Any]] = []
    right = 0.0
    for span in spans:
        if group and (not span["text"] or span["text"].isspace()):
            group.append(span)
            continue
        box = span["bbox"] if turn == 0 else turned(span["bbox"], turn)
        if group and box[0] - right > WIDE_GAP * span["size"]:
            _add(group, turn, found)
            group = []
        right = box[2]
        group.append(span)
    if group:
        _add(group, turn, found)


def _add(spans: list[dict[str, Any]], turn: Turn, found: list[Fragment]) -> None:
    """Add spans as one fragment; where cells were typed as runs of spaces, as several."""
    text = spans[0]["text"] if len(spans) == 1 else "".join([span["text"] for span in spans])
    stripped = text.strip()
    if not stripped:
        return
    inked = spans if len(spans) == 1 else [span for span in spans if not span["text"].isspace()]
    main = inked[0] if len(inked) == 1 else max(inked, key=_length)
    x0, y0, x1, y1 = _union([span["bbox"] for span in inked])
    baseline = main["origin"][1]
    if turn:
        x0, y0, x1, y1 = turned((x0, y0, x1, y1), turn)
        x, y = main["origin"]
        baseline = turned((x, y, x, y), turn)[1]
    if len(stripped) != len(text):
        x0, x1 = _without_spaces(x0, x1, inked, main["size"])
    flags = main["flags"]
    is_bold = bool(flags & BOLD or main["char_flags"] & BOLD_STROKE)
    fragment = Fragment(
        x0, y0, x1, y1, baseline, stripped, main["size"], is_bold, bool(flags & ITALIC)
    )
    if "   " in stripped:
        found.extend(_split_at_spaces(fragment))
    else:
        found.append(fragment)


def _length(span: dict[str, Any]) -> int:
    return len(span["text"])


def _union(boxes: list[Box]) -> Box:
    if len(boxes) == 1:
        return boxes[0]
    x0s, y0s, x1s, y1s = zip(*boxes, strict=True)
    return (min(x0s), min(y0s), max(x1s), max(y1s))


def _without_spaces(
    x0: float, x1: float, spans: list[dict[str, Any]], size: float
) -> tuple[float, float]:
    """Take the width of leading and trailing spaces off, so that the gap they make is seen."""
    first, last = spans[0]["text"], spans[-1]["text"]
    before = SPACE_WIDTH * size * (len(first) - len(first.lstrip()))
    after = SPACE_WIDTH * size * (len(last) - len(last.rstrip()))
    if RIGHT_TO_LEFT.search(first):
        before, after = after, before
    return (x0 + before, x1 - after) if x0 + before < x1 - after else (x0, x1)


def _split_at_spaces(fragment: Fragment) -> Iterator[Fragment]:
    """Part a fragment at runs of three and more spaces: cells that were typed as spaces."""
    width = (fragment.x1 - fragment.x0) / len(fragment.text)
    for piece in re.finditer(r"\S+(?:\s{1,2}\S+)*", fragment.text):
        yield fragment._replace(
            text=piece.group(),
            x0=fragment.x0 + piece.start() * width,
            x1=fragment.x0 + piece.end() * width,
        )


def _distinct(fragments: list[Fragment]) -> list[Fragment]:
    """Drop text that is drawn twice at one place: fake bold, or a text layer over text."""
    seen: dict[str, list[Fragment]] = {}
    kept: list[Fragment] = []
    for fragment in fragments:
        twins = seen.setdefault(fragment.text, [])
        near = 0.3 * fragment.size
        if twins and any(
            abs(twin.x0 - fragment.x0) < near and abs(twin.baseline - fragment.baseline) < near
            for twin in twins
        ):
            continue
        twins.append(fragment)
        kept.append(fragment)
    return kept
