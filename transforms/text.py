"""Text helpers shared by bricks: folding, index terms, stop words, token counts."""

import json
import re
import unicodedata
from functools import cache, lru_cache
from itertools import accumulate
from typing import TYPE_CHECKING, Any

import snowballstemmer

if TYPE_CHECKING:
    import bpe_openai

_STEMMERS = {"en": "english", "fr": "french", "de": "german", "es": "spanish"}
DEFAULT_LANGUAGE = "en"

_UNIFIED = str.maketrans(
    {"‘": "'", "’": "'", "‚": "'", "“": '"', "”": '"', "„": '"', "«": '"', "»": '"',
     "‐": "-", "‑": "-", "‒": "-", "–": "-", "—": "-", "−": "-", "\u00ad": None, "\u200b": None}
)  # fmt: skip
_TOKEN = re.compile(r"\w+(?:[.,/\-]\w+)*")
_GROUPED_NUMBER = re.compile(r"\d{1,3}(?:,\d{3})+(?:\.\d+)?")
_FISCAL_YEAR = re.compile(r"(?:fy|cy)((?:19|20)?\d\d)")
_DOTTED_CODE = re.compile(r"\w{1,3}(?:\.\w{1,3})+")


def word_set(text: str) -> frozenset[str]:
    """Return the words of a text as a set: how word lists are written in the code.

    An underscore inside a word stands for a space.
    """
    return frozenset(word.replace("_", " ") for word in text.split())


STOP_WORDS: dict[str, frozenset[str]] = {
    "en": word_set(
        """
        a about above after again all also am an and any are as at be because been before being
        below between both but by can could did do does doing down during each either else ever
        few for from further had has have having he her here hers him his how i if in into is it
        its itself just me more most my no nor not of off on once only or other our ours out
        over own per please same shall she should so some such than that the their theirs them
        then there these they this those through to too under until up upon us very was we were
        what when where whether which while who whom whose why will with within without would
        you your yours d e.g i.e ll m re s t ve
        """
    ),
    "fr": word_set(
        """
        a ai au aucun aux avec ce cela ces cet cette comme d dans de des donc du elle elles en
        entre es est et etait ete etre eu il ils j je l la le les leur leurs lors lui m ma mais
        me mes moi mon n ne ni nos notre nous on ont ou par pas pour qu que quel quelle quelles
        quels qui s sa sans se sera ses si son sont sous sur t ta te tes toi ton toute tous tout
        toutes tu un une vos votre vous y quand comment combien quoi
        """
    ),
    "de": word_set(
        """
        aber alle allem allen aller alles als also am an auch auf aus bei beim bin bis bist da
        damit dann das dass dazu dein dem den der deren des dessen die dies diese diesem diesen
        dieser dieses doch dort du durch ein eine einem einen einer eines er es euch fur gegen
        hat hatte haben hier ich ihm ihn ihr ihre ihrem ihren ihrer im in ist ja je jede jedem
        jeden jeder jedes kann kein keine keinem keinen keiner konnen man mehr mein mich mir mit
        muss nach nicht noch nun nur ob oder ohne sehr sein seine sich sie sind so soll sollen
        sowie uber um und uns unser unter vom von vor war waren was welche welchem welchen
        welcher welches wenn wer werden wie wieder wird wir wo wurde wurden zu zum zur zwischen
        wann warum wieviel
        """
    ),
    "es": word_set(
        """
        a al algo ante antes aquel como con cual cuales cuando de del desde donde durante e el
        ella ellas ellos en entre era es esa esas ese eso esos esta estan estas este esto estos
        fue ha han hasta hay la las le les lo los mas me mi mis muy nada ni no nos nosotros
        nuestro nuestra o os otra otro para pero poco por porque que quien quienes se sea ser si
        sin sobre son su sus tambien te tiene todo todos tu tus u un una uno unos unas y ya yo
        cuanto cuanta cuantos cuantas
        """
    ),
}


@lru_cache(maxsize=4_000)
def fold(text: str) -> str:
    """Return text for comparing: compatibility forms, case, quotes, dashes and accents unified."""
    plain = unicodedata.normalize("NFKC", text).translate(_UNIFIED).casefold()
    if plain.isascii():
        return plain
    decomposed = unicodedata.normalize("NFD", plain)
    return "".join(char for char in decomposed if unicodedata.category(char) != "Mn")


def tokens(text: str) -> list[str]:
    """Return the folded words, numbers and codes of a text as they stand, stop words included."""
    return _TOKEN.findall(fold(text))


def terms(text: str, language: str | None) -> list[str]:
    """Return the index terms of a text in order.

    Words are folded and stemmed, stop words dropped; numbers and codes ("ID.AM-1", "d_model",
    "1,577.00" as "1577.00") are kept whole. A compound also gives its parts ("in-network").
    """
    key = known_language(language)
    return [term for token in tokens(text) for term in _token_terms(token, key)]


def known_language(language: str | None) -> str:
    """Return the language whose stemmer and stop words are used: English for unknown ones."""
    return language if language in _STEMMERS else DEFAULT_LANGUAGE


def is_stop_word(word: str, language: str | None) -> bool:
    """Return whether a word carries no meaning of its own in this language."""
    return fold(word) in STOP_WORDS[known_language(language)]


