"""Numbers in digits and in words: English, French, German, Spanish."""

import re
from typing import NamedTuple

CURRENCY_AFTER = r"(?=\s?(?:€|EUR\b|CHF\b|USD\b|GBP\b|SEK\b|euros?\b|francs?\b))"
DIGIT_GROUPS = rf"""
    \d{{1,2}}(?:,\d{{2}})+,\d{{3}}(?:\.\d+)?                                      # 5,00,000
  | \d{{1,3}}(?P<sep>[.,'’\u00a0\u202f\u2009])\d{{3}}(?:(?P=sep)\d{{3}})*(?:[.,]\d+)?
  | \d{{1,3}}(?:[ ]\d{{3}})+(?:,\d+)?{CURRENCY_AFTER}
  | \d+(?:[.,]\d+)?
  | (?<![.\d])\.\d+
"""
SPACED_GROUPS = r"\d{1,3}(?:[ ]\d{3})+(?:,\d+)?(?![ ]?\d)|"
WRAPPED_GROUPS = (
    rf"\d{{1,3}}(?:[ \u00a0\u202f]\d{{3}})*[ ]?\n(?:\d{{3}}[ \u00a0\u202f])*\d{{3}}"
    rf"(?:,\d{{2}}(?!\d)|{CURRENCY_AFTER})|"
)
"""Thousands that a line's end splits; cents or a currency show that they belong together."""
BEFORE = r"(?<![A-Za-z0-9_/])(?<!\d[.,:-])(?<![A-Za-z]-)"
AFTER = r"(?![\d/_]|[.,:-]\d|[A-Za-z]{2}\d|st\b|nd\b|rd\b|th\b)"
DIGITS = re.compile(f"{BEFORE}(?:{DIGIT_GROUPS}){AFTER}", re.VERBOSE)
DIGITS_SPACED = re.compile(
    f"{BEFORE}(?:{WRAPPED_GROUPS}{SPACED_GROUPS}{DIGIT_GROUPS}){AFTER}", re.VERBOSE
)
CURRENCY_CODES = ("USD", "EUR", "GBP", "CHF", "CAD", "AUD", "INR", "JPY", "Rs")

ENGLISH = {
    "zero": 0, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7,
    "eight": 8, "nine": 9, "ten": 10, "eleven": 11, "twelve": 12, "thirteen": 13,
    "fourteen": 14, "fifteen": 15, "sixteen": 16, "seventeen": 17, "eighteen": 18,
    "nineteen": 19, "twenty": 20, "thirty": 30, "forty": 40, "fourty": 40, "fifty": 50,
    "sixty": 60, "seventy": 70, "eighty": 80, "ninety": 90, "hundred": 100, "thousand": 1000,
    "million": 10**6, "billion": 10**9, "lakh": 10**5, "crore": 10**7,
}  # fmt: skip
FRENCH = {
    "zéro": 0, "un": 1, "une": 1, "deux": 2, "trois": 3, "quatre": 4, "cinq": 5, "six": 6,
    "sept": 7, "huit": 8, "neuf": 9, "dix": 10, "onze": 11, "douze": 12, "treize": 13,
    "quatorze": 14, "quinze": 15, "seize": 16, "vingt": 20, "vingts": 20, "trente": 30,
    "quarante": 40, "cinquante": 50, "soixante": 60, "septante": 70, "huitante": 80,
    "nonante": 90, "cent": 100, "cents": 100, "mille": 1000, "million": 10**6,
    "millions": 10**6, "milliard": 10**9, "milliards": 10**9,
}  # fmt: skip
SPANISH = {
    "cero": 0, "un": 1, "uno": 1, "una": 1, "dos": 2, "tres": 3, "cuatro": 4, "cinco": 5,
    "seis": 6, "siete": 7, "ocho": 8, "nueve": 9, "diez": 10, "once": 11, "doce": 12,
    "trece": 13, "catorce": 14, "quince": 15, "dieciséis": 16, "diecisiete": 17,
    "dieciocho": 18, "diecinueve": 19, "veinte": 20, "veintiún": 21, "veintiuno": 21,
    "veintidós": 22, "veintitrés": 23, "veinticuatro": 24, "veinticinco": 25,
    "veintiséis": 26, "veintisiete": 27, "veintiocho": 28, "veintinueve": 29, "treinta": 30,
    "cuarenta": 40, "cincuenta": 50, "sesenta": 60, "setenta": 70, "ochenta": 80,
    "noventa": 90, "cien": 100, "ciento": 100, "doscientos": 200, "trescientos": 300,
    "cuatrocientos": 400, "quinientos": 500, "seiscientos": 600, "setecientos": 700,
    "ochocientos": 800, "novecientos": 900, "mil": 1000, "millón": 10**6, "millones": 10**6,
}  # fmt: skip
GERMAN_UNITS = (
    "null", "ein", "zwei", "drei", "vier", "fünf", "sechs", "sieben", "acht", "neun", "zehn",
    "elf", "zwölf", "dreizehn", "vierzehn", "fünfzehn", "sechzehn", "siebzehn", "achtzehn",
    "neunzehn",
)  # fmt: skip
GERMAN_TENS = (
    "zwanzig", "dreißig", "vierzig", "fünfzig", "sechzig", "siebzig", "achtzig", "neunzig",
)  # fmt: skip


