"""What can happen in a loop, a scenario a row: document, question, scripted replies, passes.

A reply is a function of the prompt: a model that is scripted here still quotes what it was shown.
"""

import hashlib
import json
import re
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import pymupdf

from tests.e2e.endpoint_acts import Json

Pass = tuple[str, str]
"""Trigger and action."""
Scripted = Callable[[str], Json]
"""From the lines of a prompt to a reply."""

FIRST: Pass = ("initial", "first_retrieval")
FILLER = "The insured shall keep the premises in good repair and tell us of any change of risk. "
PAGE = FILLER * 24
"""Text that fills most of a page, and nobody asks about."""
_LINE = re.compile(r"^((?:d\d+ )?p\d+ l\d+)\| (.*)$", re.MULTILINE)


@dataclass(frozen=True)
class Scenario:
    """One question of one document, what the model replies, and the passes that must come of it."""

    name: str
    pages: tuple[str, ...]
    question: str
    replies: tuple[Scripted, ...]
    """One a step; the last one serves all further steps."""
    passes: tuple[Pass, ...]
    stop_reason: str
    status: str
    columns: dict[str, str] = field(default_factory=dict)
    """Of the question file: bounds of the pair, k."""
    judge_says_no_to: str | None = None
    """A text in the answers that the judge rejects."""
    picture: str | None = None
    """Text that stands on the pages as a picture, over a text layer that nobody sees."""
    outline: tuple[tuple[int, str, int], ...] = ()
    """Level, title and page."""
    says: tuple[str, ...] = ()
    """What the narrations must hold, somewhere."""

    @property
    def file_name(self) -> str:
        """Return the name of the document; scenarios with the same pages share it."""
        content = repr((self.pages, self.picture, self.outline))
        return f"{hashlib.sha256(content.encode()).hexdigest()[:8]}.pdf"


def reply(**fields: Any) -> Json:
    """Return a reply that keeps the contract; what is not named is empty."""
    return {"answer_found": False, "complete_answer_found": False, "value_text": None} | fields


def not_found(**fields: Any) -> Scripted:
    """Find nothing."""
    return lambda _: reply(**fields)


def quoting(quote: str, *, complete: bool = True, **fields: Any) -> Scripted:
    """Answer with a quote where the prompt shows it, else find nothing."""

    def answer(lines: str) -> Json:
        line_ids = [line_id for line_id, text in _LINE.findall(lines) if quote in text]
        if not line_ids:
            return reply(**{name: fields[name] for name in OUTLOOK & set(fields)})
        evidence = [{"line_ids": line_ids[:1], "quote": quote}]
        said = {"value_text": quote.partition(": ")[2] or quote, "evidence": evidence}
        return reply(answer_found=True, complete_answer_found=complete, **{**said, **fields})

    return answer


def listing(*quotes: str, complete: bool = True, **fields: Any) -> Scripted:
    """List those of the quotes that the prompt shows."""

    def answer(lines: str) -> Json:
        shown = [(line_id, text) for line_id, text in _LINE.findall(lines)]
        items = [
            {"value": quote, "evidence": [{"line_ids": [line_id], "quote": quote}]}
            for quote in quotes
            for line_id, text in shown
            if quote in text
        ]
        has_all = complete and len(items) == len(quotes)
        found = {"answer_found": bool(items), "complete_answer_found": has_all}
        return reply(**{"items": items, "is_likely_complete": True, **found, **fields})

    return answer


def parts(*scripted: Scripted, **fields: Any) -> Scripted:
    """Answer each part of a compound question."""
    return lambda lines: {
        **{f"part_{number}": each(lines) for number, each in enumerate(scripted, start=1)},
        **fields,
    }


def told(what: str, scripted: Scripted) -> Scripted:
    """Answer when the prompt tells what was found before, else find nothing."""
    return lambda lines: scripted(lines) if what in lines else reply()


def inventing(quote: str, **fields: Any) -> Scripted:
    """Answer with a quote that stands nowhere."""
    evidence = [{"line_ids": ["p1 l1"], "quote": quote}]
    return not_found(
        answer_found=True, complete_answer_found=True, value_text=quote, evidence=evidence, **fields
    )


