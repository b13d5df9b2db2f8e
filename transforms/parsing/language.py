"""The language of a document, from a sample of its body."""

from transforms.parsing.model import PrintedPage

SAMPLE_CHARS = 3000
MIN_CHARS = 20


def detect_language(pages: list[PrintedPage]) -> str | None:
    """Return the ISO 639-1 code of most of the text, or null when there is too little."""
    pieces: list[str] = []
    n_chars = 0
    start = len(pages) // 4
    for page in (*pages[start:], *pages[:start]):
        for line in page.lines:
            if line.role in ("body", "list_item", "heading"):
                pieces.append(line.text)
                n_chars += len(line.text)
        if n_chars >= SAMPLE_CHARS:
            break
    return language_of(" ".join(pieces)[:SAMPLE_CHARS])


def language_of(text: str) -> str | None:
    """Return the ISO 639-1 code of a text, or null when it has too few letters."""
    if sum(1 for char in text if char.isalpha()) < MIN_CHARS:
        return None
    import py3langid  # noqa: PLC0415  # its model takes half a second to load

    return str(py3langid.classify(text)[0])
