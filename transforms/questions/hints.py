"""Where a question says to look: section, page, layout; and the anchors that must not be lost."""

import re

from transforms.questions.grammar.language import is_folded_stop_word
from transforms.text import fold, has_digit

_NUMBER = r"(?:\d+(?:\.\d+)*[a-z]?|[IVXLC]+\b|[A-Z]\b(?:\.?\d+)*)"
_SECTION = re.compile(
    r"\b(section|sec\.|clause|article|art\.|paragraph|para\.|chapter|part|annex|appendix|schedule|"
    r"exhibit|item|rule|note|abschnitt|ziffer|artikel|paragraf|kapitel|anhang|anlage|clausula|"
    r"cl[aá]usula|secci[oó]n|art[ií]culo|anexo|annexe|chapitre|paragraphe)\s+"
    rf"(?:no\.?\s*)?({_NUMBER})",
    re.IGNORECASE,
)
_PARAGRAPH_SIGN = re.compile(r"§\s?\d+[a-z]?")
_NAMED_SECTION = re.compile(
    r"\b(?:in|under|from|of|see|within|quote|read|explain|summari[sz]e|"
    r"does(?=[^?]*(?:section|chapter|clause|article) (?:say|state|provide|read|require)))"
    r"\s+(?:the\s+)?(?:\"([^\"]+)\"|“([^”]+)”|((?:[\w-]+\s){1,4}?))"
    r"(?:section|chapter|clause|article)\b",
    re.IGNORECASE,
)
_PARTS_OF_DOCUMENT = {
    "endorsement": "endorsements", "endorsements": "endorsements", "declarations": "declarations",
    "definitions": "definitions", "exclusions": "exclusions", "preamble": "preamble",
    "recitals": "recitals", "glossary": "glossary", "appendix": "appendix",
    "bibliography": "references", "abstract": "abstract", "introduction": "introduction",
    "conclusion": "conclusion", "balance sheet": "balance sheet",
    "income statement": "income statement", "statement of income": "income statement",
    "cash flow statement": "cash flow statement", "statement of cash flows": "cash flow statement",
    "declarations page": "declarations", "amendments": "amendments", "schedule": "schedule",
    "conditions generales": "conditions generales", "avenant": "avenant", "nachtrag": "nachtrag",
}  # fmt: skip
_IN_PART = re.compile(
    r"\b(?:in|on|under|within|per|from|see|using|to|stated only in|shown in|dans|im|en)\s+"
    r"(?:the\s+|les?\s+|la\s+|los\s+|las\s+|den\s+|der\s+)?({})\b".format(
        "|".join(sorted(map(re.escape, _PARTS_OF_DOCUMENT), key=len, reverse=True))
    )
)
_LAYOUT = re.compile(
    r"\b((?:table|figure|fig\.|chart|diagram|graph|tableau|tabelle|abbildung|tabla|figura)\s+"
    r"(?:[A-Z]?\d+(?:\.\d+)*[a-z]?|[IVX]+\b))",
    re.IGNORECASE,
)
_LAYOUT_WORDS = (
    "footnote", "header", "footer", "letterhead", "cover page", "title page", "first page",
    "last page", "table of contents", "signature page", "signature block", "table", "figure",
    "chart", "diagram", "caption", "logo", "stamp", "margin note",
)  # fmt: skip
_WHERE_SHOWN = re.compile(
    r"\bwhere\b.*\b(?:show|shows|shown|report|reports|reported|presented|illustrated|tabulated|plotted)\b"
)
"""Asks where something is shown: most often in a table or figure."""
_PAGE = re.compile(
    r"\b(?:page|pages|p\.|pp\.|seite|p[aá]gina)\s+(?:no\.?\s*)?(\d+|[ivxlc]+)\b", re.IGNORECASE
)
_PAGE_WORDS = {"first page": "first", "cover page": "first", "title page": "first",
               "last page": "last", "signature page": "last"}  # fmt: skip
