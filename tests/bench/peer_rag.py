"""Naive top-5 over each document by one framework: run by the interpreter of the peers.

The job holds the framework, the endpoint, and per document its path and its questions:
{"framework": …, "base_url": …, "concurrency": …, "documents": [[path, [question, …]], …]}. Files
are read and indexed first (BM25 over chunks of the framework's own default size); then each
question takes five chunks into the framework's own default prompt and asks the endpoint. The reply
has the answers and what asking took.
"""

# ruff: noqa: PLC0415  # a job needs one framework
import contextlib
import json
import os
import sys
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

K = 5
MODEL = "gpt-4o-mini"
"""LlamaIndex refuses names that it does not know."""

PROMPT = """Given the following information, answer the question.

Context:
{% for document in documents %}
    {{ document.content }}
{% endfor %}

Question: {{question}}
Answer:
"""
"""From Haystack's tutorial; it has no default prompt."""

Ask = Callable[[str], str]


def llama_index(base_url: str) -> Callable[[str], Ask]:
    from llama_index.core import Document
    from llama_index.core.node_parser import SentenceSplitter
    from llama_index.core.query_engine import RetrieverQueryEngine
    from llama_index.llms.openai import OpenAI
    from llama_index.retrievers.bm25 import BM25Retriever
    from pypdf import PdfReader

    llm = OpenAI(model=MODEL, api_base=base_url, api_key="none", max_retries=0)

    def read(path: str) -> Ask:
        documents = [
            Document(text=page.extract_text(), metadata={"page_label": str(number)})
            for number, page in enumerate(PdfReader(path).pages, start=1)
        ]
        nodes = SentenceSplitter().get_nodes_from_documents(documents)
        retriever = BM25Retriever.from_defaults(nodes=nodes, similarity_top_k=min(K, len(nodes)))
        engine = RetrieverQueryEngine.from_args(retriever, llm=llm)
        return lambda question: str(engine.query(question))

    return read


def haystack(base_url: str) -> Callable[[str], Ask]:
    from haystack import Pipeline
    from haystack.components.builders import PromptBuilder
    from haystack.components.converters import PyPDFToDocument
    from haystack.components.generators import OpenAIGenerator
    from haystack.components.preprocessors import DocumentSplitter
    from haystack.components.retrievers import InMemoryBM25Retriever
    from haystack.document_stores.in_memory import InMemoryDocumentStore
    from haystack.utils import Secret

    def read(path: str) -> Ask:
        store = InMemoryDocumentStore()
        documents = PyPDFToDocument().run(sources=[path])["documents"]
        splitter = DocumentSplitter(split_by="word", split_length=200, split_overlap=0)
        store.write_documents(splitter.run(documents=documents)["documents"])
        pipeline = Pipeline()
        pipeline.add_component("retriever", InMemoryBM25Retriever(store, top_k=K))
        pipeline.add_component(
            "prompt", PromptBuilder(PROMPT, required_variables=["documents", "question"])
        )
        key = Secret.from_token("none")
        model = OpenAIGenerator(api_key=key, model=MODEL, api_base_url=base_url, max_retries=0)
        pipeline.add_component("model", model)
        pipeline.connect("retriever.documents", "prompt.documents")
        pipeline.connect("prompt", "model")

        def ask(question: str) -> str:
            given = {"retriever": {"query": question}, "prompt": {"question": question}}
            return pipeline.run(given)["model"]["replies"][0]

        return ask

    return read


FRAMEWORKS = {"LlamaIndex": llama_index, "Haystack": haystack}


def main() -> None:
    """Print answers, and wall and processor seconds of asking, as JSON."""
    job: dict[str, Any] = json.load(sys.stdin)
    os.environ["HAYSTACK_TELEMETRY_ENABLED"] = "False"
    with contextlib.redirect_stdout(sys.stderr):
        read = FRAMEWORKS[job["framework"]](job["base_url"])
        asked = [
            (ask, question)
            for ask, of_file in [(read(path), of_file) for path, of_file in job["documents"]]
            for question in of_file
        ]
        wall, cpu = time.perf_counter(), time.process_time()
        with ThreadPoolExecutor(job["concurrency"]) as threads:
            answers = list(threads.map(lambda each: each[0](each[1]), asked))
        spent = time.perf_counter() - wall, time.process_time() - cpu
    print(json.dumps({"answers": answers, "wall_s": spent[0], "cpu_s": spent[1]}))


if __name__ == "__main__":
    main()
