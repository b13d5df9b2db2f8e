"""Ingest real files: every file ends with a row, and only what changed is parsed."""

import os
import pickle
import signal
import subprocess
import sys
import time
import zipfile
from pathlib import Path

import fsspec
import pymupdf
import pytest

from flows.clock import now
from flows.forget import forget
from flows.ingest import IngestSummary, ingest
from flows.ingesting.alone import alone_with_corpus
from flows.ingesting.pool import ParseBounds, ParseWorker
from flows.ingesting.worker import GRACE_S, ParseJob
from flows.ledger import Ledger
from flows.warehouse import Warehouse
from tests.e2e.conftest import WritePdf
from transforms.errors import InputError

ROOT = Path(__file__).parents[2]
pytestmark = pytest.mark.usefixtures("prefect")


@pytest.fixture
def warehouse(tmp_path: Path) -> Warehouse:
    return Warehouse.open(tmp_path / "warehouse", create=True)


def run(warehouse: Warehouse, *places: Path | str, **settings: object) -> IngestSummary:
    overrides = {"warehouse": warehouse.root, "n_workers": 2, **settings}
    return ingest([str(place) for place in places], overrides=overrides)


def test_a_folder_becomes_tables(warehouse: Warehouse, write_pdf: WritePdf, tmp_path: Path) -> None:
    write_pdf("in/a.pdf", "The policy period begins on 1 May 2026.", "Second page")
    write_pdf("in/deep/b.pdf", "Nothing is said about this one.")
    write_pdf("in/.hidden.pdf", "Hidden")
    (tmp_path / "in/notes.txt").write_text("The excess is EUR 500.")
    (tmp_path / "in/metadata.csv").write_text(
        "file_name,insurer,period_start,branch\na.pdf,Acme,2026-05-01,Lyon\n"
    )
    summary = run(warehouse, tmp_path / "in")
    assert (summary.n_files, summary.n_parsed, summary.n_pages) == (3, 3, 4)
    assert [Path(uri).name for uri in summary.skipped] == ["metadata.csv"]
    assert (summary.failures, summary.exit_code) == ((), 0)
    documents = {row["file_name"]: row for row in warehouse.documents().to_dicts()}
    assert documents.keys() == {"a.pdf", "b.pdf", "notes.txt"}
    assert documents["a.pdf"]["insurer"] == "Acme"
    assert str(documents["a.pdf"]["period_start"]) == "2026-05-01"
    assert documents["a.pdf"]["metadata"] == '{"branch": "Lyon"}'
    assert documents["b.pdf"]["insurer"] is None
    found = warehouse.query("select distinct doc_id from term_df where term = 'excess'")
    assert found["doc_id"].to_list() == [documents["notes.txt"]["doc_id"]]


def test_two_ingests_at_once_write_no_page_twice(warehouse: Warehouse, write_pdf: WritePdf) -> None:
    file = write_pdf("in/a.pdf", "The excess is EUR 500.")
    with alone_with_corpus(warehouse), pytest.raises(InputError, match="another process") as caught:
        run(warehouse, file)
    assert "run the same command again" in caught.value.hint
    assert warehouse.documents().is_empty()
    assert run(warehouse, file).n_parsed == 1


def test_only_what_changed_is_parsed(
    warehouse: Warehouse, write_pdf: WritePdf, tmp_path: Path
) -> None:
    kept = write_pdf("in/kept.pdf", "Kept")
    changed = write_pdf("in/changed.pdf", "Before")
    vanished = write_pdf("in/vanished.pdf", "Vanished")
    assert run(warehouse, tmp_path / "in").n_parsed == 3
    assert run(warehouse, tmp_path / "in").n_unchanged == 3

    write_pdf("in/changed.pdf", "After")
    vanished.unlink()
    summary = run(warehouse, tmp_path / "in")
    assert (summary.n_parsed, summary.n_unchanged) == (1, 1)
    assert (summary.n_superseded, summary.n_vanished) == (1, 1)
    assert sorted(warehouse.documents()["file_name"]) == ["changed.pdf", "kept.pdf"]
    assert warehouse.read("document_df").height == 4

    kept.rename(tmp_path / "in/renamed.pdf")
    changed.unlink()
    summary = run(warehouse, tmp_path / "in")
    assert (summary.n_parsed, summary.n_unchanged, summary.n_vanished) == (0, 1, 2)
    assert warehouse.documents().height == 1


