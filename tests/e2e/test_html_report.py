"""The HTML report: what it says, that nothing in it can be run, and how a browser takes it."""

import hashlib
import html
import re
from collections.abc import Iterator
from datetime import timedelta
from decimal import Decimal
from itertools import pairwise
from pathlib import Path
from typing import Any

import pymupdf
import pytest

from flows.reporting.page import html_report, readable
from flows.settings import load_settings
from flows.warehouse import Warehouse
from tests.e2e.browser import CHROMIUM, REASON, Tab, browser_tab
from tests.rows import NOON, frame
from transforms.errors import InputError

LATER = NOON + timedelta(days=1)
HOSTILE = "<script>alert(1)</script>\u202e\x00\x1b[2J&amp;\"'><img src=x onerror=alert(2)>"
BOX = [72.0, 72.0, 200.0, 86.0]
N_DOCUMENTS, N_QUESTIONS = 60, 4


@pytest.fixture(scope="module")
def warehouse(tmp_path_factory: pytest.TempPathFactory) -> Warehouse:
    """Two nights over hostile documents; one file is there to be drawn."""
    folder = tmp_path_factory.mktemp("report")
    file = folder / "policy.pdf"
    with pymupdf.open() as pdf:
        pdf.new_page().insert_text((72, 84), "The premium is EUR 5")
        pdf.save(file)
    drawn = hashlib.sha256(file.read_bytes()).hexdigest()[:16]
    doc_ids = [drawn, *(f"d{number:03}" for number in range(1, N_DOCUMENTS))]
    warehouse = Warehouse.open(folder / "warehouse", create=True)
    names = [f"policy-{number:03}{HOSTILE * (number == 1)}.pdf" for number in range(N_DOCUMENTS)]
    documents = [{"doc_id": d, "file_name": n} for d, n in zip(doc_ids, names, strict=True)]
    source = {"doc_id": drawn, "uri": str(file), "file_name": names[0]}
    corpus = {
        "document_df": frame("document_df", *documents),
        "source_df": frame("source_df", source),
        "page_df": frame("page_df", {"doc_id": drawn, "page_label": "iii"}),
    }
    warehouse.write_batch(corpus, "b1")
    for run_id, at in (("r1", NOON), ("r2", LATER)):
        warehouse.write_run(run_id, night(run_id, at, doc_ids))
    call = {"run_id": "r2", "pair_id": "p000-0", "prompt_tokens": 90, "cached_tokens": 10,
            "completion_tokens": 5, "cost_usd": Decimal("0.5"), "called_at": LATER}  # fmt: skip
    unpriced = {**call, "call_id": "unpriced", "cost_usd": None, "http_status": 200}
    warehouse.write_calls("k1", frame("llm_call_df", call, unpriced))
    return warehouse


def night(run_id: str, at: Any, doc_ids: list[str]) -> dict[str, Any]:
    pairs = [
        {"run_id": run_id, "pair_id": f"p{d:03}-{q}", "question_id": f"q{q}", "scope_key": doc_id,
         "doc_id": doc_id}
        for d, doc_id in enumerate(doc_ids)
        for q in range(N_QUESTIONS)
    ]  # fmt: skip
    answers = [
        {**pair, "status": "answered", "value_text": f"{HOSTILE} {run_id if n == 0 else ''}",
         "items": ["a", HOSTILE] if n == 1 else [], "caveats": [HOSTILE]}
        for n, pair in enumerate(pairs)
    ]  # fmt: skip
    answers[5] |= {"status": "failed"}
    only = frame("pair_df").columns
    keys = [{"run_id": run_id, "pair_id": pair["pair_id"]} for pair in pairs]
    questions = [{"question_id": f"q{q}", "text": f"{HOSTILE} {q}?"} for q in range(N_QUESTIONS)]
    quote = {"run_id": run_id, "pair_id": "p000-0", "doc_id": doc_ids[0], "quote": HOSTILE}
    return {
        "run_df": frame("run_df", {
            "run_id": run_id, "set_id": HOSTILE, "started_at": at, "n_pairs": len(pairs),
            "spent_usd": Decimal("0.5"),
        }),
        "question_df": frame("question_df", *questions),
        "pair_df": frame("pair_df", *({k: p[k] for k in p if k in only} for p in pairs)),
        "dispatch_df": frame("dispatch_df", *(
            {**key, "route": "batch", "reason": HOSTILE, "baseline_tokens": 100} for key in keys
        )),
        "answer_df": frame("answer_df", *answers),
        "evidence_df": frame("evidence_df", {**quote, "bboxes": [BOX]}),
        "iteration_df": frame("iteration_df", *({**key, "narration": HOSTILE} for key in keys)),
    }  # fmt: skip


