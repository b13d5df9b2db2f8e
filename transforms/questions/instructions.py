"""What a question is about, without what it says on how to answer.

"Answer in USD millions", "If this is not a useful metric, say so": such words would be searched
for, and stand in no document. Definitions and what a metric is made of stay.
"""

import re

SENTENCE = re.compile(
    r"(?<=[?])[\"”]?\s+(?=\S)|(?<=[.!])\s+(?=[A-ZÀ-Ý¿])|"
    r"(?<=[.!][\"”])\s+(?=[A-ZÀ-Ý])"
)
"""Where a sentence ends and the next begins."""

_HOW_TO_ANSWER = re.compile(
    r"(?i)^(?:please )?(?:answer\b(?! the following)|respond\b|reply\b|round\b|base your\b|"
    r"give (?:a|your|the) (?:response|answer)|provide (?:a|your|the) (?:response|answer)|"
    r"approach the question|assume (?:that )?you|you are\b|imagine\b|act as\b|"
    r"if .*\b(?:metric|relevant|meaningful|useful|reported|outlined|available|asked|something)\b.*"
    r"\b(?:state|say|explain|answer)\b|do not\b|explain your\b|use (?:only|the information))"
)
_LEAD = re.compile(
    r"(?i)^(?:answer the following question\b|by (?:drawing|relying|using|looking)\b|using\b|"
    r"relying\b|based (?:only )?on the (?:information|details)\b)[^,:?]*"
    r"(?:,[^,:?]*abilities)?[,:]\s*"
)
_UNIT_ASIDE = re.compile(r"(?i)\s*\((?:answer |express\w* |stated )?in [^()]*\)")


def without_instructions(text: str) -> str:
    """Return the text without sentences and asides on how to answer; the text when all are."""
    sentences = [part.strip() for part in SENTENCE.split(text.strip()) if part.strip()]
    kept = [_LEAD.sub("", part) for part in sentences if not _HOW_TO_ANSWER.match(part)]
    return _UNIT_ASIDE.sub("", " ".join(kept)) or text