def test_what_was_forgotten_is_not_ingested_again(
    warehouse: Warehouse, write_pdf: WritePdf, tmp_path: Path
) -> None:
    write_pdf("in/a.pdf", "Zyzzyva Holdings")
    write_pdf("in/b.pdf", "Other")
    run(warehouse, tmp_path / "in")
    ledger = Ledger.open(warehouse.ledger_path)
    forget("a.pdf", warehouse, ledger)
    ledger.close()
    summary = run(warehouse, tmp_path / "in")
    assert (summary.n_forgotten, summary.n_parsed, summary.n_unchanged) == (1, 0, 1)
    assert warehouse.documents(include_failed=True)["file_name"].to_list() == ["b.pdf"]
    assert summary.failures == ()


def test_other_metadata_reaches_a_document_without_parsing_it_again(
    warehouse: Warehouse, write_pdf: WritePdf, tmp_path: Path
) -> None:
    write_pdf("in/a.pdf", "1 Scope\nThis policy covers fire.", "2 Limits\nThe limit is EUR 5.")
    run(warehouse, tmp_path / "in")
    before = warehouse.corpus(warehouse.documents()["doc_id"].to_list())
    (tmp_path / "sheet.csv").write_text("file_name,insurer\na.pdf,Acme\n")
    overrides = {"warehouse": warehouse.root}
    summary = ingest([str(tmp_path / "in")], str(tmp_path / "sheet.csv"), overrides)
    assert (summary.n_parsed, summary.n_new_metadata) == (0, 1)
    after = warehouse.corpus(warehouse.documents()["doc_id"].to_list())
    assert after.document_df["insurer"].to_list() == ["Acme"]
    for name in ("page_df", "line_df", "toc_df", "object_df"):
        assert getattr(after, name).equals(getattr(before, name))