@pytest.fixture(scope="module")
def page(warehouse: Warehouse, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("page") / "report.html"
    path.write_bytes(html_report(warehouse, load_settings(warehouse=warehouse.root, n_workers=1)))
    return path


@pytest.fixture(scope="module")
def text(page: Path) -> str:
    return page.read_text(encoding="utf-8")


def test_the_report_tells_of_the_latest_run_and_what_changed(text: str) -> None:
    assert "exit code 1: finished, but a document or pair failed" in text
    assert "1 since the previous run" in text
    assert text.count("<article ") == N_DOCUMENTS * N_QUESTIONS
    assert "$0.50" in text


def test_a_price_that_is_not_known_is_said_and_not_taken_for_nothing(text: str) -> None:
    assert "1 calls of this run have no known price" in text


def test_nothing_that_a_document_says_becomes_markup(text: str) -> None:
    body = text.partition("<body>")[2]
    assert set(re.findall(r"<script", body)) == {"<script"}
    assert body.count("<script") == 1
    assert "<img" not in body
    assert html.escape("<script>alert(1)</script>") in body


def test_no_character_steers_the_reader(text: str) -> None:
    assert not set(text) & {"\u202e", "\x00", "\x1b"}
    assert "⟦U+202E⟧" in text


def test_text_that_hides_nothing_stays_as_it_is() -> None:
    for plain in ("EUR 5,00\n", "naïve – 7 % ‰", "保険", "שלום", "👩‍⚖️", "soft\u00adhyphen"):
        assert readable(plain) == plain


def test_a_quote_is_marked_on_its_page(text: str) -> None:
    assert text.count("data:image/webp;base64,") == 1
    assert re.search(r'<rect class="mark" x="\d', text)
    assert "page 1 (printed iii)" in text


def test_the_policy_lets_nothing_be_loaded(text: str) -> None:
    policy = re.search(r'Content-Security-Policy" content="([^"]+)"', text)
    assert policy
    assert html.unescape(policy[1]).startswith("default-src 'none'; style-src 'sha256-")
    assert not re.search(r'(?:src|href)="(?!#|data:)', text)
    assert " style=" not in text


def test_a_run_that_is_not_there_is_the_users_error(warehouse: Warehouse) -> None:
    with pytest.raises(InputError, match="no run 'nothing'"):
        html_report(warehouse, load_settings(warehouse=warehouse.root), "nothing")


@pytest.fixture(scope="module")
def browser() -> Iterator[Tab]:
    if CHROMIUM is None:
        pytest.skip(REASON)
    with browser_tab() as tab:
        yield tab


@pytest.fixture
def tab(browser: Tab, page: Path) -> Tab:
    browser.open(page)
    return browser


def test_a_browser_has_nothing_to_complain_of_and_asks_for_nothing(tab: Tab, page: Path) -> None:
    tab.value("new Promise(done => setTimeout(done, 200))")
    assert tab.complaints() == []
    assert tab.requests() == [page.as_uri()]


@pytest.mark.parametrize("width", [320, 390, 1280])
def test_no_width_scrolls_sideways(tab: Tab, width: int) -> None:
    tab.resize(width, 800)
    tab.value("document.querySelectorAll('details').forEach(each => { each.open = true })")
    assert tab.value("document.documentElement.scrollWidth") <= width


def test_documents_come_in_pages_and_a_link_leads_to_its_answer(tab: Tab) -> None:
    shown = "document.querySelectorAll('#blocks > details:not([hidden])').length"
    assert tab.value(shown) == 25
    last = f"a{N_DOCUMENTS * N_QUESTIONS}"
    tab.value(f"document.querySelector('a[href=\"#{last}\"]').click()")
    tab.value("new Promise(done => setTimeout(done, 200))")
    assert tab.value("document.activeElement.id") == last
    assert tab.value(shown) == N_DOCUMENTS % 25
    assert 0 <= tab.value("document.activeElement.getBoundingClientRect().top") <= 900
    tab.value("document.querySelector('[name=status]').value = 'failed'")
    tab.value("document.querySelector('[name=status]').dispatchEvent(new Event('change'))")
    assert tab.value(shown) == 1


def test_the_keyboard_reaches_the_report_and_opens_an_answer(tab: Tab) -> None:
    tab.press("Tab")
    assert tab.value("document.activeElement.textContent") == "Skip to the report"
    tab.press("Enter")
    assert tab.value("document.activeElement.id") == "main"
    tab.value("document.querySelector('#blocks summary').focus()")
    tab.press("Enter")
    assert tab.value("document.querySelector('#blocks details').open") is True


def test_without_scripts_every_answer_is_there(browser: Tab, page: Path) -> None:
    browser.send("Emulation.setScriptExecutionDisabled", value=True)
    browser.open(page)
    root = browser.send("DOM.getDocument")["root"]["nodeId"]
    n_found = [
        len(browser.send("DOM.querySelectorAll", nodeId=root, selector=selector)["nodeIds"])
        for selector in ("#blocks > details:not([hidden])", "#tools[hidden]")
    ]
    browser.send("Emulation.setScriptExecutionDisabled", value=False)
    assert n_found == [N_DOCUMENTS, 1]


def test_every_text_stands_out_from_what_is_behind_it(tab: Tab) -> None:
    for scheme in ("light", "dark"):
        tab.prefer(scheme)
        assert tab.value(CONTRAST) == []
    tab.prefer("light")


def test_headings_go_down_one_by_one_and_what_scrolls_has_a_name(tab: Tab) -> None:
    headings = "document.querySelectorAll('h1,h2,h3,h4')"
    levels = tab.value(f"[...{headings}].map(each => +each.tagName[1])")
    assert levels[0] == 1
    assert all(after - before <= 1 for before, after in pairwise(levels))
    for nameless in ("[role=region]:not([aria-label],[aria-labelledby])", "th:not([scope])"):
        assert tab.value(f"document.querySelectorAll('{nameless}').length") == 0


CONTRAST = """
(() => {
  document.querySelectorAll("details").forEach((each) => { each.open = true; });
  const parts = (color) => color.match(/[\\d.]+/g).map(Number);
  const light = (color) => parts(color).slice(0, 3).map((c) => c / 255)
    .map((c) => (c <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4))
    .reduce((sum, c, n) => sum + c * [0.2126, 0.7152, 0.0722][n], 0);
  const behind = (element) => {
    for (let at = element; at; at = at.parentElement) {
      const color = getComputedStyle(at).backgroundColor;
      if ((parts(color)[3] ?? 1) === 1) return color;
    }
  };
  const weak = new Set();
  for (const element of document.querySelectorAll("body *:not(svg *, option, :disabled)")) {
    if (![...element.childNodes].some((node) => node.nodeType === 3 && node.data.trim())) continue;
    const both = [getComputedStyle(element).color, behind(element)].map(light);
    const [a, b] = both.sort((x, y) => y - x);
    if ((a + 0.05) / (b + 0.05) < 4.5) weak.add(`${element.tagName}.${element.className}`);
  }
  return [...weak];
})()
"""