def slowly(scripted: Scripted, seconds: float = 0.5) -> Scripted:
    """Take time for it."""
    return lambda lines: (time.sleep(seconds), scripted(lines))[1]


def gone(_: str) -> Json:
    """Break the connection off."""
    raise ConnectionError("the model went away")


def apart(*texts: str) -> tuple[str, ...]:
    """Return pages that begin with these texts and have others between them."""
    return tuple(page for text in texts for page in (f"{text}\n{PAGE}", PAGE, PAGE, PAGE))


OUTLOOK = {"llm_discovered_keywords", "pending_references", "unstructured_pages", "confidence"}

PREMIUM = "What is the annual premium?"
PREMIUM_LINE = "Annual premium: $1,200.00"
POLICY = (f"Policy Schedule\n\n{PREMIUM_LINE}\n{PAGE}", f"Conditions\n\n{PAGE}")
SHORT = (f"Policy Schedule\n\n{PREMIUM_LINE}\n",)
LEVIES = tuple(f"The levy of class {n} is {n}00 euros." for n in range(1, 13))
LONG = tuple(
    f"Part {n}\n\n{levy}\n{PAGE}{PAGE[:900]}\nIt is collected with class {n}."
    for n, levy in enumerate(LEVIES, start=1)
)
FURTHER: Pass = ("incomplete_answer", "widen_windows")
HAIL = "Deductible for hail: EUR 750"
GARBLED = "xqzrtk bcdfgh deductible hail " * 30
"""Words that nobody can read, as a bad scanner leaves them: the page is flagged."""

