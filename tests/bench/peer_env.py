"""The environment of the peers: made when first needed, apart from the project and its own."""

import json
import os
import subprocess
import sys
import venv
from hashlib import sha256
from pathlib import Path

REQUIREMENTS = (
    "pymupdf>=2,<3",
    "pymupdf_layout>=2,<3",
    "pymupdf4llm>=2,<3",
    "pypdfium2>=5,<6",
    "pdfplumber>=0.11,<0.12",
    "bm25s>=0.3,<0.4",
    "rank-bm25>=0.2,<0.3",
    "tantivy>=0.25,<1",
    "llama-index-core>=0.14,<1",
    "llama-index-llms-openai>=0.6,<1",
    "llama-index-retrievers-bm25>=0.6,<1",
    "haystack-ai>=2.20,<3",
    "pypdf>=6,<8",
)
"""pymupdf4llm 2 is empty: its code comes with PyMuPDF 2."""

CACHE = Path(os.environ.get("XDG_CACHE_HOME", Path.home() / ".cache")) / "compline-bench"
HERE = Path(__file__).parent


def peer_python() -> Path:
    """Return the interpreter that has the peers; installing them takes minutes, once."""
    name = sha256("\n".join(REQUIREMENTS).encode()).hexdigest()[:8]
    folder = CACHE / f"peers-{name}"
    python = folder / "bin" / "python"
    done = folder / "installed"
    if not done.exists():
        print(f"installing the peers into {folder}", file=sys.stderr)
        venv.create(folder, with_pip=True, clear=True)
        subprocess.run([python, "-m", "pip", "install", "-q", *REQUIREMENTS], check=True)
        done.touch()
    return python


def peer_versions() -> dict[str, str]:
    """Return the version of each peer by its name."""
    listed = subprocess.run(
        [peer_python(), "-m", "pip", "list", "--format=json"],
        check=True, capture_output=True, text=True,
    )  # fmt: skip
    versions = {row["name"].lower(): row["version"] for row in json.loads(listed.stdout)}
    names = (requirement.partition(">")[0] for requirement in REQUIREMENTS)
    return {name: versions[name] for name in names if name in versions}


def ask_peer(script: str, job: object, *, environment: dict[str, str] | None = None) -> object:
    """Run a script of this folder with the peers; both job and reply are JSON."""
    run = subprocess.run(
        [peer_python(), HERE / script],
        input=json.dumps(job),
        check=True,
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, **(environment or {})},
    )
    return json.loads(run.stdout.splitlines()[-1])
