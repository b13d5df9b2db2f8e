"""What a caller sends: one kind of request, able to take the form that an endpoint wants."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from flows.engines.forms import Form, canonical_request, prompt_text
from flows.engines.replies import Completion, read_completion
from transforms.text import count_tokens
from transforms.values import GenerationRequest

Path = Literal["/chat/completions", "/embeddings"]
Body = dict[str, object]


@dataclass(frozen=True)
class Request:
    """A request for a model."""

    path: Path
    canonical: Body
    """What makes it the same request, whatever form it is sent in."""
    body: Callable[[Form], Body]
    count_prompt_tokens: Callable[[Body], int]
    max_completion_tokens: int
    read: Callable[[str], Completion | None]
    """The reply in a response body, null when there is none."""
    is_readable: Callable[[str], bool]
    """Whether a reply text keeps its contract."""
    is_response_kept: bool = True
    """False where the response is kept elsewhere: the ledger records the call alone."""


def generation_request(
    request: GenerationRequest,
    *,
    endpoint: str,
    model: str,
    is_readable: Callable[[str], bool],
) -> Request:
    """Return a request for an answer."""
    return Request(
        path="/chat/completions",
        canonical=canonical_request(request, endpoint=endpoint, model=model),
        body=lambda form: form.body(request, model),
        count_prompt_tokens=lambda body: count_tokens(prompt_text(body)),
        max_completion_tokens=request.max_completion_tokens,
        read=read_completion,
        is_readable=is_readable,
    )
