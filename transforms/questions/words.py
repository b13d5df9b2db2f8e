"""Sets of words, written as text."""


def words(text: str) -> frozenset[str]:
    """Return the space-separated words; an underscore inside a word stands for a space."""
    return frozenset(word.replace("_", " ") for word in text.split())
