"""The question file and the gold file of a sample."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fnmatch import fnmatch

from sample_maker.corpus import SampleDocument
from sample_maker.manuscript import Gold
from sample_maker.questions import ENGLISH, QUESTIONS, Asked
from sample_maker.spoken import as_money, plain

COLUMNS = (
    "question_id",
    "question",
    "documents",
    "scope",
    "where",
    "answer_type",
    "answer_shape",
    "k",
    "budget_tokens",
    "tags",
)
DERIVED = {
    # what is worked out from a fact stands where that fact stands
    "part_names": "part_limits",
    "highest_part": "part_limits",
    "flood_above_theft": "peril_deductibles",
    "highest_peril": "peril_deductibles",
}


@dataclass(frozen=True)
class Posed:
    """A question as it goes into the file, with the documents it is asked of."""

    asked: Asked
    question_id: str
    text: str
    documents: str
    subjects: tuple[SampleDocument, ...]

    @property
    def row(self) -> dict[str, str]:
        """Return its row in questions.csv."""
        names = ", ".join(f"'{name}'" for name in self.asked.doc_types)
        return dict.fromkeys(COLUMNS, "") | {
            "question_id": self.question_id,
            "question": self.text,
            "documents": self.documents,
            "scope": self.asked.scope,
            "where": f"doc_type in ({names})" if names else "",
            **dict(self.asked.columns),
        }


def pose_questions(draw: Sequence[float], documents: Sequence[SampleDocument]) -> list[Posed]:
    """Return the questions that this corpus can be asked; `draw` chooses among wordings, 0 to 1."""
    posed = []
    for number, (asked, share) in enumerate(zip(QUESTIONS, draw, strict=True), 1):
        text = asked.wordings[int(share * len(asked.wordings))]
        question = _posed(asked, f"q{number:02d}-{asked.name}", text, documents)
        if question.subjects:
            posed.append(question)
    return posed


def _posed(asked: Asked, question_id: str, text: str, documents: Sequence[SampleDocument]) -> Posed:
    glob, subjects = asked.documents, tuple(_subjects(asked, documents))
    if "{reference}" in text and subjects:
        document = subjects[-1]
        number = document.manuscript.references["subrogation"]
        text = text.format(reference=document.house.reference(number))
        glob, subjects = document.file_name, (document,)
    elif "{insured}" in text and subjects:
        insureds = [document.facts["insured"] for document in subjects]
        unique = [d for d in subjects if insureds.count(d.facts["insured"]) == 1] or subjects
        document = unique[len(unique) // 2]
        text, subjects = text.format(insured=document.facts["insured"]), (document,)
    elif asked.scope.startswith("group:") and subjects:
        glob = ", ".join(document.file_name for document in subjects)
    return Posed(asked, question_id, text, glob, subjects)


def _subjects(asked: Asked, documents: Sequence[SampleDocument]) -> Iterable[SampleDocument]:
    if asked.scope.startswith("group:"):
        numbers = [document.facts["policy_number"] for document in documents]
        return (d for d in documents if numbers.count(d.facts["policy_number"]) == 2)
    if asked.scope == "corpus" or asked.name == "subrogation":
        return (d for d in documents if fnmatch(d.file_name, ENGLISH) and not d.is_scan)
    return (
        document
        for document in documents
        if (not asked.documents or fnmatch(document.file_name, asked.documents))
        and (not asked.doc_types or document.doc_type in asked.doc_types)
    )


def gold_lines(questions: Iterable[Posed]) -> Iterable[dict[str, object]]:
    """Return one line per pair, or per part of a compound pair, that has a right answer."""
    for question in questions:
        if question.asked.is_vague:
            continue
        if question.asked.scope:
            yield _line_of_many(question)
        else:
            for document in question.subjects:
                yield from _lines_of_one(question, document)


def _lines_of_one(question: Posed, document: SampleDocument) -> Iterable[dict[str, object]]:
    facts = question.asked.facts
    if not facts:
        yield _line(question, document.file_name, None, []) | {"field": question.asked.name}
    for number, fact in enumerate(facts, 1):
        gold, quotes = answer_of(document, fact)
        part = {"sub_question": number} if len(facts) > 1 else {}
        yield _line(question, document.file_name, gold, quotes) | {"field": fact} | part


def answer_of(document: SampleDocument, fact: str) -> tuple[Gold | None, list[tuple[str, int]]]:
    """Return the right answer of a document, null when it says nothing, and quotes with pages."""
    source = DERIVED.get(fact, fact)
    quotes = [
        (quote.text, page)
        for quote in document.printed
        if source in quote.facts
        for page in quote.pages
    ]
    known = document.manuscript.gold
    if not quotes or (fact in DERIVED and fact not in known):
        return None, []
    texts = tuple(dict.fromkeys(text for text, _ in quotes))
    kind = "name_list" if len(texts) > 1 else "span"
    return known.get(fact, Gold(texts, kind)), quotes


def _line_of_many(question: Posed) -> dict[str, object]:
    """Return the line of a question over a group or the corpus: its scope_key stands for the doc."""
    subjects = question.subjects
    fact = question.asked.facts[0]
    if fact == "earthquake_policies":
        subjects = tuple(d for d in subjects if d.states("earthquake"))
        insureds = dict.fromkeys(str(document.facts["insured"]) for document in subjects)
        gold = Gold(tuple(insureds), "name_list")
        source = "earthquake"
    elif fact == "premium_rose":
        before, after = (as_money(d.facts["premium"]).amount for d in subjects)
        gold, source = Gold(("Yes" if after > before else "No",), "yes_no"), "premium"
    elif fact == "limits_by_year":
        gold = Gold(tuple(plain(d.facts["limit_each"]) for d in subjects), "name_list")
        source = "limit_each"
    else:
        gold, source = subjects[0].manuscript.gold[fact], fact
    found = [(d.file_name, text, page) for d in subjects for text, page in answer_of(d, source)[1]]
    is_group = question.asked.scope.startswith("group:")
    key = str(subjects[0].facts["policy_number"]) if is_group else "corpus"
    line = _line(question, None, gold, [(text, page) for _, text, page in found])
    return line | {
        "scope_key": key,
        "field": fact,
        "gold_pages": None,
        "gold_places": [
            {"doc": doc, "page": page}
            for doc, page in dict.fromkeys((doc, page) for doc, _, page in found)
        ],
    }


def _line(
    question: Posed, doc: str | None, gold: Gold | None, quotes: list[tuple[str, int]]
) -> dict[str, object]:
    intent, shape, answer_type, decomposition = question.asked.brief.split()
    is_batch = (
        shape != "single"
        or decomposition != "single"
        or intent not in ("factual", "section_retrieval")
    )
    is_many = gold is not None and gold.kind == "name_list"
    answer = None if gold is None else list(gold.values) if is_many else gold.values[0]
    return {
        "question_id": question.question_id,
        "doc": doc,
        "question": question.text,
        "gold_answer": answer,
        "gold_evidence": list(dict.fromkeys(text for text, _ in quotes)),
        "gold_pages": sorted({page for _, page in quotes}) or None,
        "answer_kind": gold.kind if gold else "none",
        "intent": intent,
        "answer_shape": shape,
        "answer_type": answer_type,
        "decomposition": decomposition,
        "route": "batch" if is_batch else "sequential",
    }
