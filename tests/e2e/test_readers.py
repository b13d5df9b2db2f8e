"""Readers beside a writer: they see a run whole or not at all, and nobody waits."""

import subprocess
import sys
from pathlib import Path

from flows.warehouse import Warehouse

ROOT = Path(__file__).parents[2]
N_RUNS = 60
WRITER = f"""
import sys
from flows.warehouse import Warehouse
from tests.rows import frame
warehouse = Warehouse.open(sys.argv[1])
for number in range({N_RUNS}):
    run = {{"run_id": f"r{{number:03}}"}}
    warehouse.write_run(run["run_id"], {{
        table: frame(table, run) for table in ("evidence_df", "answer_df", "pair_df", "run_df")
    }})
"""
# evidence_df is read before answer_df, and that before run_df: a commit may fall in between
COUNTS = """
select
    (select count(*) from evidence_df) as n_quotes,
    (select count(*) from answer_df) as n_answers,
    (select count(*) from pair_df) as n_pairs,
    (select count(*) from run_df) as n_runs
"""


def test_a_reader_never_sees_half_a_run(tmp_path: Path) -> None:
    warehouse = Warehouse.open(tmp_path, create=True)
    command = [sys.executable, "-c", WRITER, str(tmp_path)]
    seen: list[tuple[int, ...]] = []
    with subprocess.Popen(command, cwd=ROOT) as writer:
        while writer.poll() is None:
            seen.append(warehouse.query(COUNTS).row(0))
    assert writer.returncode == 0
    assert warehouse.query(COUNTS).row(0) == (N_RUNS,) * 4
    assert [counts for counts in seen if len(set(counts)) > 1] == []
    assert len({counts[0] for counts in seen}) > 3, "the reader never met the writer at work"
