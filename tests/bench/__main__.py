"""`python -m tests.bench`: all benchmarks that need nothing beside the project, in turn.

Run by name: `tests.bench.retrieval` needs bm25s, `tests.bench.peers` installs its peers first,
`tests.bench.nights` takes five minutes; `tests.bench.kill`, `tests.bench.gold`,
`tests.bench.tokens`, `tests.bench.loop` and `tests.bench.many_documents` take a quarter of an hour
each.
"""

import subprocess
import sys
from pathlib import Path

SHARED = Path(__file__).parents[3] / "shared"
BENCHES = (("reports", False), ("parsing", True), ("quotes", True))
"""Module, and whether it reads ../shared."""


def main() -> None:
    """Run all benchmarks; say which are left out and why."""
    for name, needs_shared in BENCHES:
        print(f"== {name}", flush=True)
        if needs_shared and not SHARED.exists():
            print(f"left out: it measures on {SHARED}, which is not there")
            continue
        subprocess.run([sys.executable, "-m", f"tests.bench.{name}"], check=True)


if __name__ == "__main__":
    main()
