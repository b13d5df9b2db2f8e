"""The one correction call: says exactly what failed, without growing the context."""

from collections.abc import Sequence

from transforms.generation.render import fenced
from transforms.values import CheckFailure, GenerationRequest

MAX_REPLY_CHARACTERS = 6000
"""Of a wrong reply that much is shown again: enough for any answer, not for a runaway."""
_INTRODUCTION = "Your reply was checked by a program. These checks failed:"
_REQUEST = (
    "Reply again with the whole JSON object, corrected. Quote only what stands in the lines; "
    "what you cannot quote is not found."
)


def build_correction(
    request: GenerationRequest, reply_text: str, failures: Sequence[CheckFailure]
) -> GenerationRequest:
    """Return the request again with the wrong reply and what failed in it.

    A correction of a correction replaces the reply before: documents and question are sent
    once, whatever the number of retries.
    """
    failed = "\n".join(f"- {failure.check}: {failure.message}" for failure in failures)
    told = f"{_INTRODUCTION}\n{fenced('checks', failed)}\n{_REQUEST}"
    first = tuple(message for message in request.messages if message[0] == "system")
    asked = next(message for message in request.messages if message[0] == "user")
    return request.model_copy(
        update={
            "messages": (
                *first,
                asked,
                ("assistant", reply_text[:MAX_REPLY_CHARACTERS]),
                ("user", told),
            ),
        }
    )
