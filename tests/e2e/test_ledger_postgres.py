"""The ledger in a real PostgreSQL server, where one is installed: the same rules hold."""

import os
import shutil
import subprocess
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from decimal import Decimal
from pathlib import Path

import pytest

from flows.ledger import Ledger
from flows.ledger.entries import Bound, Bounds, Call, Estimate
from tests.e2e.endpoint import Act, BatchAct, Endpoint
from tests.e2e.engine_tasks import ask, different_tasks, found, settings_for, task

AT = datetime(2026, 11, 30, tzinfo=UTC)
WIDE = Bound(tokens=1_000_000, usd=Decimal(10))


def programs() -> Path | None:
    """Return where the server's programs are."""
    places = [*Path("/usr/lib/postgresql").glob("*/bin"), *Path("/usr/pgsql").glob("bin")]
    if found := shutil.which("initdb"):
        places.append(Path(found).parent)
    return next((place for place in places if (place / "pg_ctl").exists()), None)


def as_server(*command: str | Path) -> None:
    """Run a program of the server as a user who is not root."""
    prefix = ["runuser", "-u", "postgres", "--"] if os.geteuid() == 0 else []
    subprocess.run([*prefix, *map(str, command)], check=True, capture_output=True, cwd="/")


@pytest.fixture(scope="module")
def url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    bin_folder = programs()
    if bin_folder is None:
        pytest.skip("no PostgreSQL server is installed")
    folder = Path(subprocess.check_output(["mktemp", "-d"], text=True).strip())
    folder.chmod(0o777)
    data = folder / "data"
    options = f"-c listen_addresses='' -c unix_socket_directories={folder} -c fsync=off"
    as_server(bin_folder / "initdb", "-D", data, "-U", "postgres", "-A", "trust")
    as_server(bin_folder / "pg_ctl", "-D", data, "-o", options, "-w", "-l", folder / "log", "start")
    yield f"postgresql://postgres@/postgres?host={folder}"
    as_server(bin_folder / "pg_ctl", "-D", data, "-m", "immediate", "stop")
    shutil.rmtree(folder)


@pytest.fixture
def ledger(url: str) -> Iterator[Ledger]:
    ledger = Ledger.open(url)
    with ledger.store.transaction() as transaction:
        transaction.run("truncate run, request, attempt, settlement, response, step_request")
        transaction.run("truncate spending, capability, pause, batch_job, batch_item")
    yield ledger
    ledger.close()


@pytest.fixture
def endpoint() -> Iterator[Endpoint]:
    with Endpoint(found) as endpoint:
        yield endpoint


def test_a_run_is_recorded_reused_published_and_replayed(
    endpoint: Endpoint, ledger: Ledger
) -> None:
    endpoint.play(Act(text="nonsense"), Act(status=500, error={}))
    settings = settings_for(endpoint)
    tasks = [*different_tasks(3), task("twin", windows=different_tasks(1)[0].windows)]
    recorded = ask(settings, ledger, tasks)
    assert all(each.answer.answer_found for each in recorded)
    n_requests = endpoint.n_requests
    again = ask(settings, ledger, [each.model_copy(update={"run_id": "r2"}) for each in tasks])
    assert endpoint.n_requests == n_requests
    assert [each.answer for each in again] == [each.answer for each in recorded]
    replay = settings.model_copy(update={"engine": "replay"})
    assert ask(replay, ledger, tasks, replayed_run="r1") == recorded
    written: list[int] = []
    assert ledger.publish_calls(lambda _, frame: written.append(len(frame))) == n_requests
    assert ledger.publish_calls(lambda _, frame: written.append(len(frame))) == 0


def test_batch_jobs_are_kept_there_too(endpoint: Endpoint, ledger: Ledger) -> None:
    endpoint.batches.play(BatchAct(n_errors=1))
    quick = {"batch_gather_s": 0.05, "batch_poll_s": 0.02}
    settings = settings_for(endpoint, engine="openai-batch", **quick)
    generated = ask(settings, ledger, different_tasks(4))
    assert all(each.answer.answer_found for each in generated)
    assert endpoint.batches.n_lines == [4, 1]


def test_workers_that_reserve_at_once_never_exceed_a_bound_together(
    url: str, ledger: Ledger
) -> None:
    run = Bound(tokens=9_500, usd=Decimal(10))
    bounds = Bounds(call=WIDE, run=run, day=WIDE, month=WIDE)
    ledgers = [ledger, *(Ledger.open(url) for _ in range(3))]

    def reserve(number: int) -> bool:
        call = Call(
            call_id=f"c{number}",
            purpose="answer",
            engine="openai",
            endpoint="e",
            model="m",
            request_hash=f"h{number}",
            run_id="r1",
        )
        estimate = Estimate(tokens=1_000, usd=Decimal("0.1"))
        return ledgers[number % 4].reserve(call, 1, estimate, bounds, at=AT) is None

    with ThreadPoolExecutor(8) as pool:
        assert sum(pool.map(reserve, range(40))) == 9
    for other in ledgers[1:]:
        other.close()


def test_an_interrupted_run_is_resumed(endpoint: Endpoint, ledger: Ledger) -> None:
    settings = settings_for(endpoint)
    ledger.start_run("r1", "s", "h", datetime.now(UTC))
    first = ask(settings, ledger, different_tasks(2))
    assert ledger.unfinished_run("s", "h") == "r1"
    ledger.start_run("r2", "s", "h", datetime.now(UTC), resumed_from="r1")
    tasks = [each.model_copy(update={"run_id": "r2"}) for each in different_tasks(2)]
    assert ask(settings, ledger, tasks) == first
    ledger.finish_run("r2", datetime.now(UTC))
    assert ledger.unfinished_run("s", "h") is None


def test_a_document_can_be_forgotten(endpoint: Endpoint, ledger: Ledger) -> None:
    [task_of_document] = [task()]
    ask(settings_for(endpoint), ledger, [task_of_document])
    assert ledger.forget_document(task_of_document.windows[0].candidate.doc_id) == 2
    assert ledger.count_step_requests("r1") == (1, 1)


def test_a_name_is_held_by_one_connection(url: str, ledger: Ledger) -> None:
    other = Ledger.open(url)
    with ledger.store.alone("night") as is_ours, other.store.alone("night") as is_theirs:
        assert (is_ours, is_theirs) == (True, False)
    with other.store.alone("night") as is_theirs:
        assert is_theirs
    other.close()
