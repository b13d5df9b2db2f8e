"""Draw the facts of one policy."""

import random
from dataclasses import dataclass, field, replace
from datetime import date, timedelta
from decimal import Decimal

from sample_maker.lines_of_business import COMMON_EXCLUSIONS, LINES, LineOfBusiness
from sample_maker.spoken import Duration, Money, Percent, Spoken, as_date, as_money

# fmt: off
INSURER_FIRST = ("Harbourline", "Northgate", "Silver Birch", "Meridian Coast", "Old Foundry", "Castlemere",
                 "Blue Heron", "Stonebridge", "Larkfield", "Tidewater", "Granary", "Westmarch", "Ironbridge", "Falcon Ridge")
INSURER_LAST = {"US": ("Mutual Insurance Company", "Casualty Company", "Indemnity Company", "Specialty Insurance Company"),
                "GB": ("Assurance plc", "Insurance Company Limited", "Underwriting Limited", "Mutual Insurance Society Limited")}
INSURED_FIRST = ("Bramley", "Kestrel Valley", "Orchard Lane", "Pemberton", "Quayside", "Redwood", "Saltmarsh", "Thornbury",
                 "Upland", "Vale", "Whitcombe", "Ashdown", "Beacon Hill", "Copperfield", "Dunmore", "Elmstead", "Fairhaven", "Glenrock")
INSURED_LAST = ("Foods", "Logistics", "Timber", "Engineering", "Hotels", "Textiles", "Dental Supplies", "Printing",
                "Consulting", "Garden Centres", "Software", "Bakeries", "Instruments", "Marine Services")
SUFFIX = {"US": ("Inc.", "LLC", "Corporation"), "GB": ("Ltd", "Limited", "plc")}
BROKERS = ("Calder Row Insurance Brokers", "Finch & Marlow Risk Services", "Pelham Street Brokers", "Hartnell Risk Partners",
           "Juniper Insurance Agency", "Overton & Daughters", "Ridgeway Commercial Brokers", "Seven Oaks Risk Advisers")
PEOPLE = ("Eleanor Marsh", "Thomas Okafor", "Priya Raman", "Daniel Whitlock", "Marta Kowalska", "James Tully", "Sofia Bergström", "Henry Aldous")
STREETS = ("Mill Lane", "Harbour Street", "Station Road", "Victoria Avenue", "Foundry Way", "Commerce Drive", "Canal Street", "Chestnut Street")
TOWNS = {"US": ("Portland, ME 04101", "Dayton, OH 45402", "Tacoma, WA 98402", "Savannah, GA 31401", "Duluth, MN 55802"),
         "GB": ("Bristol BS1 4RW", "Leeds LS1 5PQ", "Norwich NR2 1TF", "Cardiff CF10 3AT", "Dundee DD1 4QB")}
LAWS = {"US": ("the State of New York", "the State of Ohio", "the Commonwealth of Massachusetts", "the State of Delaware", "the State of Washington"),
        "GB": ("England and Wales", "Scotland", "Northern Ireland")}
TERRITORIES = {"US": ("the United States of America, its territories and possessions, and Canada", "anywhere in the world, provided that suit is brought in the United States or Canada"),
               "GB": ("Great Britain, Northern Ireland, the Channel Islands and the Isle of Man", "anywhere in the world except the United States of America and Canada")}
ENDORSEMENTS = ("Waiver of Subrogation", "Additional Insured", "Amendment of Deductible", "Earthquake Extension", "Automatic Reinstatement",
                "Loss Payee Clause", "Asbestos Exclusion", "Cyber Clarification Clause", "Premium Payment Clause", "Claims Cooperation Clause")
# fmt: on


@dataclass(frozen=True)
class Insurer:
    """A company and the country whose conventions it follows."""

    name: str
    country: str


@dataclass(frozen=True)
class Policy:
    """All that one policy says. `facts` are by the name under which text marks them."""

    line: LineOfBusiness
    title: str
    insurer: Insurer
    company: str
    insured: str
    """How the text calls the two parties, lower case: "the Company"."""
    facts: dict[str, Spoken]
    part_limits: tuple[tuple[str, Money, Money], ...]
    """Coverage part, its limit, its deductible."""
    peril_deductibles: tuple[tuple[str, Money], ...]
    instalments: tuple[tuple[date, Money], ...]
    extension_limits: tuple[tuple[str, str, Money], ...]
    """Coverage part, extension, sublimit."""
    exclusions: tuple[str, ...]
    endorsements: tuple[str, ...]
    additional_insureds: tuple[str, ...]
    booleans: dict[str, bool] = field(default_factory=dict)

    @property
    def currency(self) -> str:
        """Return the currency of all its amounts."""
        return "USD" if self.insurer.country == "US" else "GBP"


