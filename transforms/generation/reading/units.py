"""Windows as units of reading: sentences, rows, list items and headings, each a verbatim quote."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

import polars as pl

from transforms.values import CitedQuote, Window

SENTENCE_END = re.compile(
    r"(?<=[.!?;])(?P<close>[\"”’)\]]*)\s+(?=[\"“„«(\[]?[A-ZÀ-Ý0-9(•])|(?<=[;:])\s+(?=\([a-z0-9]{1,4}\)\s)"
)
NOT_AN_END = re.compile(
    r"(?:\b(?:Inc|Corp|Co|Ltd|LLC|L\.L\.C|No|Nos|Sec|Art|Mr|Mrs|Ms|Dr|St|vs|v|e\.g|i\.e|cf|approx|"
    r"U\.S|U\.K|N\.V|S\.A|B\.V|L\.P|P\.O|Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sept?|Oct|Nov|Dec|Nr|bzw|z\.B|"
    r"Abs|ca|etc|para|Ziff|d/b/a|f/k/a|a/k/a|Ave|Blvd|Rd|Ste|Bros|Jr|Sr|Tel|Fax|Ext)"
    r"|\b[A-Z]|^\W*(?:\d{1,3}|[ivx]{1,5}|[a-z]))\.$"
)
LABEL_LINE = re.compile(r"^\W{0,3}(?P<label>[A-ZÀ-Ý][^:.;?!]{1,58}?)\s*:(?=\s|$)")
ITEM_MARK = re.compile(
    r"^\s*(?P<mark>[•▪●◦‣■□►➢✓o*–—-]\s+|[\uf0a7\uf0b7\uf0d8]\s*|\(\s?(?:[a-z]{1,2}|[ivx]{1,5}|\d{1,2})\s?\)\s*"
    r"|(?:\d{1,2}|[a-z]|[ivx]{1,4}|[A-Z])[.)]\s+)(?=\S)"
)
MIN_INDENT = 3.0
"""Points by which the text of a list stands in from the text around it, at least."""
LABEL_GAP = re.compile(r"(?<![.:;?!,\s])\s{2,}")
MAX_LABEL_CHARS = 60
NAMED_PART = re.compile(
    r"(?:part|section|article|chapter|title|schedule|annex|appendix|endorsement|teil|abschnitt|chapitre|"
    r"titre|sección|capítulo)\s+(?:no\.?\s*)?[\dA-Z]",
    re.IGNORECASE,
)
HEADING_NUMBER = re.compile(r"((?:[A-Z]|\d{1,2})(?:\.\d{1,2})*\.?)\s")
CELL_GAP = re.compile(r"\s{2,}|\t|\s*\|\s*")
YEARS = re.compile(
    r"\b(?:FY\s?)?(?:19|20)\d\d\b|\b(?:January|March|June|July|September|October|December|31|30)\b,?"
)
SKIPPED = frozenset({"header", "footer"})
TERMINAL = (".", ";", ":", "!", "?")
MAX_QUOTE_CHARS = 700


UnitKind = Literal["sentence", "row", "item", "heading"]


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


@dataclass(frozen=True, slots=True)
class Unit:
    """A stretch of text that says one thing, as it stands, with the lines it stands on."""

    text: str
    lines: tuple[PrintedLine, ...]
    kind: UnitKind
    heading: str = ""
    """Text of the headings above it."""
    lead: str = ""
    """The sentence that introduces the list, or the head row of the table, it belongs to."""
    paragraph: int = 0
    order: int = 0
    rank: int = 1
    """Rank of the best window that holds it."""
    label: str = ""
    """What stands before the colon of "Label: value"."""

    @property
    def cells(self) -> tuple[str, ...]:
        """Return the cells of a row: they are printed with a gap between them."""
        return tuple(cell for cell in CELL_GAP.split(self.text.strip()) if cell)

    @property
    def doc(self) -> int:
        """Return the place of its document."""
        return self.lines[0].doc

    def cite(self, start: int = 0, end: int | None = None) -> CitedQuote:
        """Return the unit as a quote; of a long one only the lines from `start` to `end`."""
        text, lines = self.text, self.lines
        if len(text) > MAX_QUOTE_CHARS:
            low = text.rfind("\n", 0, start) + 1
            high = text.find("\n", end if end is not None else len(text))
            n_before = text.count("\n", 0, low)
            text = text[low : high if high >= 0 else len(text)]
            lines = lines[n_before : n_before + text.count("\n") + 1]
        return CitedQuote(quote=text, line_ids=tuple(line.line_id for line in lines))


def read_units(windows: Sequence[Window]) -> list[Unit]:
    """Return all units of the windows in document order; a line in two windows counts once."""
    units: list[Unit] = []
    for lines, ranks in _lines_by_document(windows):
        units.extend(_document_units(lines, ranks, first_order=len(units)))
    return units


def _lines_by_document(
    windows: Sequence[Window],
) -> Iterator[tuple[list[PrintedLine], dict[str, int]]]:
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
    for row in line_df.select(columns).iter_rows():
        page, number, text, *others = row
        spaced = text.replace("\u00a0", " ")
        yield PrintedLine(doc, f"{prefix}p{page} l{number}", page, number, spaced, *others)


def _document_units(
    lines: list[PrintedLine], ranks: dict[str, int], *, first_order: int
) -> list[Unit]:
    units: list[Unit] = []
    path: list[tuple[float, str]] = []
    lead = ""
    for paragraph, group in enumerate(_paragraphs(lines)):
        rank = min(ranks[line.line_id] for line in group)
        kind = _kind(group)
        if kind == "heading":
            path, lead = _below(path, group), ""
        for text, covered in _split(group, kind):
            unit = Unit(
                text=text,
                lines=covered,
                kind=kind,
                heading=" / ".join(title for _, title in path),
                lead=lead if kind in ("item", "row") else "",
                paragraph=paragraph,
                order=first_order + len(units),
                rank=rank,
                label=_label(text),
            )
            lead = _next_lead(lead, unit, units[-1] if units else None)
            units.append(unit)
    return units


def _below(path: list[tuple[float, str]], group: list[PrintedLine]) -> list[tuple[float, str]]:
    """Return the path of headings with this one below those that rank higher."""
    title = " ".join(line.text for line in group)
    depth = _depth(title, group[0].font_size)
    return [*((above, text) for above, text in path if above < depth), (depth, title)]


def _depth(title: str, font_size: float) -> float:
    """Return how deep a heading lies: by its number, else by its size, which only orders."""
    if NAMED_PART.match(title):
        return 1.0
    if number := HEADING_NUMBER.match(title):
        return 1.0 + len(number.group(1).strip(".").split("."))
    return 10.0 - font_size / 10


def _next_lead(lead: str, unit: Unit, before: Unit | None) -> str:
    """Return what introduces the units that follow: a sentence with a colon, or head rows."""
    if unit.kind == "sentence":
        return unit.text if unit.text.rstrip().endswith((":", "—", "-")) else ""
    if unit.kind != "row":
        return lead if unit.kind == "item" else ""
    if not is_head_row(unit.text):
        return lead
    if before is None or before.kind != "row":
        return unit.text
    return f"{lead}\n{unit.text}" if lead.endswith(before.text) else lead


def looks_tabular(text: str) -> bool:
    """Tell whether a line is a label and values with gaps between them, whatever its role."""
    first, *others = LABEL_GAP.split(text.strip())
    return bool(others) and first[:1].isupper() and len(first) <= MAX_LABEL_CHARS


def is_head_row(text: str) -> bool:
    """Tell whether a row names columns: several cells, and no figures in them but years."""
    without_years = YEARS.sub("", text)
    return len(CELL_GAP.split(text.strip())) > 1 and not any(c.isdigit() for c in without_years)


def _label(text: str) -> str:
    match = LABEL_LINE.match(text)
    return match["label"] if match and len(match["label"].split()) <= 8 else ""


def _kind(group: list[PrintedLine]) -> UnitKind:
    first = group[0]
    if first.role == "heading":
        return "heading"
    if first.role == "table_row" or (len(group) == 1 and looks_tabular(first.text)):
        return "row"
    if len(group) == 1 and _label(first.text) and not first.text.rstrip().endswith(":"):
        return "row"
    if first.role == "list_item" or ITEM_MARK.match(first.text):
        return "item"
    return "sentence"


def _paragraphs(lines: list[PrintedLine]) -> Iterator[list[PrintedLine]]:
    """Group lines that belong together; a paragraph goes on over a page break."""
    group: list[PrintedLine] = []
    for line in lines:
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
    if _label(line.text) and (not is_open or _label(before.text)):
        return False
    if before.page == line.page and before.block == line.block:
        is_gap = line.line > before.line + 3
        return not is_gap
    begins_small = line.text.lstrip()[:1].islower()
    return is_open and begins_small and line.page <= before.page + 1


def _split(group: list[PrintedLine], kind: str) -> Iterator[tuple[str, tuple[PrintedLine, ...]]]:
    """Split a paragraph into sentences, each with the lines it stands on."""
    text = "\n".join(line.text for line in group)
    starts = [0]
    for line in group[:-1]:
        starts.append(starts[-1] + len(line.text) + 1)
    spans = [(0, len(text))] if kind in ("row", "heading") else _sentences(text)
    for start, end in spans:
        covered = tuple(
            line
            for line, at in zip(group, starts, strict=True)
            if at < end and at + len(line.text) > start
        )
        if covered and text[start:end].strip():
            yield text[start:end].strip(), covered


def _sentences(text: str) -> list[tuple[int, int]]:
    spans: list[tuple[int, int]] = []
    start = 0
    for match in SENTENCE_END.finditer(text):
        if NOT_AN_END.search(text, start, match.start()):
            continue
        spans.append((start, match.start() + len(match["close"] or "")))
        start = match.end()
    spans.append((start, len(text)))
    return spans
