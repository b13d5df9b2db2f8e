"""The mistakes a newcomer makes: what is wrong, what to do about it, and the right exit code.

Each is a command as it is typed, in a folder that has a warehouse with two answered questions.
"""

import os
import shutil
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple

import pymupdf
import pytest

from flows.storage.parts import EMPTY_PART
from flows.warehouse import SCHEMA, VIEWS, Warehouse
from tests.e2e.conftest import WritePdf
from tests.e2e.typed import Typed, typed
from transforms.tables import TABLES

RIGHT = "question_id,question\n"
FILES = {
    "ok.csv": f"{RIGHT}a,What is the annual premium?\nb,What is the policy number?\n",
    "semicolons.csv": "\ufeffquestion_id;question\na;What is the premium, please?\n",
    "columns.csv": "id,frage\n1,What is the premium?\n",
    "latin.csv": b"question_id,question\na,Wie hoch ist die Pr\xe4mie?\n",
    "empty.csv": "",
    "header.csv": RIGHT,
    "twice.csv": f"{RIGHT}a,What is the premium?\na,What is the limit?\n",
    "comma.csv": f"{RIGHT}a,What, pray, is the premium?\n",
    "blank.csv": f"{RIGHT},What is the premium?\n",
    "spreadsheet.xlsx": b"PK\x03\x04",
    "renamed.csv": b"PK\x03\x04\x00\x00",
    "broken.jsonl": '{"question_id": "a"',
    "broken.yaml": "- question: [",
    "extra.csv": "question_id,question,answertype\na,What is the premium?,amount\n",
    "k.csv": "question_id,question,k\na,What is the premium?,0\n",
    "budget.csv": "question_id,question,budget_usd\na,What is the premium?,-1\n",
    "where.csv": "question_id,question,where\na,What is the premium?,doctype = 'x'\n",
    "group.csv": "question_id,question,scope\na,What is the premium?,group:insurrer\n",
    "nobody.csv": "question_id,question,documents\na,What is the premium?,polcy*.pdf\n",
    "tier.csv": "question_id,question,model_tier\na,What is the premium?,standard\n"
    "b,What is the policy number?,stong\n",
    "about.csv": "name,doc_type\npolicy.pdf,policy\n",
    "gold.jsonl": '{"answer": 1}\n',
    "archive.zip": b"PK\x03\x04\x00\x00",
    "notes/readme.db": b"SQLite format 3\x00",
}


class Mistake(NamedTuple):
    """A command line, what its error says, what it says to do, and its exit code."""

    command: str
    says: str
    do: str
    exit_code: int = 2
    settings: str = ""
    """Content of compline.toml."""
    variables: tuple[tuple[str, str], ...] = ()


