"""A document as written, before it is set, and what is right about it."""

from dataclasses import dataclass, field
from datetime import date

from sample_maker.blocks import Block
from sample_maker.spoken import Duration, Language, Money, Percent, Spoken, plain


@dataclass(frozen=True)
class Gold:
    """The right value of a fact, and how an answer is to be compared with it."""

    values: tuple[str, ...]
    kind: str

    @classmethod
    def of(cls, value: Spoken) -> "Gold":
        """Return the gold of a single value."""
        if isinstance(value, Duration):
            kind = "duration"
        elif isinstance(value, date):
            kind = "date"
        else:
            kind = "number" if isinstance(value, Money | Percent | int) else "span"
        return cls((plain(value),), kind)


@dataclass(frozen=True)
class Manuscript:
    title: str
    language: Language
    header: str
    """Running header; may mark facts like any text."""
    blocks: tuple[Block, ...]
    gold: dict[str, Gold]
    """By fact. Whether the document states a fact is known once it is set: by its marks."""
    references: dict[str, str] = field(default_factory=dict)
    """Number of each clause: {"subrogation": "6.3"}."""
