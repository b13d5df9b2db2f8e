"""Narrow a corpus to the documents that a question names, before anything is retrieved."""

import re
from collections import Counter

import polars as pl

from transforms.questions.lexicon import DOCUMENT_NOUNS
from transforms.questions.nouns import singular
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
