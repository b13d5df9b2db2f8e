"""Windows as fenced text: one line of the document a line, each behind its id."""

import hashlib
import re
from collections.abc import Sequence
from functools import cached_property

import polars as pl

from transforms.generation.matching import QuoteFinder
from transforms.values import Value, Window

_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]+")
_SOFT_HYPHEN = "\u00ad"
_WIDE = re.compile(r"\s{2,}")
_KEY = ["page", "page_version", "line"]
_RUNNING = ("header", "footer")
NOTE = "figure as a model describes it, not printed here, never to be quoted"


class Passage(Value):
    """Lines of one document without a gap, as offered; documents are numbered from 1."""

    doc_id: str
    document_number: int
    line_df: pl.DataFrame

    @cached_property
    def finder(self) -> QuoteFinder:
        """Return the lines as quotes are looked for in them: all quotes of an answer share it."""
        return QuoteFinder(self.line_df)


def passages(windows: Sequence[Window]) -> tuple[Passage, ...]:
    """Return the lines of all windows once each: overlapping windows become one passage.

    Documents come in order of first appearance, the passages of one in reading order.
    """
    doc_ids = list(dict.fromkeys(window.candidate.doc_id for window in windows))
    found: list[Passage] = []
    for number, doc_id in enumerate(doc_ids, start=1):
        frames = [w.line_df for w in windows if w.candidate.doc_id == doc_id and w.line_df.height]
        found += [
            Passage(doc_id=doc_id, document_number=number, line_df=f) for f in _merged(frames)
        ]
    return tuple(found)


def line_id(passage: Passage, page: int, line: int, *, has_several_documents: bool) -> str:
    """Return the id of a line as it is rendered and cited."""
    prefix = f"d{passage.document_number} " if has_several_documents else ""
    return f"{prefix}p{page} l{line}"


def render_windows(windows: Sequence[Window]) -> str:
    """Return all windows as lines behind their ids; a gap is a line with an ellipsis.

    Running headers and footers that say the same on several pages are given once. What a model
    said of a figure stands behind the figure's line, without an id, so that it cannot be cited.
    A word that a line end had split stands whole in its first line.
    """
    offered = passages(windows)
    notes = _notes(windows)
    has_several = len({passage.doc_id for passage in offered}) > 1
    rendered: list[str] = []
    seen: set[tuple[str, str]] = set()
    for n, passage in enumerate(offered):
        if n:
            rendered.append("…")
        texts = _with_whole_words(passage.line_df)
        for row, text in zip(passage.line_df.iter_rows(named=True), texts, strict=True):
            if row["role"] in _RUNNING:
                running = (passage.doc_id, re.sub(r"\d+", "#", text))
                if running in seen:
                    continue
                seen.add(running)
            place = line_id(passage, row["page"], row["line"], has_several_documents=has_several)
            rendered.append(f"{place}| {text}")
            rendered += notes.get((passage.doc_id, row["page"], row["line"]), ())
    return "\n".join(rendered)


def render_window(window: Window) -> str:
    """Return one window as lines behind their ids."""
    return render_windows((window,))


def fenced(name: str, text: str) -> str:
    """Return the text between two marks that it cannot contain.

    The mark carries a hash of the text, so a text that spells its own closing mark would have
    another one.
    """
    key = hashlib.sha256(text.encode(errors="replace")).hexdigest()[:8]
    return f"<{name} {key}>\n{text}\n</{name} {key}>"


def one_line(text: str) -> str:
    """Return text on one line: breaks and control characters become spaces.

    Wide gaps become two spaces: they stand between the cells of a table row.
    """
    return _WIDE.sub("  ", _CONTROL.sub(" ", text)).strip()


def _notes(windows: Sequence[Window]) -> dict[tuple[str, int, int], list[str]]:
    """Return the notes of all windows by their lines, each once."""
    notes: dict[tuple[str, int, int], list[str]] = {}
    for window in windows:
        for note in window.notes:
            of_line = notes.setdefault((window.candidate.doc_id, note.page, note.line), [])
            said = f"[{NOTE}: {one_line(note.text)}]"
            if said not in of_line:
                of_line.append(said)
    return notes


def _with_whole_words(line_df: pl.DataFrame) -> list[str]:
    """Return texts on one line each, the rest of a split word moved up to its beginning."""
    whole = [one_line(text) for text in line_df["text"]]
    roles = line_df["role"].to_list()
    for i, text in enumerate(whole[:-1]):
        rest, _, after = whole[i + 1].partition(" ")
        if text.endswith(_SOFT_HYPHEN) and after and roles[i + 1] not in _RUNNING:
            whole[i : i + 2] = [text[:-1] + rest, after.lstrip()]
    return whole


def _merged(frames: Sequence[pl.DataFrame]) -> list[pl.DataFrame]:
    """Return frames in reading order, those that share or continue lines joined."""
    ordered = sorted(frames, key=lambda frame: frame[_KEY].row(0))
    merged: list[pl.DataFrame] = []
    for frame in ordered:
        if merged and _continues(merged[-1], frame):
            both = pl.concat([merged[-1], frame])
            merged[-1] = both.unique(_KEY, keep="first").sort(_KEY)
        else:
            merged.append(frame.sort(_KEY))
    return merged


def _continues(before: pl.DataFrame, frame: pl.DataFrame) -> bool:
    last = before[_KEY].row(-1)
    first = frame[_KEY].row(0)
    return first <= (last[0], last[1], last[2] + 1)
