"""Is an answer right? One comparison per kind of gold answer."""

import re
from collections import Counter
from collections.abc import Callable
from datetime import date

from rapidfuzz import fuzz

from transforms.pipeline.gold import GoldLine
from transforms.pipeline.gold_values import (
    ISO_DATE,
    NAMED_DATE,
    SCALES,
    find_date,
    find_duration,
    find_number,
    n_decimals,
    normal_duration,
    tokens_of,
)
from transforms.values import Value

SPAN_F1 = 0.5
"""Token F1 from which a span counts as right, as in the usual reading-comprehension scores."""
NAME_SIMILARITY = 87.0
NUMBER_TOLERANCE = 0.001
"""Relative difference of two numbers that count as the same."""
LEGAL_FORMS = frozenset(
    (
        "inc", "incorporated", "llc", "ltd", "limited", "corp", "corporation", "plc", "gmbh", "ag",
        "kg", "sa", "sas", "sarl", "co", "company", "lp", "llp", "nv", "bv", "the",
    )
)  # fmt: skip
PLACE_WORDS = re.compile(r"\b(?:the|laws?|state|commonwealth|province|republic|of)\b")


class GivenAnswer(Value):
    """An answer as the run gave it."""

    is_found: bool
    text: str | None = None
    number: float | None = None
    day: date | None = None
    boolean: bool | None = None
    unit: str | None = None
    currency: str | None = None
    items: tuple[str, ...] = ()

    @property
    def texts(self) -> tuple[str, ...]:
        """Return the items of a listing, else the one value."""
        return self.items or ((self.text,) if self.text else ())


class Comparison(Value):
    """Counts for precision and recall: one value, or one per item of a listing."""

    n_gold: int
    n_given: int
    n_right: int
    is_right: bool
    overlap: float | None = None
    """Token F1 of texts; null for values that are right or wrong."""


def compare(gold: GoldLine, given: GivenAnswer) -> Comparison:
    """Compare an answer with the right one by the gold's kind."""
    n_given = max(1, len(given.texts)) if given.is_found else 0
    if gold.is_absent:
        is_no = gold.kind in ("yes_no", "nli") and _boolean(given) is False
        is_right = not given.is_found or is_no
        return Comparison(
            n_gold=0, n_given=0 if is_right else n_given, n_right=0, is_right=is_right
        )
    if gold.kind == "name_list":
        return _compare_list(gold, given)
    if not given.is_found:
        return Comparison(n_gold=1, n_given=0, n_right=0, is_right=False)
    if same := COMPARISONS.get(gold.kind):
        is_right, overlap = same(gold, given), None
    else:
        overlap = max(token_f1(text, said) for text in gold.answers for said in _said(given))
        is_right = _is_same_span(gold, given, overlap)
    return Comparison(
        n_gold=1, n_given=1, n_right=int(is_right), is_right=is_right, overlap=overlap
    )


def _said(given: GivenAnswer) -> tuple[str, ...]:
    """Return what a text answer may be taken to say: all items together, or one of them."""
    return ("; ".join(given.texts), *given.texts)


def token_f1(text: str, other: str) -> float:
    """Return the harmonic mean of the shares of tokens that the texts have in common."""
    tokens, others = Counter(tokens_of(text)), Counter(tokens_of(other))
    n_shared = (tokens & others).total()
    if not n_shared:
        return 0.0
    precision, recall = n_shared / others.total(), n_shared / tokens.total()
    return 2 * precision * recall / (precision + recall)


def _compare_list(gold: GoldLine, given: GivenAnswer) -> Comparison:
    """Match each gold item with a given item that nothing else has matched."""
    left = list(given.texts) if given.is_found else []
    n_given = len(left)
    n_right = 0
    for item in gold.answers:
        match = next((text for text in left if is_same_item(item, text)), None)
        if match is not None:
            left.remove(match)
            n_right += 1
    n_gold = len(gold.answers)
    is_right = n_right == n_gold == n_given
    return Comparison(n_gold=n_gold, n_given=n_given, n_right=n_right, is_right=is_right)


def is_same_item(item: str, other: str) -> bool:
    """Compare names and list items; legal forms, order and slips do not matter, numbers do."""
    tokens, others = _name_tokens(item), _name_tokens(other)
    if not tokens or not others:
        return item.strip() == other.strip()
    if {token for token in tokens if token[0].isdigit()} - set(others):
        return False
    if set(tokens) <= set(others) and len(others) <= 2 * len(tokens) + 4:
        return True
    if set(others) <= set(tokens) and len(others) >= max(2, 0.6 * len(tokens)):
        return True
    return fuzz.token_sort_ratio(" ".join(tokens), " ".join(others)) >= NAME_SIMILARITY


