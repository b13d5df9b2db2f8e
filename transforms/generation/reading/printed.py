"""Printed lines as paragraphs: which lines belong together, and what a line looks like."""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import polars as pl

from transforms.generation.matching import follows
from transforms.values import Window

LABEL_LINE = re.compile(r"^\W{0,3}(?P<label>[A-ZÀ-Ý][^:.;?!]{1,58}?)\s*:(?=\s|$)")
ITEM_MARK = re.compile(
    r"^\s*(?P<mark>[•▪●◦‣■□►➢✓o*–—-]\s+|[\uf0a7\uf0b7\uf0d8]\s*|\(\s?(?:[a-z]{1,2}|[ivx]{1,5}|\d{1,2})\s?\)\s*"
    r"|(?:\d{1,2}|[a-z]|[ivx]{1,4}|[A-Z])[.)]\s+)(?=\S)"
)
MIN_INDENT = 3.0
"""Points by which the text of a list stands in from the text around it, at least."""
LABEL_GAP = re.compile(r"(?<![.:;?!,\s])\s{2,}")
MAX_LABEL_WORDS = 6
MAX_ROW_CHARS = 80
CELL_GAP = re.compile(r"\s{2,}|\t|\s*\|\s*")
YEARS = re.compile(
    r"\b(?:FY\s?)?(?:19|20)\d\d\b|\b(?:January|March|June|July|September|October|December|31|30)\b,?"
)
SKIPPED = frozenset({"header", "footer"})
UNFINISHED = re.compile(r"(?:[,(]|\b(?:and|or|of|the|by|between|a|an|to|et|und|oder|y))\s*$")
"""End of a line that cannot be the end of a sentence."""
TERMINAL = (".", ";", ":", "!", "?")


class PrintedLine(NamedTuple):
    """A line of line_df as the reader needs it."""

    doc: int
    """Place of the document in order of first appearance, from 1."""
    line_id: str
    page: int
    line: int
    text: str
    role: str
    block: int
    section_id: str | None
    x0: float
    x1: float
    y0: float
    font_size: float
    is_bold: bool


def lines_by_document(
    windows: Sequence[Window],
) -> Iterator[tuple[list[PrintedLine], dict[str, int]]]:
    """Yield the lines of each document in order, once each, with the best rank of a window."""
    doc_ids = list(dict.fromkeys(window.candidate.doc_id for window in windows))
    has_several = len(doc_ids) > 1
    for doc, doc_id in enumerate(doc_ids, start=1):
        prefix = f"d{doc} " if has_several else ""
        rows: dict[str, PrintedLine] = {}
        ranks: dict[str, int] = {}
        for window in windows:
            if window.candidate.doc_id != doc_id:
                continue
            for line in _printed(window.line_df, doc, prefix):
                rows.setdefault(line.line_id, line)
                rank = min(window.candidate.rank, ranks.get(line.line_id, window.candidate.rank))
                ranks[line.line_id] = rank
        yield sorted(rows.values(), key=lambda line: (line.page, line.line)), ranks


def _printed(line_df: pl.DataFrame, doc: int, prefix: str) -> Iterator[PrintedLine]:
    columns = (
        "page", "line", "text", "role", "block", "section_id", "x0", "x1", "y0", "font_size",
        "is_bold",
    )  # fmt: skip
    for row in line_df[list(columns)].iter_rows():
        page, number, text, *others = row
        spaced = text.replace("\u00a0", " ")
        yield PrintedLine(doc, f"{prefix}p{page} l{number}", page, number, spaced, *others)


def paragraphs(lines: list[PrintedLine]) -> Iterator[list[PrintedLine]]:
    """Group lines that belong together; a paragraph goes on over a page break.

    It ends where lines are missing, for no quote stands across a gap.
    """
    group: list[PrintedLine] = []
    before: tuple[int, int] | None = None
    for line in lines:
        place = line.page, line.line
        if group and before and not follows(before, place):
            yield group
            group = []
        before = place
        if line.role in SKIPPED or not line.text.strip():
            continue
        if group and (_ends_list(group, line) or not _goes_on(group[-1], line)):
            yield group
            group = []
        group.append(line)
    if group:
        yield group


def _ends_list(group: list[PrintedLine], line: PrintedLine) -> bool:
    """Tell whether a line stands below a list item instead of continuing it: not indented."""
    is_whole = group[-1].text.rstrip().endswith((".", "!", "?"))
    offset = line.x0 - group[0].x0
    begins_anew = line.text.lstrip()[:1].isupper() and bool(ITEM_MARK.match(group[0].text))
    return begins_anew and (offset < -MIN_INDENT or (is_whole and offset < MIN_INDENT))


def _goes_on(before: PrintedLine, line: PrintedLine) -> bool:
    """Tell whether a line continues the paragraph of the line before it."""
    if "table_row" in (line.role, before.role) or looks_tabular(before.text):
        return False
    if (line.role == "heading") != (before.role == "heading"):
        return False
    if line.role == "heading":
        return before.block == line.block and before.page == line.page
    if ITEM_MARK.match(line.text) or looks_tabular(line.text):
        return False
    is_open = not before.text.rstrip().endswith(TERMINAL)
    if label_of(line.text) and (not is_open or label_of(before.text)):
        return False
    if before.page == line.page and before.block == line.block:
        is_gap = line.line > before.line + 3
        return not is_gap
    goes_on = line.text.lstrip()[:1].islower() or bool(UNFINISHED.search(before.text))
    return is_open and goes_on and line.page <= before.page + 1


def looks_tabular(text: str) -> bool:
    """Tell whether a line is a label and values with gaps between them, whatever its role.

    Justified text has gaps too: a row is short, and what stands behind a gap begins anew.
    """
    label, *values = LABEL_GAP.split(text.strip())
    is_short = len(text) <= MAX_ROW_CHARS and len(label.split()) <= MAX_LABEL_WORDS
    return bool(values) and is_short and not any(part[:1].islower() for part in (label, *values))


def is_head_row(text: str) -> bool:
    """Tell whether a row names columns: several cells, and no figures in them but years."""
    without_years = YEARS.sub("", text)
    return len(CELL_GAP.split(text.strip())) > 1 and not any(c.isdigit() for c in without_years)


def label_of(text: str) -> str:
    """Return what stands before the colon of "Label: value"; empty when there is none."""
    match = LABEL_LINE.match(text)
    return match["label"] if match and len(match["label"].split()) <= 8 else ""
