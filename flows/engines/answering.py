"""One generation step, whoever is asked: request, reply, checks, at most one correction.

A tier whose answer still fails its checks after that hands the step to the next tier, once.
"""

import json
from collections.abc import Callable, Sequence
from typing import Protocol

from flows.engines.asking import Asked, Asker
from flows.engines.judging import judge_request, read_verdict
from transforms.generation import build_correction, build_request, read_reply, validate_answer
from transforms.text import count_tokens
from transforms.values import (
    AnswerWithEvidence,
    Budget,
    CallPurpose,
    CheckFailure,
    Generated,
    GenerateTask,
    GenerationRequest,
    Usage,
    ValidatedAnswer,
    Window,
)

LONGER_REPLY = 2
"""Times more tokens for the correction of a reply that was cut off."""
ENVELOPE_TOKENS = 100
"""What roles, names and brackets of a request take beside its texts, at most."""
SHORTEST_REPLY_TOKENS = 256
"""Room for a value with a quote: a reply with less room would be cut off and paid for nothing."""
SHORTEST_WINDOW = 4
"""Lines of a window below which it is not cut any more."""
REJECTED = "the judge model does not take this answer for right"
_CUT_OFF = CheckFailure(
    check="malformed", message="the reply was cut off at its longest length: use fewer words"
)


LONGEST_LOOP = 200
TIMES_IN_LOOP = 8
SHORTEST_LOOPING = 100
"""Characters: a reply that ends in so much of the same has got stuck, and fills any room."""


class Ask(Protocol):
    """Gets one request of a step answered."""

    async def __call__(
        self,
        asker: Asker,
        request: GenerationRequest,
        is_readable: Callable[[str], bool],
        *,
        model: str,
        is_lowered: bool,
    ) -> Asked:
        """Ask a model; `is_lowered` puts the schema into the prompt too."""
        ...


async def answer(
    task: GenerateTask, ask: Ask, models: Sequence[str], judge_model: str | None = None
) -> Generated:
    """Answer a task with the first of the models; the second is asked when its checks fail.

    A judge, if there is one, looks at what was found.
    """
    step = _Step(task, ask)
    for model in models[:2]:
        await step.ask_model(model)
        if not step.has_failed_checks:
            break
    if judge_model:
        await step.ask_judge(judge_model)
    return step.generated()


