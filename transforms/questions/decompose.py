"""Split a question into what it asks separately.

A question is compound when a second clause asks again ("…, and which one …"), when several typed
things are joined ("the premium and the deductible"), or when a condition stands before it.
"""

import re
from typing import NamedTuple

from transforms.questions.asking import ASKS, AUXILIARIES
from transforms.questions.conditions import is_kind
from transforms.questions.lexicon import DATE_VERBS_PAIR, FIXED_PAIRS
from transforms.questions.reading import Reading, singular
from transforms.questions.words import words
from transforms.text import fold
from transforms.values import Decomposition

_CONDITIONS = {
    "en": r"if|unless|in the event|in case|in the case|provided|assuming|suppose|supposing|should|"
          r"once|when|where|as long as|so long as|except when",
    "fr": r"si|s'il|en cas|sauf|a moins|lorsque|des lors",
    "de": r"wenn|falls|sofern|sollte|im falle|bei|es sei denn",
    "es": r"si|en caso|a menos|salvo|cuando|siempre que",
}  # fmt: skip
_IF_INSIDE = re.compile(
    r"(?<!know)(?<!see)(?<!check)(?<!tell me)(?<!find out)(?<!determine) "
    r"(?:if|unless|in the event (?:of|that)|in case(?: of)?|provided that|s'il|si|en cas de|wenn|"
    r"falls|en caso de) (?!any\b|applicable|so\b|yes\b|not\b|possible|necessary)"
)
_WHAT_HAPPENS_WHEN = re.compile(
    r"\b(?:what happens|que se passe|was passiert|que sucede|que pasa)\b.*"
    r"\b(?:when|if|upon|once|wenn|si|cuando|lorsque)\b"
)
_BACK_REFERENCE = re.compile(
    r"^(?:and |then |, )*(?:(?:for |of |in |to )?which (?:one|ones|of (?:them|these|those))\b"
    r"|(?:which|who|what|when|where|how|why)\b.*\b(?:of them|of these|of those|the former|"
    r"the latter|that one|this one|its|it)\b|whose\b|lequel|laquelle|lesquels|"
    r"welcher davon|welche davon|"
    r"cual de ellos|cual de ellas)"
)
_SENTENCE = re.compile(r"(?<=[?])\s+(?=\S)|(?<=[.!])\s+(?=[A-ZÀ-Ý¿])")
_JOINERS = {
    "en": r"(?:,|;)? ?\b(?:and|but|or|as well as)\b(?: also| if so| if yes)?,? |; |, then |, ",
    "fr": r"(?:,|;)? ?\bet\b |; |, ",
    "de": r"(?:,|;)? ?\bund\b |; |, ",
    "es": r"(?:,|;)? ?\b(?:y|e)\b |; |, ",
}
_COMMA_ONLY = re.compile(r"^[,; ]+$")
_SUBJECTS = words("""
        the a an there it they this that these those any we you i he she employees my
        our
    """)
_NOMINAL_AND = {"en": " and ", "fr": " et ", "de": " und ", "es": " y "}
_TYPED = ("date", "duration", "percent", "amount", "identifier", "number", "address")
_ROLE = "name"


class Parts(NamedTuple):
    """How a question splits: the texts of its parts, and the cue that says so."""

    decomposition: Decomposition
    texts: tuple[str, ...]
    cue: str


def split_question(text: str, language: str) -> Parts:
    """Return the decomposition of a question without regard to comparisons."""
    sentences = _asking_sentences(text)
    condition, rest = _leading_condition(sentences[0], language)
    clauses = _clauses(rest, language)
    clauses += [clause for sentence in sentences[1:] for clause in _clauses(sentence, language)]
    if condition or _is_conditional(sentences[0]):
        texts = tuple(f"{condition}, {clause}" if condition else clause for clause in clauses)
        return Parts("conditional", texts if len(texts) > 1 else (), "condition")
    if len(clauses) > 1:
        if any(_BACK_REFERENCE.match(fold(clause)) for clause in clauses[1:]) or any(
            re.match(r"(?:if (?:yes|so)|si oui|wenn ja|en caso afirmativo)\b", fold(sentence))
            for sentence in sentences[1:]
        ):
            return Parts("sequential", tuple(clauses), "refers_back")
        return Parts("independent", tuple(clauses), "asks_again")
    pair = _joined_nouns(clauses[0], language)
    if pair:
        return Parts("independent", pair, "joined_nouns")
    return Parts("single", (), "one_question")


def _asking_sentences(text: str) -> list[str]:
    """Return the sentences that ask; instructions on how to answer are left out."""
    sentences = [part.strip() for part in _SENTENCE.split(text.strip()) if part.strip()]
    asking = [part for part in sentences if part.endswith("?")]
    return asking or sentences[:1] or [text]


