"""No row of the table of noun kinds is dead: none is hidden by another or by its own singular."""

from collections import Counter

from transforms.questions.grammar.nouns import singular
from transforms.questions.lexicon.noun_kinds import FALSE_FRIENDS, NOUN_KINDS


def test_a_noun_has_one_kind() -> None:
    n_kinds = Counter(noun for nouns in NOUN_KINDS.values() for noun in nouns)
    told_by_language = {noun for _, noun in FALSE_FRIENDS}
    assert {noun for noun, n in n_kinds.items() if n > 1} <= told_by_language


def test_a_plural_stands_there_only_when_it_means_something_else() -> None:
    for nouns in NOUN_KINDS.values():
        singulars = {noun: singular(noun, "en") for noun in nouns}
        assert not [noun for noun, one in singulars.items() if one != noun and one in nouns]
