"""What retrieval found, by pair: objects are made when a pair's turn comes."""

from collections.abc import Callable, Collection, Iterator, Mapping

from transforms.values import Candidate


class Found(Mapping[str, tuple[Candidate, ...]]):
    """The candidates of each pair, made each time they are asked for: a chunk has very many.

    `make` raises KeyError for a pair that is not there.
    """

    def __init__(
        self, pair_ids: Collection[str], make: Callable[[str], tuple[Candidate, ...]]
    ) -> None:
        self._pair_ids = pair_ids
        self._make = make

    def __getitem__(self, pair_id: str) -> tuple[Candidate, ...]:
        return self._make(pair_id)

    def __contains__(self, pair_id: object) -> bool:
        return pair_id in self._pair_ids

    def __iter__(self) -> Iterator[str]:
        return iter(self._pair_ids)

    def __len__(self) -> int:
        return len(self._pair_ids)
