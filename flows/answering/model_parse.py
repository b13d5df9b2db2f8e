"""Have a model parse questions that the rules parsed already; where it fails, the rules stand.

What a model said of a question stays in the ledger, so that it is asked once and routing stays the
same. Every call is a row of llm_call_df with the purpose parse_question.
"""

import asyncio
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from flows.engines import Assistant, make_assistant
from flows.engines.asking import Asker
from flows.ledger import Ledger
from flows.question_file import load_vocabulary
from flows.settings import Settings
from transforms.errors import InputError
from transforms.questions import (
    AskedQuestion,
    build_parse_request,
    parse_question,
    read_parse_reply,
)
from transforms.values import ParsedQuestion, Usage


def parsing_model(settings: Settings) -> str | None:
    """Return the model that parses questions: of the standard tier, else of the first.

    None when the rules do. Raises InputError when a model shall and none is configured.
    """
    if settings.parser == "rules":
        return None
    model = settings.model or next(iter(settings.model_tiers.values()), None)
    if model is None:
        raise InputError(
            'parser = "llm" needs a model',
            hint='set model = "…" in compline.toml, or COMPLINE_MODEL, or parser = "rules"',
        )
    return model


@dataclass(frozen=True)
class ModelParser:
    """Who parses the questions of one run once more."""

    model: str
    settings: Settings
    ledger: Ledger
    run_id: str | None = None
    is_refresh: bool = False
    is_sending: bool = True
    """False to take what the ledger knows, and spend nothing."""

    def parse_asked(
        self, asked: Sequence[AskedQuestion], question_ids: Collection[str]
    ) -> tuple[tuple[AskedQuestion, ...], Usage]:
        """Return the questions of a set, those of these ids as the model understands them."""
        wanted = [question for question in asked if question.question_id in question_ids]
        parsed, usage = self.parse([question.parsed for question in wanted])
        anew = {
            question.question_id: question.model_copy(update={"parsed": each})
            for question, each in zip(wanted, parsed, strict=True)
        }
        return tuple(anew.get(question.question_id, question) for question in asked), usage

    def parse(
        self, questions: Sequence[ParsedQuestion]
    ) -> tuple[tuple[ParsedQuestion, ...], Usage]:
        """Return the questions as the model understands them, in order, and what it took.

        A reply that fails leaves the question of the rules, with a cue that says why.
        """
        return asyncio.run(self._parse_all(questions))

    async def _parse_all(
        self, questions: Sequence[ParsedQuestion]
    ) -> tuple[tuple[ParsedQuestion, ...], Usage]:
        assistant = make_assistant(self.settings, self.ledger, refresh=self.is_refresh)
        try:
            calls = (self._parse(question, assistant) for question in questions)
            parsed = await asyncio.gather(*calls)
        finally:
            await assistant.close()
        usage = sum((used for _, used in parsed), Usage())
        return tuple(question for question, _ in parsed), usage

    async def _parse(
        self, question: ParsedQuestion, assistant: Assistant
    ) -> tuple[ParsedQuestion, Usage]:
        def read(text: str | None) -> ParsedQuestion:
            return read_parse_reply(text, question, _parse_part)

        asked = await assistant.reply(
            build_parse_request(question),
            self.model,
            asker=Asker(purpose="parse_question", run_id=self.run_id),
            is_readable=lambda text: read(text).parser == "llm",
            is_sending=self.is_sending,
        )
        if asked is None:
            return question, Usage()
        is_answered = asked.completion is not None and asked.failure is None
        return read(
            asked.completion.text if asked.completion and is_answered else None
        ), asked.usage


def _parse_part(text: str) -> ParsedQuestion:
    return parse_question(text, vocabulary=load_vocabulary())
