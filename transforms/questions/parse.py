"""Parse one question by rule: cues for what is wanted, hints for where to look."""

from typing import cast

from transforms.questions.clarify import clarification
from transforms.questions.cues import decide
from transforms.questions.decompose import Parts, split_question
from transforms.questions.grammar.language import question_language
from transforms.questions.grammar.reading import Reading
from transforms.questions.hints import anchors, layout_hint, page_hint, section_hint
from transforms.questions.instructions import without_instructions
from transforms.questions.keywords import keywords
from transforms.questions.spelling import corrected
from transforms.questions.vocabulary import Vocabulary
from transforms.values import AnswerShape, AnswerType, Intent, ParsedQuestion


def parse_question(
    text: str,
    *,
    vocabulary: Vocabulary,
    corpus_terms: frozenset[str] = frozenset(),
    answer_type: AnswerType | None = None,
    answer_shape: AnswerShape | None = None,
) -> ParsedQuestion:
    """Return the question as understood by rule; a given type or shape overrides its cue."""
    language = question_language(text)
    corrected_text = corrected(text, language, corpus_terms, vocabulary.spellings(language))
    whole = _parse(text, corrected_text, language, vocabulary, corpus_terms)
    fixed = {"answer_type": answer_type, "answer_shape": answer_shape}
    given = {name: value for name, value in fixed.items() if value is not None}
    cues = [cue for cue in whole.cues if cue.partition("=")[0] not in given]
    return whole.model_copy(
        update={**given, "cues": (*cues, *(f"{name}=given" for name in sorted(given)))}
    )


def _parse(
    text: str,
    corrected_text: str,
    language: str,
    vocabulary: Vocabulary,
    corpus_terms: frozenset[str],
) -> ParsedQuestion:
    whole = _parse_one(text, corrected_text, language)
    split = split_question(corrected_text, language)
    parts = tuple(_parse_one(part, part, language) for part in split.texts)
    if (parts[0] if parts else whole).intent == "comparison":
        split, parts = Parts("unified", (), "comparison"), ()
    if split.decomposition != "single":
        whole = whole.model_copy(
            update={"needs_clarification": False, "suggested_clarification": None}
        )
    whole = whole.model_copy(
        update={
            "decomposition": split.decomposition,
            "parts": tuple(_with_rewrites(part, vocabulary, corpus_terms) for part in parts),
            "cues": (*whole.cues, f"decomposition={split.cue}"),
        }
    )
    return _with_rewrites(_joined(whole) if parts else whole, vocabulary, corpus_terms)


def _parse_one(text: str, corrected_text: str, language: str) -> ParsedQuestion:
    """Return a question without parts."""
    reading = Reading(text=corrected_text, language=language)
    intent, intent_cue = decide("intent", reading)
    shape, shape_cue = decide("answer_shape", reading)
    answer_type, type_cue = decide("answer_type", reading)
    about = without_instructions(corrected_text)
    names = anchors(about, language)
    section, page = section_hint(corrected_text), page_hint(corrected_text)
    suggestion = clarification(reading, is_placed=bool(names or section or page))
    return ParsedQuestion(
        text=text,
        corrected_text=corrected_text,
        language=language,
        intent=cast(Intent, intent),
        answer_shape=cast(AnswerShape, shape),
        answer_type=cast(AnswerType, answer_type),
        keywords=keywords(about, reading, names),
        anchor_keywords=names,
        section_hint=section,
        layout_hint=layout_hint(corrected_text),
        page_hint=page,
        needs_clarification=suggestion is not None,
        suggested_clarification=suggestion,
        cues=(intent_cue, shape_cue, type_cue),
    )


def _joined(whole: ParsedQuestion) -> ParsedQuestion:
    """Return the whole with what its parts want: lists win, types agree or become text."""
    lead = next((part for part in whole.parts if part.answer_shape != "single"), whole.parts[0])
    types = {part.answer_type for part in whole.parts if "answer_type=refers_back" not in part.cues}
    answer_type = types.pop() if len(types) == 1 else "text"
    kept = [cue for cue in whole.cues if cue.startswith("decomposition=")]
    return whole.model_copy(
        update={
            "intent": lead.intent,
            "answer_shape": lead.answer_shape,
            "answer_type": answer_type,
            "cues": (
                *lead.cues[:2],
                "answer_type=parts_agree" if answer_type != "text" else "answer_type=parts_differ",
                *kept,
            ),
        }
    )


def _with_rewrites(
    question: ParsedQuestion, vocabulary: Vocabulary, corpus_terms: frozenset[str]
) -> ParsedQuestion:
    about = f"{without_instructions(question.corrected_text)} {question.section_hint or ''}"
    rewrites = vocabulary.rewrites(about, question.language, corpus_terms)
    return question.model_copy(update={"rewrites": rewrites})