def draw_insurers(rng: random.Random, count: int) -> tuple[Insurer, ...]:
    """Return insurers of different names."""
    firsts = rng.sample(INSURER_FIRST, count)
    countries = [rng.choice(("US", "GB")) for _ in firsts]
    return tuple(
        Insurer(f"{first} {rng.choice(INSURER_LAST[country])}", country)
        for first, country in zip(firsts, countries, strict=True)
    )


def draw_policy(rng: random.Random, line_code: str, insurer: Insurer, year: int) -> Policy:
    """Return a policy of one line of business that starts in `year`."""
    line = LINES[line_code]
    country = insurer.country
    currency = "USD" if country == "US" else "GBP"
    company, insured = rng.choice(
        (
            ("the Company", "the Insured"),
            ("the Insurer", "the Policyholder"),
            ("the Insurer", "the Insured"),
            ("the Insurer", "the Assured"),
        )
    )
    limit = rng.choice((500, 750, 1000, 1250, 1500, 2000, 2500, 3000, 5000))
    deductible = rng.choice((1000, 2500, 3500, 5000, 7500, 10000, 15000))
    facts = {
        **_parties(rng, insurer),
        **_dates(rng, year, line),
        **_terms(rng, line),
        "premium": Money(Decimal(rng.randrange(800_000, 9_900_000)) / 100, currency),
        "limit_each": Money(Decimal(limit * 1000), currency),
        "limit_aggregate": Money(Decimal(limit * rng.choice((2, 3)) * 1000), currency),
        "deductible": Money(Decimal(deductible), currency),
        "counted": rng.randrange(3, 180) if line.code != "cyber" else rng.randrange(2, 90) * 5000,
    }
    kinds = [title for title in ENDORSEMENTS if title not in line.unusual_endorsements]
    endorsements = tuple(rng.sample(kinds, rng.randint(2, 5)))
    if "Amendment of Deductible" in endorsements:
        facts["deductible_before"] = facts["deductible"]
        facts["deductible"] = Money(Decimal(deductible * rng.choice((2, 3))), currency)
    parts = rng.sample(line.parts, rng.randint(4, len(line.parts)))
    perils = rng.sample(line.perils, rng.randint(3, len(line.perils)))
    limits = _amounts(rng, len(parts), range(50_000, 3_000_000, 5000), currency)
    sublimits = _amounts(rng, 4, range(5000, 250_000, 5000), currency)
    return Policy(
        line=line,
        title=rng.choice(line.titles),
        insurer=insurer,
        company=company,
        insured=insured,
        facts=facts,
        part_limits=tuple(
            (part, limit, _amounts(rng, 1, range(1000, 25_000, 500), currency)[0])
            for part, limit in zip(parts, limits, strict=True)
        ),
        peril_deductibles=tuple(
            zip(perils, _amounts(rng, len(perils), range(1000, 60_000, 500), currency), strict=True)
        ),
        instalments=_instalments(rng, facts),
        extension_limits=tuple(
            (parts[index // 2], extension, sublimits[index])
            for index, extension in enumerate(rng.sample(line.extensions, 4))
        ),
        exclusions=_exclusions(rng, line),
        endorsements=endorsements,
        additional_insureds=tuple(_company(rng, country) for _ in range(rng.randint(2, 4))),
        booleans={
            "terrorism": rng.random() < 0.5,
            "tacit_renewal": rng.random() < 0.5,
            "subrogation_waived": "Waiver of Subrogation" in endorsements,
        },
    )


def renewed(rng: random.Random, policy: Policy) -> Policy:
    """Return the policy a year later: the same parties and number, other money."""
    facts = dict(policy.facts)
    for name in ("period_start", "period_end", "issued_on"):
        day = as_date(facts[name])
        facts[name] = day.replace(year=day.year + 1)
    facts["premium"] = _times(facts["premium"], Decimal(rng.randrange(104, 125)) / 100)
    facts["limit_each"] = _times(facts["limit_each"], Decimal(2))
    facts["limit_aggregate"] = _times(facts["limit_aggregate"], Decimal(2))
    return replace(policy, facts=facts, instalments=_instalments(rng, facts))


def shortened(policy: Policy) -> Policy:
    """Return the policy as a short form has it: shorter lists, no extensions.

    What amends a fact must stay.
    """
    by_weight = sorted(policy.endorsements, key=lambda title: title != "Amendment of Deductible")
    return replace(
        policy,
        exclusions=policy.exclusions[:7],
        endorsements=tuple(by_weight[:2]),
        part_limits=policy.part_limits[:4],
        peril_deductibles=policy.peril_deductibles[:3],
        extension_limits=(),
    )


def _parties(rng: random.Random, insurer: Insurer) -> dict[str, Spoken]:
    country = insurer.country
    prefix = "".join(word[0] for word in insurer.name.split()[:2])
    form = "".join(rng.choice("ABCDEFGHKLMNPRSTW") for _ in range(2))
    area = rng.randrange(201, 989)
    return {
        "insurer": insurer.name,
        "insured": _company(rng, country),
        "broker": rng.choice(BROKERS),
        "signatory": rng.choice(PEOPLE),
        "policy_number": f"{prefix}{form}-{rng.randrange(10**6, 10**7)}-{rng.randrange(10, 99)}",
        "form_number": f"{form} {rng.randrange(10, 99):02d} {rng.randrange(10, 99):02d}",
        "insured_address": _address(rng, country),
        "claims_address": _address(rng, country),
        "claims_phone": f"+1 {area} 555 {rng.randrange(1000, 9999)}"
        if country == "US"
        else f"+44 20 7946 {rng.randrange(1000, 9999):04d}",
        "law": rng.choice(LAWS[country]),
        "territory": rng.choice(TERRITORIES[country]),
    }


def _dates(rng: random.Random, year: int, line: LineOfBusiness) -> dict[str, Spoken]:
    start = date(year, rng.randint(1, 12), rng.choice((1, 1, 15, rng.randint(2, 28))))
    facts: dict[str, Spoken] = {
        "period_start": start,
        "period_end": start.replace(year=year + 1),
        "issued_on": start - timedelta(days=rng.randint(9, 45)),
    }
    if line.is_claims_made:
        facts["retroactive_date"] = date(year - rng.randint(2, 9), rng.randint(1, 12), 1)
        facts["reporting_period"] = Duration(rng.choice((60, 90, 180)), "day")
    return facts


def _terms(rng: random.Random, line: LineOfBusiness) -> dict[str, Spoken]:
    facts: dict[str, Spoken] = {
        "notice_of_loss": rng.choice(
            (
                Duration(48, "hour"),
                Duration(72, "hour"),
                Duration(7, "day"),
                Duration(14, "day"),
                Duration(21, "day"),
            )
        ),
        "cancellation_notice": Duration(rng.choice((30, 45, 60, 75)), "day"),
        "non_payment_notice": Duration(rng.choice((10, 15)), "day"),
        "suit_limitation": rng.choice(
            (Duration(12, "month"), Duration(24, "month"), Duration(2, "year"))
        ),
        "short_rate": Percent(Decimal(rng.choice(("90", "85", "92.5")))),
    }
    if rng.random() < 0.6:
        facts["arbitrators"] = rng.choice((1, 3, 5))
    if line.code in ("property", "cargo"):
        facts["coinsurance"] = Percent(Decimal(rng.choice(("80", "90", "85", "75"))))
    if line.has_waiting_period:
        hours = rng.choice((8, 12, 24, 48, 72, 96))
        facts["waiting_period"] = Duration(hours, "hour")
        facts["indemnity_period"] = Duration(rng.choice((6, 12, 18, 24)), "month")
    if rng.random() < 0.5:
        facts["premium_tax"] = Percent(Decimal(rng.choice(("2.5", "3.2", "4", "5.75", "12"))))
    return facts


def _exclusions(rng: random.Random, line: LineOfBusiness) -> tuple[str, ...]:
    chosen = [
        *rng.sample(COMMON_EXCLUSIONS, rng.randint(6, 9)),
        *rng.sample(line.exclusions, rng.randint(4, 5)),
    ]
    rng.shuffle(chosen)
    return tuple(chosen)


def _instalments(rng: random.Random, facts: dict[str, Spoken]) -> tuple[tuple[date, Money], ...]:
    """Split the premium over the first nine months; the first instalment takes the cents."""
    premium, start = as_money(facts["premium"]), as_date(facts["period_start"])
    count = rng.choice((2, 3, 4))
    share = Decimal(int(premium.amount / count))
    amounts = [premium.amount - share * (count - 1), *[share] * (count - 1)]
    days = [start + timedelta(days=round(274 * n / count)) for n in range(count)]
    return tuple(
        (day, Money(amount, premium.currency)) for day, amount in zip(days, amounts, strict=True)
    )


def _company(rng: random.Random, country: str) -> str:
    first, last = rng.choice(INSURED_FIRST), rng.choice(INSURED_LAST)
    return f"{first} {last} {rng.choice(SUFFIX[country])}"


def _address(rng: random.Random, country: str) -> str:
    return f"{rng.randrange(2, 480)} {rng.choice(STREETS)}, {rng.choice(TOWNS[country])}"


def _amounts(rng: random.Random, count: int, choices: range, currency: str) -> list[Money]:
    """Return different amounts."""
    return [Money(Decimal(amount), currency) for amount in rng.sample(choices, count)]


def _times(value: Spoken, factor: Decimal) -> Money:
    money = as_money(value)
    return Money((money.amount * factor).quantize(Decimal("0.01")), money.currency)