# fmt: off
MISTAKES = (
    Mistake("ingest nowhere", "nowhere", "give files, folders"),
    Mistake("ingest notes", "no document", "give files, folders"),
    Mistake("ingest archive.zip", "archive.zip", "unpack", exit_code=1),
    Mistake("ingest policies --metadata nowhere.csv", "nowhere.csv", ""),
    Mistake("ingest policies --metadata about.csv", "no column 'file_name'", "file_name"),
    Mistake("ingest policies --warehouse ok.csv/house", "ok.csv/house", "warehouse"),
    Mistake("plan nowhere.csv", "nowhere.csv", "check the path"),
    Mistake("plan policies", "policies", ".csv"),
    Mistake("plan columns.csv", "found frage, id", "needs question_id and question"),
    Mistake("plan latin.csv", "line 2", "UTF-8"),
    Mistake("plan empty.csv", "no questions", "at least question_id and question"),
    Mistake("plan header.csv", "no questions", "at least question_id and question"),
    Mistake("plan twice.csv", "'a' was used in row 1", "an id of its own"),
    Mistake("plan comma.csv", "line 2", "double quotes"),
    Mistake("plan blank.csv", "question_id", "correct the cell"),
    Mistake("plan spreadsheet.xlsx", ".xlsx", "save it as CSV UTF-8"),
    Mistake("plan renamed.csv", "renamed.csv", "UTF-8"),
    Mistake("plan broken.jsonl", "line 1", "one JSON object on each line"),
    Mistake("plan broken.yaml", "broken.yaml", "indentation"),
    Mistake("plan extra.csv", "'answertype' is not known", "answer_type"),
    Mistake("plan k.csv", "'k'", "correct the cell"),
    Mistake("plan budget.csv", "'budget_usd'", "correct the cell"),
    Mistake("plan where.csv", "doctype", "doc_type"),
    Mistake("plan group.csv", "insurrer", "insurer"),
    Mistake("plan tier.csv", "question 'b': no model_tier 'stong' (known: big, standard)",
            "[model_tiers]", settings='model_tiers = {big = "m"}'),
    Mistake("run tier.csv", "no model_tier 'stong' (known: standard)", "[model_tiers]"),
    Mistake("serve tier.csv policies", "no model_tier 'stong'", "[model_tiers]"),
    Mistake("serve nowhere.csv policies", "nowhere.csv", "check the path"),
    Mistake("run nobody.csv", "is asked anything", "check `documents` and `where`"),
    Mistake("run ok.csv --warehouse new", "is asked anything", "compline ingest"),
    Mistake("run ok.csv --limit 0", "--limit", ""),
    Mistake("run ok.csv --engine gpt", "'engine'", "correct it in"),
    Mistake("run ok.csv --engine openai", "needs a model", "COMPLINE_MODEL"),
    Mistake("run ok.csv --model gpt-4.1", "needs a key", "OPENAI_API_KEY"),
    Mistake("run ok.csv --model m", "no address", "http://localhost:8000/v1",
            variables=(("OPENAI_BASE_URL", "localhost:8000"),)),
    Mistake("plan ok.csv", "unknown setting 'modle'", "did you mean 'model'?",
            settings='modle = "m"'),
    Mistake("plan ok.csv", "setting 'k'", "compline.toml", settings='k = "many"'),
    Mistake("plan ok.csv", "setting 'k'", "compline.toml", settings="k = 0"),
    Mistake("plan ok.csv", "setting 'pair_budget_usd'", "compline.toml",
            settings="pair_budget_usd = -1"),
    Mistake("plan ok.csv", "cannot be read", "compline.toml", settings="k ="),
    Mistake("plan ok.csv", "no row is called", "many_values", settings='routes = {x = "batch"}'),
    Mistake("plan ok.csv", "COMPLINE_MODLE", "COMPLINE_MODEL",
            variables=(("COMPLINE_MODLE", "m"),)),
    Mistake("plan ok.csv", "nowhere.toml", "COMPLINE_CONFIG",
            variables=(("COMPLINE_CONFIG", "nowhere.toml"),)),
    Mistake("run ok.csv --only answered", "'answered' is not known", "--only failed"),
    Mistake("ingest policies --wharehouse x", "--wharehouse", ""),
    Mistake("sql select+1 --warehouse nowhere", "no warehouse", "compline ingest"),
    Mistake("sql select+1 --warehouse newer", "newer Compline", "upgrade"),
    Mistake("sql selct+1", "syntax error", "one select"),
    Mistake("sql select+premium+from+answer_df", "premium", "describe"),
    Mistake("sql from+answers", "answers", "show tables"),
    Mistake("sql delete+from+answer_df", "only one select", "read-only"),
    Mistake("sql from+'ok.csv'", "ok.csv", "only tables and views"),
    Mistake("explain ffff", "ffff", "latest_answer"),
    Mistake("explain +", "pairs begin with", "more of the pair_id"),
    Mistake("highlight ffff -o x.pdf", "ffff", "latest_answer"),
    Mistake("report nothing", "no report 'nothing'", "summary"),
    Mistake("report --run nothing", "no run 'nothing'", "compline report runs"),
    Mistake("report --sheet nowhere/x.csv", "nowhere/x.csv", "another place"),
    Mistake("report --sheet x.doc", "x.doc", ".xlsx"),
    Mistake("report --html nowhere/x.html", "nowhere/x.html", "another place"),
    Mistake("replay nothing", "no run 'nothing'", "run_df"),
    Mistake("forget nothing.pdf", "no document 'nothing.pdf'", "document_df"),
    Mistake("eval ok.csv --gold nowhere.jsonl", "nowhere.jsonl", "check the path"),
    Mistake("eval ok.csv --gold gold.jsonl", "gold line 1", "at least doc and question"),
    Mistake("ask What? policies", "Is a directory", "policies/*.pdf"),
    Mistake("ask What? archive.zip", "ZIP", "PDF"),
    Mistake("ask What? nowhere.pdf", "nowhere.pdf", "check the path"),
    Mistake("ask What+is+the+premium? policies/policy.pdf --model m",
            "a budget stopped 1 of 1 pairs", "raise the budget", exit_code=3,
            settings="pair_budget_tokens = 1",
            variables=(("OPENAI_API_KEY", "k"), ("OPENAI_BASE_URL", "http://127.0.0.1:9/v1"))),
    Mistake("frobnicate", "frobnicate", "--help"),
)
# fmt: on

