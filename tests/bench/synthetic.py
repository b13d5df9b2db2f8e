"""A synthetic corpus of any size as frames, drawn from a seed: for benchmarks only."""

import random

import polars as pl

from tests.unit.retrieval.corpora import corpus
from transforms.retrieval import index_lines
from transforms.retrieval.places import places, unit_lines
from transforms.tables import Document, Line, Section
from transforms.text import count_tokens, terms
from transforms.values import Activations, CorpusFrames, ParsedQuestion, RetrievalRequest

N_WORDS = 6000
PAGES = 12
LINES_PER_PAGE = 42
WORDS_PER_LINE = 11
LINES_PER_PARAGRAPH = 6


def make_corpus(
    n_documents: int,
    *,
    n_pages: int = PAGES,
    lines_per_page: int = LINES_PER_PAGE,
    seed: int = 0,
) -> tuple[CorpusFrames, pl.DataFrame]:
    """Return corpus and postings of documents with words in Zipf's proportions."""
    draw = random.Random(seed)
    words = vocabulary()
    weights = [1 / (rank + 3) for rank in range(N_WORDS)]
    n_lines = n_documents * n_pages * lines_per_page
    drawn = draw.choices(words, weights, k=n_lines * WORDS_PER_LINE)
    lines: list[tuple[object, ...]] = []
    sections: list[tuple[object, ...]] = []
    at = iter(range(0, len(drawn), WORDS_PER_LINE))
    for number in range(n_documents):
        doc_id = f"{number:016x}"
        for page in range(1, n_pages + 1):
            for line in range(1, lines_per_page + 1):
                start = next(at)
                is_heading = line == 1
                text = " ".join(drawn[start : start + (4 if is_heading else WORDS_PER_LINE)])
                block = 1 + (line - 1) // LINES_PER_PARAGRAPH
                role = "heading" if is_heading else "body"
                lines.append((doc_id, page, line, text, block, role, f"s{page}"))
                if is_heading:
                    end = (page, lines_per_page)
                    sections.append((doc_id, f"s{page}", 1, text, page, line, *end, "headings"))
    return _frames(n_documents, n_pages, lines, sections)


def vocabulary() -> list[str]:
    """Return made-up words, the commonest first."""
    syllables = [a + b + c for a in "bcdfghlmnprstv" for b in "aeiou" for c in "nrstl"]
    draw = random.Random(1)
    return ["".join(draw.choices(syllables, k=2)) + str(i % 7 or "") for i in range(N_WORDS)]


def make_requests(n_questions: int, doc_ids: list[str], *, seed: int = 1) -> list[RetrievalRequest]:
    """Return one request per question and document; questions have six words, some rare."""
    draw = random.Random(seed)
    words = vocabulary()
    requests: list[RetrievalRequest] = []
    for number in range(n_questions):
        asked = tuple(draw.sample(words[20:300], 3) + draw.sample(words[300:3000], 3))
        text = " ".join(asked)
        question = ParsedQuestion(text=text, corrected_text=text, keywords=asked)
        requests += [
            RetrievalRequest(
                pair_id=f"{number}:{doc_id}",
                doc_ids=(doc_id,),
                question=question,
                activations=Activations(toc_retrieval=True),
                k=5,
            )
            for doc_id in doc_ids
        ]
    return requests


def window_terms(corpus: CorpusFrames, *, at_most: int) -> list[list[list[str]]]:
    """Return for each of the first documents the terms of each of its windows."""
    doc_ids = corpus.document_df["doc_id"].head(at_most)
    texts = (window_texts(corpus.line_df.filter(doc_id=doc_id)) for doc_id in doc_ids)
    return [[terms(text, "en") for text in made] for made in texts]


def window_texts(line_df: pl.DataFrame) -> list[str]:
    """Cut the lines of one document into the windows that Compline makes of them."""
    unit_line_df = unit_lines(line_df)
    by_unit: dict[int, list[str]] = {}
    for unit, text in zip(unit_line_df["unit"], line_df["text"], strict=True):
        by_unit.setdefault(unit, []).append(text)
    return [
        "\n".join(text for unit in range(first, last + 1) for text in by_unit[unit])
        for first, last in places(unit_line_df).select("unit_start", "unit_end").iter_rows()
    ]


def _frames(
    n_documents: int,
    n_pages: int,
    lines: list[tuple[object, ...]],
    sections: list[tuple[object, ...]],
) -> tuple[CorpusFrames, pl.DataFrame]:
    given = ["doc_id", "page", "line", "text", "block", "role", "section_id"]
    given_df = pl.DataFrame(lines, schema=given, orient="row")
    line_df = (
        given_df.with_columns(
            page_version=pl.lit(1),
            n_tokens=pl.Series([count_tokens(text) + 1 for text in given_df["text"]]),
            x0=pl.lit(72.0),
            y0=pl.col("line") * 16.0,
            x1=pl.lit(520.0),
            y1=pl.col("line") * 16.0 + 12,
            font_size=pl.lit(10.0),
            is_bold=pl.col("role") == "heading",
            is_italic=pl.lit(value=False),
            column_number=pl.lit(1),
        )
        .select(*Line.polars_schema())
        .cast(Line.polars_schema())
    )
    names = [
        "doc_id", "section_id", "level", "title", "page_start", "line_start", "page_end",
        "line_end", "source",
    ]  # fmt: skip
    toc_df = (
        pl.DataFrame(sections, schema=names, orient="row")
        .with_columns(parent_id=None, number=None)
        .select(*Section.polars_schema())
        .cast(Section.polars_schema())
    )
    frames = corpus(line_df.head(1))
    one = frames.document_df
    document_df = pl.concat([one] * n_documents).with_columns(
        doc_id=pl.Series([f"{number:016x}" for number in range(n_documents)]),
        n_pages=pl.lit(n_pages),
    )
    made = frames.model_copy(
        update={
            "line_df": line_df,
            "toc_df": toc_df,
            "document_df": document_df.cast(Document.polars_schema()),
        }
    )
    return made, index_lines(line_df, language="en")
