"""The tables and lists of English policies."""

import random
from collections.abc import Iterable
from dataclasses import dataclass

from sample_maker.blocks import Block
from sample_maker.english_clauses import DUTIES, EXCLUSION_LEADS
from sample_maker.english_words import Words
from sample_maker.policy import Policy
from sample_maker.spoken import plain


@dataclass
class Part:
    """A numbered clause; the texts of its blocks are templates until all clauses have numbers."""

    key: str
    title: str
    blocks: list[Block]
    number: str = ""


def closing_parts(section: str, rng: random.Random, policy: Policy, words: Words) -> list[Part]:
    """Return the tables and lists with which a section ends."""
    if section == "limits":
        return [_part_limits(policy), _peril_deductibles(policy)]
    if section == "conditions":
        return [_instalments(policy, words)]
    if section == "extensions":
        return _extensions(policy, words)
    return [_duties(rng, policy)] if section == "claims" else []


def definitions(rng: random.Random, policy: Policy) -> list[Block]:
    """Return one paragraph per defined term."""
    blocks = [Block("paragraph", "Words with capital initials have the meaning given here.")]
    for term, meaning in policy.line.terms:
        lead = rng.choice((f'"{term}" means', f"{term} means", f'"{term}" shall mean'))
        blocks.append(Block("paragraph", f"[[definition_{term.lower()}|{lead} {meaning}]]."))
    return blocks


def exclusions(rng: random.Random, policy: Policy) -> list[Block]:
    """Return the lead and one item per exclusion."""
    return [
        Block("paragraph", rng.choice(EXCLUSION_LEADS)),
        *(Block("item", f"[[exclusions|{text}]];") for text in policy.exclusions),
    ]


def _part_limits(policy: Policy) -> Part:
    rows = [
        _marked("part_limits", part, plain(limit), plain(deductible))
        for part, limit, deductible in policy.part_limits
    ]
    lead = "The following limits are part of, and not in addition to, the limit of liability."
    table = _table(("Coverage Part", "Limit", "Deductible"), rows)
    return Part("part_limits", "Limits by Coverage Part", [Block("paragraph", lead), table])


def _peril_deductibles(policy: Policy) -> Part:
    rows = [
        _marked("peril_deductibles", peril, plain(amount))
        for peril, amount in policy.peril_deductibles
    ]
    table = _table(("Peril", "Deductible"), rows)
    return Part("peril_deductibles", "Deductibles by Peril", [table])


def _instalments(policy: Policy, words: Words) -> Part:
    rows = [
        (str(number), *_marked("instalments", words.value(day), plain(amount)))
        for number, (day, amount) in enumerate(policy.instalments, 1)
    ]
    table = _table(("Instalment", "Due Date", "Amount"), rows)
    return Part("instalments", "Instalment Plan", [table])


def _extensions(policy: Policy, words: Words) -> list[Part]:
    """Return one clause per coverage part that has extensions, with a sublimit for each."""
    parts: list[Part] = []
    for part in dict.fromkeys(part for part, _, _ in policy.extension_limits):
        lead = "is extended to include the following, each within its sublimit:"
        blocks = [Block("paragraph", f"[[coverage_tree|{part}]] {lead}")]
        for owner, extension, limit in policy.extension_limits:
            if owner == part:
                text = f"{extension}, up to {words.value(limit)}"
                blocks.append(Block("item", f"[[coverage_tree,sublimits|{text}]]"))
        parts.append(Part(f"extension_{part}", part, blocks))
    return parts


def _duties(rng: random.Random, policy: Policy) -> Part:
    chosen = rng.sample(DUTIES, 5)
    count = rng.choice(("", "five "))
    lead = f"In the event of a loss {policy.insured} has the following {count}duties:"
    items = [Block("item", f"[[duties|{duty}]];") for duty in chosen]
    return Part("duties", "Duties in the Event of Loss", [Block("paragraph", lead), *items])


def _marked(fact: str, *cells: str) -> tuple[str, ...]:
    return tuple(f"[[{fact}|{cell}]]" for cell in cells)


def _table(header: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> Block:
    return Block("table", rows=(header, *rows), has_header=True)