def _is_same_date(gold: GoldLine, given: GivenAnswer) -> bool:
    right = find_date(gold.answers[0])
    answered = given.day or find_date(given.text or "")
    return right is not None and right == answered


def _is_same_number(gold: GoldLine, given: GivenAnswer) -> bool:
    text = gold.answers[0]
    right = find_number(text)
    answered = given.number if given.number is not None else find_number(given.text or "")
    if right is None or answered is None:
        return False
    currency = next(
        (code for code in ("usd", "gbp", "eur", "cad") if code in tokens_of(text)), None
    )
    if currency and given.currency and currency != given.currency.lower():
        return False
    factors = [1.0]
    if "%" in text and given.unit != "percent":
        factors.append(100.0)
    if scale := re.search(r"\b(thousand|million|billion)s?\b", gold.question.lower()):
        factors += [1 / SCALES[scale[1]], SCALES[scale[1]]]
    half_a_digit = 0.5 * 10.0 ** -n_decimals(text)
    slack = max(NUMBER_TOLERANCE * abs(right), half_a_digit if n_decimals(text) else 0.0)
    return any(abs(answered * factor - right) <= slack for factor in factors)


def _is_same_duration(gold: GoldLine, given: GivenAnswer) -> bool:
    right = find_duration(gold.answers[0])
    answered = find_duration(given.text or "")
    if given.number is not None and given.unit:
        answered = normal_duration(given.number, given.unit.lower().rstrip("s")) or answered
    return right is not None and right == answered


def _is_same_boolean(gold: GoldLine, given: GivenAnswer) -> bool:
    return _boolean(given) is (not gold.is_no)


def _is_same_place(gold: GoldLine, given: GivenAnswer) -> bool:
    rights = [_place(text) for text in gold.answers]
    places = [_place(text) for text in given.texts]
    return any(
        bool(right and place) and (right <= place or place <= right)
        for right in rights
        for place in places
    )


def _is_same_verdict(gold: GoldLine, given: GivenAnswer) -> bool:
    said = " ".join(given.texts).lower()
    if gold.answers[0].lower() in said:
        return True
    return _boolean(given) is (gold.answers[0] == "Entailment")


def _is_same_span(gold: GoldLine, given: GivenAnswer, overlap: float) -> bool:
    """A code must be the same to the letter; a text must share half of its tokens."""
    answered = {token for text in given.texts for token in text.split()}
    codes = [text for text in gold.answers if " " not in text and any(c.isdigit() for c in text)]
    if codes and len(codes) == len(gold.answers):
        return any(code in {token.strip(".,;:()") for token in answered} for code in codes)
    if overlap >= SPAN_F1:
        return True
    return any(is_same_item(text, answer) for text in gold.answers for answer in given.texts)


Comparer = Callable[[GoldLine, GivenAnswer], bool]
COMPARISONS: dict[str, Comparer] = {
    "date": _is_same_date,
    "number": _is_same_number,
    "percentage": _is_same_number,
    "duration": _is_same_duration,
    "yes_no": _is_same_boolean,
    "yes_no_conditions": _is_same_boolean,
    "place": _is_same_place,
    "nli": _is_same_verdict,
}
"""Kinds that are not here (span, free_text, definition) are compared by their tokens."""


def _boolean(given: GivenAnswer) -> bool | None:
    if given.boolean is not None:
        return given.boolean
    first = next(iter(tokens_of(" ".join(given.texts))), "")
    return {"yes": True, "no": False, "true": True, "false": False}.get(first)


def _place(text: str) -> frozenset[str]:
    return frozenset(tokens_of(PLACE_WORDS.sub(" ", text.replace("_", " ").lower())))


def _name_tokens(text: str) -> list[str]:
    """Return tokens with dates in ISO, numbers in full, and neither aliases nor legal forms."""
    text = re.sub(r"\([^)]*[\"“”][^)]*\)", " ", text)
    if day := find_date(text):
        text = NAMED_DATE.sub(day.isoformat(), ISO_DATE.sub(day.isoformat(), text))
    tokens = tokens_of(text)
    return [token for token in tokens if token not in LEGAL_FORMS] or tokens
