"""Split a question into what it asks separately.

A question is compound when a second clause asks again ("…, and which one …"), when several typed
things are joined ("the premium and the deductible"), or when a condition stands before it.
"""

import re
from typing import NamedTuple

from transforms.questions.grammar.nouns import singular
from transforms.questions.grammar.reading import Reading
from transforms.questions.grammar.value_nouns import value_kind
from transforms.questions.instructions import SENTENCE
from transforms.questions.lexicon.asking_words import ASKS
from transforms.questions.lexicon.comparing_words import CONTRASTS
from transforms.questions.lexicon.function_words import AUXILIARIES, COPULAS, DETERMINERS
from transforms.questions.lexicon.noun_roles import FIXED_PAIRS, TRANSPARENT_HEADS
from transforms.questions.lexicon.value_words import DATE_VERBS_PAIR
from transforms.text import fold, word_set
from transforms.values import Decomposition

_CONDITIONS = {
    "en": r"if|unless|in the event|in case|in the case|provided|assuming|suppose|supposing|should|"
          r"once|when|where|as long as|so long as|except when",
    "fr": r"si|s'il|en cas|sauf|a moins|lorsque|des lors",
    "de": r"wenn|falls|sofern|sollte|im falle|bei|es sei denn",
    "es": r"si|en caso|a menos|salvo|cuando|siempre que",
}  # fmt: skip
_STRONG_CONDITION = re.compile(
    r"^[¿ ]*(?:if|unless|in the event|in case|provided that|assuming|supposing|si|s'il|en cas|"
    r"wenn|falls|sofern|en caso)\b"
)
"""Begins a condition even when no comma ends it; "when" and "where" may also ask."""
_TOPIC = re.compile(
    r"^(?:in (?:the )?(?:case|event) of|en cas de?|en cas d'|im falle?|bei|en caso de)(?! que\b)"
)
"""Begins a phrase that only names a matter ("in case of theft"): no condition of what *is* so."""
_IF_INSIDE = re.compile(
    r"(?<!know)(?<!see)(?<!check)(?<!tell me)(?<!find out)(?<!determine)(?<!that)(?<!,) "
    r"(?:if|unless|in the event that|provided that|s'il|si|wenn|"
    r"falls) (?!any\b|applicable|so\b|yes\b|not\b|possible|necessary)"
)
_WHAT_HAPPENS_WHEN = re.compile(
    r"\b(?:what happens|que se passe|was passiert|que sucede|que pasa)\b.*"
    r"\b(?:when|if|upon|once|after|wenn|si|cuando|lorsque)\b"
)
_NAMES_FORMER = re.compile(
    r"\bwhich (?:one|ones|of (?:them|these|those|its|their))\b|"
    r"\b(?:of them|of these|of those|the former|the latter|that one|this one)\b|"
    r"^(?:and |then )*whose\b|"
    r"\b(?:lequel|laquelle|lesquels|welcher davon|welche davon|cual de ell[oa]s)\b"
)
_POINTS_BACK = re.compile(r"\b(?:it|its|that|this|he|she|his|her|their|they|them)\b")
_POINTS_TO_PERSON = re.compile(r"\b(?:he|she|his|her|him|their|they|them)\b")
_IF_YES = re.compile(r"^(?:if (?:yes|so)|si oui|wenn ja|en caso afirmativo)\b")
_JOINERS = {
    "en": r"(?:,|;)? ?\b(?:and|but|or(?! (?:more|less|fewer|later|earlier)\b)|as well as)\b"
    r"(?: also| if so| if yes)?,? |; |, then |, ",
    "fr": r"(?:,|;)? ?\bet\b |; ",
    "de": r"(?:,|;)? ?\bund\b |; ",
    "es": r"(?:,|;)? ?\b(?:y|e)\b |; ",
}
_TRAILING_JOINER = re.compile(r"(?:[,;\s]|\b(?:and|et|und|y|but|or)\b)+$")
_SUBJECTS = word_set("""
    the a an there it they this that these those any we you i he she employees my our
""")
_OBJECTS = word_set("""
    the a an all any every what which who how when where le la les l' un une der die das den ein
    eine alle el los las un una
""")
"""Behind "and state", "and list": what is wanted; in "federal and state laws" nothing is."""
_CONJUNCTIONS = word_set("que qui ou wo als")
"""Words that ask only at the beginning of a sentence: elsewhere they join clauses."""
_NOMINAL_AND = {"en": " and ", "fr": " et ", "de": " und ", "es": " y "}
_PER_UNIT = re.compile(
    r"\b(?:per|(?:of|for) (?:each|every)) (?:share|unit|hour|day|night|month|year|annum|person|"
    r"employee|claim|loss|accident|occurrence|event|mile)\b"
)
"""What a value is for ("earnings per share"), where "per segment" breaks several down."""
_BROKEN_DOWN = re.compile(r"\b(?:by|per|(?:of|for) (?:each|every))\b")
_LEADS = re.compile(
    r"(?i)(?:what(?: is| are| was| were|'s)|who(?: is| are| was| were)|give(?: me)?|state|"
    r"provide|specify|indicate|how (?:much|high|long) (?:is|are|was|were)|"
    r"wie hoch (?:ist|sind|war)|"
    r"quel(?:le)?s? (?:est|sont)|was (?:ist|sind)|¿?cu[aá]l(?:es)? (?:es|son))\s"
)


