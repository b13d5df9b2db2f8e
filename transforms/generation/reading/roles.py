"""Which party to a policy is asked for: insurer, insured and broker are never confused."""

import re
from typing import Literal

from transforms.generation.reading.brief import Brief
from transforms.generation.reading.concepts import CompiledConcept

Role = Literal["asked", "other", "none"]
INSURER_NAME = re.compile(
    r"\b(?:(?:re)?insurance|assurances?|casualty|indemnity|mutual|mutuelle|underwriters|"
    r"seguros)\b(?!.*\b(?:brok\w+|agen\w+|services?)\b)|versicherung",
    re.IGNORECASE,
)
"""Names whose own words say that they insure, and do not broker insurance."""


def role_said(brief: Brief, text: str) -> Role:
    """Tell whether a text says the role that is asked for, or another one, or none."""
    asked = _roles(brief.concepts)
    if not asked:
        return "none"
    if _says(asked, text):
        return "asked"
    return "other" if _says(_roles(brief.rivals), text) else "none"


def asks_role_alone(brief: Brief) -> bool:
    """Tell whether a question asks for the name of a party, and nothing about it."""
    roles = _roles(brief.concepts)
    carried = frozenset(term for role in roles for term in brief.carried[role.name])
    return bool(roles) and brief.question.answer_type == "name" and brief.topic <= carried


def name_fits(brief: Brief, name: str, before: str) -> bool:
    """Tell whether a name can be that of the role asked for, by what stands right before it.

    The role that is said last counts. Without any, a name that says "insurer" is not the insured.
    """
    asked = _roles(brief.concepts)
    if not asked:
        return True
    own, other = _last(asked, before), _last(_roles(brief.rivals), before)
    if own != other:
        return own > other
    return _is_insurer_asked(brief) or not INSURER_NAME.search(name)


def names_insurer(brief: Brief, name: str) -> bool:
    """Tell whether the insurer is asked for and a name says by itself that it insures."""
    is_asked = _is_insurer_asked(brief) and asks_role_alone(brief)
    return is_asked and bool(INSURER_NAME.search(name))


def _is_insurer_asked(brief: Brief) -> bool:
    return [concept.name for concept in _roles(brief.concepts)] == ["insurer"]


def _roles(concepts: tuple[CompiledConcept, ...]) -> list[CompiledConcept]:
    return [concept for concept in concepts if concept.group == "person"]


def _says(concepts: list[CompiledConcept], text: str) -> bool:
    return any(concept.said.search(text) for concept in concepts)


def _last(concepts: list[CompiledConcept], text: str) -> int:
    ends = (match.end() for concept in concepts for match in concept.said.finditer(text))
    return max(ends, default=-1)
