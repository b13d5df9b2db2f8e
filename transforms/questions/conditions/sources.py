"""Conditions about what is asked: a place in a document, a document, or the collection."""

import re

from transforms.questions.grammar.nouns import looks_plural
from transforms.questions.grammar.reading import Reading
from transforms.questions.grammar.value_nouns import reported_noun
from transforms.questions.lexicon.document_words import (
    AGREEMENTS,
    CORPUS_PLACES,
    CORPUS_WORDS,
    DOCUMENT_NOUNS,
)
from transforms.text import word_set

_PLACES = (
    "section clause article paragraph chapter annex appendix schedule exhibit part item page note "
    "rule endorsement amendment addendum exclusion condition provision definition subsection "
    "subclause recital rider principle table figure abschnitt ziffer artikel paragraf seite "
    "anhang kapitel tabelle clausula seccion articulo pagina anexo tabla annexe chapitre "
    "paragraphe tableau"
)
_NUMBER = r"(?:\d+(?:\.\d+)*[a-z]?|[ivxlc]+|[a-z])\b"
_NAMED_PLACES = (
    r"(?:declarations?|signature|cover|title|first|last|second|summary) page|preamble|recitals?|"
    r"glossary|abstract|executive summary|table of contents|introduction|letterhead|footnotes?"
)
_PLACE = (
    rf"(?:(?:{'|'.join(_PLACES.split())})s? (?:no\.? |number )?{_NUMBER}|§ ?\d+|{_NAMED_PLACES})"
)
_SAYS = (
    r"(?:says?|states?|provides?|reads?|contains?|covers?|deals?|requires?|shows?|lists?|"
    r"specify|specifies|addresse?s?|describes?|regulates?|governs?|set out|stipulates?|mean|"
    r"discuss(?:es)?|explains?|prohibits?|includes?|permits?|concerns?|set forth|prescribes?)"
)
_SHOWN = r"(?:said |written |shown |set out |laid down |\w+ed )?"
_ASKS_PLACE = tuple(
    re.compile(pattern)
    for pattern in (
        rf"\bwhat (?:does|do|did) (?:the )?{_PLACE}[^?]*\b{_SAYS}\b",
        rf"\bwhat (?:does|do) (?:it|the \w+|this \w+) {_SAYS} (?:on|in|under|at) .*{_PLACE}",
        r"^what (?:does|do|did) (?:the )?(?:[\w-]+ ){1,4}(?:section|clause|article|chapter|"
        r"paragraph|provision)s? (?:(?:on|about|regarding|in|of) [^?]*)?"
        r"(?:say|state|provide|read|contain|stipulate|deal with)\b",
        rf"\bwhat (?:is|'s|are) {_SHOWN}(?:in|on|under|by) (?:the )?{_PLACE}",
        r"^(?:please )?(?:quote|read|show|reproduce|give|summari[sz]e|explain|cite)"
        rf"(?: me)?(?: the)?(?: full)?(?: text of| wording of| content of| contents of)? {_PLACE}",
        r"^(?:please )?(?:quote|read out|reproduce|recite)(?: me)?(?: the)? (?:\w+ ){1,4}"
        r"(?:clause|section|article|paragraph|provision)\b",
        r"^where (?:in [^?]* )?(?:is|are|does|do|can i find) [^?]*\b(?:defined|described|discussed|"
        r"mentioned|stated|set out|specified|addressed|explained|documented|definition|wording)\b",
        rf"^que (?:dit|prevoit|contient|dice|establece)\b[^?]*{_PLACE}",
        rf"^was (?:sagt|regelt|steht|besagt)\b[^?]*{_PLACE}",
    )
)
_ASKS_DOCUMENT = tuple(
    re.compile(pattern)
    for pattern in (
        r"\bwhat (?:does|do|did) (?:the|this|that|our|your|it|they|management) ?"
        r"(?:[\w-]+ ){0,4}?(?:recommend|"
        r"say|advise|suggest|provide|state|require|propose|prescribe|disclose|report|discuss|"
        r"tell us|stipulate|expect)\b",
        r"\bhow (?:does|do|is|are) .*\b(?:handle|manage|address|approach|deal with|treat|protect|"
        r"govern|mitigate|ensure|support|promote|monitor)(?:s|d|ed)?\b",
        r"\bwhat (?:guidance|advice|is (?:the|its) (?:approach|strategy|stance|overall)|"
        r"is the [\w']+ (?:approach|strategy|stance|policy|position))\b",
        r"^que (?:dit|prevoit|recommande|dice|recomienda)\b",
        r"^was (?:sagt|empfiehlt|regelt)\b",
    )
)
_HOLDS = word_set(
    "contain contains include have mention refer cover address exclude discuss describe"
)
_TELLS_APART = word_set("with without that where whose containing having expiring")
_NEEDED = word_set("required needed submitted apply applies attached listed provided must should")


def asks_place(reading: Reading) -> bool:
    """Match what a section or page says: the place itself is what is asked for."""
    text = " ".join(reading.words)
    return any(pattern.search(text) for pattern in _ASKS_PLACE)


def asks_what_document_says(reading: Reading) -> bool:
    """Match "what does the framework recommend for …": several places are read together."""
    text = " ".join(reading.words)
    return not reported_noun(reading) and any(pattern.search(text) for pattern in _ASKS_DOCUMENT)


def spans_corpus(reading: Reading) -> bool:
    """Match questions about the collection and not about one document."""
    if reading.says(*CORPUS_WORDS):
        return True
    is_several = reading.is_plural if reading.language != "en" else looks_plural(reading.head_word)
    asks_for_some = {"which", "list", "show"} | ({"what"} if reading.language == "es" else set())
    if reading.ask not in asks_for_some or not is_several:
        return False
    if reading.says(*CORPUS_PLACES):
        return True
    is_told_apart = reading.complement[:1] and reading.complement[0] in _TELLS_APART
    if is_told_apart and reading.head in AGREEMENTS - {"policy", "order"}:
        return True
    if reading.head in AGREEMENTS and reading.ask not in {"list", "show"}:
        return not reading.uses(_NEEDED)
    holds = reading.uses(_HOLDS) and not reading.says("have to", "has to", "had to")
    return reading.head in DOCUMENT_NOUNS and holds
