"""Paragraphs as sentences, each with the lines it stands on."""

import re
from collections.abc import Iterator

from transforms.generation.reading.printed import PrintedLine

SENTENCE_END = re.compile(
    r"(?<=[.!?;])(?P<close>[\"”’)\]]*)\s+(?=[\"“„«(\[]?[A-ZÀ-Ý0-9(•])|(?<=[;:])\s+(?=\([a-z0-9]{1,4}\)\s)"
)
NOT_AN_END = re.compile(
    r"(?:\b(?:Inc|Corp|Co|Ltd|LLC|L\.L\.C|No|Nos|Sec|Art|Mr|Mrs|Ms|Dr|St|vs|v|e\.g|i\.e|cf|approx|"
    r"U\.S|U\.K|N\.V|S\.A|B\.V|L\.P|P\.O|Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sept?|Oct|Nov|Dec|Nr|bzw|z\.B|"
    r"Abs|ca|etc|para|Ziff|d/b/a|f/k/a|a/k/a|Ave|Blvd|Rd|Ste|Bros|Jr|Sr|Tel|Fax|Ext)"
    r"|\b[A-Z]|^\W*(?:\d{1,3}|[ivx]{1,5}|[a-z]))\.$"
)


def split_sentences(
    group: list[PrintedLine], *, is_whole: bool
) -> Iterator[tuple[str, tuple[PrintedLine, ...]]]:
    """Split a paragraph into sentences with their lines; what is whole stays in one piece.

    What has no letter and no digit, such as a bullet alone on its line, says nothing.
    """
    text = "\n".join(line.text for line in group)
    starts = [0]
    for line in group[:-1]:
        starts.append(starts[-1] + len(line.text) + 1)
    spans = [(0, len(text))] if is_whole else _sentences(text)
    for start, end in spans:
        covered = tuple(
            line
            for line, at in zip(group, starts, strict=True)
            if at < end and at + len(line.text) > start
        )
        if covered and any(character.isalnum() for character in text[start:end]):
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
