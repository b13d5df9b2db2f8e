"""Amounts of money, plain numbers and percents."""

import re

from transforms.generation.numerals import ARTICLES, Numeral, find_numerals
from transforms.generation.value_types import TypedValue

CURRENCIES: dict[str, str] = {
    "us$": "USD", "usd": "USD", "u.s.$": "USD", "$us": "USD", "$": "USD", "us dollars": "USD",
    "u.s. dollars": "USD", "dollars": "USD", "dollar": "USD", "dólares": "USD",
    "€": "EUR", "eur": "EUR", "euro": "EUR", "euros": "EUR",
    "£": "GBP", "gbp": "GBP", "pounds sterling": "GBP", "pounds": "GBP", "sterling": "GBP",
    "chf": "CHF", "sfr.": "CHF", "swiss francs": "CHF", "francs suisses": "CHF",
    "schweizer franken": "CHF", "franken": "CHF",
    "¥": "JPY", "jpy": "JPY", "yen": "JPY", "cny": "CNY", "rmb": "CNY",
    "₹": "INR", "inr": "INR", "rs.": "INR", "rs": "INR", "rupees": "INR",
    "c$": "CAD", "ca$": "CAD", "cad": "CAD", "cdn$": "CAD", "canadian dollars": "CAD",
    "a$": "AUD", "au$": "AUD", "aud": "AUD", "australian dollars": "AUD",
    "hk$": "HKD", "hkd": "HKD", "s$": "SGD", "sgd": "SGD", "nz$": "NZD", "nzd": "NZD",
    "sek": "SEK", "nok": "NOK", "dkk": "DKK", "pln": "PLN", "czk": "CZK", "mxn": "MXN",
    "brl": "BRL", "r$": "BRL", "zar": "ZAR", "pesos": "MXN",
}  # fmt: skip
SCALES: dict[str, float] = {
    "hundred": 1e2, "thousand": 1e3, "thousands": 1e3, "k": 1e3, "tsd.": 1e3, "mille": 1e3,
    "tausend": 1e3, "mil": 1e3, "milliers": 1e3,
    "million": 1e6, "millions": 1e6, "mn": 1e6, "mio.": 1e6, "mio": 1e6, "m": 1e6, "mm": 1e6,
    "millionen": 1e6, "millón": 1e6, "millones": 1e6,
    "billion": 1e9, "billions": 1e9, "bn": 1e9, "b": 1e9, "mrd.": 1e9, "mrd": 1e9, "md": 1e9,
    "milliard": 1e9, "milliards": 1e9, "milliarden": 1e9, "mil millones": 1e9,
    "trillion": 1e12, "lakh": 1e5, "lakhs": 1e5, "lac": 1e5, "crore": 1e7, "crores": 1e7,
}  # fmt: skip


def _alternation(words: dict[str, str] | dict[str, float]) -> str:
    """Return a pattern of the words, longest first, that does not end inside a word."""
    parts = sorted(words, key=len, reverse=True)
    return "|".join(re.escape(w) + (r"(?!\w)" if w[-1].isalnum() else "") for w in parts)


_CURRENCY, _SCALE = _alternation(CURRENCIES), _alternation(SCALES)
_SIGNS = [word for word in CURRENCIES if len(word) <= 4 and word not in ("euro", "yen")]
_PREFIX = "|".join(sorted(map(re.escape, _SIGNS), key=len, reverse=True))
CURRENCY_BEFORE = re.compile(
    rf"(?P<currency>(?<![A-Za-z])(?:{_PREFIX}))\s{{0,3}}"
    r"(?P<sign>\(|-|−|–)?\s?$",
    re.IGNORECASE,
)
AFTER = re.compile(
    rf"(?:[\s-]{{0,2}}(?P<scale>{_SCALE}))?"
    rf"(?:\s{{0,2}}(?:of\s|d[e']\s?|in\s)?\(?(?P<currency>{_CURRENCY}))?",
    re.IGNORECASE,
)
PERCENT_AFTER = re.compile(
    r"\s{0,2}(?:\)?\s?%|per\s?cent\b|percent\b|percentage points?\b|pour\s?cent\b|prozent\b"
    r"|por\s?ciento\b|v\.\s?H\.)(?:\s*\(\s*[\d.,]+\s*%\s*\))?",
    re.IGNORECASE,
)
SIGN_BEFORE = re.compile(r"(?:^|[\s(:;,|$€£])(?:-|−|–)\s?$")
OPEN_BRACKET = re.compile(r"(?:^|[\s$€£|])\(\s?$")
_CURRENCY_WORDS = "|".join(word for word in CURRENCIES if word.isalpha())
REPEATED_BEFORE = re.compile(
    rf"(?:%|per\s?cent|percent|of|{_CURRENCY_WORDS})\s*\(\s?$", re.IGNORECASE
)
"""Digits in brackets behind an amount in words: "One Million Dollars ($1,000,000)"."""
CLOSE_BRACKET = re.compile(r"\s?%?\s?\)")
SCALE_CONTEXT = re.compile(
    r"\b(?:in|en)\s+(?:[A-Za-z.$€£]{1,8}\s+)?(?P<word>thousands|millions|billions|milliers|Mio|Mrd"
    r"|Tsd|TEUR|millones|miles)|(?P<before>thousands|millions|billions)\s+of\s+"
    r"(?:u\.?s\.?\s+)?(?:dollars|euros)|\(\s*(?P<bare>millions|thousands|billions)\s*\)"
    r"|(?P<zeros>[$€£]\s?'?000s?\b|\bT€|\bTEUR\b|\bk€|\bM€)",
    re.IGNORECASE,
)
CONTEXT_SCALES = {
    "thousands": 1e3, "milliers": 1e3, "tsd": 1e3, "teur": 1e3, "miles": 1e3,
    "millions": 1e6, "mio": 1e6, "millones": 1e6, "billions": 1e9, "mrd": 1e9, "m€": 1e6,
}  # fmt: skip


