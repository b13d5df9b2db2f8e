"""The ledger: durable journal of every call of a model: cache, resume point, audit and bill.

store.py         the one door to its database
entries.py       the values that go in and come out
bounds.py        the counters that no reservation may exceed
journal.py       attempts
responses.py     what came back
runs.py          runs and the requests of their steps
capabilities.py  what endpoints can do
jobs.py          batch jobs under way
publishing.py    rows for llm_call_df
"""

from pathlib import Path

from flows.ledger.capabilities import Capabilities
from flows.ledger.jobs import Jobs
from flows.ledger.publishing import Publishing
from flows.ledger.runs import Runs
from flows.ledger.store import Store, open_store

__all__ = ["Ledger"]


class Ledger(Runs, Capabilities, Jobs, Publishing):
    """The whole ledger over one store. Threads may share it; each process opens its own."""

    def __init__(self, store: Store, *, keep_text: bool = True) -> None:
        self.store = store
        self.keep_text = keep_text
        self.unkept = {}

    @classmethod
    def open(cls, url_or_path: str | Path, *, keep_text: bool = True) -> "Ledger":
        """Open a ledger, or create it; without `keep_text` no prompt and no reply is kept."""
        return cls(open_store(url_or_path), keep_text=keep_text)

    def close(self) -> None:
        """Release the database."""
        self.store.close()
