"""Write an English policy: from its facts to blocks of text."""

import random
from collections.abc import Iterable
from dataclasses import dataclass, field

from sample_maker.blocks import Block
from sample_maker.english_clauses import CLAUSES, DUTIES, ENDORSEMENT_TEXTS, FILLERS, Clause
from sample_maker.house import House
from sample_maker.manuscript import Gold, Manuscript
from sample_maker.policy import Policy
from sample_maker.spoken import Spoken, Voice, plain

# fmt: off
SECTION_TITLES: dict[str, tuple[str, ...]] = {
    "insuring": ("The Insurance", "Insuring Agreements", "Cover Provided"),
    "limits": ("Limits and Deductibles", "Limits of Insurance", "Amounts Payable"),
    "definitions": ("Definitions", "Meaning of Words", "Interpretation"),
    "extensions": ("Coverage Parts and Extensions", "Extensions of Cover"),
    "exclusions": ("Exclusions", "What Is Not Covered", "General Exclusions"),
    "conditions": ("General Conditions", "Conditions", "Policy Conditions"),
    "claims": ("Claims", "Claims Provisions", "What to Do After a Loss"),
    "general": ("General Provisions", "Miscellaneous", "Final Provisions"),
}
LABELS: dict[str, tuple[str, ...]] = {
    "policy_number": ("Policy Number", "Policy No.", "Policy number"),
    "insured": ("Named Insured", "Name of Insured", "Policyholder"),
    "insured_address": ("Mailing Address", "Address of Insured", "Insured's Address"),
    "insurer": ("Insurer", "Issued by", "Insurance Company"),
    "broker": ("Broker", "Producer", "Insurance Broker"),
    "premium": ("Annual Premium", "Total Annual Premium", "Premium for the Period"),
    "limit_each": ("Limit of Liability, each {each}", "Limit any one {each}", "Each {each} Limit"),
    "limit_aggregate": ("Annual Aggregate Limit", "Aggregate Limit", "Policy Period Aggregate"),
    "deductible": ("Deductible, each loss", "Deductible each and every loss", "Deductible"),
    "retroactive_date": ("Retroactive Date",),
    "counted": ("Number of {counted_things}",),
    "issued_on": ("Date of Issue", "Issued on"),
}
DECLARATIONS = ("Declarations", "Policy Declarations", "Schedule of Insurance", "Policy Schedule")
EXCLUSION_LEADS = (
    "This Policy does not cover loss, damage, cost or liability caused by or arising out of:",
    "{Company} shall not be liable for any loss directly or indirectly resulting from:",
    "The insurance does not apply to any of the following, whatever other cause may contribute:",
)
# fmt: on


@dataclass
class Part:
    """A clause on its way into the document; `blocks` are templates until it has a number."""

    key: str
    title: str
    blocks: list[Block]
    number: str = ""


@dataclass
class Section:
    key: str
    title: str
    parts: list[Part] = field(default_factory=list)
    lead: list[Block] = field(default_factory=list)