# fmt: off
SCENARIOS: tuple[Scenario, ...] = (
    Scenario(
        "sufficient", POLICY, PREMIUM, (quoting(PREMIUM_LINE),),
        (FIRST,), "sufficient", "answered",
    ),
    Scenario(
        "unanswerable", POLICY, "What is the deductible for flood?", (not_found(),),
        (FIRST,), "exhausted", "not_found",
    ),
    Scenario(
        "bad-text-layer", (f"Hail\n\n{GARBLED}",), "What is the deductible for hail?",
        (not_found(), quoting(HAIL)),
        (FIRST, ("parsing_gap", "reparse_pages")), "sufficient", "answered",
        picture=HAIL, says=("reparse_pages (1)",),
    ),
    Scenario(
        "other-words",
        (f"Glass\n\nGlass is covered.\n{PAGE}", PAGE, f"Glass\n\nSelf-retention: EUR 90\n{PAGE}"),
        "What is the excess for windscreens?",
        (not_found(llm_discovered_keywords=["self-retention"]), quoting("Self-retention: EUR 90")),
        (FIRST, ("vocabulary_gap", "expand_keywords")), "sufficient", "answered",
        says=("expand_keywords (self-retention)",),
    ),
    Scenario(
        "see-table",
        (f"Benefits\n\nDental benefits are shown in Table 3.\n{PAGE}", *[PAGE] * 6,
         f"Table 3: Overview\n\nClass B   EUR 800\n{PAGE}"),
        "How much is paid for dental benefits?",
        (not_found(pending_references=["Table 3"]), quoting("EUR 800")),
        (FIRST, ("pending_reference", "follow_references")), "sufficient", "answered",
        says=("follow_references (Table 3)",),
    ),
    Scenario(
        "short-list",
        (f"Events\n\nThere are three kinds of events:\n\n(a) fire;\n(b) theft;\n{PAGE}",
         *[PAGE] * 3, f"(c) hail.\n{PAGE}", *[f"Notices\n\n{PAGE}"] * 2),
        "List all kinds of events.", (listing("fire", "theft"), listing("fire", "theft", "hail")),
        (FIRST, ("cardinality_mismatch", "widen_listing")), "sufficient", "answered",
        outline=((1, "Events", 1), (1, "Notices", 6), (1, "Contacts", 7)),
    ),
    Scenario(
        "more-context", LONG, "How is the levy of class 2 collected?",
        (quoting("collected with class 2", complete=False), quoting(LEVIES[1])),
        (FIRST, FURTHER), "sufficient", "answered",
        columns={"k": "1"},
    ),
    Scenario(
        "next-windows", LONG, "How are the levies of class 3 raised?",
        (*[quoting(LEVIES[2], complete=False)] * 3, quoting("The levy of class")),
        (FIRST, FURTHER, FURTHER, ("incomplete_answer", "next_candidates")),
        "sufficient", "answered",
        columns={"k": "1"},
    ),
    Scenario(
        "by-meaning",
        (*SHORT, *[PAGE] * 3, f"Instalments\n\nHalf is due in May.\n{PAGE}"),
        "How is the premium split?",
        (quoting(PREMIUM_LINE, complete=False), quoting(PREMIUM_LINE, complete=False),
         quoting("Half is due in May.")),
        (FIRST, FURTHER, ("incomplete_answer", "turn_on_pattern")),
        "sufficient", "answered",
    ),
    Scenario(
        "by-section", SHORT, "How often is the premium due?",
        (quoting(PREMIUM_LINE, complete=False),),
        (FIRST,), "no_new_candidates", "partial",
        says=("turn_on_pattern (toc_retrieval): nothing unread",),
    ),
    Scenario(
        "invented", LONG, "What is the levy of class 1?", (inventing("EUR 77"), quoting(LEVIES[1])),
        (FIRST, ("failed_validation", "drop_failing_windows")), "sufficient", "answered",
        columns={"k": "1"},
    ),
    Scenario(
        "judged", LONG, "What is the levy of class 4?",
        (quoting("400", value_text="400"), quoting(LEVIES[3])),
        (FIRST, ("external_rejection", "widen_windows")), "sufficient", "answered",
        columns={"k": "1"}, judge_says_no_to="\n400\n",
    ),
    Scenario(
        "never-enough", LONG, "How do the levies come about?",
        (quoting("The levy of class", complete=False),),
        (FIRST, FURTHER, FURTHER, ("incomplete_answer", "next_candidates")),
        "max_iterations", "partial",
        columns={"k": "1"},
    ),
    Scenario(
        "the-same-again",
        (f"Benefits\n\nOptical benefits are shown in Table 3.\n{PAGE}", *[PAGE] * 6,
         f"Table 3: Limits\n\nDentist   EUR 800\n{PAGE}"),
        "What is the limit for optical benefits?",
        (not_found(pending_references=["Table 3"]),),
        (FIRST, ("pending_reference", "follow_references")), "no_new_signal", "not_found",
    ),
    Scenario(
        "all-is-read", SHORT, "What is the premium of the year?",
        (not_found(pending_references=["Table 9"]),),
        (FIRST,), "no_new_candidates", "not_found",
    ),
    Scenario(
        "less-sure", LONG, "How is the levy of class 5 set?",
        (quoting(LEVIES[4], complete=False, confidence=0.9),
         quoting(LEVIES[4], complete=False, confidence=0.5)),
        (FIRST, FURTHER), "confidence_drop", "partial",
        columns={"k": "1"},
    ),
    Scenario(
        "drifting", (*apart(
            "The premium is paid for insurance.", "The insurance premium depends on the policy.",
            "The policy says what the coverage is.", "Coverage is shared by reinsurance.",
        ), "Reinsurance is ceded."),
        "What is the premium?", tuple(
            not_found(llm_discovered_keywords=[word])
            for word in ("insurance", "policy", "coverage", "reinsurance")
        ),
        (FIRST, ("vocabulary_gap", "expand_keywords"), ("vocabulary_gap", "expand_keywords")),
        "drift", "not_found",
        columns={"k": "1"}, says=("expand_keywords (coverage): only windows without",),
    ),
    Scenario(
        "two-values",
        apart("Annual premium: $1,500.00", "Annual premium: $1,200.00"),
        "State the annual premium.",
        (quoting(PREMIUM_LINE, complete=False), quoting("Annual premium: $1,500.00")),
        (FIRST,), "sufficient", "answered",
    ),
    Scenario(
        "two-questions",
        apart("The broker is Acme Mutual.", "The notice period is thirty days."),
        "Who is the broker, and what is the notice period?",
        (parts(quoting("Acme Mutual"), quoting("thirty days")),),
        (FIRST,), "sufficient", "answered",
    ),
    Scenario(
        "one-after-the-other",
        apart("The broker is Acme Mutual.", "Acme Mutual has its seat in Zug."),
        "Which company is the broker, and in which town is it registered?",
        (parts(quoting("Acme Mutual"), not_found()),
         parts(quoting("Acme Mutual"), told("(part 1: Acme Mutual)", quoting("seat in Zug")))),
        (FIRST, ("vocabulary_gap", "expand_keywords")), "sufficient", "answered",
        columns={"k": "1"}, says=("expand_keywords (Acme Mutual)",),
    ),
    Scenario(
        "part-by-part",
        apart("The broker is Acme Mutual.", "The notice period is thirty days."),
        "Who is the broker, and how long is the notice period?",
        (parts(quoting("Acme Mutual"), not_found(), pending_references=["Section 9"]),
         parts(not_found(), quoting("thirty days"))),
        (FIRST, ("pending_reference", "follow_references")), "sufficient", "answered",
    ),
    Scenario(
        "on-condition",
        apart("If the house is let, the deductible is EUR 500 and notice is thirty days."),
        "If the house is let, what is the deductible and how long is the notice period?",
        (parts(quoting("the deductible is EUR 500"), quoting("notice is thirty days")),),
        (FIRST,), "sufficient", "answered",
    ),
    Scenario(
        "few-tokens", LONG, "What is the levy of class 7?", (not_found(),),
        (FIRST,), "budget", "over_budget", columns={"budget_tokens": "1800"},
    ),
    Scenario(
        "little-money", LONG, "What is the levy of class 8?", (quoting(LEVIES[7], complete=False),),
        (FIRST,), "budget", "partial", columns={"budget_usd": "0.0035"},
    ),
    Scenario(
        "no-time", LONG, "What is the levy of class 9?", (slowly(not_found()),),
        (FIRST,), "budget", "over_budget", columns={"budget_ms": "400"},
    ),
    Scenario(
        "vague", POLICY, "What's the cap?", (not_found(),),
        (), "needs_clarification", "needs_clarification",
    ),
    Scenario(
        "endpoint-gone", POLICY, "What is the amount of the annual premium?", (gone,),
        (FIRST,), "engine_failed", "failed",
    ),
)
# fmt: on


