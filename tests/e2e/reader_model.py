"""A model for the loopback endpoint: it reads the prompt alone, by the offline reader."""

import json
import re
from collections.abc import Iterator, Sequence
from typing import Any, cast, get_args

import polars as pl

from tests.e2e.endpoint_acts import Json
from transforms.generation import read_offline
from transforms.questions import Vocabulary, parse_question
from transforms.tables import Line
from transforms.values import (
    AnswerShape,
    AnswerType,
    AnswerWithEvidence,
    Candidate,
    CitedQuote,
    ParsedQuestion,
    Window,
)

_FENCED = r"<{0} (\w+)>\n(.*?)\n</{0} \1>"
_LINE = re.compile(r"(?:d(\d+) )?p(\d+) l(\d+)\| (.*)")
_OUTLOOK: Json = {
    "caveats": [],
    "unstructured_pages": [],
    "llm_discovered_keywords": [],
    "pending_references": [],
}


def read_and_reply(body: Json) -> str:
    """Return the reply to a chat request for an answer."""
    asked = next(each["content"] for each in body["messages"] if each["role"] == "user")
    windows = tuple(_windows(_fenced("documents", asked)))
    question = _question(_fenced("question", asked).splitlines(), _contract(body))
    answer = read_offline(question, windows)
    if not question.parts:
        return json.dumps({**_single(answer, question), **_outlook(answer)})
    parts = {
        f"part_{number}": _single(part, each)
        for number, (part, each) in enumerate(
            zip(answer.parts, question.parts, strict=True), start=1
        )
    }
    return json.dumps({**parts, **_outlook(answer)})


def _fenced(name: str, text: str) -> str:
    found = re.search(_FENCED.format(name), text, re.DOTALL)
    return found.group(2) if found else ""


def _contract(body: Json) -> str:
    """Return the name of the schema: "listing_name"; empty when the prompt carries it."""
    return body.get("response_format", {}).get("json_schema", {}).get("name", "")


def _question(lines: Sequence[str], contract: str) -> ParsedQuestion:
    shape, _, answer_type = contract.partition("_")
    question = parse_question(
        lines[0],
        vocabulary=Vocabulary(),
        answer_shape=cast(Any, shape if shape in get_args(AnswerShape) else None),
        answer_type=cast(Any, answer_type if answer_type in get_args(AnswerType) else None),
    )
    parts = [line.partition(": ")[2] for line in lines[1:]]
    parsed = tuple(parse_question(part, vocabulary=Vocabulary()) for part in parts)
    return question.model_copy(update={"parts": parsed})


def _windows(rendered: str) -> Iterator[Window]:
    """Yield a window per passage of consecutive lines."""
    for passage in rendered.split("\n…\n"):
        found = [match.groups() for match in map(_LINE.fullmatch, passage.splitlines()) if match]
        if not found:
            continue
        rows = [
            {
                "doc_id": f"{int(document or 1):016x}", "page": int(page), "page_version": 1,
                "line": int(line), "text": text, "x0": 0.0, "y0": 12.0 * int(line), "x1": 500.0,
                "y1": 12.0 * int(line) + 10, "font_size": 10.0, "is_bold": False,
                "is_italic": False, "column_number": 1, "block": 1, "role": "body",
                "section_id": None,
            }
            for document, page, line, text in found
        ]  # fmt: skip
        line_df = pl.DataFrame(rows, schema=Line.polars_schema())
        first, last = rows[0], rows[-1]
        yield Window(
            candidate=Candidate(
                doc_id=str(first["doc_id"]),
                rank=1,
                page_start=int(str(first["page"])),
                line_start=int(str(first["line"])),
                page_end=int(str(last["page"])),
                line_end=int(str(last["line"])),
                relevance=1.0,
                fused_score=1.0,
                detectors=("keywords",),
                n_tokens=1,
            ),
            line_df=line_df,
        )


def _single(answer: AnswerWithEvidence, question: ParsedQuestion) -> Json:
    reply: Json = {
        "answer_found": answer.answer_found,
        "complete_answer_found": answer.complete_answer_found,
        "is_likely_complete": answer.is_likely_complete,
        "value_text": answer.value_text,
        "value_number": answer.value_number,
        "value_date": answer.value_date.isoformat() if answer.value_date else None,
        "value_bool": answer.value_bool,
        "unit": answer.unit,
        "currency": answer.currency,
        "evidence": [_evidence(cited) for cited in answer.cited],
    }
    items = [
        {
            "value": item.value,
            "row": "",
            "column_name": "",
            "path": [],
            "fields": [],
            "side": "",
            "evidence": [_evidence(cited) for cited in item.cited],
        }
        for item in answer.items
    ]
    return reply | {"sides" if question.intent == "comparison" else "items": items}


def _evidence(cited: CitedQuote) -> Json:
    return {"line_ids": list(cited.line_ids), "quote": cited.quote}


def _outlook(answer: AnswerWithEvidence) -> Json:
    return {**_OUTLOOK, "confidence": answer.confidence, "caveats": list(answer.caveats)}