class EnglishPolicy:
    """One policy being written. `manuscript()` is all that others call."""

    def __init__(self, rng: random.Random, policy: Policy, house: House, n_fillers: int) -> None:
        self._rng = rng
        self._policy = policy
        self._house = house
        self._voice = Voice(rng, "en", policy.insurer.country)
        self._n_fillers = n_fillers
        self._declared = self._draw_declared()
        self._numbers: dict[str, str] = {}
        self._phrases = self._fixed_phrases()

    def manuscript(self) -> Manuscript:
        """Return the blocks of the document, and what is right about it."""
        sections = self._sections()
        self._assign_numbers(sections)
        blocks = [
            *self._front(),
            *(block for section in enumerate(sections, 1) for block in self._set_section(*section)),
            *self._endorsements(),
        ]
        policy = self._policy
        header = f"{policy.insurer.name} · {policy.title}"
        return Manuscript(
            title=f"{policy.title} - {policy.facts['insured']}",
            language="en",
            header=f"{header} · [[policy_number|{policy.facts['policy_number']}]]",
            blocks=tuple(blocks),
            gold=self._gold(),
            references=self._numbers,
        )

    def _draw_declared(self) -> tuple[str, ...]:
        """Choose which facts the declarations state; the text states the others."""
        optional = [
            name
            for name in (
                "limit_each",
                "limit_aggregate",
                "deductible",
                "retroactive_date",
                "premium",
            )
            if name in self._policy.facts and self._rng.random() < 0.6
        ]
        return (
            "policy_number",
            "insured",
            "insured_address",
            "insurer",
            "broker",
            "period",
            *optional,
            "counted",
            "issued_on",
        )

    # -- parts of the document ---------------------------------------------------------------------

    def _front(self) -> Iterable[Block]:
        policy = self._policy
        yield Block("title", policy.title)
        yield Block("small", policy.insurer.name)
        yield Block("heading", self._cased(self._rng.choice(DECLARATIONS)), level=1)
        yield Block("table", rows=tuple(self._declared_rows()))
        if self._rng.random() < 0.5:
            titles = "; ".join(
                f"No. {number} {title}" for number, title in enumerate(policy.endorsements, 1)
            )
            yield Block(
                "paragraph", f"Endorsements attached at inception: [[endorsements|{titles}]]."
            )
        signed = self._say("{issued_on}")
        yield Block(
            "paragraph",
            f"In witness whereof {policy.company} has caused this Policy to be signed on "
            f"[[issued_on|{signed}]] by [[signatory|{policy.facts['signatory']}]], "
            "its authorised representative.",
        )
        yield Block(
            "paragraph",
            "This Policy consists of these pages, the terms and conditions that follow and any "
            "endorsements. Read it carefully and return it at once if it is not correct.",
        )

    def _declared_rows(self) -> Iterable[tuple[str, str]]:
        for name in self._declared:
            if name == "period":
                yield from self._period_rows()
                continue
            label = self._say(self._rng.choice(LABELS[name]))
            key = self._deductible_key if name == "deductible" else name
            yield (f"[[{key}|{label}]]", f"[[{key}|{self._say('{' + key + '}')}]]")

    def _period_rows(self) -> Iterable[tuple[str, str]]:
        start, end = self._say("{period_start}"), self._say("{period_end}")
        style = self._rng.randrange(3)
        if style == 0:
            yield ("Policy Period", f"[[period_start,period_end|From {start} to {end}]]")
        else:
            first, last = (
                ("Effective Date", "Expiration Date"),
                ("Inception Date", "Expiry Date"),
            )[style - 1]
            yield (f"[[period_start|{first}]]", f"[[period_start|{start}]]")
            yield (f"[[period_end|{last}]]", f"[[period_end|{end}]]")

    def _sections(self) -> list[Section]:
        order = [
            "insuring",
            "limits",
            "definitions",
            "extensions",
            "exclusions",
            "conditions",
            "claims",
            "general",
        ]
        if self._rng.random() < 0.5:
            order.remove("definitions")
            order.insert(self._rng.choice((0, 6)), "definitions")
        if self._rng.random() < 0.5:
            order.remove("exclusions")
            order.insert(order.index("limits"), "exclusions")
        sections = [Section(key, self._rng.choice(SECTION_TITLES[key])) for key in order]
        for section in sections:
            section.parts = self._parts(section.key)
            if section.key == "definitions":
                section.lead = self._definitions()
            elif section.key == "exclusions":
                section.lead = self._exclusions()
        return sections

    def _parts(self, section: str) -> list[Part]:
        parts = [
            Part(clause.key, self._rng.choice(clause.titles), self._paragraphs(clause))
            for clause in CLAUSES
            if clause.section == section and self._is_wanted(clause)
        ]
        parts += [
            Part("filler", title, [Block("paragraph", text)])
            for title, text in self._fillers(section)
        ]
        if section in ("conditions", "general", "claims"):
            self._rng.shuffle(parts)
        return parts + self._tables(section)

    def _is_wanted(self, clause: Clause) -> bool:
        """Leave out a clause whose facts are absent, or that the declarations make superfluous."""
        if any(name not in self._policy.facts for name in clause.needs):
            return False
        if clause.key == "limit_each" and {"limit_each", "limit_aggregate"} <= set(self._declared):
            return self._rng.random() < 0.5
        return True

    def _paragraphs(self, clause: Clause) -> list[Block]:
        wordings = clause.wordings
        if clause.key == "premium_payment" and "premium" not in self._declared:
            wordings = wordings[:1]
        text = self._rng.choice(wordings)
        text = text.replace("{{deductible_key}}", "{" + self._deductible_key + "}")
        text = text.replace("{deductible_key}", self._deductible_key)
        return [Block("paragraph", paragraph) for paragraph in text.split("\n\n")]

    def _fillers(self, section: str) -> list[tuple[str, str]]:
        pool = FILLERS.get(section, ())
        return self._rng.sample(pool, min(len(pool), self._n_fillers))

    def _tables(self, section: str) -> list[Part]:
        policy = self._policy
        if section == "limits":
            rows = [
                (
                    f"[[part_limits|{part}]]",
                    f"[[part_limits|{self._plain(limit)}]]",
                    f"[[part_limits|{self._plain(deductible)}]]",
                )
                for part, limit, deductible in policy.part_limits
            ]
            perils = [
                (f"[[peril_deductibles|{peril}]]", f"[[peril_deductibles|{self._plain(amount)}]]")
                for peril, amount in policy.peril_deductibles
            ]
            return [
                Part(
                    "part_limits",
                    "Limits by Coverage Part",
                    [
                        Block(
                            "paragraph",
                            "The following limits are part of, and not in addition to, the limit of liability.",
                        ),
                        _table(("Coverage Part", "Limit", "Deductible"), rows),
                    ],
                ),
                Part(
                    "peril_deductibles",
                    "Deductibles by Peril",
                    [_table(("Peril", "Deductible"), perils)],
                ),
            ]
        if section == "conditions":
            due = [
                (
                    f"{number}",
                    f"[[instalments|{self._say_value(day)}]]",
                    f"[[instalments|{self._plain(amount)}]]",
                )
                for number, (day, amount) in enumerate(policy.instalments, 1)
            ]
            return [
                Part(
                    "instalments",
                    "Instalment Plan",
                    [_table(("Instalment", "Due Date", "Amount"), due)],
                )
            ]
        if section == "extensions":
            return self._extensions()
        if section == "claims":
            return [Part("duties", "Duties in the Event of Loss", self._duties())]
        return []

    def _extensions(self) -> list[Part]:
        parts: list[Part] = []
        for part in dict.fromkeys(part for part, _, _ in self._policy.extension_limits):
            blocks = [
                Block(
                    "paragraph",
                    f"[[coverage_tree|{part}]] is extended to include the following, each within its sublimit:",
                ),
            ]
            blocks += [
                Block(
                    "item",
                    f"[[coverage_tree,sublimits|{extension}, up to {self._say_value(limit)}]]",
                )
                for owner, extension, limit in self._policy.extension_limits
                if owner == part
            ]
            parts.append(Part(f"extension_{part}", part, blocks))
        return parts

    def _duties(self) -> list[Block]:
        chosen = self._rng.sample(DUTIES, 5)
        count = self._rng.choice(("", "five "))
        return [
            Block(
                "paragraph",
                f"In the event of a loss {self._policy.insured} has the following {count}duties:",
            ),
            *(Block("item", f"[[duties|{duty}]];") for duty in chosen),
        ]

    def _definitions(self) -> list[Block]:
        blocks = [Block("paragraph", "Words with capital initials have the meaning given here.")]
        for term, meaning in self._policy.line.terms:
            text = self._rng.choice(
                (
                    f'"{term}" means {meaning}',
                    f"{term} means {meaning}",
                    f'"{term}" shall mean {meaning}',
                )
            )
            blocks.append(Block("paragraph", f"[[definition_{term.lower()}|{text}]]."))
        return blocks

    def _exclusions(self) -> list[Block]:
        return [
            Block("paragraph", self._rng.choice(EXCLUSION_LEADS)),
            *(Block("item", f"[[exclusions|{text}]];") for text in self._policy.exclusions),
        ]

    def _endorsements(self) -> Iterable[Block]:
        starts_page = self._rng.random() < 0.5 and self._n_fillers > 0
        for number, title in enumerate(self._policy.endorsements, 1):
            if starts_page:
                yield Block("new_page")
            heading = f"Endorsement No. {number} - [[endorsements|{title}]]"
            yield Block("heading", self._cased(heading), level=1)
            yield Block(
                "small",
                self._say(
                    "Attached to and forming part of Policy {policy_number}, issued to {insured}."
                ),
            )
            yield Block("paragraph", self._say(self._rng.choice(ENDORSEMENT_TEXTS[title])))
            if title == "Additional Insured":
                for name in self._policy.additional_insureds:
                    yield Block("item", f"[[additional_insureds|{name}]]")
            yield Block(
                "paragraph",
                "Nothing herein shall vary, alter or extend any term of the Policy except as stated above.",
            )

    # -- numbers and words -------------------------------------------------------------------------

    def _assign_numbers(self, sections: list[Section]) -> None:
        for index, section in enumerate(sections, 1):
            for position, part in enumerate(section.parts, 1):
                part.number = self._house.clause_number(index, position)
                self._numbers.setdefault(part.key, part.number)

    def _set_section(self, index: int, section: Section) -> Iterable[Block]:
        number = self._house.section_number(index)
        yield Block("heading", self._cased(f"{number} {section.title}"), level=1)
        yield from map(self._said, section.lead)
        for part in section.parts:
            yield Block("heading", f"{part.number} {part.title}", level=2)
            yield from map(self._said, part.blocks)

    def _said(self, block: Block) -> Block:
        return Block(block.kind, self._say(block.text), block.level, block.rows, block.has_header)

    def _say(self, template: str) -> str:
        return template.format_map(_Words(self))

    def word(self, name: str) -> str:
        """Return what a name in braces stands for."""
        if name in self._phrases:
            return self._phrases[name]
        if name.startswith(("ref_", "Ref_")):
            return self._house.reference(self._numbers[name[4:]])
        return self._say_value(self._policy.facts[name])

    def _fixed_phrases(self) -> dict[str, str]:
        policy = self._policy
        return {
            "company": policy.company,
            "Company": _capital(policy.company),
            "holder": policy.insured,
            "Holder": _capital(policy.insured),
            "each": policy.line.each,
            "counted_things": policy.line.counted,
            "terrorism_sentence": self._terrorism(),
            "renewal_sentence": self._renewal(),
            "tax_sentence": self._tax(),
        }

    def _terrorism(self) -> str:
        if self._policy.booleans["terrorism"]:
            return self._rng.choice(
                (
                    "[[terrorism|Loss caused by an act of terrorism is covered under this Policy]], subject to its limits.",
                    "[[terrorism|This Policy covers loss or damage caused by terrorism]] on the same terms as any other loss.",
                )
            )
        return self._rng.choice(
            (
                "[[terrorism|This Policy does not cover any loss caused by an act of terrorism]].",
                "[[terrorism|Loss directly or indirectly caused by terrorism is excluded]], regardless of any other cause.",
            )
        )

    def _renewal(self) -> str:
        if self._policy.booleans["tacit_renewal"]:
            return "[[tacit_renewal|This Policy renews automatically for further periods of one year unless notice is given]]."
        return (
            "[[tacit_renewal|This Policy does not renew automatically]]; a new proposal is needed."
        )

    def _tax(self) -> str:
        if "premium_tax" not in self._policy.facts:
            return ""
        rate = self._say_value(self._policy.facts["premium_tax"])
        return f"[[premium_tax|Insurance premium tax of {rate} is charged in addition]]."

    def _say_value(self, value: Spoken) -> str:
        return self._voice.say(value)

    def _plain(self, value: Spoken) -> str:
        return plain(value)

    def _cased(self, heading: str) -> str:
        if not self._house.has_capital_headings:
            return heading
        lead, mark, rest = heading.partition("[[")
        if not mark:
            return heading.upper()
        keys, _, title = rest.partition("|")
        return f"{lead.upper()}[[{keys}|{title.upper()}"

    @property
    def _deductible_key(self) -> str:
        """The body states the deductible that an endorsement may have replaced."""
        return "deductible_before" if "deductible_before" in self._policy.facts else "deductible"

    # -- what is right -----------------------------------------------------------------------------

    def _gold(self) -> dict[str, Gold]:
        policy = self._policy
        gold = {name: Gold.of(value) for name, value in policy.facts.items()}
        gold["law"] = Gold((str(policy.facts["law"]).removeprefix("the "),), "place")
        gold |= {
            name: Gold(("Yes" if is_true else "No",), "yes_no")
            for name, is_true in policy.booleans.items()
        }
        gold["earthquake"] = Gold(("Yes",), "yes_no")
        gold |= {
            "exclusions": Gold(tuple(map(self._say, policy.exclusions)), "name_list"),
            "endorsements": Gold(policy.endorsements, "name_list"),
            "additional_insureds": Gold(policy.additional_insureds, "name_list"),
            "part_limits": Gold(
                tuple(f"{part}: {plain(limit)}" for part, limit, _ in policy.part_limits),
                "name_list",
            ),
            "part_names": Gold(tuple(part for part, _, _ in policy.part_limits), "name_list"),
            "peril_deductibles": Gold(
                tuple(f"{peril}: {plain(amount)}" for peril, amount in policy.peril_deductibles),
                "name_list",
            ),
            "instalments": Gold(
                tuple(f"{plain(day)}: {plain(amount)}" for day, amount in policy.instalments),
                "name_list",
            ),
            "coverage_tree": Gold(
                tuple(f"{part} > {extension}" for part, extension, _ in policy.extension_limits),
                "name_list",
            ),
            "sublimits": Gold(
                tuple(
                    f"{extension}: {plain(limit)}"
                    for _, extension, limit in policy.extension_limits
                ),
                "name_list",
            ),
        }
        return gold | self._worked_out()

    def _worked_out(self) -> dict[str, Gold]:
        """Return what follows from comparing amounts of a table."""
        policy = self._policy
        highest_part = max(policy.part_limits, key=lambda row: row[1].amount)[0]
        highest_peril = max(policy.peril_deductibles, key=lambda row: row[1].amount)[0]
        gold = {
            "highest_part": Gold((highest_part,), "span"),
            "highest_peril": Gold((highest_peril,), "span"),
        }
        by_peril = {peril: amount.amount for peril, amount in policy.peril_deductibles}
        if {"Flood", "Theft"} <= set(by_peril):
            is_higher = by_peril["Flood"] > by_peril["Theft"]
            gold["flood_above_theft"] = Gold(("Yes" if is_higher else "No",), "yes_no")
        return gold


class _Words(dict[str, str]):
    """The names in braces of a template, looked up as they are met."""

    def __init__(self, policy: EnglishPolicy) -> None:
        super().__init__()
        self._policy = policy

    def __missing__(self, name: str) -> str:
        return self._policy.word(name)


def _capital(text: str) -> str:
    return text[0].upper() + text[1:]


def _table(header: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> Block:
    return Block("table", rows=(header, *rows), has_header=True)
