"""`python -m tests.bench`: all benchmarks that need nothing beside the project, in turn.

`tests.bench.retrieval` needs bm25s, `tests.bench.kill`, `tests.bench.gold` and `tests.bench.tokens`
take a quarter of an hour each, `tests.bench.nights` five minutes, and `tests.bench.peers` installs its
peers first: run them by name.
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