def _german() -> dict[str, int]:
    """German writes a number as one word: all that are usual in contracts are listed."""
    words = {word: value for value, word in enumerate(GERMAN_UNITS)}
    words |= {"eins": 1, "eine": 1, "einen": 1, "einem": 1, "einer": 1, "eines": 1}
    for ten, word in enumerate(GERMAN_TENS, start=2):
        words[word] = 10 * ten
        for unit in range(1, 10):
            words[f"{GERMAN_UNITS[unit]}und{word}"] = 10 * ten + unit
    below_hundred = dict(words)
    for hundred in range(1, 10):
        for prefix in (GERMAN_UNITS[hundred], "") if hundred == 1 else (GERMAN_UNITS[hundred],):
            words[f"{prefix}hundert"] = 100 * hundred
            if hundred == 1:
                words |= {f"{prefix}hundert{w}": 100 + v for w, v in below_hundred.items() if v}
    words |= {f"{w}tausend": 1000 * v for w, v in below_hundred.items() if 0 < v <= 20}
    words |= {"tausend": 1000, "million": 10**6, "millionen": 10**6, "milliarden": 10**9}
    return words


WORDS: dict[str, dict[str, int]] = {
    "en": ENGLISH,
    "fr": FRENCH,
    "de": _german(),
    "es": SPANISH,
}
JOINERS = {"en": r"[\s-]+and\s+|", "fr": r"[\s-]et[\s-]|", "de": "", "es": r"\s+y\s+|"}
ARTICLES = frozenset(
    {"one", "un", "une", "uno", "una", "ein", "eine", "einen", "einem", "einer", "eines", "eins"}
)
"""Words that are more often an article or a pronoun than a number."""

SCALE_WORDS = frozenset(
    word for words in WORDS.values() for word, value in words.items() if value >= 100
)
"""Behind digits these scale the number that is there: "1.25 million"."""


def _run(language: str) -> re.Pattern[str]:
    """Return the pattern of a run of number words."""
    words = "|".join(sorted(map(re.escape, WORDS[language]), key=len, reverse=True))
    joiner = rf"(?:{JOINERS[language]}[\s-]+)"
    return re.compile(rf"(?<![\w-])(?:{words})(?:{joiner}(?:{words}))*(?!\w)", re.IGNORECASE)


RUNS = {language: _run(language) for language in WORDS}
SPLIT = re.compile(r"[\s-]+")
IN_BRACKETS = re.compile(r"\s*\(\s*#?\s*(\d[\d.,' ]*)\s*\)")


class Numeral(NamedTuple):
    """A number and the characters it takes up."""

    start: int
    end: int
    number: float
    is_words: bool


