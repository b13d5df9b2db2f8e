"""What is always true of quotes: they are found where they stand, and mutants are not."""

import random
import re
from collections.abc import Callable

import polars as pl
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.unit.generation.lines import make_lines
from transforms.generation import find_quote
from transforms.generation.folding import Folded

POLICY = """\
Section 3. Limits and deductibles
The insurer shall pay up to $1,250,000 per occurrence and $2,500.50 per claim, but not
more than 12.5% of the sum insured, unless Section 7.2 says otherwise. The deduct-
ible is EUR 500 (five hundred). Losses before 2023-07-01 are not covered.
Schedule of benefits
Dental care  $ 1,500  $ 2,250  (300)
Hospital stay  $ 10,000  $ 12,500  (1,577)
Eye care  -75  5 %  10 %
The policyholder may not assign this policy without the insurer’s written consent.
Notice has to be given within thirty (30) days, and never later than 60 days, after the
loss. War, civil war and nuclear risks are excluded. The premium is 1 250 000 euros.
"""
LINES = POLICY.splitlines()
FLAT = re.sub(r"\s+", "", POLICY)


def is_foreign(text: str) -> bool:
    return re.sub(r"\s+", "", text) not in FLAT


def changed(pattern: str, change: Callable[[str], str]) -> Callable[[str, random.Random], str]:
    def mutate(text: str, dice: random.Random) -> str:
        places = list(re.finditer(pattern, text))
        if not places:
            return text
        place = dice.choice(places)
        return text[: place.start()] + change(place[0]) + text[place.end() :]

    return mutate


def swapped(text: str, dice: random.Random) -> str:
    numbers = list(re.finditer(r"\d[\d.,]*\d|\d", text))
    if len(numbers) < 2:
        return text
    a, b = sorted(dice.sample(numbers, 2), key=lambda number: number.start())
    return text[: a.start()] + b[0] + text[a.end() : b.start()] + a[0] + text[b.end() :]


def negated(text: str, dice: random.Random) -> str:
    return changed(r"(?<=[a-z]) (?=[a-z])", lambda _: " not ")(text, dice)


MUTATIONS: dict[str, Callable[[str, random.Random], str]] = {
    "digit": changed(r"\d", lambda digit: str((int(digit) + 3) % 10)),
    "separator": changed(r"(?<=\d)[.,](?=\d)", lambda _: ""),
    "other separator": changed(r"(?<=\d)[.,](?=\d)", lambda mark: {".": ",", ",": "."}[mark]),
    "sign": changed(r"(?<!\w)-(?=\d)", lambda _: ""),
    "bracket": changed(r"\((?=\d)", lambda _: ""),
    "brackets": changed(r"\([\d,]+\)", lambda number: number.strip("()")),
    "percent": changed(r"\s?%", lambda _: ""),
    "currency": changed(r"\$\s?", lambda _: ""),
    "word": changed(r"(?<=\s)[A-Za-z]{3,}\s", lambda _: ""),
    "not removed": changed(r"\b(?:not|never|without) ", lambda _: ""),
    "not added": negated,
    "numbers": swapped,
    "joined": changed(r"(?<=\d)\s+(?=\d)", lambda _: ""),
    "split": changed(r"(?<=\d)(?=\d)", lambda _: " "),
}


@st.composite
def quotes(draw: st.DrawFn) -> str:
    """Draw whole words from one to three lines of the policy."""
    first = draw(st.integers(0, len(LINES) - 1))
    last = draw(st.integers(first, min(first + 2, len(LINES) - 1)))
    words = "\n".join(LINES[first : last + 1]).split(" ")
    start = draw(st.integers(0, len(words) - 1))
    stop = draw(st.integers(start + 1, len(words)))
    return " ".join(words[start:stop]).strip()


@settings(max_examples=600, deadline=None)
@given(quote=quotes(), kind=st.sampled_from(sorted(MUTATIONS)), seed=st.integers(0, 2**16))
def test_a_mutant_is_never_exact_or_normalized(quote: str, kind: str, seed: int) -> None:
    mutant = MUTATIONS[kind](quote, random.Random(seed))
    if mutant == quote or not (is_foreign(mutant) or kind in ("joined", "split")):
        return
    match = find_quote(make_lines(*LINES), mutant)
    assert match is None or match.match_kind == "fuzzy"
    if kind not in ("word", "other separator") and match is not None:
        assert Folded(match.quote).skeleton == Folded(mutant).skeleton


@settings(max_examples=200, deadline=None)
@given(first=st.integers(0, len(LINES) - 1), n=st.integers(1, 4), seed=st.integers(0, 99))
def test_whole_lines_are_found_in_any_spelling(first: int, n: int, seed: int) -> None:
    quote = "\n".join(LINES[first : first + n])
    if quote.endswith("-") or LINES[first - 1].endswith(("-", " not")):
        return  # a word would be cut, or its negation
    dice = random.Random(seed)
    respelled = re.sub(r"\s+", lambda _: dice.choice([" ", "\n", "  ", "\u00a0"]), quote)
    respelled = respelled.replace("’", dice.choice("'’‘"))
    match = find_quote(make_lines(*LINES), respelled)
    assert match is not None
    assert match.match_kind in ("exact", "normalized")
    assert match.quote == quote
    assert (match.line_start, match.line_end) == (first + 1, min(first + n, len(LINES)))


@settings(max_examples=200, deadline=None)
@given(quote=quotes())
def test_offsets_give_back_the_quote(quote: str) -> None:
    line_df = make_lines(*LINES)
    match = find_quote(line_df, quote)
    if match is None:
        return
    cited_df = line_df.filter(pl.col("line").is_between(match.line_start, match.line_end))
    text = "\n".join(cited_df["text"])
    n_after = len(cited_df["text"][-1]) - match.char_end
    assert text[match.char_start : len(text) - n_after] == match.quote
    assert len(match.bboxes) == cited_df.height


PRINTED = st.characters(exclude_categories=("Cc", "Cs"))
"""Parsing leaves no control characters in line_df."""


@settings(max_examples=300, deadline=None)
@given(text=st.text(PRINTED, max_size=60), quote=st.text(PRINTED, max_size=30))
def test_any_text_and_any_quote_give_an_answer(text: str, quote: str) -> None:
    match = find_quote(make_lines(text, quote, text), quote)
    if match is not None:
        assert Folded(match.quote).skeleton == Folded(quote.strip()).skeleton
