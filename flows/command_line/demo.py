"""The demo: the whole job on the sample corpus, without a key and without a network."""

from pathlib import Path

from flows.command_line import options
from flows.command_line.answers import by_route, run_answer
from flows.command_line.documents import print_ingested, run_ingest
from flows.command_line.output import print_rows, print_title
from flows.command_line.summary import print_summary
from flows.settings import load_settings
from flows.warehouse import Warehouse

DEMO_WAREHOUSE = ".warehouse/demo"


def demo(warehouse: options.Warehouse = DEMO_WAREHOUSE) -> int:
    """Ingest the sample policies, plan and answer their questions, and show the result."""
    from flows.answering.forecast import forecast
    from flows.answering.run import AnswerOptions

    sample = sample_folder()
    overrides = {"warehouse": warehouse, "engine": "offline"}
    settings = load_settings(**overrides)
    print_title(f"1. ingest {sample}")
    ingested = run_ingest([f"{sample}/*.pdf"], None, overrides, quiet=False)
    print_ingested(ingested)
    if ingested.is_cancelled:
        return ingested.exit_code
    questions = sample / "questions.csv"
    print_title(f"\n2. plan {questions.name}: routes are decided by rules, nothing is spent")
    print_rows(by_route(forecast(str(questions), settings)), as_json=False)
    print_title("\n3. run: answer every question of every policy with the offline reader")
    run_id = run_answer(questions, AnswerOptions(), overrides, quiet=False)
    store = Warehouse.open(settings.warehouse)
    return print_summary(store, run_id, as_json=False, is_quiet=False)


def sample_folder() -> Path:
    """Return data/sample: beside the code in an installed wheel, beside flows/ in a checkout."""
    here = Path(__file__).parents[1]
    installed = here / "data" / "sample"
    return installed if installed.exists() else here.parent / "data" / "sample"