def find_amounts(text: str, language: str | None) -> list[TypedValue]:
    """Return the numbers that have a currency beside them, scale applied."""
    found: list[TypedValue] = []
    for numeral in find_numerals(text, language):
        before = CURRENCY_BEFORE.search(text, max(0, numeral.start - 24), numeral.start)
        after = AFTER.match(text, numeral.end)
        word = before["currency"] if before else after and after["currency"]
        if not word or PERCENT_AFTER.match(text, numeral.end):
            continue
        scale = SCALES[after["scale"].lower()] if after and after["scale"] else 1.0
        start = before.start() if before else numeral.start
        end = numeral.end
        if after and (after["scale"] or not before):
            end = after.end("scale") if before else after.end()
        outer = numeral._replace(start=before.start("currency") if before else numeral.start)
        is_negative = bool(before and before["sign"]) or _is_negative(text, outer, end)
        found.append(
            TypedValue(
                answer_type="amount",
                text=text[start:end].strip(),
                start=start,
                end=end,
                number=(-1 if is_negative else 1) * numeral.number * scale,
                currency=CURRENCIES[" ".join(word.lower().split())],
                has_scale=scale != 1.0 or numeral.is_words,
            )
        )
    return found


def find_numbers(text: str, language: str | None) -> list[TypedValue]:
    """Return all plain numbers; percents are not among them, a lone "one" is not either."""
    found: list[TypedValue] = []
    for numeral in find_numerals(text, language):
        printed = text[numeral.start : numeral.end]
        if printed.lower() in ARTICLES or PERCENT_AFTER.match(text, numeral.end):
            continue
        scale, end = 1.0, numeral.end
        after = AFTER.match(text, numeral.end)
        if after and after["scale"] and len(after["scale"]) > 2:
            scale, end = SCALES[after["scale"].lower()], after.end("scale")
        sign = -1 if _is_negative(text, numeral, numeral.end) else 1
        found.append(
            TypedValue(
                answer_type="number",
                text=text[numeral.start : end],
                start=numeral.start,
                end=end,
                number=sign * numeral.number * scale,
                has_scale=scale != 1.0 or numeral.is_words,
            )
        )
    return found


def find_percents(text: str, language: str | None) -> list[TypedValue]:
    """Return all percents: 12.5 for "12.5 %"."""
    found: list[TypedValue] = []
    for numeral in find_numerals(text, language):
        if found and numeral.start < found[-1].end:
            continue
        if after := PERCENT_AFTER.match(text, numeral.end):
            sign = -1 if _is_negative(text, numeral, numeral.end) else 1
            found.append(
                TypedValue(
                    answer_type="percent",
                    text=text[numeral.start : after.end()],
                    start=numeral.start,
                    end=after.end(),
                    number=sign * numeral.number,
                    unit="%",
                )
            )
    return found


def find_scale(text: str) -> float | None:
    """Return the factor that a caption such as "(in millions)" puts on the numbers below it."""
    match = SCALE_CONTEXT.search(text)
    if match is None:
        return None
    word = next(group for group in match.groups() if group).lower()
    return CONTEXT_SCALES.get(word, 1e3)


def _is_negative(text: str, numeral: Numeral, end: int) -> bool:
    """Tell a minus sign or accounting brackets; "(30)" behind "thirty" is part of the numeral."""
    if numeral.is_words:
        return False
    head = text[max(0, numeral.start - 3) : numeral.start]
    if SIGN_BEFORE.search(head):
        return True
    is_bracketed = OPEN_BRACKET.search(head) and CLOSE_BRACKET.match(text, end)
    if not is_bracketed:
        return False
    is_list_mark = text[: numeral.start].strip() == "(" and end - numeral.start <= 2
    return not is_list_mark and not REPEATED_BEFORE.search(text, 0, numeral.start)