def count_tokens(text: str) -> int:
    """Return the number of model tokens (o200k) of a text."""
    encoding = _encoding()
    try:
        return encoding._backend.count(text)  # makes no list of them, which takes half the time
    except UnicodeEncodeError:  # half of a surrogate pair
        return len(encoding.encode_ordinary(text))


@lru_cache(maxsize=100_000)
def _token_terms(token: str, language: str) -> tuple[str, ...]:
    if _GROUPED_NUMBER.fullmatch(token):
        return (token.replace(",", ""),)
    if "," in token:
        return _parts_terms(token.split(","), language)
    if has_digit(token):
        return _code_terms(token, language)
    if _DOTTED_CODE.fullmatch(token):
        return (token,)
    if "." in token:
        return _parts_terms(token.split("."), language)
    if "-" in token or "/" in token:
        parts = re.split(r"[-/]", token)
        is_prefixed = "-" in token and len(parts) == 2 and len(parts[0]) <= 4
        joined = ["".join(parts)] if is_prefixed else []
        return _parts_terms([*parts, *joined], language)
    if token in STOP_WORDS[language]:
        return ()
    return (_stem(token, language),)


def _parts_terms(parts: list[str], language: str) -> tuple[str, ...]:
    return tuple(term for part in parts if part for term in _token_terms(part, language))


def _code_terms(token: str, language: str) -> tuple[str, ...]:
    """Return the whole token, and what it holds: the year of FY2018, the words of "30-day"."""
    if year := _FISCAL_YEAR.fullmatch(token):
        digits = year.group(1)
        return (token, digits if len(digits) == 4 else f"20{digits}")
    parts = re.split(r"[-/]", token)
    if len(parts) == 1:
        return (token,)
    words = [part for part in parts if len(part) >= 3 and not has_digit(part)]
    is_worded = any(word.isalpha() for word in words)
    numbers = [part for part in parts if part.isdigit() and (len(part) == 4 or is_worded)]
    return (token, *_parts_terms(words, language), *numbers)


def has_digit(text: str) -> bool:
    """Return whether any character is a digit."""
    return any(char.isdigit() for char in text)


@lru_cache(maxsize=100_000)
def _stem(word: str, language: str) -> str:
    # A stemmer keeps the word that it works on: two threads may not share one.
    return snowballstemmer.stemmer(_STEMMERS[language]).stemWord(word)


@cache
def _encoding() -> "bpe_openai.Encoding":
    import bpe_openai  # noqa: PLC0415  (half a second that who counts no tokens need not wait)

    return bpe_openai.get_encoding("o200k_base")


_NUMBER_WORDS = {
    word: number
    for words in (
        "two three four five six seven eight nine ten eleven twelve",
        "deux trois quatre cinq six sept huit neuf dix onze douze",
        "zwei drei vier funf sechs sieben acht neun zehn elf zwolf",
        "dos tres cuatro cinco seis siete ocho nueve diez once doce",
    )
    for number, word in enumerate(words.split(), 2)
}
_UNITS = word_set(
    "day week month year hour minut percent per dollar euro jour mois an ans anne heur tag woch "
    "monat jahr stund prozent dia mes meses ano hora ciento usd eur gbp million billion thousand"
)
_NUMBERED_THINGS = word_set(
    "section sections article articles clause table figure page pages item part chapter annex "
    "appendix schedule note step abschnitt artikel tabelle seite anlage ziffer chapitre tableau "
    "annexe seccion articulo tabla pagina anexo"
)
_MOST_ITEMS = 50
"""A number above this next to a noun of the question is a measure, not a count of items."""


def cardinality_cue(text: str, question: str, language: str | None = "en") -> int | None:
    """Return the number of items that a text announces for a question, or None.

    "three types of leave" announces 3 to "Which types of leave are there?": the number, in words
    or digits, stands within three words before a word of the question. "30 days" announces none,
    nor does the number of a heading or list item: digits that a line begins with.
    """
    key = known_language(language)
    asked = set(terms(question, key))
    lines = [tokens(line) for line in text.splitlines()]
    words = [word for line in lines for word in line]
    line_starts = set(accumulate(map(len, lines), initial=0))
    for i, word in enumerate(words):
        if i in line_starts and word.isdigit():
            continue
        number = _NUMBER_WORDS.get(word) or (int(word) if word.isascii() and word.isdigit() else 0)
        if not 2 <= number <= _MOST_ITEMS or (i and words[i - 1] in _NUMBERED_THINGS):
            continue
        following = [_stem(token, key) for token in words[i + 1 : i + 4]]
        if following and following[0] == str(number):
            following = following[1:]
        if following and following[0] not in _UNITS and asked.intersection(following):
            return number
    return None


def decoded_json(text: str, place: int = 0) -> tuple[Any, int]:
    """Return the JSON value that begins at a place of a text, and the place behind it.

    Half a character (`\\ud800` without its other half), which no file can hold, becomes a question
    mark. Raises ValueError for what is no JSON, is nested too deeply, or has a number without end.
    """
    try:
        found, end = _DECODER.raw_decode(text, place)
        if "\\ud" in text[place:end].lower():
            whole = json.dumps(found, ensure_ascii=False).encode("utf-8", "replace").decode()
            found = json.loads(whole)
    except RecursionError:
        raise ValueError("nested too deeply") from None
    return found, end


_DECODER = json.JSONDecoder(strict=False)
