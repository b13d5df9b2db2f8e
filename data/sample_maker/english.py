"""Write an English policy: from its facts to blocks of text."""

import random
from collections.abc import Iterable
from dataclasses import dataclass, field

from sample_maker.blocks import Block
from sample_maker.english_clauses import (
    CLAUSES,
    DECLARATIONS,
    ENDORSEMENT_TEXTS,
    FILLERS,
    LABELS,
    SECTION_TITLES,
    Clause,
)
from sample_maker.english_gold import gold_of
from sample_maker.english_lists import Part, closing_parts, definitions, exclusions
from sample_maker.english_words import Words
from sample_maker.house import House
from sample_maker.manuscript import Manuscript
from sample_maker.policy import Policy

OPTIONAL = ("limit_each", "limit_aggregate", "deductible", "retroactive_date", "premium")
"""Facts that stand in the declarations of some policies and in the text of others."""
SHUFFLED = ("conditions", "claims", "general")


@dataclass
class Section:
    key: str
    title: str
    lead: list[Block] = field(default_factory=list)
    parts: list[Part] = field(default_factory=list)


class EnglishPolicy:
    """One policy being written. `manuscript()` is all that others call."""

    def __init__(self, rng: random.Random, policy: Policy, house: House, n_fillers: int) -> None:
        self._rng = rng
        self._policy = policy
        self._house = house
        self._n_fillers = n_fillers
        self._words = Words(rng, policy, house)
        self._declared = {n for n in OPTIONAL if n in policy.facts and rng.random() < 0.6}

    def manuscript(self) -> Manuscript:
        """Return the blocks of the document, and what is right about it."""
        policy, words = self._policy, self._words
        sections = [self._section(key) for key in self._order()]
        self._assign_numbers(sections)
        blocks = [*self._front()]
        for index, section in enumerate(sections, 1):
            blocks += self._set_section(index, section)
        blocks += self._endorsements()
        name = f"{policy.insurer.name} · {policy.title}"
        return Manuscript(
            title=f"{policy.title} - {policy.facts['insured']}",
            language="en",
            header=f"{name} · [[policy_number|{policy.facts['policy_number']}]]",
            blocks=tuple(blocks),
            gold=gold_of(policy, words),
            references=words.numbers,
        )

    # -- declarations ------------------------------------------------------------------------------

    def _front(self) -> Iterable[Block]:
        policy = self._policy
        yield Block("title", policy.title)
        yield Block("small", policy.insurer.name)
        yield Block("heading", self._words.cased(self._rng.choice(DECLARATIONS)), level=1)
        yield Block("table", rows=tuple(self._declared_rows()))
        if self._rng.random() < 0.5:
            titles = "; ".join(f"No. {n} {title}" for n, title in enumerate(policy.endorsements, 1))
            yield _paragraph(f"Endorsements attached at inception: [[endorsements|{titles}]].")
        signed = self._words.say("[[issued_on|{issued_on}]] by [[signatory|{signatory}]]")
        yield _paragraph(
            f"In witness whereof {policy.company} has caused this Policy to be signed on {signed}, "
            "its authorised representative."
        )
        yield _paragraph(
            "This Policy consists of these pages, the terms and conditions that follow and any "
            "endorsements. Read it carefully and return it at once if it is not correct."
        )

    def _declared_rows(self) -> Iterable[tuple[str, str]]:
        for name in ("policy_number", "insured", "insured_address", "insurer", "broker"):
            yield self._declared_row(name)
        yield from self._period_rows()
        for name in OPTIONAL:
            if name in self._declared:
                yield self._declared_row(name)
        yield self._declared_row("counted")
        yield self._declared_row("issued_on")

    def _declared_row(self, name: str) -> tuple[str, str]:
        label = self._words.say(self._rng.choice(LABELS[name]))
        fact = self._body_deductible if name == "deductible" else name
        return f"[[{fact}|{label}]]", f"[[{fact}|{self._words[fact]}]]"

    def _period_rows(self) -> Iterable[tuple[str, str]]:
        start, end = self._words["period_start"], self._words["period_end"]
        style = self._rng.randrange(3)
        if style == 0:
            yield "Policy Period", f"[[period_start,period_end|From {start} to {end}]]"
            return
        first = ("Effective Date", "Inception Date")[style - 1]
        last = ("Expiration Date", "Expiry Date")[style - 1]
        yield f"[[period_start|{first}]]", f"[[period_start|{start}]]"
        yield f"[[period_end|{last}]]", f"[[period_end|{end}]]"

    # -- sections ----------------------------------------------------------------------------------

    def _order(self) -> list[str]:
        """Return the sections in an order that such policies have."""
        order = ["insuring", "limits", "extensions", "exclusions", "conditions", "claims"]
        if self._rng.random() < 0.5:
            order.remove("exclusions")
            order.insert(order.index("limits"), "exclusions")
        order.insert(self._rng.choice((0, 2, len(order))), "definitions")
        if not self._policy.extension_limits:
            order.remove("extensions")
        return [*order, "general"]

    def _section(self, key: str) -> Section:
        section = Section(key, self._rng.choice(SECTION_TITLES[key]))
        if key == "definitions":
            section.lead = definitions(self._rng, self._policy)
        elif key == "exclusions":
            section.lead = exclusions(self._rng, self._policy)
        section.parts = [
            Part(clause.key, self._rng.choice(clause.titles), [_paragraph(self._wording(clause))])
            for clause in CLAUSES
            if clause.section == key and self._is_wanted(clause)
        ]
        pool = FILLERS.get(key, ())
        fillers = self._rng.sample(pool, min(len(pool), self._n_fillers))
        section.parts += [Part("filler", title, [_paragraph(text)]) for title, text in fillers]
        if key in SHUFFLED:
            self._rng.shuffle(section.parts)
        section.parts += closing_parts(key, self._rng, self._policy, self._words)
        return section

    def _is_wanted(self, clause: Clause) -> bool:
        """Leave out a clause whose facts are absent, or that the declarations make superfluous."""
        if any(name not in self._policy.facts for name in clause.needs):
            return False
        if clause.key == "limit_each" and {"limit_each", "limit_aggregate"} <= self._declared:
            return self._rng.random() < 0.5
        return True

    def _wording(self, clause: Clause) -> str:
        wordings = clause.wordings
        if clause.key == "premium_payment" and "premium" not in self._declared:
            wordings = wordings[:1]
        return self._rng.choice(wordings).replace("body_deductible", self._body_deductible)

    def _assign_numbers(self, sections: list[Section]) -> None:
        for index, section in enumerate(sections, 1):
            for position, part in enumerate(section.parts, 1):
                part.number = self._house.clause_number(index, position)
                self._words.numbers.setdefault(part.key, part.number)

    def _set_section(self, index: int, section: Section) -> Iterable[Block]:
        number = self._house.section_number(index)
        yield Block("heading", self._words.cased(f"{number} {section.title}"), level=1)
        yield from map(self._said, section.lead)
        for part in section.parts:
            yield Block("heading", f"{part.number} {part.title}", level=2)
            yield from map(self._said, part.blocks)

    def _said(self, block: Block) -> Block:
        text = self._words.say(block.text)
        return Block(block.kind, text, block.level, block.rows, block.has_header)

    # -- endorsements ------------------------------------------------------------------------------

    def _endorsements(self) -> Iterable[Block]:
        words = self._words
        starts_page = self._rng.random() < 0.5 and self._n_fillers > 0
        for number, title in enumerate(self._policy.endorsements, 1):
            if starts_page:
                yield Block("new_page")
            heading = f"Endorsement No. {number} - [[endorsements|{title}]]"
            yield Block("heading", words.cased(heading), level=1)
            lead = "Attached to and forming part of Policy {policy_number}, issued to {insured}."
            yield Block("small", words.say(lead))
            yield _paragraph(words.say(self._rng.choice(ENDORSEMENT_TEXTS[title])))
            if title == "Additional Insured":
                for name in self._policy.additional_insureds:
                    yield Block("item", f"[[additional_insureds|{name}]]")
            yield _paragraph("All other terms, limits and conditions of the Policy are unchanged.")

    @property
    def _body_deductible(self) -> str:
        """The body states the deductible that an endorsement may have replaced."""
        return "deductible_before" if "deductible_before" in self._policy.facts else "deductible"


def _paragraph(text: str) -> Block:
    return Block("paragraph", text)
