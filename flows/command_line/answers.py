"""Commands about questions and answers: ask, plan, run, explain, eval, demo."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import polars as pl
import typer

from flows.command_line import options
from flows.command_line.bar import progress_bar
from flows.command_line.output import print_json, print_rows, safe, say, say_error
from flows.command_line.summary import print_summary, print_whole, say_unasked
from flows.outcome import exit_code, stopped_by
from flows.question_file import read_question_file
from flows.settings import load_settings
from flows.warehouse import Warehouse
from transforms.errors import InputError

if TYPE_CHECKING:
    from flows.answering.run import AnswerOptions

MAX_PLANNED = 40
"""Pairs of a plan that are shown to people."""

PATTERN_WORDS = {
    "toc_retrieval": "toc",
    "keyword_retrieval": "keyword",
    "dense_retrieval": "dense",
    "two_hop_references": "two-hop",
    "listing_aggregation": "listing",
    "adaptive_parsing": "adaptive",
    "iterative_feedback": "feedback",
}


def ask(
    question: Annotated[str, typer.Argument(metavar="QUESTION", help="The question, in quotes.")],
    files: Annotated[list[Path], typer.Argument(metavar="FILES", help="Documents to ask.")],
    warehouse: options.Warehouse = None,
    engine: options.Engine = None,
    model: options.Model = None,
    as_json: options.AsJson = False,
) -> int:
    """Answer one question about each of some files, without storing tables of them."""
    from flows.pdf_qa import pdf_qa_loop

    settings = load_settings(warehouse=warehouse, engine=engine, model=model)
    rows: list[dict[str, Any]] = []
    for file in files:
        output = pdf_qa_loop(file, question, settings=settings)
        answer = output.answer
        spans = [*answer.evidence, *(span for item in answer.items for span in item.evidence)]
        rows.append(
            {
                "file_name": file.name,
                "status": output.status,
                "value_text": answer.value_text,
                "items": [item.value for item in answer.items],
                "page": spans[0].page if spans else None,
                "quote": spans[0].quote if spans else None,
                "route": output.route and output.route.route,
                "route_rule": output.route and output.route.route_rule,
                "stop_reason": output.stop_reason,
                "caveats": [
                    *answer.caveats,
                    *filter(None, [output.error, output.question.suggested_clarification]),
                ],
                "prompt_tokens": output.usage.prompt_tokens,
                "completion_tokens": output.usage.completion_tokens,
                "cost_usd": output.usage.cost_usd,
            }
        )
    if as_json:
        print_rows(rows, as_json=True)
    else:
        _print_answers(rows)
    answer_df = pl.DataFrame(rows, infer_schema_length=None)
    if error := stopped_by(answer_df):
        say_error(error)
    return exit_code(answer_df)


def plan(
    questions: options.QuestionFile,
    warehouse: options.Warehouse = None,
    engine: options.Engine = None,
    model: options.Model = None,
    as_json: options.AsJson = False,
) -> int:
    """Show for each question its route, the rule that chose it and the forecast; spends nothing."""
    from flows.answering.forecast import forecast

    settings = load_settings(warehouse=warehouse, engine=engine, model=model)
    with progress_bar("planning", is_shown=True):
        forecast_df = forecast(str(questions), settings)
    if as_json:
        print_rows(forecast_df, as_json=True)
        return 0
    say_unasked(questions, forecast_df)
    pair_df = forecast_df.head(MAX_PLANNED)
    print_rows(
        pair_df.select(
            "question_id",
            pl.coalesce("file_name", "scope_key").alias("asked_of"),
            "route",
            "route_rule",
            pl.concat_str(
                [
                    pl.when(pl.col(name)).then(pl.lit(short + " ")).otherwise(pl.lit(""))
                    for name, short in PATTERN_WORDS.items()
                ]
            ).alias("patterns"),
            "forecast_tokens",
            "baseline_tokens",
        ),
        as_json=False,
    )
    if forecast_df.height > MAX_PLANNED:
        say(f"… and {forecast_df.height - MAX_PLANNED} more: --json prints them all")
    vague_df = forecast_df.filter("needs_clarification").unique("question_id", maintain_order=True)
    if vague_df.height:
        asked_back_df = vague_df.select("question_id", "text", "suggested_clarification")
        print_rows(asked_back_df, as_json=False, title="need clarification first")
    print_rows(by_route(forecast_df), as_json=False, title="by route and rule")
    return 0


def run(
    questions: options.QuestionFile,
    warehouse: options.Warehouse = None,
    engine: options.Engine = None,
    model: options.Model = None,
    limit: Annotated[
        int | None, typer.Option(min=1, help="Answer N pairs of the set: a pilot.")
    ] = None,
    only: Annotated[
        str | None, typer.Option(metavar="failed", help="Answer only pairs that failed before.")
    ] = None,
    refresh: Annotated[bool, typer.Option(help="Ask again, whatever is known already.")] = False,
    new: Annotated[bool, typer.Option("--new", help="Do not resume an unfinished run.")] = False,
    runner: options.Runner = None,
    quiet: options.Quiet = False,
    as_json: options.AsJson = False,
) -> int:
    """Answer a question set over all documents of the warehouse."""
    if only not in (None, "failed"):
        raise InputError(f"--only {only!r} is not known", hint="use --only failed")
    from flows.answering.run import AnswerOptions

    wanted = AnswerOptions(limit=limit, only_failed=only == "failed", refresh=refresh, is_new=new)
    overrides = {"warehouse": warehouse, "engine": engine, "model": model, "runner": runner}
    run_id = run_answer(questions, wanted, overrides, quiet=quiet or as_json)
    settings = load_settings(**overrides)
    store = Warehouse.open(settings.warehouse)
    code = print_summary(store, run_id, as_json=as_json, is_quiet=quiet)
    if limit is None and only is None and not quiet:
        say_unasked(questions, store.read("pair_df", run_ids=[run_id]))
    if limit and not quiet:
        print_whole(str(questions), settings, run_id)
    return code


def explain(
    pair: options.PairId, warehouse: options.Warehouse = None, as_json: options.AsJson = False
) -> int:
    """Tell the whole story of one answer: question, route, windows, passes, calls, cost."""
    from flows.explain import pipeline_trace
    from transforms.pipeline.story import narrate

    trace = pipeline_trace(Warehouse.open(load_settings(warehouse=warehouse).warehouse), pair)
    if as_json:
        print_json(trace)
    else:
        typer.echo(safe(narrate(trace)))
    return 0


def highlight(
    pair: options.PairId,
    output: Annotated[Path, typer.Option("--output", "-o", metavar="FILE.pdf", help="Where to.")],
    png: Annotated[bool, typer.Option("--png", help="One PNG per page with evidence instead.")] = (
        False
    ),
    warehouse: options.Warehouse = None,
) -> int:
    """Write the document of an answer with its evidence highlighted."""
    from flows.export import write_file
    from flows.highlight import highlight_pages, highlight_pdf, refuse_documents

    store = Warehouse.open(load_settings(warehouse=warehouse).warehouse)
    if png or output.suffix.lower() == ".png":
        pages = highlight_pages(store, pair)
        files = {
            output.with_name(f"{output.stem}-page-{page}.png"): content
            for page, content in pages.items()
        }
    else:
        files = {output: highlight_pdf(store, pair)}
    refuse_documents(store, files)
    for file, content in files.items():
        write_file(content, file)
        say(f"wrote {file}")
    return 0


def replay(
    run_id: Annotated[str, typer.Argument(metavar="RUN", help="run_id of a finished run.")],
    warehouse: options.Warehouse = None,
    as_json: options.AsJson = False,
) -> int:
    """Recompute a run from the ledger, without any model, and name every difference."""
    from flows.answering.run import open_ledger
    from flows.replay import replay as recompute

    settings = load_settings(warehouse=warehouse)
    store = Warehouse.open(settings.warehouse)
    ledger = open_ledger(settings, store)
    difference_df = recompute(run_id, store, ledger, settings)
    ledger.close()
    if as_json or difference_df.height:
        print_rows(difference_df, as_json=as_json)
    say(f"{difference_df.height} differences" if difference_df.height else "no difference")
    return int(difference_df.height > 0)


def evaluate(
    questions: options.QuestionFile,
    gold: Annotated[Path, typer.Option(metavar="FILE", help="Gold answers, JSONL.")],
    warehouse: options.Warehouse = None,
    run_id: Annotated[
        str | None, typer.Option("--run", help="Run to score; default: the latest of the set.")
    ] = None,
    fail_under: Annotated[
        float | None, typer.Option(min=0, max=1, help="Exit with 1 below this accuracy.")
    ] = None,
    as_json: options.AsJson = False,
) -> int:
    """Score retrieval, dispatch and answers against a gold file; asks no model."""
    from flows.evaluate import evaluate as score

    evaluation = score(str(questions), str(gold), load_settings(warehouse=warehouse), run_id=run_id)
    if as_json:
        print_rows(evaluation.score_df, as_json=True)
    else:
        _print_scores(evaluation.summary_df)
    if evaluation.unmatched:
        say(f"{len(evaluation.unmatched)} gold lines are asked by no pair and were left out")
    accuracy = evaluation.accuracy()
    if fail_under is not None and accuracy < fail_under:
        say(f"accuracy {accuracy:.3f} is below {fail_under}")
        return 1
    return 0


def _print_answers(rows: list[dict[str, Any]]) -> None:
    """Print what was answered about each file, with its quote, for people."""
    for row in rows:
        value = "; ".join(row["items"]) or row["value_text"] or "–"
        typer.echo(safe(f"{row['file_name']}: {row['status']}: {value}"))
        if row["quote"]:
            typer.echo(safe(f"  page {row['page']}: {row['quote']!r}"))
        for caveat in row["caveats"]:
            typer.echo(safe(f"  {caveat}"))
        if row["route"]:
            typer.echo(f"  {row['route']} by {row['route_rule']}, stopped by {row['stop_reason']}")


def _print_scores(summary_df: pl.DataFrame) -> None:
    """Print what was scored as two tables: answers, then retrieval and dispatch."""
    rounded_df = summary_df.with_columns(pl.col(pl.Float64).round(3))
    answers_end = summary_df.columns.index("page_hit_at_1")
    what = summary_df.columns[:3]
    for title, columns in (
        ("answers", summary_df.columns[3:answers_end]),
        ("retrieval and dispatch", summary_df.columns[answers_end:]),
    ):
        scored = [name for name in columns if rounded_df[name].count()]
        if scored:
            scored_df = rounded_df.select(*what, *scored).filter(
                pl.any_horizontal(pl.col(scored).is_not_null())
            )
            print_rows(scored_df, as_json=False, title=title)


def by_route(forecast_df: pl.DataFrame) -> pl.DataFrame:
    """Return one row per route and rule: pairs, forecast and baseline tokens."""
    return (
        forecast_df.group_by("route", "route_rule")
        .agg(
            n_pairs=pl.len(),
            forecast_tokens=pl.sum("forecast_tokens"),
            baseline_tokens=pl.sum("baseline_tokens"),
        )
        .sort("route", "route_rule", nulls_last=True)
    )


def run_answer(
    questions: Path, wanted: "AnswerOptions", overrides: dict[str, Any], *, quiet: bool
) -> str:
    """Run the answer flow with a progress bar; return the run's id."""
    from flows import prefect_setup
    from flows.engines import check_engine

    check_engine(load_settings(**overrides))  # what is wrong is told before Prefect's server starts
    read_question_file(questions)
    prefect_setup.start()
    from flows.answer import answer

    prefect_setup.ready()
    with progress_bar("answering", is_shown=not quiet):
        return answer(str(questions), wanted, overrides)
