"""End to end against frameworks: one gold set, one endpoint, one model, prompts of each its own."""

import json
import re
import resource
import time
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from flows.warehouse import Warehouse
from tests.bench.gold import SHARED, GoldSet
from tests.bench.peer_env import ask_peer
from tests.e2e.endpoint import Act, Endpoint, Json
from tests.e2e.reader_model import read_and_reply
from transforms.pipeline.compare import GivenAnswer, compare
from transforms.pipeline.gold import GoldLine, read_gold_line
from transforms.text import count_tokens

LATENCY_S = 0.2
CONCURRENCY = 8
NOT_FOUND = "Not found"
_NAIVE = re.compile(
    r"(?:Context:\n|-{20,}\n)(?P<context>.*)(?:\nQuestion|\nQuery): (?P<question>.*?)\nAnswer:",
    re.DOTALL,
)


class Outcome(NamedTuple):
    """What answering a gold set once took."""

    right_share: float
    prompt_tokens: float
    calls: float
    wall_s: float
    cpu_s: float
    """All but right_share are per question."""


def model(body: Json) -> str:
    """Reply to Compline's prompts in its contract, to naive ones in words: by the same reader."""
    asked = "\n".join(str(message["content"]) for message in body["messages"])
    if "<documents " in asked or (naive := _NAIVE.search(asked)) is None:
        return read_and_reply(body)
    lines = [" ".join(line.split()) for line in naive["context"].splitlines()]
    numbered = (f"p1 l{number}| {line}" for number, line in enumerate(filter(None, lines), 1))
    fenced = (
        "<documents x>\n" + "\n".join(numbered) + "\n</documents x>\n"
        f"<question x>\n{naive['question']}\n</question x>"
    )
    reply = json.loads(read_and_reply({"messages": [{"role": "user", "content": fenced}]}))
    items = [item["value"] for item in reply.get("items") or reply.get("sides") or ()]
    return "; ".join(items) or reply["value_text"] or NOT_FOUND


def framework_outcome(name: str, gold: Sequence[dict[str, Any]]) -> Outcome:
    """Ask a framework once."""
    asked: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for row in gold:
        asked[row["doc"]].append(row)
    documents = [
        [str(SHARED / doc), [row["question"] for row in rows]] for doc, rows in asked.items()
    ]
    with _endpoint() as endpoint:
        job = {"framework": name, "base_url": endpoint.base_url, "concurrency": CONCURRENCY}
        reply: Any = ask_peer("peer_rag.py", {**job, "documents": documents})
    rows = [row for of_document in asked.values() for row in of_document]
    right = [
        compare(_gold_line(row), _given(answer)).is_right
        for row, answer in zip(rows, reply["answers"], strict=True)
    ]
    return _outcome(right, endpoint, reply["wall_s"], reply["cpu_s"])


def own_outcome(made: GoldSet, gold: Sequence[dict[str, Any]]) -> Outcome:
    """Ask Compline once, the start of the command and Prefect's server included."""
    options = ["--engine", "openai", "--model", "m", "--new", "--refresh", "--quiet"]
    with _endpoint() as endpoint:
        environment = {
            "OPENAI_BASE_URL": endpoint.base_url,
            "COMPLINE_CONCURRENCY": str(CONCURRENCY),
        }
        wall, cpu = time.perf_counter(), _cpu_of_children_s()
        made.compline("run", str(made.questions), *options, **environment)
        spent = time.perf_counter() - wall, _cpu_of_children_s() - cpu
    scored = made.compline("eval", str(made.questions), "--gold", str(made.gold), "--json")
    right = [bool(row["is_right"]) for row in json.loads(scored)]
    assert len(right) == len(gold)
    return _outcome(right, endpoint, *spent)


def subset(made: GoldSet, n_documents: int, folder: Path) -> tuple[GoldSet, list[dict[str, Any]]]:
    """Return the set without all but a few of its documents, and its gold lines."""
    lines = [json.loads(line) for line in made.gold.read_text().splitlines()]
    kept = list(dict.fromkeys(line["doc"] for line in lines))[:n_documents]
    gold = [line for line in lines if line["doc"] in kept]
    names = {Path(doc).name for doc in kept}
    questions = [json.loads(line) for line in made.questions.read_text().splitlines()]
    few = made._replace(questions=folder / "few.questions.jsonl", gold=folder / "few.gold.jsonl")
    few.gold.write_text("\n".join(map(json.dumps, gold)))
    asked = [{**row, "documents": sorted(names & set(row["documents"]))} for row in questions]
    few.questions.write_text("\n".join(json.dumps(row) for row in asked if row["documents"]))
    return few, gold


def n_documents_of(made: GoldSet) -> int:
    """Return how many documents the warehouse of a set holds."""
    return Warehouse.open(str(made.warehouse)).read("document_df").height


def _endpoint() -> Endpoint:
    endpoint = Endpoint(model)
    endpoint.usual = Act(hang_s=LATENCY_S)
    return endpoint


def _outcome(right: list[bool], endpoint: Endpoint, wall_s: float, cpu_s: float) -> Outcome:
    n = len(right)
    tokens = sum(count_tokens(_said(body)) for body in endpoint.bodies)
    return Outcome(sum(right) / n, tokens / n, endpoint.n_requests / n, wall_s / n, cpu_s / n)


def _said(body: Json) -> str:
    """Return all that a request makes a model read, its schema too."""
    schema = body.get("response_format", {}).get("json_schema", "")
    return "\n".join([*(str(each["content"]) for each in body["messages"]), json.dumps(schema)])


def _gold_line(row: dict[str, Any]) -> GoldLine:
    return read_gold_line(row, number=1)


def _given(answer: str) -> GivenAnswer:
    items = tuple(answer.split("; "))
    return GivenAnswer(
        is_found=answer != NOT_FOUND, text=answer, items=items if len(items) > 1 else ()
    )


def _cpu_of_children_s() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime
