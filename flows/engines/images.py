"""The request that shows an image to a vision model."""

import base64
import hashlib

from flows.engines.forms import Form
from flows.engines.replies import read_completion
from flows.engines.requests import Body, Request
from transforms.text import count_tokens

IMAGE_TOKENS = 2_500
"""The most that one image counts at OpenAI's models; used for the estimate alone."""
LONGEST_TEXT = 4_096
"""Completion tokens for a description or a page."""


def image_request(png: bytes, prompt: str, *, endpoint: str, model: str) -> Request:
    """Return a request about an image. The ledger keeps the image's hash, not the image."""
    url = f"data:image/png;base64,{base64.b64encode(png).decode()}"
    content = [
        {"type": "text", "text": prompt},
        {"type": "image_url", "image_url": {"url": url}},
    ]

    def body(form: Form) -> Body:
        plain: Body = {
            "model": model,
            "messages": [{"role": "user", "content": content}],
            form.length_parameter: LONGEST_TEXT,
        }
        return plain | ({"temperature": 0} if form.has_temperature else {})

    return Request(
        path="/chat/completions",
        canonical={
            "endpoint": endpoint,
            "model": model,
            "prompt": prompt,
            "image": hashlib.sha256(png).hexdigest(),
        },
        body=body,
        count_prompt_tokens=lambda _: count_tokens(prompt) + IMAGE_TOKENS,
        max_completion_tokens=LONGEST_TEXT,
        read=read_completion,
        is_readable=bool,
    )