def _leading_condition(sentence: str, language: str) -> tuple[str, str]:
    """Return a condition that stands before the question, and the question."""
    folded = fold(sentence)
    if not re.match(rf"[¿\s]*(?:{_CONDITIONS[language]})\b", folded):
        return "", sentence
    if len(folded) != len(sentence):
        folded = sentence.lower()
    for match in re.finditer(r",\s*|\bthen\b\s*", folded):
        rest = sentence[match.end() :]
        if Reading(text=rest, language=language).ask != "none" and not _starts_with_when(
            folded, rest
        ):
            return sentence[: match.start()].strip(), rest.strip()
    return "", sentence


def _starts_with_when(folded: str, rest: str) -> bool:
    """Return whether "when" or "where" opens a question and not a condition."""
    opens = re.match(
        r"(?:when|where) (?:is|are|was|were|do|does|did|must|should|can|will|may)\b", folded
    )
    return bool(opens) and bool(rest)


def _is_conditional(sentence: str) -> bool:
    folded = fold(sentence)
    return bool(_IF_INSIDE.search(folded)) or bool(_WHAT_HAPPENS_WHEN.search(folded))


def _clauses(sentence: str, language: str) -> list[str]:
    """Return the clauses of a sentence that ask, each with its own asking words."""
    cuts = [0]
    for match in re.finditer(_JOINERS[language], sentence):
        before, after = sentence[cuts[-1] : match.start()], sentence[match.end() :]
        if not _has_asked(before, language):
            continue
        if _asks_anew(after, language, by_comma=bool(_COMMA_ONLY.match(match.group()))):
            cuts.append(match.end())
    pieces = [sentence[a:b] for a, b in zip(cuts, [*cuts[1:], len(sentence)], strict=True)]
    return [
        re.sub(r"(?:[,;\s]|\b(?:and|et|und|y|but|or)\b)+$", "", piece).strip() for piece in pieces
    ]


def _has_asked(before: str, language: str) -> bool:
    reading = Reading(text=before, language=language)
    return reading.ask != "none" and len(reading.after_ask) > 0


def _asks_anew(after: str, language: str, *, by_comma: bool) -> bool:
    """Return whether the words begin a question of their own: "which one …", "is there …"."""
    reading = Reading(text=after, language=language)
    words = reading.words
    if not words or (by_comma and language != "en"):
        return False
    if words[0] in {phrase.split()[0] for phrase, _ in ASKS[language]} and words[0] not in {
        "que",
        "qui",
        "ou",
    }:
        return not by_comma or (
            words[0] in {"what", "who", "when", "how", "which"} and words[1:2] != ("is",)
        )
    if by_comma:
        return False
    if words[0] in AUXILIARIES[language]:
        return len(words) > 1 and words[1] in _SUBJECTS
    return (
        reading.ask not in {"none", "yes_no", "show", "list", "define", "quote"} and len(words) > 2
    )


def _joined_nouns(clause: str, language: str) -> tuple[str, ...]:
    """Return one question per noun when two typed nouns are asked for together."""
    reading = Reading(text=clause, language=language)
    joiner = _NOMINAL_AND[language]
    folded = fold(clause)
    if reading.ask == "when" and language == "en":
        verbs = re.search(r"\b(\w+) and (\w+)\W*$", folded)
        if verbs and set(verbs.groups()) <= DATE_VERBS_PAIR:
            stem = clause[: verbs.start()]
            return (f"{stem}{verbs.group(1)}?", f"{stem}{verbs.group(2)}?")
    if (
        reading.ask not in {"what", "who", "show"}
        or joiner not in folded
        or reading.after_ask == ()
    ):
        return ()
    if any(pair in folded for pair in FIXED_PAIRS):
        return ()
    at = folded.index(joiner)
    if len(folded) != len(clause) or " by " in folded or " per " in folded:
        return ()
    left, right = clause[:at], clause[at + len(joiner) :]
    lead = re.match(
        r"(?i)(?:what(?: is| are| was| were|'s)|who(?: is| are| was| were)|give me|state|"
        r"quel(?:le)?s? (?:est|sont)|was (?:ist|sind)|cual(?:es)? (?:es|son))\s",
        clause,
    )
    if not lead:
        return ()
    second = Reading(text=f"{lead.group()}{right}", language=language)
    if _kind(reading, language) and _kind(second, language):
        return (f"{left.rstrip(' ,')}?", f"{lead.group()}{right}")
    return ()


def _kind(reading: Reading, language: str) -> str:
    """Return the typed kind of the head, or "" when it may be only half of a name."""
    kinds = (*_TYPED, _ROLE) if reading.language else _TYPED
    return next(
        (k for k in kinds if is_kind(singular(reading.head_word, language), k, language)
         or is_kind(reading.head_word, k, language)), ""
    )  # fmt: skip