def test_broken_files_cost_their_neighbours_nothing(
    warehouse: Warehouse, write_pdf: WritePdf, tmp_path: Path
) -> None:
    whole = write_pdf("in/whole.pdf", *["Page"] * 3).read_bytes()
    (tmp_path / "in/empty.pdf").touch()
    (tmp_path / "in/cut.pdf").write_bytes(whole[: len(whole) // 3])
    (tmp_path / "in/text.pdf").write_text("not a PDF")
    with zipfile.ZipFile(tmp_path / "in/some.zip", "w") as archive:
        archive.writestr("whole.pdf", whole)
    with pymupdf.open(tmp_path / "in/whole.pdf") as document:
        document.save(
            tmp_path / "in/locked.pdf",
            encryption=pymupdf.PDF_ENCRYPT_AES_256,
            user_pw="secret",
            owner_pw="owner",
        )
    summary = run(warehouse, tmp_path / "in")
    codes = {report.file_name: report.error_code for report in summary.failures}
    assert codes == {
        "cut.pdf": "truncated",
        "empty.pdf": "empty",
        "locked.pdf": "encrypted",
        "some.zip": "archive",
        "text.pdf": "not_a_document",
    }
    assert all(report.error_message for report in summary.failures)
    assert (summary.n_parsed, summary.exit_code) == (2, 1)  # what was cut is partly read
    assert warehouse.documents(include_failed=True).height == 6
    again = run(warehouse, tmp_path / "in")
    assert (again.n_unchanged, len(again.failures), again.exit_code) == (6, 5, 1)


def test_bounds_of_time_size_and_pages_are_failures_with_a_way_out(
    warehouse: Warehouse, write_pdf: WritePdf, tmp_path: Path
) -> None:
    write_pdf("in/long.pdf", *["word " * 400] * 30)
    (tmp_path / "in/large.txt").write_text("word " * 30_000)
    (tmp_path / "in/small.txt").write_text("word")
    summary = run(warehouse, tmp_path / "in", parse_max_pages=10, parse_max_bytes=100_000)
    assert [(r.file_name, r.error_code) for r in summary.failures] == [
        ("large.txt", "too_large"),
        ("long.pdf", "too_large"),
    ]
    assert "parse_max_bytes" in (summary.failures[0].error_message or "")
    summary = run(warehouse, tmp_path / "in", parse_timeout_s=0.001, parse_max_bytes=10**6)
    assert {r.error_code for r in summary.failures} == {"timed_out"}
    assert run(warehouse, tmp_path / "in").n_parsed == 2


def test_a_worker_may_die_or_run_out_of_memory_and_the_next_document_is_parsed() -> None:
    worker = ParseWorker(ParseBounds(timeout_s=60, memory_mb=512))

    def parse(text: str) -> str | None:
        job = ParseJob(content=text.encode(), file_name="a.txt", parsed_at=now(), max_pages=10**6)
        return worker.parse(job)["document_df"]["error_code"].item()

    assert parse("The limit is EUR 5.") is None
    assert parse("The limit is EUR 5.\n" * 5_000_000) == "out_of_memory"
    assert parse("The limit is EUR 5.") is None
    os.kill(worker._process.pid, signal.SIGSEGV)
    assert parse("The limit is EUR 5.") == "crashed"
    os.kill(worker._process.pid, signal.SIGKILL)  # before it is ready: another takes its place
    assert parse("The limit is EUR 5.") is None
    os.kill(worker._process.pid, signal.SIGKILL)  # as the kernel does when memory is short
    assert parse("The limit is EUR 5.") == "out_of_memory"
    worker.stop()


def test_a_worker_whose_parent_was_killed_ends_by_itself() -> None:
    endless = "The limit of Section 4 is EUR 5.\n" * 600_000
    job = ParseJob(content=endless.encode(), file_name="a.txt", parsed_at=now(), max_pages=10**6)
    command = [sys.executable, "-m", "flows.ingesting.worker", "2048", str(1 - GRACE_S)]
    with subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE) as worker:
        assert worker.stdin is not None
        pickle.dump(job, worker.stdin)
        worker.stdin.flush()
        assert worker.wait(60) == -signal.SIGALRM


def test_a_killed_ingest_keeps_what_it_committed_and_goes_on(
    warehouse: Warehouse, write_pdf: WritePdf, tmp_path: Path
) -> None:
    for number in range(24):
        write_pdf(f"in/{number}.pdf", *[f"Policy {number}. " + "word " * 300] * 20)
    program = (
        "import sys; from flows import prefect_setup; prefect_setup.ready();"
        "from flows.ingest import ingest;"
        "ingest([sys.argv[1]], overrides={'warehouse': sys.argv[2], 'n_workers': 1})"
    )
    command = [sys.executable, "-c", program, str(tmp_path / "in"), warehouse.root]
    with subprocess.Popen(command, cwd=ROOT) as running:
        while not warehouse.read("document_df").height and running.poll() is None:
            time.sleep(0.05)
        running.kill()
    n_kept = warehouse.read("document_df").height
    assert 0 < n_kept < 24
    assert warehouse.read("line_df")["doc_id"].n_unique() == n_kept
    summary = run(warehouse, tmp_path / "in")
    assert (summary.n_unchanged, summary.n_parsed) == (n_kept, 24 - n_kept)
    assert warehouse.read("page_df").height == 24 * 20


def test_a_stopped_ingest_ends_soon_keeps_what_is_parsed_and_the_next_does_the_rest(
    warehouse: Warehouse, write_pdf: WritePdf, tmp_path: Path
) -> None:
    for number in range(12):
        write_pdf(f"in/{number}.pdf", *[f"Policy {number}. " + "word " * 300] * 5)
    endless = tmp_path / "in/endless.txt"
    endless.write_text("The limit of Section 4 is EUR 5.\n" * 600_000)
    command = [sys.executable, "-m", "flows.command_line", "ingest", str(tmp_path / "in")]
    with subprocess.Popen(
        [*command, "--warehouse", warehouse.root], cwd=ROOT, text=True,
        env={**os.environ, "COMPLINE_N_WORKERS": "2"},
        stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, start_new_session=True,
    ) as running:  # fmt: skip
        while not warehouse.read("document_df").height and running.poll() is None:
            time.sleep(0.05)
        os.killpg(running.pid, signal.SIGINT)  # as a terminal does
        stopped_at = time.monotonic()
        _, said = running.communicate(timeout=60)
        took_s = time.monotonic() - stopped_at
    n_kept = warehouse.read("document_df").height
    assert running.returncode == 3, said
    assert f"cancelled: {n_kept} documents are kept" in said
    assert f"run the same command again for the other {13 - n_kept}" in said
    assert 0 < n_kept < 13
    assert took_s < 20, "somebody waited for the endless document"
    endless.unlink()
    summary = run(warehouse, tmp_path / "in")
    assert (summary.n_unchanged, summary.n_parsed) == (n_kept, 12 - n_kept)
    assert summary.exit_code == 0


def test_documents_and_warehouse_at_urls(tmp_path: Path, write_pdf: WritePdf) -> None:
    files = fsspec.filesystem("memory")
    files.pipe_file("/shelf/a.pdf", write_pdf("a.pdf", "The limit is EUR 5.").read_bytes())
    files.pipe_file("/shelf/metadata.csv", b"file_name,insurer\na.pdf,Acme\n")
    overrides = {"warehouse": "memory://house"}
    summary = ingest(["memory://shelf"], overrides=overrides)
    assert (summary.n_parsed, summary.exit_code) == (1, 0)
    remote = Warehouse.open("memory://house")
    found_df = remote.query("select insurer, n_pages from document_df")
    assert found_df.rows() == [("Acme", 1)]
    assert ingest(["memory://shelf/*.pdf"], overrides=overrides).n_unchanged == 1


@pytest.mark.parametrize(
    ("sheet", "message"),
    [
        ("name,insurer\na.pdf,Acme\n", "no column 'file_name'"),
        ("file_name,period_start\na.pdf,1st of May\n", "row 2, period_start: '1st of May'"),
        ("file_name,insurer\na.pdf,A\na.pdf,B\n", "row 3: 'a.pdf' stands there twice"),
        ("file_name,insurer\na.pdf,Acme, Inc\n", "row 2: more values"),
    ],
)
def test_a_wrong_metadata_file_says_where_and_nothing_is_done(
    warehouse: Warehouse, write_pdf: WritePdf, tmp_path: Path, sheet: str, message: str
) -> None:
    write_pdf("in/a.pdf", "A")
    (tmp_path / "in/metadata.csv").write_text(sheet)
    with pytest.raises(InputError, match=message) as caught:
        run(warehouse, tmp_path / "in")
    assert caught.value.hint
    assert warehouse.read("document_df").is_empty()


def test_a_place_where_nothing_is_is_an_error_of_the_user(
    warehouse: Warehouse, write_pdf: WritePdf, tmp_path: Path
) -> None:
    write_pdf("in/a.pdf", "A")
    with pytest.raises(InputError, match="misspelt"):
        run(warehouse, tmp_path / "in", tmp_path / "misspelt")
    assert warehouse.read("document_df").is_empty()
