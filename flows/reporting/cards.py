"""What the HTML report shows of each answer, read from the warehouse."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from typing import Any

from flows.report import read_report
from flows.warehouse import Warehouse
from transforms.parsing import MAX_STRIP_HEIGHT, STRIP_MARGIN, BBox
from transforms.values import Value

PairRows = dict[str, list[dict[str, Any]]]
"""Rows by pair_id."""


class Place(Value):
    """Where a quote stands."""

    doc_id: str
    page: int
    bboxes: tuple[BBox, ...]


class Quote(Value):
    """One quote of an answer, or of one of its items."""

    place: Place
    file_name: str
    page_label: str | None
    text: str
    match_kind: str


class Figure(Value):
    """Quotes of an answer that are seen at one glance: they stand together on a page."""

    place: Place
    quotes: tuple[Quote, ...]


class Part(Value):
    """The answer to one part of a compound question."""

    number: int
    status: str
    value: str | None


class Card(Value):
    """One answer with all that is told about it."""

    anchor: str
    pair_id: str
    row: dict[str, Any]
    """Its row of _ANSWERS: question, status, value, route, rule, reason, caveats, …"""
    parts: tuple[Part, ...]
    figures: tuple[Figure, ...]
    passes: tuple[dict[str, Any], ...]
    change: dict[str, Any] | None
    verdict: dict[str, Any] | None
    is_to_review: bool


class Block(Value):
    """All answers about one document, group or the corpus."""

    anchor: str
    name: str
    cards: tuple[Card, ...]

    def statuses(self) -> Counter[str]:
        """Return how many answers ended in each status."""
        return Counter(card.row["status"] for card in self.cards)


def read_blocks(warehouse: Warehouse, run_id: str) -> list[Block]:
    """Return the answers of a run, by document in the order of file names."""
    asked = {"run_id": run_id}
    answers = warehouse.query(_ANSWERS, asked).to_dicts()
    told = _Told(
        parts=_by_pair(row for row in answers if row["sub_question"]),
        quotes=_by_pair(warehouse.query(_QUOTES, asked).to_dicts()),
        passes=_by_pair(warehouse.query(_PASSES, asked).to_dicts()),
        changes=_by_pair(read_report(warehouse, "changes", run_id).rows.to_dicts()),
        verdicts=_by_pair(warehouse.query(_VERDICTS, asked).to_dicts()),
        to_review=frozenset(read_report(warehouse, "to_review", run_id).rows["pair_id"]),
    )
    blocks: dict[tuple[str, str], list[Card]] = defaultdict(list)
    whole = (row for row in answers if not row["sub_question"])
    for number, row in enumerate(whole, start=1):
        blocks[row["scope"], row["scope_key"]].append(told.card(f"a{number}", row))
    return [
        Block(anchor=f"d{number}", name=_name(cards[0].row), cards=tuple(cards))
        for number, cards in enumerate(blocks.values(), start=1)
    ]


class _Told(Value):
    """What other tables say about the answers of the run, by pair."""

    parts: PairRows
    quotes: PairRows
    passes: PairRows
    changes: PairRows
    verdicts: PairRows
    to_review: frozenset[str]

    def card(self, anchor: str, row: dict[str, Any]) -> Card:
        """Return the card of one answer."""
        pair_id = row["pair_id"]
        changes = [each for each in self.changes.get(pair_id, ()) if not each["sub_question"]]
        return Card(
            anchor=anchor,
            pair_id=pair_id,
            row=row,
            parts=tuple(
                Part(number=part["sub_question"], status=part["status"], value=part["value"])
                for part in self.parts.get(pair_id, ())
            ),
            figures=_figures([_quote(each) for each in self.quotes.get(pair_id, ())]),
            passes=tuple(self.passes.get(pair_id, ())),
            change=next(iter(changes), None),
            verdict=next(iter(self.verdicts.get(pair_id, ())), None),
            is_to_review=pair_id in self.to_review,
        )


def _quote(row: Mapping[str, Any]) -> Quote:
    bboxes = tuple((x0, y0, x1, y1) for x0, y0, x1, y1 in row["bboxes"])
    return Quote(
        place=Place(doc_id=row["doc_id"], page=row["page"], bboxes=bboxes),
        file_name=row["file_name"] or row["doc_id"],
        page_label=row["page_label"] if row["page_label"] != str(row["page"]) else None,
        text=row["quote"],
        match_kind=row["match_kind"],
    )


def _figures(quotes: Iterable[Quote]) -> tuple[Figure, ...]:
    """Join quotes that follow each other on a page, as long as one strip shows them all.

    A listing and its items may stand on the same quote, which is shown once.
    """
    figures: list[Figure] = []
    for quote in dict.fromkeys(quotes):
        place = _joined(figures[-1].place, quote.place) if figures else None
        if place is None:
            figures.append(Figure(place=quote.place, quotes=(quote,)))
        else:
            figures[-1] = Figure(place=place, quotes=(*figures[-1].quotes, quote))
    return tuple(figures)


def _joined(place: Place, other: Place) -> Place | None:
    """Return one place for two, or null when they are apart."""
    if (place.doc_id, place.page) != (other.doc_id, other.page):
        return None
    bboxes = tuple(dict.fromkeys((*place.bboxes, *other.bboxes)))
    top, bottom = min((b[1] for b in bboxes), default=0), max((b[3] for b in bboxes), default=0)
    if bottom - top > MAX_STRIP_HEIGHT - 2 * STRIP_MARGIN:
        return None
    return Place(doc_id=place.doc_id, page=place.page, bboxes=bboxes)


def _name(row: Mapping[str, Any]) -> str:
    if row["scope"] == "document":
        return row["file_name"] or row["scope_key"]
    return "the whole corpus" if row["scope"] == "corpus" else f"group {row['scope_key']}"


def _by_pair(rows: Iterable[dict[str, Any]]) -> PairRows:
    found: PairRows = defaultdict(list)
    for row in rows:
        found[row["pair_id"]].append(row)
    return dict(found)


_ANSWERS = """
select
    answer_history.pair_id,
    answer_history.sub_question,
    answer_history.question_id,
    answer_history.question,
    answer_history.scope,
    answer_history.scope_key,
    answer_history.file_name,
    answer_history.status,
    answer_history.value,
    answer_df.items,
    answer_df.confidence,
    answer_df.caveats,
    answer_df.stop_reason,
    answer_df.n_iterations,
    answer_df.n_steps,
    answer_df.prompt_tokens + answer_df.completion_tokens as tokens,
    answer_df.cost_usd,
    answer_df.reused_from_run_id,
    dispatch_df.route,
    dispatch_df.route_rule,
    dispatch_df.reason
from answer_history
join answer_df using (run_id, pair_id, sub_question)
left join dispatch_df using (run_id, pair_id)
where answer_history.run_id = $run_id and answer_df.run_id = $run_id
order by
    case answer_history.scope when 'document' then 0 when 'group' then 1 else 2 end,
    answer_history.file_name,
    answer_history.scope_key,
    answer_history.question_id,
    answer_history.sub_question
"""
_QUOTES = """
select
    evidence_df.pair_id,
    evidence_df.doc_id,
    evidence_df.page,
    evidence_df.quote,
    evidence_df.match_kind,
    evidence_df.bboxes,
    document_df.file_name,
    page_df.page_label
from evidence_df
left join document_df using (doc_id)
left join page_df using (doc_id, page, page_version)
where evidence_df.run_id = $run_id
order by evidence_df.pair_id, evidence_df.sub_question, evidence_df.item, evidence_df.seq
"""
_PASSES = """
select pair_id, iteration_number, trigger, action_taken, narration
from iteration_df
where run_id = $run_id
order by pair_id, iteration_number
"""
_VERDICTS = """
select pair_id, verdict, reviewer, right_value, note
from latest_verdict
where run_id = $run_id
"""
