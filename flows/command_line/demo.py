"""The demo: the whole job on the sample corpus, without a key and without a network."""

from pathlib import Path

import polars as pl

from flows.command_line import options
from flows.command_line.answers import by_route, run_answer
from flows.command_line.documents import print_ingested, run_ingest
from flows.command_line.output import print_rows, say
from flows.command_line.summary import print_summary
from flows.settings import load_settings
from flows.warehouse import Warehouse

DEMO_WAREHOUSE = ".warehouse/demo"
N_SHOWN = 12


def demo(warehouse: options.Warehouse = DEMO_WAREHOUSE) -> int:
    """Ingest the sample policies, plan and answer their questions, and show the result."""
    from flows.answering.forecast import forecast
    from flows.answering.run import AnswerOptions

    sample = sample_folder()
    overrides = {"warehouse": warehouse, "engine": "offline"}
    settings = load_settings(**overrides)
    say(f"1. ingest {sample}")
    print_ingested(run_ingest([f"{sample}/*.pdf"], None, overrides, quiet=False))
    questions = sample / "questions.csv"
    say(f"\n2. plan {questions.name}: routes are decided by rules, nothing is spent")
    print_rows(by_route(forecast(str(questions), settings)), as_json=False)
    say("\n3. run: answer every question of every policy with the offline reader")
    run_id = run_answer(questions, AnswerOptions(), overrides, quiet=False)
    store = Warehouse.open(settings.warehouse)
    print_rows(_shown_answers(store, run_id), as_json=False, title="some answers")
    exit_code = print_summary(store, run_id, as_json=False, is_quiet=False)
    say(f'ask on: compline sql "from latest_answer" --warehouse {warehouse}')
    return exit_code


def sample_folder() -> Path:
    """Return data/sample: beside the code in an installed wheel, beside flows/ in a checkout."""
    here = Path(__file__).parents[1]
    installed = here / "data" / "sample"
    return installed if installed.exists() else here.parent / "data" / "sample"


def _shown_answers(store: Warehouse, run_id: str) -> pl.DataFrame:
    """Return some answers of different questions and documents, with page and quote."""
    return store.query(
        """
        with shown as (
            select question_id, file_name, coalesce(item_text, value_text) as answer, page, quote,
                row_number() over (partition by question_id order by hash(file_name)) as nth
            from answer_with_evidence
            where run_id = $run_id and status = 'answered' and seq = 1 and item <= 1
        )
        select question_id, file_name, answer, page, quote
        from shown where nth = 1 order by question_id limit $n
        """,
        {"run_id": run_id, "n": N_SHOWN},
    )
