"""What is right: a line of a gold file, as the evaluation reads it."""

from collections.abc import Mapping
from typing import Any, get_args

from transforms.errors import InputError
from transforms.values import (
    AnswerShape,
    AnswerType,
    Decomposition,
    Intent,
    RouteName,
    Value,
)

DISPATCH_KEYS = ("intent", "answer_shape", "answer_type", "decomposition", "route")
ALLOWED: dict[str, tuple[str, ...]] = {
    key: get_args(kind)
    for key, kind in zip(
        DISPATCH_KEYS, (Intent, AnswerShape, AnswerType, Decomposition, RouteName), strict=True
    )
}


class GoldLine(Value):
    """The right answer of one pair, or of one part of a compound pair, and where it stands."""

    question: str
    doc: str | None = None
    """Path or name of the file; null for a group or the corpus, which scope_key names."""
    scope_key: str | None = None
    sub_question: int = 0
    kind: str = "free_text"
    answers: tuple[str, ...] = ()
    """Items of a list; for a span, texts of which any one is right."""
    evidence: tuple[str, ...] = ()
    pages: frozenset[int] = frozenset()
    places: frozenset[tuple[str, int]] = frozenset()
    """File name and page, for an answer that stands in several documents."""
    passages: tuple[str, ...] = ()
    field: str | None = None
    dispatch: Mapping[str, str] = {}
    """What the dispatcher should say: any of DISPATCH_KEYS."""

    @property
    def is_absent(self) -> bool:
        """True when the document does not say it, so that "not found" is right."""
        is_bare_no = self.kind == "yes_no" and self.is_no and not self.evidence
        is_unmentioned = self.kind == "nli" and self.answers[:1] == ("NotMentioned",)
        return self.kind == "none" or not self.answers or is_bare_no or is_unmentioned

    @property
    def is_no(self) -> bool:
        """True when the answer says no."""
        return bool(self.answers) and self.answers[0].strip().lower().startswith("no")


def read_gold_line(line: Mapping[str, Any], *, number: int) -> GoldLine:
    """Return a line of the gold format; keys that it does not know are ignored.

    Raises InputError that names the line when it is not one.
    """
    question = line.get("question")
    if not isinstance(question, str) or not question.strip():
        raise InputError(
            f"gold line {number} has no question", hint="each line needs at least doc and question"
        )
    return GoldLine(
        question=question,
        doc=line.get("doc"),
        scope_key=line.get("scope_key"),
        sub_question=line.get("sub_question") or 0,
        kind=line.get("answer_kind") or ("free_text" if line.get("gold_answer") else "none"),
        answers=_texts(line.get("gold_value_iso") or line.get("gold_answer")),
        evidence=_texts(line.get("gold_evidence")),
        pages=frozenset(_pages(line)),
        places=frozenset((place["doc"], place["page"]) for place in line.get("gold_places") or ()),
        passages=_texts(line.get("gold_passages")),
        field=line.get("field"),
        dispatch={key: line[key] for key in DISPATCH_KEYS if line.get(key) in ALLOWED[key]},
    )


def _texts(value: object) -> tuple[str, ...]:
    if value is None or value == "":
        return ()
    values = value if isinstance(value, list) else [value]
    return tuple(str(text) for text in values if text is not None)


def _pages(line: Mapping[str, Any]) -> list[int]:
    """Return the gold pages; where they are null, those where the values literally stand."""
    if line.get("gold_pages"):
        return list(line["gold_pages"])
    return [page for pages in line.get("derived_pages") or () for page in pages or ()]
