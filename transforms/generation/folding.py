"""Numeric-safe folding: what two spellings of one text have in common, and what they may not.

The skeleton of a text is its characters without white space, soft hyphens and hyphens between
letters; ligatures, quotes, dashes and accents have one form. Everything else stays: digits, signs,
separators, brackets, percent and currency signs, case, punctuation. Equal skeletons are only a
first sight: `gaps_agree` looks at what was dropped between the characters.
"""

import re
import unicodedata
from functools import cached_property
from itertools import count, pairwise

from transforms.text import word_set

CURRENCY = "$€£¥₹¢₩₽₺₴฿"
QUOTES = dict.fromkeys("‘’‚‛′‵`´ʼ", "'") | dict.fromkeys("“”„‟″«»", '"')
DASHES = dict.fromkeys("‐‑‒–—―−﹘﹣－", "-")
LIGATURES = {"ﬀ": "ff", "ﬁ": "fi", "ﬂ": "fl", "ﬃ": "ffi", "ﬄ": "ffl", "ﬅ": "st", "ﬆ": "st"}
INVISIBLE = dict.fromkeys("\1\u00ad\u200b\u200c\u200d\u2060\ufeff", "")
FOLDED = QUOTES | DASHES | LIGATURES | INVISIBLE | {"…": "..."}


NEGATIONS = word_set(
    """
    not no nor never none neither without cannot non ne pas jamais aucun aucune ni sans
    nicht kein keine keinen keinem keiner keines nie niemals ohne weder
    sin nunca ningún ninguna senza mai niet geen zonder não nem sem
    """
)
"""Words that turn a statement round, in the languages that Compline reads."""

EXCEPTIONS = word_set(
    """
    except excepting excluding excludes excluded exclusive unless however only until
    sauf excepté hors exclu exclue exclus exclues außer ausgenommen ausgeschlossen
    salvo excepto excluido eccetto escluso tranne
    """
)
"""Words that take something out of a statement: a fuzzy match may not touch them either."""

_SOFT_HYPHEN_AS_SIGN = re.compile("\u00ad(?=\\d)|(?<=\\d)\u00ad")
_HYPHEN_IN_WORD = re.compile("(?<=[^\\W\\d_]|[\u0300-\u036f])[-‐‑‒–−](?=\\s*[^\\W\\d_])")
_DROPPED = "\1"
"""Stands for a hyphen that joins two parts of a word, so that places stay the same."""
_LINE_END_HYPHEN = re.compile(r"(?<=[^\W\d_])[-‐\u00ad][^\S\n]*\n\s*(?=[^\W\d_])")
_WORD = re.compile(r"[^\W\d_]+(?:['’‐‑-][^\W\d_]+)*")
_NUMBER = re.compile(
    rf"""
    (?: \(\s* )? [-‐‑‒–−+]? \s? (?: [{CURRENCY}]\s* )? (?: \(\s* )?
    \d+ (?:[.,'’:/]\d+)* (?: \s*\) | [-−](?=\s|$) )? (?: \s*[%‰] )?
    """,
    re.VERBOSE,
)
_NO_DIGIT = re.compile(r"\D+")
_INSIDE_NUMBERS = frozenset(".,':/-+")


class Folded:
    """A text with its skeleton; `origin[i]` is the place in `raw` of skeleton character i."""

    def __init__(self, raw: str) -> None:
        self.raw = raw
        signed = _SOFT_HYPHEN_AS_SIGN.sub("-", raw.replace(_DROPPED, " "))
        self._prepared = _HYPHEN_IN_WORD.sub(_DROPPED, signed)

    @cached_property
    def skeleton(self) -> str:
        """Return the characters that count, in order."""
        return self._prepared.translate(str.maketrans(self._folds))

    @cached_property
    def origin(self) -> list[int]:
        """Return for each skeleton character its place in `raw`."""
        widths = {character: len(folded) for character, folded in self._folds.items()}
        places = zip(count(), map(widths.__getitem__, self._prepared), strict=False)
        if max(widths.values(), default=0) <= 1:
            return [place for place, width in places if width]
        return [place for place, width in places for _ in range(width)]

    @cached_property
    def _folds(self) -> dict[str, str]:
        return {character: _fold(character) for character in set(self._prepared)}

    @cached_property
    def digits(self) -> str:
        """Return all digits in order: where they differ, the numbers do."""
        return _NO_DIGIT.sub("", self.raw)

    @cached_property
    def numbers(self) -> list[str]:
        """Return the numbers in order, each with its sign, currency and percent sign."""
        found = ("".join(match.group().split()) for match in _NUMBER.finditer(self.raw))
        return [fold_token(number) for number in found]

    def gap(self, i: int) -> str:
        """Return what stands in the text between skeleton characters i and i + 1."""
        return self.raw[self.origin[i] + 1 : self.origin[i + 1]]


