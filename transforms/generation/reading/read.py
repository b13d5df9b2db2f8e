"""Read the offered windows for one question: found with a quote, or honestly not found."""

import re
from collections.abc import Sequence

from transforms.generation.reading.choose import ReaderRule, choose_reader
from transforms.generation.reading.keywords import KEYWORDS
from transforms.generation.reading.page import Reading, make_reading
from transforms.generation.reading.several import read_comparison, read_parts
from transforms.values import AnswerWithEvidence, ParsedQuestion, Window

REFERENCE = re.compile(
    r"\b(?:see|refer to|set (?:out|forth) in|shown in|stated in|specified in|listed in|"
    r"described in|defined in|as per|"
    r"voir|siehe|gemäß|véase)\s+(?:the\s+)?(?P<label>(?:Section|Clause|Article|Table|Schedule|Annex|Appendix|Exhibit|"
    r"Endorsement|Part|Item|Abschnitt|Ziffer|Tabelle|Anlage|Anhang|Tableau|Annexe|Sección|Cláusula|Tabla|Anexo)\s+"
    r"[A-Z0-9]+(?:[.\-][0-9A-Za-z]+)*)",
    re.IGNORECASE,
)
FRONT_PAGE = re.compile(
    r"\b(?:stated|shown|specified|set out|named|listed|indicated|described)\s+(?:in|on)\s+the\s+"
    r"(?P<label>Declarations|Schedule|Specifications|Cover Page|Summary of Terms)\b(?!\s+[A-Z0-9])|"
    r"\bim\s+(?P<de>Versicherungsschein)\s+(?:angegeben|genannt)",
    re.IGNORECASE,
)
IN_OPENING = frozenset({"contract_date", "parties"})
"""Readers whose answer stands where a contract begins."""
MIN_REFERENCE_COVERAGE = 0.5
MIN_READABLE_SHARE = 0.6
READABLE = re.compile(r"[\w\s.,;:()\-'\"“”‘’$€£%/&@§]")


def read_offline(question: ParsedQuestion, windows: Sequence[Window]) -> AnswerWithEvidence:
    """Answer a question from windows by rule, each value with the quote it stands on.

    What the windows do not say is not found; references that lead further are reported, and pages
    whose text cannot be read.
    """
    reading = make_reading(question, windows)
    garbled = _garbled_pages(windows)
    if not reading.units or (garbled and len(garbled) == len(_pages(windows))):
        return AnswerWithEvidence(
            context_structured=False, unstructured_pages=garbled or _pages(windows)
        )
    if question.intent == "comparison":
        answer = read_comparison(reading, _read_one)
    elif question.parts:
        answer = read_parts(reading, _read_one)
    else:
        answer = _read_one(reading)
    if garbled and not answer.answer_found:
        return answer.model_copy(
            update={"context_structured": False, "unstructured_pages": garbled}
        )
    return answer


def _read_one(reading: Reading) -> AnswerWithEvidence:
    rule = choose_reader(reading)
    answer = rule.read(reading)
    if answer.complete_answer_found:
        return answer
    return answer.model_copy(
        update={
            "pending_references": _references(reading, rule, is_found=answer.answer_found),
            "llm_discovered_keywords": () if answer.answer_found else _other_words(reading, rule),
        }
    )


def _other_words(reading: Reading, rule: ReaderRule) -> tuple[str, ...]:
    """Return words of the text's language that it may use instead of those of the question."""
    by_name = KEYWORDS[reading.language]
    names = (rule.name, *(concept.name for concept in reading.brief.concepts))
    asked = {word.lower() for word in reading.question.keywords}
    words = (word for name in names for word in by_name.get(name, "").split())
    return tuple(dict.fromkeys(word for word in words if word not in asked))


def _references(reading: Reading, rule: ReaderRule, *, is_found: bool) -> tuple[str, ...]:
    """Return labels that sentences about the question point to, when it is not offered itself.

    When nothing is found, the front page that any sentence points to is one of them; the date and
    the parties of a contract stand on its first page, whether a sentence says so or not.
    """
    labels = [
        " ".join(match["label"].split())
        for sight in reading.ranked[:3]
        if sight.coverage >= MIN_REFERENCE_COVERAGE
        for match in REFERENCE.finditer(sight.unit.text)
    ]
    if not is_found:
        labels += [
            m["label"] or m["de"] for unit in reading.units for m in FRONT_PAGE.finditer(unit.text)
        ]
    if rule.name in IN_OPENING and reading.units[0].lines[0].page > 1:
        labels.append("first page")
    return tuple(dict.fromkeys(labels))


def _pages(windows: Sequence[Window]) -> tuple[int, ...]:
    pages: set[int] = set()
    for window in windows:
        pages.update(window.line_df["page"].unique())
        if window.line_df.is_empty():
            pages.update(range(window.candidate.page_start, window.candidate.page_end + 1))
    return tuple(sorted(pages))


def _garbled_pages(windows: Sequence[Window]) -> tuple[int, ...]:
    """Return pages whose text is mostly signs that no language writes with."""
    texts: dict[int, list[str]] = {}
    for window in windows:
        for page, text in window.line_df[["page", "text"]].iter_rows():
            texts.setdefault(page, []).append(text)
    return tuple(page for page, lines in sorted(texts.items()) if _is_garbled("".join(lines)))


def _is_garbled(text: str) -> bool:
    return bool(text) and len(READABLE.findall(text)) < MIN_READABLE_SHARE * len(text)
