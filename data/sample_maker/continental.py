"""Write a French or a German policy: from a language's wordings to blocks of text."""

import random
from dataclasses import dataclass
from datetime import date, timedelta
from decimal import Decimal

from sample_maker.blocks import Block
from sample_maker.manuscript import Gold, Manuscript
from sample_maker.spoken import Duration, Language, Money, Percent, Spoken, Voice, plain


@dataclass(frozen=True)
class Wordings:
    """All that is said in one language. Names in braces are facts."""

    language: Language
    doc_type: str
    file_word: str
    title: str
    insurers: tuple[str, ...]
    insureds: tuple[str, ...]
    brokers: tuple[str, ...]
    addresses: tuple[str, ...]
    laws: tuple[str, ...]
    places: tuple[str, ...]
    labels: tuple[tuple[str, str], ...]
    """Label and template of each row of the declarations; the label may mark nothing."""
    parts: tuple[str, ...]
    parts_header: tuple[str, str, str]
    parts_title: str
    article: str
    """How a section heading begins, with {number}."""
    sections: tuple[tuple[str, tuple[tuple[str, ...], ...]], ...]
    """Title, then paragraphs, each with its wordings."""
    exclusions_title: str
    exclusions_lead: str
    exclusions: tuple[str, ...]
    item_end: str
    amendment_title: str
    amendment: tuple[str, ...]
    page_label: str
    renews: tuple[str, str]
    """Sentences when it renews tacitly and when it does not."""


def draw_facts(rng: random.Random, words: Wordings, insurer: str, year: int) -> dict[str, Spoken]:
    """Return the facts of one policy."""
    start = date(year, rng.randint(1, 12), 1)
    deductible = rng.choice((750, 1000, 1500, 2500))
    return {
        "insurer": insurer,
        "insured": rng.choice(words.insureds),
        "broker": rng.choice(words.brokers),
        "insured_address": rng.choice(words.addresses),
        "signed_at": rng.choice(words.places),
        "law": rng.choice(words.laws),
        "policy_number": f"{rng.randrange(10, 99)}.{rng.randrange(100000, 999999)}-{rng.choice('ABCDE')}",
        "period_start": start,
        "period_end": start.replace(year=year + 1),
        "issued_on": start - timedelta(days=rng.randint(10, 50)),
        "premium": Money(Decimal(rng.randrange(180_000, 1_900_000)) / 100, "EUR"),
        "limit_each": Money(Decimal(rng.choice((1_500_000, 2_000_000, 3_000_000))), "EUR"),
        "limit_aggregate": Money(Decimal(rng.choice((4_000_000, 6_000_000))), "EUR"),
        "deductible_before": Money(Decimal(deductible), "EUR"),
        "deductible": Money(Decimal(deductible * 2), "EUR"),
        "notice_of_loss": Duration(rng.choice((5, 7, 10)), "day"),
        "cancellation_notice": Duration(rng.choice((2, 3)), "month"),
        "waiting_period": Duration(rng.choice((24, 48, 72)), "hour"),
        "coinsurance": Percent(Decimal(rng.choice(("10", "12.5", "15", "20")))),
        "employees": rng.randrange(12, 90),
    }


def write(rng: random.Random, words: Wordings, facts: dict[str, Spoken]) -> Manuscript:
    """Return the manuscript of a policy with these facts."""
    voice = Voice(rng, words.language, "EU")
    is_renewed = rng.random() < 0.5
    limits = [
        (
            part,
            Money(Decimal(rng.randrange(50, 900) * 1000), "EUR"),
            Money(Decimal(rng.randrange(2, 20) * 250), "EUR"),
        )
        for part in words.parts
    ]
    exclusions = rng.sample(words.exclusions, len(words.exclusions) - 2)

    def say(template: str) -> str:
        said = {name: voice.say(value) for name, value in facts.items()}
        return template.format(**said, renews=words.renews[0 if is_renewed else 1])

    blocks = [
        Block("title", words.title),
        Block("small", str(facts["insurer"])),
        Block("table", rows=tuple((label, say(value)) for label, value in words.labels)),
    ]
    number = 0
    for title, paragraphs in words.sections:
        number += 1
        blocks.append(Block("heading", words.article.format(number=number) + title, level=1))
        blocks += [Block("paragraph", say(rng.choice(wordings))) for wordings in paragraphs]
        if title == words.parts_title:
            rows = tuple(
                (f"[[part_limits|{part}]]", f"[[part_limits|{voice.say(limit)}]]", voice.say(own))
                for part, limit, own in limits
            )
            blocks.append(Block("table", rows=(words.parts_header, *rows), has_header=True))
    blocks.append(
        Block("heading", words.article.format(number=number + 1) + words.exclusions_title, level=1)
    )
    blocks.append(Block("paragraph", words.exclusions_lead))
    blocks += [Block("item", f"[[exclusions|{text}]]{words.item_end}") for text in exclusions]
    blocks += [Block("new_page"), Block("heading", words.amendment_title, level=1)]
    blocks += [Block("paragraph", say(text)) for text in words.amendment]
    gold = {name: Gold.of(value) for name, value in facts.items()}
    gold["law"] = Gold((str(facts["law"]),), "span")
    gold["exclusions"] = Gold(tuple(exclusions), "name_list")
    gold["tacit_renewal"] = Gold(("Yes" if is_renewed else "No",), "yes_no")
    gold["part_limits"] = Gold(
        tuple(f"{part}: {plain(limit)}" for part, limit, _ in limits), "name_list"
    )
    return Manuscript(
        title=f"{words.title} - {facts['insured']}",
        language=words.language,
        header=f"{facts['insurer']} · [[policy_number|{facts['policy_number']}]]",
        blocks=tuple(blocks),
        gold=gold,
    )
