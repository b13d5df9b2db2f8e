"""Tell when a question cannot be answered as asked, and what one question to ask back.

A question is too vague when it names nothing definite: one broad noun alone ("the cap"), or only
pronouns ("Is it covered?"). Several of a kind ("the limits") can be listed; and what names a
section, page, code or name is never too vague.
"""

from itertools import pairwise

from transforms.questions.grammar.language import is_folded_stop_word
from transforms.questions.grammar.reading import Reading
from transforms.questions.lexicon.asking_words import NEEDS, POLITE
from transforms.questions.lexicon.function_words import DETERMINERS
from transforms.questions.lexicon.noun_roles import BROAD_HEADS
from transforms.text import word_set

_POINTING = word_set("""
        it this that they them these those one ones thing things he she there
    """)
_GENERIC_VERBS = word_set("""
        cover covers covered include includes included apply applies applied allow
        allowed mean means happen happens work works say says said exclude excluded
        valid ok okay possible start starts end ends begin begins expire expires cost
        costs pay paid go goes change changes changed last lasts need needed do done
        enough much many long about tell explain more else yes no same require required
        pay payable due count get give see take other details detail info information
        something anything everything stuff
    """)
_EMPTY_NOUNS = word_set("""
        detail details info information thing things stuff something anything everything other
        more rest same start end last due count need
    """)
"""Generic even behind an article: "the details", "the end"."""
_US = word_set("i we my our me us")
_ABOUT_US = {"when", "where", "how_long"}
"""With "I" or "we", these ask of the asker's own cover or contract: "when am I covered"."""
_POINTING_DETERMINERS = word_set("""
        that this these those it all any each every some of out me us both ce cette dies diese
        dieser dieses este esta lo
    """)
_POLITE_WORDS = {word for phrase in (*POLITE, *NEEDS) for word in phrase.split()}
MESSAGES = {
    "en": "Which {noun} do you mean: of what, or under which section?",
    "fr": "De quel(le) {noun} s'agit-il : de quoi, ou dans quelle section ?",
    "de": "Was genau ist mit „{noun}“ gemeint, und in welchem Abschnitt?",
    "es": "¿A qué {noun} se refiere: de qué, o en qué sección?",
}
NO_SUBJECT = {
    "en": "What is the question about? Please name the subject, clause or term that is meant.",
    "fr": "Sur quoi porte la question ? Veuillez nommer le sujet, la clause ou le terme visé.",
    "de": "Worum geht es? Bitte den Gegenstand, die Klausel oder den Begriff nennen.",
    "es": "¿Sobre qué trata la pregunta? Indique el tema, la cláusula o el término.",
}


def clarification(reading: Reading, *, is_placed: bool) -> str | None:
    """Return the question to ask back, or null when the question can be answered as asked.

    `is_placed` says that a section, page, code or name is given, so that there is where to look.
    """
    if is_placed:
        return None
    content = [word for word in reading.after_ask if _is_content(word, reading.language)]
    before = reading.words[: len(reading.words) - len(reading.clause)]
    topic = {word for word in before if _is_content(word, reading.language)} - _POLITE_WORDS
    if topic - BROAD_HEADS - _POINTING - _GENERIC_VERBS:
        return None
    definite = [word for word in content if word not in BROAD_HEADS]
    if content and not definite:
        return MESSAGES[reading.language].format(noun=reading.head_word or content[-1])
    is_open = reading.ask in {"who", "what", "which"} and not reading.uses(_POINTING)
    if reading.ask in _ABOUT_US and reading.uses(_US) and definite:
        return None
    named = _named(reading)
    points = all(word not in named and _only_points(word) for word in definite)
    if points and not (definite and is_open):
        return NO_SUBJECT[reading.language]
    return None


def _named(reading: Reading) -> set[str]:
    """Return what an article or "your" makes a noun: "the cover", though "cover" is also a verb."""
    articles = DETERMINERS[reading.language] - _POINTING_DETERMINERS
    following = {word for article, word in pairwise(reading.after_ask) if article in articles}
    return following - _EMPTY_NOUNS


def _is_content(word: str, language: str) -> bool:
    return word[0].isalnum() and not is_folded_stop_word(word, language)


def _only_points(word: str) -> bool:
    """Return whether a word names nothing: a pronoun, or what any document does."""
    return word in _GENERIC_VERBS or word in _POINTING
