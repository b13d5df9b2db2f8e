"""Narrow a corpus to the documents that a question names; tell the sides of a comparison."""

import re
from collections import Counter

import polars as pl

from transforms.questions.grammar.nouns import singular
from transforms.questions.lexicon.document_words import DOCUMENT_NOUNS
from transforms.text import fold, is_stop_word, tokens
from transforms.values import ParsedQuestion

_YEAR = re.compile(r"\b(?:fy|cy)?\s?'?((?:19|20)\d\d)\b")
_SHORT_YEAR = re.compile(r"\b(?:fy|cy)\s?'?(\d\d)\b")
_FILE_NAME = re.compile(r"\S+\.\w{2,4}\b")
_NOT_METADATA = frozenset(
    {
        "doc_id", "n_bytes", "media_type", "language", "n_pages", "has_outline", "has_usable_toc",
        "is_likely_scanned", "suggested_strategy", "parse_status", "error_code", "error_message",
        "parser_version", "parsed_at",
    }
)  # fmt: skip
MIN_NAME_CHARS = 3
MIN_SIDES = 2
"""Documents that a comparison needs."""
_EARLIER = re.compile(
    r"\b(?:last year|prior year|previous year|prior|previous|expiring|expired|old|older|original|"
    r"former|earlier|annee precedente|precedent|ancien|vorjahr|bisherig|alt|anterior)(?:e[nrs]?)?\b"
)
_LATER = re.compile(
    r"\b(?:this year|current|new|newer|renewal|renewed|latest|amended|restated|later|present|"
    r"annee en cours|nouveau|nouvelle|aktuell|neu|actual|nuev[oa])(?:e[nrs]?)?\b"
)
"""How a question calls the first and the last of several documents in time."""


def narrow_documents(question: ParsedQuestion, document_df: pl.DataFrame) -> tuple[list[str], str]:
    """Return the doc_ids that the question names, in order of the frame, and why in words.

    Names, numbers and years of the question are looked up in title, file name and metadata. Names
    choose first; years then choose among those. All documents come back when nothing matches.
    """
    described = {row["doc_id"]: _description(row) for row in document_df.iter_rows(named=True)}
    everything = list(described)
    chosen, reasons = everything, []
    if named := _named(question, described):
        words, chosen = named
        reasons.append(f"named {', '.join(words)}")
    years = _years(question.corrected_text)
    of_years = [doc_id for doc_id in chosen if years & _years_of(described[doc_id])]
    if of_years:
        chosen = of_years
        reasons.append(f"year {', '.join(sorted(years))}")
    if not reasons:
        return everything, f"nothing in the question names a document: all {len(everything)}"
    return chosen, f"{len(chosen)} of {len(everything)} documents: {'; '.join(reasons)}"


def document_sides(question: ParsedQuestion, document_df: pl.DataFrame) -> dict[str, str]:
    """Return by doc_id which part of a comparison a document stands for, in the question's words.

    That is a name or year of the question which not all of the documents carry, else "expiring" or
    "renewal" for the first and the last in time, else the year with which a document begins. No
    entry for a document that nothing tells apart, none at all when nothing is compared.
    """
    if question.intent != "comparison" or document_df.height < MIN_SIDES:
        return {}
    described = {row["doc_id"]: _description(row) for row in document_df.iter_rows(named=True)}
    first_years = {row["doc_id"]: _first_year(row) for row in document_df.iter_rows(named=True)}
    carried = {phrase: _carrying(phrase, described) for phrase in question.anchor_keywords}
    for year in sorted(_years(question.corrected_text)):
        begun = {doc_id for doc_id, first in first_years.items() if first == year}
        carried[year] = begun or {
            doc_id for doc_id in described if f" {year} " in described[doc_id]
        }
    telling = {phrase: ids for phrase, ids in carried.items() if 0 < len(ids) < len(described)}
    named = {
        doc_id: ", ".join(phrase for phrase, doc_ids in telling.items() if doc_id in doc_ids)
        for doc_id in described
    }
    in_time = _sides_in_time(fold(question.corrected_text), first_years)
    sides = {doc_id: named[doc_id] or in_time.get(doc_id, "") for doc_id in described}
    return {doc_id: side for doc_id, side in sides.items() if side}


def _sides_in_time(text: str, first_years: dict[str, str]) -> dict[str, str]:
    """Return what the question calls the first and the last document, else their years."""
    if "" in first_years.values() or len(set(first_years.values())) < len(first_years):
        return {}
    in_order = sorted(first_years, key=lambda doc_id: first_years[doc_id])
    earlier, later = _EARLIER.search(text), _LATER.search(text)
    sides = dict(first_years)
    if earlier:
        sides[in_order[0]] = earlier.group()
    if later:
        sides[in_order[-1]] = later.group()
    return sides


def _first_year(row: dict[str, object]) -> str:
    """Return the year in which a document begins; empty when nothing tells it."""
    began = row.get("period_start")
    return str(began)[:4] if began else min(_years_of(_description(row)), default="")


def _named(
    question: ParsedQuestion, described: dict[str, str]
) -> tuple[list[str], list[str]] | None:
    """Return the names that documents carry, and the documents that carry most of them."""
    phrases = [*question.anchor_keywords, *_FILE_NAME.findall(question.corrected_text)]
    found = {phrase: _carrying(phrase, described) for phrase in phrases}
    names = [phrase for phrase, doc_ids in found.items() if doc_ids]
    if not names:
        return None
    counts = Counter(doc_id for doc_ids in found.values() for doc_id in doc_ids)
    most = max(counts.values())
    return names, [doc_id for doc_id in described if counts[doc_id] == most]


def _carrying(phrase: str, described: dict[str, str]) -> set[str]:
    """Return the documents that carry a name: as written, in one word, or by its first word.

    Empty when all documents do: then it does not tell them apart.
    """
    spaced = _spaced(phrase)
    first = spaced.partition(" ")[0]
    for form in (spaced, spaced.replace(" ", ""), first):
        if len(form) < MIN_NAME_CHARS or _is_generic(form):
            continue
        doc_ids = {doc_id for doc_id, text in described.items() if f" {form} " in text}
        if doc_ids:
            return doc_ids if len(doc_ids) < len(described) else set()
    return set()


def _is_generic(form: str) -> bool:
    is_year = bool(_YEAR.fullmatch(form) or _SHORT_YEAR.fullmatch(form))
    return is_year or singular(form, "en") in DOCUMENT_NOUNS or is_stop_word(form, "en")


def _description(row: dict[str, object]) -> str:
    values = [str(value) for name, value in row.items() if name not in _NOT_METADATA and value]
    return f" {_spaced(' '.join(values))} "


def _spaced(text: str) -> str:
    """Return folded words with single spaces: file names and titles read alike."""
    return " ".join(
        word for token in tokens(text.replace("_", " ")) for word in re.split(r"[\W]+", token)
    )


def _years(text: str) -> set[str]:
    folded = fold(text)
    return {*_YEAR.findall(folded), *(f"20{year}" for year in _SHORT_YEAR.findall(folded))}


def _years_of(description: str) -> set[str]:
    return _years(description) | set(re.findall(r"(?<!\d)((?:19|20)\d\d)(?!\d)", description))
