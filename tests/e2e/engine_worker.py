"""A process that answers tasks by a loopback endpoint, to be killed in the middle.

    python -m tests.e2e.engine_worker LEDGER BASE_URL ENGINE RUN_ID RESUMED_FROM N_TASKS

Prints one line when it begins to ask, and at the end the answers as JSON.
"""

import json
import sys
from pathlib import Path

from flows import clock
from flows.ledger import Ledger
from flows.settings import Settings
from tests.e2e.engine_tasks import PRICES, ask, different_tasks


def main(ledger_path: str, base_url: str, engine: str, run_id: str, before: str, n: str) -> None:
    """Answer the tasks as a run that resumes the one before, if there is one."""
    ledger = Ledger.open(Path(ledger_path))
    ledger.start_run(run_id, "set", "settings", clock.now(), resumed_from=before or None)
    settings = Settings(
        engine="openai-batch" if engine == "openai-batch" else "openai",
        model="m",
        base_url=base_url,
        prices=PRICES,
        concurrency=32,
        batch_gather_s=0.05,
        batch_poll_s=0.05,
    )
    tasks = [task.model_copy(update={"run_id": run_id}) for task in different_tasks(int(n))]
    sys.stdout.write("asking\n")
    sys.stdout.flush()
    generated = ask(settings, ledger, tasks)
    ledger.finish_run(run_id, clock.now())
    json.dump([each.model_dump(mode="json") for each in generated], sys.stdout)


if __name__ == "__main__":
    main(*sys.argv[1:])
