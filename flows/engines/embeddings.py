"""The request for embeddings and what stands in its response."""

import math
from collections.abc import Sequence

from flows.engines.replies import Completion, read_counts, read_json
from flows.engines.requests import Request
from transforms.text import count_tokens

Vector = tuple[float, ...]


def embedding_request(
    texts: Sequence[str], *, endpoint: str, model: str, is_response_kept: bool = False
) -> Request:
    """Return a request for one vector per text."""
    body: dict[str, object] = {"model": model, "input": list(texts), "encoding_format": "float"}

    def read(response: str) -> Completion | None:
        vectors = read_vectors(response)
        if vectors is None or len(vectors) != len(texts):
            return None
        return Completion(text="", counts=read_counts(read_json(response).get("usage")))

    return Request(
        path="/embeddings",
        canonical={"endpoint": endpoint, **body},
        body=lambda _: body,
        count_prompt_tokens=lambda _: sum(map(count_tokens, texts)),
        max_completion_tokens=0,
        read=read,
        is_readable=lambda _: True,
        is_response_kept=is_response_kept,
    )


def read_vectors(response: str) -> list[Vector] | None:
    """Return the vectors of a response in the order of their texts, each of unit length.

    Null when the response holds none, or vectors of different lengths.
    """
    try:
        rows = sorted(read_json(response)["data"], key=lambda row: row["index"])
        vectors = [_unit(row["embedding"]) for row in rows]
    except (ValueError, LookupError, TypeError, ArithmeticError):
        return None
    return vectors if len({len(vector) for vector in vectors}) == 1 else None


def _unit(values: Sequence[float]) -> Vector:
    length = math.hypot(*values)
    if not math.isfinite(length):
        raise ValueError("a vector without a length")
    return tuple(value / length for value in values)
