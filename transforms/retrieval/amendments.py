"""Find windows in which an endorsement or amendment changes what the body says."""

from bisect import bisect_left, bisect_right
from collections.abc import Mapping

import polars as pl

from transforms.retrieval.found import Found
from transforms.values import Candidate, CorpusFrames

CHANGES = (
    r"(?i)\b(?:is|are|shall be)\s+(?:hereby\s+)?"
    r"(?:(?:deleted|replaced|amended|superseded|revised)\b"
    r"|(?:increased|reduced|decreased|changed)\s*"
    r"(?:$|from\b|to (?:read|(?-i:[A-Z]{3})\b|[$€£]|\d)))"
    r"|\bamended (?:to read|as follows)\b|\breplaced by the following\b"
    r"|\bwird\b.*\b(?:ersetzt|geändert|erhöht|herabgesetzt)\b|\bwie folgt geändert\b"
    r"|\best\s+(?:remplacée?|modifiée?|portée?|ramenée?|supprimée?)\b|\bannule et remplace\b"
    r"|\b(?:se|queda)\s+(?:sustituye|modifica|modificad[oa]|sustituid[oa])\b"
)
"""How endorsements say that they change something: in a sentence, not in a heading alone.

A loss "is reduced in the same proportion" in the body of any policy: such verbs say it of a value.
"""

MIN_ANCHORS = 0.5
"""Share of the question's anchors that such a window must hold: it changes what is asked about."""


def mark_amending(
    found: Mapping[str, tuple[Candidate, ...]], corpus: CorpusFrames
) -> Mapping[str, tuple[Candidate, ...]]:
    """Return the candidates of all pairs with `is_amending` set where it holds.

    They are marked when they are asked for.
    """
    changing_df = corpus.line_df.filter(pl.col("text").str.contains(CHANGES))
    lines: dict[str, list[tuple[int, int]]] = {}
    for doc_id, page, line in changing_df.select("doc_id", "page", "line").iter_rows():
        lines.setdefault(doc_id, []).append((page, line))
    sorted_lines = {doc_id: sorted(places) for doc_id, places in lines.items()}

    def marked(pair_id: str) -> tuple[Candidate, ...]:
        return tuple(
            candidate.model_copy(update={"is_amending": True})
            if _is_amending(candidate, sorted_lines.get(candidate.doc_id, []))
            else candidate
            for candidate in found[pair_id]
        )

    return Found(found.keys(), marked)


def _is_amending(candidate: Candidate, lines: list[tuple[int, int]]) -> bool:
    first = bisect_left(lines, (candidate.page_start, candidate.line_start))
    after = bisect_right(lines, (candidate.page_end, candidate.line_end))
    return first < after and candidate.anchor_overlap >= MIN_ANCHORS