NOTHING: Mapping[str, str] = MappingProxyType({})


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with documents, question files and a warehouse with two answers."""
    folder = tmp_path_factory.mktemp("house")
    for name, content in FILES.items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_bytes(content if isinstance(content, bytes) else content.encode())
    (folder / "policies").mkdir()
    with pymupdf.open() as document:
        document.new_page().insert_text((72, 72), "Policy number: AB-1\nAnnual premium: $1,200")
        document.save(folder / "policies" / "policy.pdf")
    for command in ("ingest policies", "run ok.csv"):
        assert _typed(command, folder).returncode == 0
    seal = {SCHEMA: "99", VIEWS: ""}
    newer = Warehouse.open(folder / "newer", create=True)
    newer.parts.write("run_df", EMPTY_PART, TABLES["run_df"].empty(), seal)
    return folder


@pytest.mark.parametrize("mistake", MISTAKES, ids=lambda mistake: mistake.command)
def test_a_mistake_is_named_with_what_to_do(mistake: Mistake, house: Path) -> None:
    (house / "compline.toml").write_text(mistake.settings, encoding="utf-8")
    ended = _typed(mistake.command, house, dict(mistake.variables))
    said = " ".join(f"{ended.stderr} {ended.stdout}".split())
    assert ended.returncode == mistake.exit_code, said
    assert mistake.says in said
    assert mistake.do in said
    assert "Traceback" not in said


def test_what_looks_like_a_mistake_and_is_none(house: Path) -> None:
    assert _typed("plan semicolons.csv", house).returncode == 0


def test_a_document_is_not_overwritten_by_its_own_highlights(house: Path) -> None:
    document = house / "policies" / "policy.pdf"
    before = document.read_bytes()
    [pair, *_] = Warehouse.open(house / "warehouse").query(
        "select pair_id from latest_answer where status = 'answered'"
    )["pair_id"]
    refused = _typed(f"highlight {pair} -o policies/policy.pdf", house)
    assert refused.returncode == 2
    assert "name another file" in refused.stderr
    assert document.read_bytes() == before


def _typed(command: str, folder: Path, variables: Mapping[str, str] = NOTHING) -> Typed:
    """Run a command; `+` is a space inside an argument."""
    try:
        words = (word.replace("+", " ").strip() for word in command.split())
        return typed(folder, *words, **variables)
    finally:
        shutil.rmtree(folder / "new", ignore_errors=True)


@pytest.mark.parametrize("wait_s", [0.1, 3])
def test_ctrl_c_ends_a_command_in_one_line_also_while_it_loads(
    tmp_path: Path, wait_s: float
) -> None:
    endless = "select count(*) from range(100000000000) a, range(1000) b"
    Warehouse.open(tmp_path / "warehouse", create=True)
    code = f"""if True:
        import os, signal, sys, threading
        from flows.command_line import main
        sys.argv = ["compline", "sql", {endless!r}]
        signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell may have it ignored
        stop = lambda: os.kill(os.getpid(), signal.SIGINT)
        threading.Timer({wait_s}, stop).start()
        main()
    """
    stopped = _run_apart(code, tmp_path)
    assert (stopped.returncode, stopped.stdout) == (130, "")
    assert stopped.stderr.startswith("stopped;")
    assert stopped.stderr.count("\n") == 1


def test_a_command_without_memory_says_so_and_what_to_do(tmp_path: Path) -> None:
    with (tmp_path / "large.txt").open("wb") as large:
        large.truncate(450_000_000)
    code = """if True:
        import resource, sys
        from pathlib import Path
        import flows.command_line.app, flows.pdf_qa
        n_pages = int(Path("/proc/self/statm").read_text().split()[0])
        bound = n_pages * resource.getpagesize() + 300_000_000
        resource.setrlimit(resource.RLIMIT_AS, (bound, bound))
        sys.argv = ["compline", "ask", "What is the premium?", "large.txt"]
        flows.command_line.main()
    """
    stopped = _run_apart(code, tmp_path)
    assert stopped.returncode == 3, stopped.stderr
    assert "the memory is used up" in stopped.stderr
    assert "lower n_workers and concurrency" in stopped.stderr
    assert "Traceback" not in stopped.stderr


def _run_apart(code: str, folder: Path) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [sys.executable, "-c", code],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


def test_help_cuts_no_sentence(house: Path) -> None:
    shown = _typed("--help", house)
    assert shown.returncode == 0
    assert "..." not in shown.stdout.partition("Commands:")[2]


def test_a_question_is_answered_where_no_temporary_file_can_be_written(
    write_pdf: WritePdf, tmp_path: Path
) -> None:
    write_pdf("small.pdf", "Premium: EUR 5")
    code = """if True:
        import os, resource, sys
        os.environ.pop("PREFECT_API_URL", None)  # else no folder is looked for
        resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))  # as on a full disk, wherever it is
        from flows.command_line import main
        sys.argv = ["compline", "ask", "What is the premium?", "small.pdf"]
        main()
    """
    stopped = _run_apart(code, tmp_path)
    assert stopped.returncode == 0, stopped.stderr
    assert "EUR 5" in stopped.stdout
