"""Cited quotes to evidence: where each quote of an answer stands in the offered lines."""

import re
from collections.abc import Iterator, Sequence

from transforms.generation.matching import Match
from transforms.generation.render import Passage
from transforms.values import CheckFailure, CitedQuote, EvidenceSpan

_NUMBER = r"(\d{1,6})"
_LINE_ID = re.compile(
    rf"(?:d{_NUMBER}[\s,:]*)?p{_NUMBER}[\s,:.]*l{_NUMBER}(?:\s*[-–]\s*(?:p\d+\s*)?l?{_NUMBER})?"
)
_RENDERED_ID = re.compile(r"^[ \t]*\[?(?:d\d+ )?p\d+ l\d+\]?(?:\||:)?[ \t]*", re.MULTILINE)
_ELISION = re.compile(
    r"\s*(?:\[(?:\.{3}|…)\]|\((?:\.{3}|…)\)|(?<=\s)\.{3}(?=\s)|(?<=\s)…(?=\s))\s*"
)
_QUOTE_MARKS = ('"', '"'), ("'", "'"), ("“", "”"), ("‘", "’"), ("«", "»"), ("„", "“"), ("`", "`")
_MAX_LINES_A_RANGE = 200
Place = tuple[int | None, int, int]
"""Document number (null when not given), page, line."""


def anchor(
    cited: Sequence[CitedQuote], offered: Sequence[Passage]
) -> tuple[tuple[EvidenceSpan, ...], tuple[CheckFailure, ...]]:
    """Return evidence for the quotes that stand in the offered lines, and a failure for others.

    The cited lines are looked at first; a right quote with wrong line ids is found wherever it
    stands. A quote over a page break gives one span a page.
    """
    evidence: list[EvidenceSpan] = []
    failures: list[CheckFailure] = []
    for quoted in cited:
        places = list(_places(quoted.line_ids))
        whole = _locate(quoted.quote.strip(), places, offered)
        matches = {quoted.quote: whole}
        if whole is None:
            matches = {p: _locate(p, places, offered) for p in _pieces(quoted.quote)}
        for piece, match in matches.items():
            if match is None:
                failures.append(_not_found(piece))
            else:
                evidence += [span for span in _spans(match) if span not in evidence]
    return tuple(evidence), tuple(failures)


def _places(line_ids: Sequence[str]) -> Iterator[Place]:
    for line_id in line_ids:
        for document, page, first, last in _LINE_ID.findall(line_id.lower()):
            stop = min(int(last or first), int(first) + _MAX_LINES_A_RANGE)
            for line in range(int(first), stop + 1):
                yield (int(document) if document else None, int(page), line)


def _pieces(quote: str) -> list[str]:
    """Return what has to stand in the lines: without rendered ids, outer marks and elisions."""
    pieces = [piece.strip() for piece in _ELISION.split(_RENDERED_ID.sub("", quote))]
    return [piece for piece in pieces if any(c.isalnum() for c in piece)] or [quote]


def _locate(quote: str, places: Sequence[Place], offered: Sequence[Passage]) -> Match | None:
    for wording in _wordings(quote):
        for document, page, lines in _cited_lines(places):
            for passage in offered:
                if document in (None, passage.document_number) and (
                    match := passage.finder.find(wording, page=page, lines=lines)
                ):
                    return match
        matches = [m for p in offered if (m := p.finder.find(wording))]
        if matches:
            return min(matches, key=lambda match: _KIND_ORDER[match.match_kind])
    return None


_KIND_ORDER = {"exact": 0, "normalized": 1, "fuzzy": 2}


def _wordings(quote: str) -> Iterator[str]:
    """Yield the quote, then without quotation marks or a full stop that the model added."""
    yield quote
    for left, right in _QUOTE_MARKS:
        if len(quote) > 2 and quote.startswith(left) and quote.endswith(right):
            yield quote[1:-1].strip()
    if quote.endswith((".", "…")) and len(quote) > 1:
        yield quote.rstrip(".…")


def _cited_lines(places: Sequence[Place]) -> list[tuple[int | None, int, set[int]]]:
    by_page: dict[tuple[int | None, int], set[int]] = {}
    for document, page, line in places:
        by_page.setdefault((document, page), set()).add(line)
    return [(document, page, lines) for (document, page), lines in by_page.items()]


def _spans(match: Match) -> Iterator[EvidenceSpan]:
    for part in (match, *match.continued):
        yield EvidenceSpan(**part.model_dump(exclude={"continued"}))


def _not_found(quote: str) -> CheckFailure:
    shown = quote if len(quote) <= 160 else f"{quote[:157]}..."
    return CheckFailure(
        check="quote_not_found",
        message=f"the quote {shown!r} does not stand in the lines; copy it character by character, "
        "with the sign, currency, unit or negation next to it",
    )
