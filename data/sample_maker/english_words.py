"""What the names in braces of English templates stand for in one policy."""

import random

from sample_maker.house import House
from sample_maker.policy import Policy
from sample_maker.spoken import Spoken, Voice

TERRORISM = {
    True: (
        "[[terrorism|Loss caused by an act of terrorism is covered under this Policy]], subject to its limits.",
        "[[terrorism|This Policy covers loss or damage caused by terrorism]] on the same terms as any other loss.",
    ),
    False: (
        "[[terrorism|This Policy does not cover any loss caused by an act of terrorism]].",
        "[[terrorism|Loss directly or indirectly caused by terrorism is excluded]], regardless of any other cause.",
    ),
}
RENEWAL = {
    True: "[[tacit_renewal|This Policy renews automatically for further periods of one year unless notice is given]].",
    False: "[[tacit_renewal|This Policy does not renew automatically]]; a new proposal is needed.",
}


class Words(dict[str, str]):
    """A mapping for `str.format_map`: parties and phrases are fixed, facts are said anew each time.

    `{ref_x}` is a reference to the clause with key x; `numbers` must have it by then.
    """

    def __init__(self, rng: random.Random, policy: Policy, house: House) -> None:
        self._voice = Voice(rng, "en", policy.insurer.country)
        self._facts = policy.facts
        self._house = house
        self.numbers: dict[str, str] = {}
        super().__init__(
            company=policy.company,
            Company=_capital(policy.company),
            holder=policy.insured,
            Holder=_capital(policy.insured),
            each=policy.line.each,
            counted_things=policy.line.counted,
            terrorism_sentence=rng.choice(TERRORISM[policy.booleans["terrorism"]]),
            renewal_sentence=RENEWAL[policy.booleans["tacit_renewal"]],
            tax_sentence=self._tax(),
        )

    def __missing__(self, name: str) -> str:
        if name.startswith(("ref_", "Ref_")):
            return self._house.reference(self.numbers[name[4:]])
        return self.value(self._facts[name])

    def say(self, template: str) -> str:
        """Fill a template."""
        return template.format_map(self)

    def value(self, value: Spoken) -> str:
        """Say a value that is no fact of its own."""
        return self._voice.say(value)

    def cased(self, heading: str) -> str:
        """Return a heading in capitals where the house sets them so; marks keep their names."""
        if not self._house.has_capital_headings:
            return heading
        lead, mark, rest = heading.partition("[[")
        if not mark:
            return heading.upper()
        facts, _, title = rest.partition("|")
        return f"{lead.upper()}[[{facts}|{title.upper()}"

    def _tax(self) -> str:
        if "premium_tax" not in self._facts:
            return ""
        rate = self.value(self._facts["premium_tax"])
        return f"[[premium_tax|Insurance premium tax of {rate} is charged in addition]]."


def _capital(text: str) -> str:
    return text[0].upper() + text[1:]
