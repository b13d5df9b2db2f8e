"""Narrow a corpus to the documents that a question names, before anything is retrieved."""

import re

import polars as pl

from transforms.questions.lexicon import DOCUMENT_NOUNS
from transforms.questions.nouns import singular
from transforms.text import fold, is_stop_word, tokens
from transforms.values import ParsedQuestion

_YEAR = re.compile(r"\b(?:fy|cy)?\s?'?((?:19|20)\d\d)\b")
_SHORT_YEAR = re.compile(r"\b(?:fy|cy)\s?'?(\d\d)\b")
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
    """Return the words that name documents, and the documents with the most of them."""
    weights = {
        word: ids
        for word in _candidate_words(question)
        if (ids := {i for i, text in described.items() if f" {word} " in text})
        and len(ids) < len(described)
    }
    if not weights:
        return None
    rarest = min(len(ids) for ids in weights.values())
    strong = [word for word, ids in weights.items() if len(ids) <= 2 * rarest]
    chosen = set().union(*(weights[word] for word in strong))
    return strong, [doc_id for doc_id in described if doc_id in chosen]


def _candidate_words(question: ParsedQuestion) -> list[str]:
    """Return folded names and codes of the question that may name a document."""
    phrases = [*question.anchor_keywords, *re.findall(r"\S+\.\w{2,4}\b", question.corrected_text)]
    found: dict[str, None] = {}
    for phrase in phrases:
        joined = _spaced(phrase)
        for word in (joined.strip(), *joined.split()):
            is_generic = singular(word, "en") in DOCUMENT_NOUNS or is_stop_word(word, "en")
            if len(word) >= MIN_NAME_CHARS and not is_generic and not _YEAR.fullmatch(word):
                found.setdefault(word, None)
    return list(found)


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
    return set(re.findall(r"(?<!\d)((?:19|20)\d\d)(?!\d)", description))
