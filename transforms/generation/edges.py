"""Nothing is cut off: what stands beside a match, in the raw characters.

Words, hyphenated compounds and numbers with sign, bracket, separators, percent and currency are
units. A quote may not begin or end inside a unit, nor right behind the negation that governs it.
"""

import re

from transforms.generation.folding import CURRENCY, is_negation
from transforms.text import word_set

_DASH = "-‐‑‒–−\u00ad"
_SIGN = _DASH + "—+±<>≤≥~≈"
_THIN = "\u00a0\u2007\u2009\u202f"
_MARKS = frozenset(CURRENCY + "%‰")
_ADORNMENT = frozenset(_SIGN + "(.,'/:")
_LETTER = "[^\\W_\\d]"
_ALNUM = "(?:[^\\W_]|[\u0300-\u036f])"

_JOINT = rf"""(?:
      [{_DASH}] (?: [^\S\n]*\n\s*(?={_LETTER}) )?     # A-123, 2018-2019, compen-⏎sation
    | (?<=\d) [.,:/·٫٬'’—{_THIN}] (?=\d)              # 1,250.00  12/31/2019  7.2.1  10:30
    | ['’](?=t\b) | (?<=\b[nN])['’]                   # isn't, n'est
)"""
_COMPOUND = rf"{_ALNUM}+ (?: {_JOINT} {_ALNUM}+ )*"
_LEAD = rf"(?: [{_DASH}—+] | [±<>≤≥~≈][^\S\n]* )"
_BEHIND = r"(?: [-−](?=[\s)]|$) )? (?: \s*[%‰] )?"  # 1,250- is negative in ledgers
_SUFFIX = rf"{_BEHIND} (?: \s*[{CURRENCY}](?!\s*\d) | [{CURRENCY}](?!\d) | \s*€(?!\d) )?"

_UNIT = rf"""
      (?: [{CURRENCY}]\s* )? \( \s* {{number}} \s* \) (?: \s*[%‰] )?    # (1,250)  $ (1,577)  (5.2)%
    | {{number}}
    | {_COMPOUND}
"""
_OPEN_NUMBER = rf"""(?:
      {_LEAD}? [{CURRENCY}] \s* {_LEAD}? [.,]? (?=\d) {{digits}} {_BEHIND}
    | (?: (?<!{_ALNUM}){_LEAD} )? (?: (?<![\w.,])[.,] )? (?=\d) {{digits}} {_SUFFIX}
)"""
_GROUPED = r"(?: (?<![\d.,]) \d{1,3} (?:[ ]\d{3})+ (?:[.,]\d+)? (?!\d) )"


def _unit(digits: str) -> re.Pattern[str]:
    number = _OPEN_NUMBER.format(digits=digits)
    return re.compile(_UNIT.replace("{number}", number), re.VERBOSE)


_UNIT_IN_TABLE = _unit(_COMPOUND)
_UNIT_IN_TEXT = _unit(f"(?: {_GROUPED} | {_COMPOUND} )")

_AUXILIARIES = word_set(
    """
    is are was were be been shall will may must can could should would does do did has have had
    """
)
_NEGATION_BEHIND_VERB = word_set("nicht pas niet kein keine keinen jamais nie")
_LAST_WORD = re.compile(r"(?<![^\W_])([^\W\d_]+(?:['’][^\W\d_]+)?)\s+$")
_FIRST_WORD = re.compile(r"\s+([^\W\d_]+)(?![^\W_])")
_NEAR = 40
"""Characters that hold the word before a match."""


def token_spans(text: str) -> list[tuple[int, int]]:
    """Return the places of words, and of numbers with all that belongs to them, in order."""
    return [match.span() for match in _UNIT_IN_TABLE.finditer(text)]


def is_numeric(text: str, place: int) -> bool:
    """Tell whether a character is a digit, a currency or percent sign, or what adorns one.

    A closing bracket adorns what stands before it; signs, separators and opening brackets what
    stands behind.
    """
    if _is_mark(text[place]):
        return True
    if text[place] == ")":
        return place > 0 and _is_mark(text[place - 1])
    return text[place] in _ADORNMENT and place + 1 < len(text) and _is_mark(text[place + 1])


def _is_mark(character: str) -> bool:
    return character.isdigit() or character in _MARKS


def is_cut(raw: str, start: int, end: int, *, is_table_row: bool = False) -> bool:
    """Tell whether the stretch `raw[start:end]` leaves out something that belongs to it.

    In running text a single space between digits may separate thousands; in a table row it
    separates cells.
    """
    unit = _UNIT_IN_TABLE if is_table_row else _UNIT_IN_TEXT
    return (
        _is_inside_unit(raw, start, unit)
        or _is_inside_unit(raw, end, unit)
        or _is_cut_from_negation(
            raw[max(0, start - _NEAR) : start], raw[start:end], raw[end : end + _NEAR]
        )
    )


def _is_inside_unit(raw: str, place: int, unit: re.Pattern[str]) -> bool:
    line_start = raw.rfind("\n", 0, place) + 1
    first = raw.rfind("\n", 0, max(0, line_start - 1)) + 1
    line_end = raw.find("\n", place)
    last = raw.find("\n", line_end + 1) if line_end >= 0 else -1
    stretch = raw[first : last if last >= 0 else len(raw)]
    for match in unit.finditer(stretch):
        if match.start() + first >= place:
            return False
        if match.end() + first > place:
            return True
    return False


def _is_cut_from_negation(before: str, match: str, after: str) -> bool:
    previous = _word(_LAST_WORD.search(before))
    if is_negation(previous) and not (previous == "no" and match[0].isdigit()):
        return True
    following = _word(_FIRST_WORD.match(after))
    if following in ("not", "never"):
        return _word(_LAST_WORD.search(f"{match} ")) in _AUXILIARIES
    return following in _NEGATION_BEHIND_VERB


def _word(found: re.Match[str] | None) -> str:
    return found[1].lower().replace("’", "'") if found else ""
