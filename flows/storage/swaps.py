"""Parts that one larger part stands in for: hidden, and it shown, by the rename of one folder.

    <place>/_merged/<merged part>/<replaced part>    empty files: their names are all they say

A part whose name begins with `merged-` counts only once its folder is there; from then on those
that the folder names do not. SQL sees the same by two globs: see flows/storage/views.py.
"""

from collections.abc import Iterable, Sequence
from datetime import UTC, datetime

from flows.storage.files import Store
from transforms.errors import WarehouseError

FOLDER = "_merged"
MERGED = "merged-"
"""How the name of a merged part begins."""


def merged_name(at: datetime) -> str:
    """Return the name of a part that is merged now."""
    return f"{MERGED}{round(at.timestamp() * 1e6)}"


def merged_at(name: str) -> datetime:
    """Return when a part of this name was merged."""
    return datetime.fromtimestamp(int(name.removeprefix(MERGED)) / 1e6, UTC)


class Swaps:
    """Which parts of corpus, runs and calls are replaced by merged ones."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._known: dict[tuple[str, str], frozenset[str]] = {}

    def visible(self, place: str, parts: Sequence[str]) -> list[str]:
        """Return the parts that count: neither replaced nor merged and not shown yet."""
        if not self._store.is_local:
            return list(parts)
        merged = self._merged(place)
        replaced = frozenset[str]().union(*(self.replaced_by(place, each) for each in merged))
        return [
            part
            for part in parts
            if part not in replaced and (not part.startswith(MERGED) or part in merged)
        ]

    def replaced_by(self, place: str, merged: str) -> frozenset[str]:
        """Return the parts that a merged part stands in for."""
        key = (place, merged)
        if key not in self._known:
            self._known[key] = frozenset(self._store.names(f"{place}/{FOLDER}/{merged}"))
        return self._known[key]

    def swap(self, place: str, merged: str, parts: Iterable[str]) -> None:
        """Let a merged part stand in for others, at once for all readers.

        Where there is no merged part of that name, nothing stands in for them: they are dropped.
        """
        if not self._store.is_local:
            raise WarehouseError(
                "parts of a warehouse in an object store cannot be merged",
                hint="tidy warehouses on a disk; no store shows one part and hides others at once",
            )
        self._store.write_folder(f"{place}/{FOLDER}/{merged}", sorted(parts))

    @property
    def are_possible(self) -> bool:
        """Return whether this store can swap parts: a local disk can."""
        return self._store.is_local

    def merged(self, place: str) -> list[str]:
        """Return the merged parts that count, or were replaced themselves."""
        return sorted(self._merged(place)) if self._store.is_local else []

    def _merged(self, place: str) -> frozenset[str]:
        names = self._store.names(f"{place}/{FOLDER}")
        return frozenset(name for name in names if name.startswith(MERGED))
