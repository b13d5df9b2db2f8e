"""A warehouse in an object store: S3 as a package serves it on loopback."""

import importlib.util
from collections.abc import Iterator
from pathlib import Path

import fsspec
import pytest

from flows.answer import answer
from flows.doctor import examine
from flows.ingest import ingest
from flows.report import run_reports
from flows.retention import drop_old_runs
from flows.warehouse import Warehouse
from tests.bench.nights import write_policy, write_questions
from transforms.errors import WarehouseError

if importlib.util.find_spec("moto") is None or importlib.util.find_spec("s3fs") is None:
    pytest.skip("moto[server] and s3fs are not installed", allow_module_level=True)

pytestmark = [
    pytest.mark.usefixtures("prefect"),
    pytest.mark.filterwarnings("ignore"),  # of moto and botocore
]
BUCKET = "s3://compline-test"


@pytest.fixture(scope="module")
def bucket() -> Iterator[str]:
    """Serve S3 and let fsspec find it; yield the URL of an empty bucket."""
    from moto.server import ThreadedMotoServer  # noqa: PLC0415  (optional)

    server = ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
    server.start()
    host, port = server.get_host_and_port()
    fsspec.config.conf["s3"] = {
        "key": "test", "secret": "test", "client_kwargs": {"endpoint_url": f"http://{host}:{port}"},
    }  # fmt: skip
    fsspec.filesystem("s3").mkdir(BUCKET)
    yield BUCKET
    del fsspec.config.conf["s3"]
    server.stop()


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Keep the ledger of a remote warehouse out of the user's home."""
    monkeypatch.setenv("HOME", str(tmp_path))
    return tmp_path


def test_ingest_run_query_report_and_examine_work_on_s3(bucket: str, home: Path) -> None:
    (home / "in").mkdir()
    for number in range(3):
        write_policy(home / "in", number, premium=1_000 + number)
    write_questions(home / "questions.csv")
    overrides = {"warehouse": f"{bucket}/house", "engine": "offline"}
    with pytest.raises(WarehouseError, match="there is no warehouse"):
        Warehouse.open(overrides["warehouse"])
    assert ingest([str(home / "in")], None, overrides).n_parsed == 3
    first = answer(str(home / "questions.csv"), None, overrides)
    write_policy(home / "in", 0, premium=9_000)
    assert ingest([str(home / "in")], None, overrides).n_superseded == 1
    second = answer(str(home / "questions.csv"), None, overrides)
    warehouse = Warehouse.open(overrides["warehouse"])
    run = warehouse.read("run_df", run_ids=[second]).row(0, named=True)
    assert (run["n_pairs"], run["n_reused"], run["status"]) == (30, 20, "done")
    changed = warehouse.query("select question_id, reason from answer_change").rows()
    assert changed == [("premium", "document")]
    assert {"summary", "by_status"} <= {report.name for report in run_reports(warehouse)}
    assert examine(warehouse) == []
    answer(str(home / "questions.csv"), None, overrides)
    assert drop_old_runs(warehouse, keep=1) == [first, second]
    assert examine(warehouse) == []
    assert warehouse.query("select count(*) as n from latest_answer")["n"].item() == 30


def test_a_part_that_is_lost_in_the_store_is_found_by_the_doctor(bucket: str, home: Path) -> None:
    (home / "in").mkdir()
    write_policy(home / "in", 0, premium=1_000)
    ingest([str(home / "in")], None, {"warehouse": f"{bucket}/hurt"})
    warehouse = Warehouse.open(f"{bucket}/hurt")
    [part] = [part for part in warehouse.parts.names("line_df") if part != "_empty"]
    warehouse.parts.delete("line_df", part)
    [found] = [each for each in examine(warehouse) if each.check == "checksum"]
    assert (found.place, found.finding) == (f"line_df/{part}", "its part is gone")