class Model:
    """The scripted model of all scenarios: knows a question by its text, counts its steps."""

    def __init__(self, scenarios: tuple[Scenario, ...]) -> None:
        self._scenarios = {each.question: each for each in scenarios}
        self._n_steps = dict.fromkeys(self._scenarios, 0)

    def __call__(self, body: Json) -> str:
        """Return the reply to a request for an answer, its correction or a verdict."""
        asked = next(each["content"] for each in body["messages"] if each["role"] == "user")
        scenario = next(self._scenarios[text] for text in self._scenarios if text in asked)
        if body.get("response_format", {}).get("json_schema", {}).get("name") == "verdict":
            no = scenario.judge_says_no_to
            return json.dumps({"is_right": no is None or no not in asked, "reason": "as scripted"})
        is_correction = any(each["role"] == "assistant" for each in body["messages"])
        number = self._n_steps[scenario.question] - is_correction
        self._n_steps[scenario.question] = number + 1
        scripted = scenario.replies[min(number, len(scenario.replies) - 1)]
        return json.dumps(scripted(asked))


def write_pdf(scenario: Scenario) -> bytes:
    """Return the document of a scenario."""
    with pymupdf.open() as document:
        for text in scenario.pages:
            page = document.new_page()
            page.insert_textbox(pymupdf.Rect(72, 72, 540, 800), text)
            if scenario.picture:
                page.insert_image(
                    page.rect, stream=_picture(scenario.picture), keep_proportion=False
                )
        document.set_toc([list(entry) for entry in scenario.outline])
        content: bytes = document.tobytes()
    return content


def _picture(text: str) -> bytes:
    with pymupdf.open() as document:
        page = document.new_page()
        page.insert_textbox(pymupdf.Rect(72, 72, 540, 800), text, fontsize=16)
        pixels: bytes = page.get_pixmap(dpi=150).tobytes("png")
    return pixels