def gaps_agree(text: Folded, start: int, quote: Folded) -> bool:
    """Tell whether what the skeletons leave out is the same, or may differ.

    White space may differ, but not next to a digit inside what could be one number ("1 250" is
    not "1250", "1, 250" is not "1,250"). A hyphen may be missing only where it ends a line.
    """
    last = start + len(quote.skeleton) - 1
    if text.raw[text.origin[start] : text.origin[last] + 1] == quote.raw:
        return True
    for i, (left, right) in enumerate(pairwise(quote.skeleton)):
        in_text, in_quote = text.gap(start + i), quote.gap(i)
        if in_text == in_quote:
            continue
        if _in_one_number(left, right) and _has_space(in_text) != _has_space(in_quote):
            return False
        if {_hyphen(in_text), _hyphen(in_quote)} == {"", "hard"}:
            return False
    return True


def fold_token(token: str) -> str:
    """Return a word or number in one spelling: hyphens stay, but for those that end a line."""
    joined = _LINE_END_HYPHEN.sub("", token)
    return "".join(map(_fold, _SOFT_HYPHEN_AS_SIGN.sub("-", joined)))


def negations(text: str) -> list[str]:
    """Return the negation words of a text in order; "cannot" counts as "not".

    "non" is left out: "non exclusive" and "nonexclusive" say the same.
    """
    found = (word for word in words(text) if is_negation(word) and word != "non")
    return ["not" if word == "cannot" else word for word in found]


def protected_words(text: str) -> list[str]:
    """Return the negations and exceptions of a text in order."""
    return [word for word in words(text) if is_protected(word) and word != "non"]


def is_protected(word: str) -> bool:
    """Tell whether a lower-case word turns a statement round or takes something out of it."""
    return is_negation(word) or word in EXCEPTIONS


def words(text: str) -> list[str]:
    """Return the words of a text in lower case, hyphenated ones whole, across line ends."""
    joined = _LINE_END_HYPHEN.sub("", text).replace("\u00ad", "").replace("’", "'")
    return [word.lower() for word in _WORD.findall(joined)]


def is_negation(word: str) -> bool:
    """Tell whether a lower-case word negates, contracted forms ("isn't", "n'est") included."""
    return word in NEGATIONS or word.endswith("n't") or word.startswith("n'")


def collapse(text: str) -> str:
    """Return the text with each run of white space as one space."""
    return " ".join(text.split())


def _fold(character: str) -> str:
    if character.isascii():
        return "" if character.isspace() else FOLDED.get(character, character)
    if character.isspace():
        return ""
    folded = FOLDED.get(character)
    return unicodedata.normalize("NFD", character) if folded is None else folded


def _in_one_number(left: str, right: str) -> bool:
    if not (left.isdigit() or right.isdigit()):
        return False
    return all(each.isdigit() or each in _INSIDE_NUMBERS for each in (left, right))


def _has_space(gap: str) -> bool:
    return any(character.isspace() for character in gap)


def _hyphen(gap: str) -> str:
    """Return what hyphen a gap holds: "" none, "soft" one that ends a line, "hard" any other."""
    if not any(character == "-" or character in DASHES for character in gap):
        return ""
    return "soft" if re.fullmatch(r"[-‐][^\S\n]*\n\s*", gap) else "hard"