_CODE = re.compile(
    r"(?<![\w])(?:[A-Za-z]+_\w+|[A-Za-z]{1,6}(?:[.\-/]?[A-Za-z]{0,4})?[.\-/]?\d[\w.\-/]*"
    r"|[A-Z]{2,}(?:[.\-][A-Z0-9]+)+|\d+(?:[.\-/]\d+)+[A-Za-z]?|\d{5,}|[A-Z]{2,}(?:&[A-Z]+)*\d*)(?![\w&])"
)
_QUOTED = re.compile(r"[\"“„«]([^\"”“»]{2,80})[\"”“»]")
_CAPITAL_WORD = re.compile(r"[A-ZÀ-Ý][\w&'’.-]*")


def section_hint(text: str) -> str | None:
    """Return the section named in the question: "Section 4.2", "§ 7", "endorsements"."""
    if numbered := _SECTION.search(text):
        return " ".join(numbered.group().split())
    if sign := _PARAGRAPH_SIGN.search(text):
        return sign.group()
    if named := _NAMED_SECTION.search(text):
        name = next(group for group in named.groups() if group).strip()
        words = [word for word in name.split() if not is_folded_stop_word(word, "en")]
        if words and not words[0][0].isdigit():
            return " ".join(words)
    part = _IN_PART.search(fold(text))
    return _PARTS_OF_DOCUMENT[part.group(1)] if part else None


def page_hint(text: str) -> str | None:
    """Return the page named in the question, as printed: "3", "iv", "first", "last"."""
    if page := _PAGE.search(text):
        return page.group(1)
    folded = fold(text)
    return next((page for words, page in _PAGE_WORDS.items() if words in folded), None)


def layout_hint(text: str) -> str | None:
    """Return the object or place on the page that is named: "Table 3", "footnote"."""
    if labelled := _LAYOUT.search(text):
        return " ".join(labelled.group(1).split())
    folded = fold(text)
    if _WHERE_SHOWN.search(folded):
        return "table"
    return next(
        (
            word
            for word in _LAYOUT_WORDS
            if re.search(rf"\b(?:in|on|from|under) (?:\w+ ){{0,3}}{word}s?\b", folded)
        ),
        None,
    )


def anchors(text: str, language: str) -> tuple[str, ...]:
    """Return codes, quoted terms and capitalised names, in order of appearance, each once."""
    found: dict[str, tuple[int, str]] = {}
    for match in _CODE.finditer(text):
        found.setdefault(fold(match.group()), (match.start(), match.group()))
    for match in _QUOTED.finditer(text):
        found.setdefault(fold(match.group(1)), (match.start(1), match.group(1)))
    for start, name in _names(text, language):
        found.setdefault(fold(name), (start, name))
    return tuple(name for _, name in sorted(found.values()))


def _names(text: str, language: str) -> list[tuple[int, str]]:
    """Return runs of capitalised words that do not stand where any word is capitalised.

    German capitalises all nouns, so there only words in capitals count (`_CODE`).
    """
    if language == "de":
        return []
    runs: list[tuple[int, list[str]]] = []
    starts_sentence, joins = True, False
    for match in re.finditer(r"\S+", text):
        word = match.group().strip("\"“”„«»()[],;:?!¿¡'‘’.")
        word = re.sub(r"['’]s$", "", word)
        is_name = bool(_CAPITAL_WORD.fullmatch(word)) and not is_folded_stop_word(word, language)
        if is_name and not starts_sentence:
            if joins and runs and not has_digit(word):
                runs[-1][1].append(word)
            else:
                runs.append((match.start(), [word]))
        joins = is_name and not starts_sentence and match.group()[-1] not in ",;:?!.)"
        starts_sentence = match.group()[-1] in "?!." and len(word) > 3
    return [(start, " ".join(words)) for start, words in runs]