def known_language(language: str | None) -> str:
    """Return the language whose number words and separators apply."""
    return language if language in WORDS else "en"


def find_numerals(text: str, language: str | None) -> list[Numeral]:
    """Return all numbers in order; "thirty (30)" is one of them."""
    tongue = known_language(language)
    in_words = [found for match in RUNS[tongue].finditer(text) if (found := _words(match, tongue))]
    taken = [(numeral.start, numeral.end) for numeral in in_words]
    pattern = DIGITS if tongue == "en" else DIGITS_SPACED
    numerals = list(in_words)
    for match in _digit_matches(pattern, text):
        if any(start <= match[0] < end for start, end in taken):
            continue
        number = read_digits(text[match[0] : match[1]], tongue)
        numerals.append(Numeral(match[0], match[1], number, is_words=False))
    return sorted(numerals)


def read_digits(digits: str, language: str | None) -> float:
    """Return the number; the last of two separators is the decimal one, else language decides."""
    digits = re.sub(r"[\s'’\u00a0\u202f\u2009]", "", digits)
    if misread := _CENTS_BEHIND_GROUPS.fullmatch(digits):
        groups, separator, cents = misread.groups()
        return float(f"{groups.replace(separator, '')}.{cents}")
    commas, points = digits.count(","), digits.count(".")
    if commas and points:
        decimal = "," if digits.rfind(",") > digits.rfind(".") else "."
    elif commas + points == 0:
        return float(digits)
    else:
        decimal = _lone_separator(digits, "," if commas else ".", language)
    grouping = "." if decimal == "," else ","
    return float(digits.replace(grouping, "").replace(decimal, "."))


_CENTS_BEHIND_GROUPS = re.compile(r"(\d{1,3}([.,])\d{3}(?:\2\d{3})*)\2(\d{2})")
"""A comma that OCR took for a point, or the other way round: "47.455.36" has cents."""


def _lone_separator(digits: str, separator: str, language: str | None) -> str:
    """Return the decimal separator of a number that has one kind of separator only."""
    other = "." if separator == "," else ","
    head, *tail = digits.split(separator)
    if len(tail) > 1:
        return other
    looks_grouped = len(tail[0]) == 3 and 1 <= len(head) <= 3 and head != "0"
    grouping = "," if known_language(language) == "en" else "."
    return other if looks_grouped and separator == grouping else separator


def _digit_matches(pattern: re.Pattern[str], text: str) -> list[tuple[int, int]]:
    """Return spans of digits; a currency code may touch them ("USD1,000")."""
    spans = [match.span() for match in pattern.finditer(text)]
    for match in re.finditer(r"(?<=[A-Za-z])\d", text):
        if text.endswith(CURRENCY_CODES, 0, match.start()):
            number = re.compile(r"\d[\d.,]*\d|\d").match(text, match.start())
            if number:
                spans.append(number.span())
    return spans


def _words(match: re.Match[str], language: str) -> Numeral | None:
    """Evaluate a run of number words, with the digits in brackets behind it if there are any."""
    text, words = match.string, SPLIT.split(match.group().lower())
    if text[: match.start()].rstrip(" -")[-1:].isdigit() and words[0] in SCALE_WORDS:
        return None
    number = _evaluate(words, WORDS[language])
    if (bracket := IN_BRACKETS.match(text, match.end())) and read_digits(
        bracket.group(1).rstrip("., "), language
    ) == number:
        return Numeral(match.start(), bracket.end(), number, is_words=True)
    return Numeral(match.start(), match.end(), number, is_words=True)


def _evaluate(words: list[str], values: dict[str, int]) -> float:
    """Add and multiply: units and tens add up, hundred and above multiply what came before."""
    total = current = 0
    for word in words:
        value = values.get(word)
        if value is None:
            continue
        if value >= 1000:
            total += max(current, 1) * value
            current = 0
        elif value == 100 or (value == 20 and current == 4):  # quatre-vingt
            current = max(current, 1) * value
        else:
            current += value
    return float(total + current)
