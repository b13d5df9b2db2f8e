"""Commit several parts as one, and read only what is committed."""

import json
from collections.abc import Collection, Mapping

import polars as pl

from flows.storage.parts import Parts, collected
from flows.storage.views import APPENDED, COMMITS, area
from transforms.errors import ContractError
from transforms.tables import TABLES

CHECKSUMS = "compline_checksums"
"""Written beside the rows of a committing part: a JSON object, sha256 by table."""

NAMING_DOCUMENTS = ("document_df", "page_df", "source_df", "embedding_df")
"""A batch says something about exactly the documents that these tables of it name."""


_DOC_IDS: dict[str, dict[str, frozenset[str]]] = {}
"""Documents by root and batch, for all warehouses of this process: batches do not change, and each
task opens the warehouse anew."""


class Commits:
    """Batches and runs: parts of one name, committed by the part of one table."""

    def __init__(self, parts: Parts) -> None:
        self._parts = parts
        self._doc_ids_of_batch = _DOC_IDS.setdefault(parts.root, {})

    def commit(self, place: str, part: str, frames: Mapping[str, pl.DataFrame]) -> None:
        """Write the frames that have rows, then the part that commits them, with checksums.

        What is committed already is left as it is.
        """
        commit = COMMITS[place]
        if strange := [t for t in frames if area(t) != place or t in APPENDED]:
            raise ContractError(f"{part!r}: {strange} do not belong in {place}/")
        if self._parts.exists(commit, part):
            return
        checksums: dict[str, str] = {}
        for table in (table for table in TABLES if area(table) == place and table != commit):
            frame = frames.get(table)
            if frame is not None and frame.height:
                checksums[table] = self._parts.write(table, part, frame)
            elif table not in APPENDED:
                self._parts.delete(table, part)  # left by an attempt that was killed
            del frame  # before the next one is made
        commit_df = frames.get(commit, TABLES[commit].empty())
        self._parts.write(commit, part, commit_df, {CHECKSUMS: json.dumps(checksums)})

    def rewrite(self, place: str, part: str, changed: Mapping[str, pl.DataFrame]) -> None:
        """Replace tables of a committed part, each at once, then its checksums: to erase rows.

        A table that is left without rows loses its part. Run it while nothing else writes.
        """
        commit = COMMITS[place]
        checksums = self.checksums(place, part)
        for table, frame in changed.items():
            if table == commit:
                continue
            if frame.height:
                checksums[table] = self._parts.write(table, part, frame)
            else:
                checksums.pop(table, None)
                self._parts.delete(table, part)
        commit_df = changed.get(commit)
        if commit_df is None:
            commit_df = collected(commit, self._parts.scan(commit, [part]).drop("part"))
        self._parts.write(commit, part, commit_df, {CHECKSUMS: json.dumps(checksums)})
        self._doc_ids_of_batch.pop(part, None)

    def batches_of(self, doc_id: str) -> list[str]:
        """Return the committed batches that say something about a document."""
        return [part for part in self.names("document_df") if doc_id in self.documents_of(part)]

    def names(self, table: str) -> list[str]:
        """Return the names of a table's committed parts; merged ones stand in for others."""
        place = area(table)
        names = self._parts.swaps.visible(place, self._parts.names(table))
        if table in APPENDED or table == COMMITS[place]:
            return names
        commits = set(self.names(COMMITS[place]))
        return [name for name in names if name in commits]

    def checksums(self, place: str, part: str) -> dict[str, str]:
        """Return the sha256 by table that was written when the part was committed."""
        return json.loads(self._parts.metadata(COMMITS[place], part).get(CHECKSUMS, "{}"))

    def rows(
        self,
        table: str,
        doc_ids: Collection[str] | None = None,
        run_ids: Collection[str] | None = None,
        *,
        parts: Collection[str] | None = None,
    ) -> pl.LazyFrame:
        """Return committed rows with their part, opening only the files that can hold them.

        `parts` are those that another table was read from: what counts may change in between.
        """
        if parts is None:
            names = self.names(table)
        else:
            names = sorted(set(parts) & set(self._parts.names(table)))
        if run_ids is not None:
            names = [name for name in names if name in set(run_ids)]
        if doc_ids is None:
            return self._parts.scan(table, names)
        wanted = set(doc_ids)
        if area(table) == "corpus":
            names = [name for name in names if wanted & self.documents_of(name)]
        return self._parts.scan(table, names).filter(pl.col("doc_id").is_in(sorted(wanted)))

    def documents_of(self, batch: str) -> frozenset[str]:
        """Return the documents that a batch says something about, looked up once."""
        if batch not in self._doc_ids_of_batch:
            found = [
                collected(table, self._parts.scan(table, [batch]).select("doc_id").unique())
                for table in NAMING_DOCUMENTS
                if self._parts.exists(table, batch)
            ]
            self._doc_ids_of_batch[batch] = frozenset(pl.concat(found)["doc_id"])
        return self._doc_ids_of_batch[batch]