class Parts(NamedTuple):
    """How a question splits: the texts of its parts, and the cue that says so."""

    decomposition: Decomposition
    texts: tuple[str, ...]
    cue: str


def split_question(text: str, language: str) -> Parts:
    """Return the decomposition of a question without regard to comparisons."""
    first, *others = _asking_sentences(text)
    condition, rest = _leading_condition(first, language)
    if condition and _is_topic(condition, rest, language):
        first, condition = rest, ""
    clauses = _clauses(rest, language)
    clauses += [clause for sentence in others for clause in _clauses(sentence, language)]
    if condition or _is_conditional(first):
        texts = tuple(f"{condition}, {clause}" if condition else clause for clause in clauses)
        return Parts("conditional", texts if len(texts) > 1 else (), "condition")
    if len(clauses) > 1:
        follows = any(_IF_YES.match(fold(sentence)) for sentence in others)
        if follows or any(_refers_back(clauses[0], clause, language) for clause in clauses[1:]):
            return Parts("sequential", tuple(clauses), "refers_back")
        return Parts("independent", tuple(clauses), "asks_again")
    if pair := _joined_verbs(rest, language) or _joined_nouns(rest, language):
        return Parts("independent", pair, "joined")
    return Parts("single", (), "one_question")


def _asking_sentences(text: str) -> list[str]:
    """Return the sentences that ask; instructions on how to answer are left out."""
    sentences = [part.strip() for part in SENTENCE.split(text.strip()) if part.strip()]
    asking = [part for part in sentences if part.endswith("?")]
    return asking or sentences[:1] or [text]


def _leading_condition(sentence: str, language: str) -> tuple[str, str]:
    """Return a condition that stands before the question, and the question."""
    if not re.match(rf"[¿\s]*(?:{_CONDITIONS[language]})\b", fold(sentence)):
        return "", sentence
    if re.match(r"(?i)(?:when|where) (?:is|are|was|were|do|does|did|must|should|can|will|may)\b",
                sentence):  # fmt: skip
        return "", sentence
    for match in re.finditer(r",\s*|\bthen\b\s*", sentence):
        rest = sentence[match.end() :]
        if Reading(text=rest, language=language).has_asking_words:
            return sentence[: match.start()].strip(), rest.strip()
    return "", sentence


def _is_conditional(sentence: str) -> bool:
    folded = fold(sentence)
    patterns = (_STRONG_CONDITION, _IF_INSIDE, _WHAT_HAPPENS_WHEN)
    return any(pattern.search(folded) for pattern in patterns)


def _is_topic(condition: str, question: str, language: str) -> bool:
    """Return whether a phrase names what the question is about: "in case of theft, what is …".

    What happens, or what somebody must do in that case, depends on it; what a thing is does not.
    """
    reading = Reading(text=question, language=language)
    verb, article = (*reading.after_ask, "", "")[:2]
    is_stated = verb in COPULAS[language] and article in DETERMINERS[language]
    asks_for_value = reading.ask in {"what", "which", "how_much", "how_long"}
    return bool(_TOPIC.match(fold(condition))) and asks_for_value and is_stated