class _Step:
    """A generation step under way: what it has spent, and the best answer so far."""

    def __init__(self, task: GenerateTask, ask: Ask) -> None:
        self._task = task
        self._ask = ask
        self._usage = Usage()
        self._elapsed_ms = 0
        self._n_requests = 0
        self._prompt_version: str | None = None
        self._best: ValidatedAnswer | None = None
        self._failed = Asked()
        self._is_rejected = False

    @property
    def has_failed_checks(self) -> bool:
        return self._best is not None and bool(self._best.failures)

    async def ask_model(self, model: str) -> None:
        """Ask one model, with fewer windows while they are too long for it, and correct it once."""
        windows: Sequence[Window] = self._task.windows
        request = build_request(self._task.question, windows)
        asked = await self._request(request, "answer", model)
        while asked.failure == "context_too_long" and (windows := _fewer(windows)):
            request = build_request(self._task.question, windows)
            asked = await self._request(request, "answer", model)
        if not (checked := self._check(asked, windows)) or not self._can_be_mended(checked):
            return
        correction = build_correction(request, _text(asked), checked.failures)
        is_malformed = checked.failures[0].check == "malformed"
        is_cut_off = _CUT_OFF in checked.failures
        if is_cut_off and not _is_stuck(_text(asked)):
            longer = correction.max_completion_tokens * LONGER_REPLY
            correction = correction.model_copy(update={"max_completion_tokens": longer})
        asked = await self._request(
            correction, "correct", model, is_lowered=is_malformed and not is_cut_off
        )
        self._check(asked, windows)

    def _can_be_mended(self, checked: ValidatedAnswer) -> bool:
        """Tell whether to ask for a correction: of a wrong count in the first pass alone.

        After it the loop looks for what is missing; a model that has been told cannot count more.
        """
        is_first = self._task.iteration_number == 1
        return any(is_first or failure.check != "count" for failure in checked.failures)

    async def ask_judge(self, model: str) -> None:
        """Let a judge look at a found answer; without a verdict it stands."""
        if self._best is None or not self._best.answer.answer_found:
            return
        version = self._prompt_version or ""
        request = judge_request(self._task.question, self._best, version)
        asked = await self._request(request, "judge", model)
        if asked.completion and not asked.failure:
            self._is_rejected = read_verdict(asked.completion.text) is False

    def generated(self) -> Generated:
        """Return what came of the step."""
        spent = {"usage": self._usage, "elapsed_ms": self._elapsed_ms}
        if self._best is None:
            is_over_budget = self._failed.failure == "over_budget"
            return Generated(
                answer=AnswerWithEvidence(),
                error=None if is_over_budget else self._failed.message,
                is_over_budget=is_over_budget,
                prompt_version=self._prompt_version,
                **spent,
            )
        answer = self._best.answer
        if self._is_rejected:
            answer = answer.model_copy(update={"caveats": (*answer.caveats, REJECTED)})
        return Generated(
            answer=answer,
            failures=self._best.failures,
            cardinality_cue=self._best.cardinality_cue,
            prompt_version=self._prompt_version,
            is_rejected=self._is_rejected,
            **spent,
        )

    async def _request(
        self,
        request: GenerationRequest,
        purpose: CallPurpose,
        model: str,
        *,
        is_lowered: bool = False,
    ) -> Asked:
        task = self._task
        request = _fitted(request, self._budget_left().tokens)
        self._n_requests += 1
        self._prompt_version = request.prompt_version
        asker = Asker(
            purpose=purpose,
            run_id=task.run_id,
            pair_id=task.pair_id,
            doc_ids=tuple(dict.fromkeys(window.candidate.doc_id for window in task.windows)),
            iteration_number=task.iteration_number,
            step=task.step,
            seq=self._n_requests,
            budget_left=self._budget_left(),
        )
        reads = _has_verdict if purpose == "judge" else self._keeps_contract
        asked = await self._ask(asker, request, reads, model=model, is_lowered=is_lowered)
        self._usage += asked.usage
        self._elapsed_ms += asked.elapsed_ms
        return asked

    def _keeps_contract(self, text: str) -> bool:
        return not isinstance(read_reply(text, self._task.question), CheckFailure)

    def _budget_left(self) -> Budget:
        left, spent = self._task.budget_left, self._usage
        return Budget(
            tokens=max(0, left.tokens - spent.tokens),
            usd=max(left.usd - (spent.cost_usd or 0), left.usd * 0),
            ms=max(0, left.ms - self._elapsed_ms),
        )

    def _check(self, asked: Asked, windows: Sequence[Window]) -> ValidatedAnswer | None:
        """Return the checked answer of a reply and keep it when it is the best so far."""
        if asked.failure or asked.completion is None:
            self._failed = asked
            return None
        read = read_reply(asked.completion.text, self._task.question)
        if isinstance(read, CheckFailure):
            failure = _CUT_OFF if asked.completion.is_truncated else read
            checked = ValidatedAnswer(answer=AnswerWithEvidence(), failures=(failure,))
        else:
            checked = validate_answer(read, self._task.question, windows)
        if self._best is None or _merit(checked) >= _merit(self._best):
            self._best = checked
        return checked


def _has_verdict(text: str) -> bool:
    return read_verdict(text) is not None


def _merit(checked: ValidatedAnswer) -> tuple[bool, int, bool]:
    """Order answers of one step: found, then fewer failed checks, then complete."""
    answer = checked.answer
    return (answer.answer_found, -len(checked.failures), answer.complete_answer_found)


def _fitted(request: GenerationRequest, n_tokens_left: int) -> GenerationRequest:
    """Ask for a shorter reply where the pair's budget has no room for the longest."""
    texts = [text for _, text in request.messages]
    n_prompt_tokens = count_tokens("\n".join([*texts, json.dumps(request.json_schema)]))
    room = n_tokens_left - n_prompt_tokens - ENVELOPE_TOKENS
    if SHORTEST_REPLY_TOKENS <= room < request.max_completion_tokens:
        return request.model_copy(update={"max_completion_tokens": room})
    return request


def _fewer(windows: Sequence[Window]) -> tuple[Window, ...]:
    """Return the better half of the windows, or half of the only one; none when nothing is left."""
    if len(windows) > 1:
        return tuple(windows[: (len(windows) + 1) // 2])
    line_df = windows[0].line_df
    if line_df.height < 2 * SHORTEST_WINDOW:
        return ()
    return (windows[0].model_copy(update={"line_df": line_df.head(line_df.height // 2)}),)


def _is_stuck(reply: str) -> bool:
    """Tell whether a reply ends in saying the same thing over and over."""
    for period in range(1, LONGEST_LOOP + 1):
        end = reply[-max(TIMES_IN_LOOP * period, SHORTEST_LOOPING) :]
        if len(end) >= TIMES_IN_LOOP * period and end[period:] == end[:-period]:
            return True
    return False


def _text(asked: Asked) -> str:
    return asked.completion.text if asked.completion else ""
