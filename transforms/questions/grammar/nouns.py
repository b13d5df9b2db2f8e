"""Single nouns: their number, and the kind of answer that they ask for."""

from transforms.questions.lexicon.noun_kinds import FALSE_FRIENDS, NOUN_KINDS

GERMAN_TAIL = 4
"""Letters that a German noun needs to count as the end of a compound."""
_IRREGULAR = {
    "criteria": "criterion", "people": "person", "children": "child", "cookies": "cookie",
    "calories": "calorie", "movies": "movie",
}  # fmt: skip


def singular(word: str, language: str) -> str:
    """Return a noun in the singular, by the common endings only."""
    if language == "de" or len(word) < 4:
        return word
    if language == "en" and word in _IRREGULAR:
        return _IRREGULAR[word]
    if language == "es" and word.endswith("es") and len(word) > 5:
        return word[:-2] if word[-3] not in "aeiou" else word[:-1]
    if language == "en" and word.endswith("ies"):
        return f"{word[:-3]}y"
    if language == "en" and word.endswith(("sses", "xes", "ches", "shes")):
        return word[:-2]
    return word[:-1] if looks_plural(word) and word not in _IRREGULAR else word


def looks_plural(word: str) -> bool:
    """Return whether a word has a plural ending."""
    if word in _IRREGULAR:
        return True
    return len(word) > 3 and word.endswith("s") and not word.endswith(("ss", "us", "is", "'s"))


def noun_kind(noun: str, before: str, language: str) -> str | None:
    """Return the kind of a folded noun; with the word before it when the two make a term."""
    one = singular(noun, language)
    if (language, noun) in FALSE_FRIENDS:
        return FALSE_FRIENDS[language, noun]
    for word in (f"{before} {noun}", f"{before} {one}", noun, one):
        for kind, nouns in NOUN_KINDS.items():
            if word in nouns:
                return kind
    if language == "de":
        return next((kind for kind, nouns in NOUN_KINDS.items() if _ends_with(noun, nouns)), None)
    return None


def is_known(word: str) -> bool:
    """Return whether a word is an English noun that has a kind."""
    one = singular(word, "en")
    return any(word in nouns or one in nouns for nouns in NOUN_KINDS.values())


def _ends_with(word: str, nouns: frozenset[str]) -> bool:
    """Return whether a German compound ends with one of the nouns."""
    return any(len(noun) >= GERMAN_TAIL and word.endswith(noun) for noun in nouns)