def _refers_back(first: str, clause: str, language: str) -> bool:
    """Return whether a clause needs the answer of the first one.

    It does when it names it ("which one"), or points back when the first asked for something
    unknown ("which endorsement …, and what is its date", "who signed, and what is his title"); not
    when that was given ("the premium", "who is the chair").
    """
    folded = fold(clause)
    if _NAMES_FORMER.search(folded):
        return True
    reading = Reading(text=first, language=language)
    if reading.ask == "who":
        is_role_given = reading.after_ask[:1] and reading.after_ask[0] in COPULAS[language]
        return not is_role_given and bool(_POINTS_TO_PERSON.search(folded))
    asked_for_unknown = reading.ask == "which" and not reading.is_plural
    return asked_for_unknown and bool(_POINTS_BACK.search(folded))


def _clauses(sentence: str, language: str) -> list[str]:
    """Return the clauses of a sentence that ask, each with its own asking words."""
    cuts = [0]
    for match in re.finditer(_JOINERS[language], sentence):
        before = Reading(text=sentence[cuts[-1] : match.start()], language=language)
        has_asked = before.has_asking_words and len(before.after_ask) > 0
        if has_asked and _asks_anew(sentence[match.end() :], language, match.group()):
            cuts.append(match.end())
    pieces = [sentence[a:b] for a, b in zip(cuts, [*cuts[1:], len(sentence)], strict=True)]
    return [_TRAILING_JOINER.sub("", piece).strip() for piece in pieces]


def _asks_anew(after: str, language: str, joiner: str) -> bool:
    """Return whether the words begin a question of their own: "which one …", "is there …"."""
    reading = Reading(text=after, language=language)
    first, following = (*reading.words, "", "")[:2]
    is_comma = joiner.strip() in {",", ";"}
    if not reading.has_asking_words:
        return False
    if first in _ask_words(language) - _CONJUNCTIONS:
        return not is_comma or first in {"what", "who", "how"}
    if is_comma:
        return False
    if first in AUXILIARIES[language] and reading.ask == "yes_no":
        return following in _SUBJECTS or joiner.startswith(",")
    if reading.ask in {"show", "list", "define", "explain", "quote"}:
        return following in _OBJECTS
    return reading.ask != "yes_no" and bool(reading.after_ask)


def _ask_words(language: str) -> set[str]:
    return {phrase.split()[0] for phrase, _ in ASKS[language]}


def _joined_verbs(clause: str, language: str) -> tuple[str, ...]:
    """Return two questions when one asks for two dates: "when does cover start and end"."""
    reading = Reading(text=clause, language=language)
    verbs = re.search(r"\b(\w+) and (?:when does it )?(\w+)\W*$", clause)
    if reading.ask != "when" or not verbs or not set(verbs.groups()) <= DATE_VERBS_PAIR:
        return ()
    stem = clause[: verbs.start()]
    return (f"{stem}{verbs.group(1)}?", f"{stem}{verbs.group(2)}?")


def _joined_nouns(clause: str, language: str) -> tuple[str, ...]:
    """Return one question per noun when two typed nouns are asked for together."""
    lead = _LEADS.match(clause)
    left, joiner, right = clause.partition(_NOMINAL_AND[language])
    if not lead or not joiner or any(pair in fold(clause) for pair in FIXED_PAIRS):
        return ()
    first = Reading(text=left, language=language)
    second = Reading(text=f"{lead.group()}{right}", language=language)
    is_contrast = first.head_word in CONTRASTS and CONTRASTS & set(fold(right).split()[:2])
    if is_contrast and second.is_plural:
        one = singular(second.head_word, language)
        right = re.sub(rf"(?i)\b{re.escape(second.head_word)}\b", one, right)
        second = Reading(text=f"{lead.group()}{right}", language=language)
    if first.head_word in TRANSPARENT_HEADS or is_contrast:
        left = " ".join((left.rstrip(" ,"), *second.noun_phrase[1:]))
        first = Reading(text=left, language=language)
    is_broken_down = _BROKEN_DOWN.search(_PER_UNIT.sub("", " ".join(second.words)))
    goes_on = first.says("by", "per", "between", "using", "as", "from", "with")
    if is_broken_down or goes_on or not _is_typed(first) or not _is_typed(second):
        return ()
    return (f"{left.rstrip(' ,')}?", f"{lead.group()}{right}")


def _is_typed(reading: Reading) -> bool:
    """Return whether the head has a type of its own, so that it is no half of a phrase."""
    return value_kind(reading) not in {None, "text"}
