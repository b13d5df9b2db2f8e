"""All commands, and the one place where errors become exit codes."""

import traceback

import typer
from typer._click.exceptions import ClickException

from flows.command_line import (
    EXIT_INTERRUPTED,
    answers,
    demo,
    documents,
    nightly,
    options,
    people,
    tables,
    upkeep,
)
from flows.command_line.output import say, say_error
from transforms.errors import (
    NO_MEMORY,
    BudgetError,
    ComplineError,
    ContractError,
    WarehouseError,
)

MORE_MEMORY = (
    "end other programs, or lower n_workers and concurrency; what was finished is kept, and the"
    " same command goes on from there"
)

MORE_ROOM = (
    "check free space and permissions of that place, of the warehouse and of the folder for"
    " temporary files (TMPDIR), then run the same command again"
)


app = typer.Typer(
    name="compline",
    cls=options.Commands,
    help="Answer question sets over policy documents and write everything back as tables.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)
app.command()(documents.ingest)
app.command()(answers.ask)
app.command()(answers.plan)
app.command()(answers.run)
app.command()(tables.sql)
app.command()(tables.report)
app.add_typer(people.review)
app.command()(people.reconcile)
app.command()(answers.explain)
app.command()(answers.highlight)
app.command()(answers.replay)
app.command("eval")(answers.evaluate)
app.command()(nightly.serve)
app.command()(documents.forget)
app.command()(demo.demo)
app.command()(documents.doctor)
app.command()(upkeep.tidy)


def run() -> int:
    """Run the command line and return the exit code of design section 16."""
    try:
        return app(standalone_mode=False) or 0
    except ComplineError as error:
        say_error(error)
        return error.exit_code
    except ClickException as error:  # the command line itself is wrong: it says so and how
        error.show()
        return error.exit_code
    except typer.Abort:
        return EXIT_INTERRUPTED
    except Exception as error:
        said = f"{type(error).__name__}: {error}"
        if NO_MEMORY.search(said):
            lack = BudgetError(f"the memory is used up ({said})", hint=MORE_MEMORY)
            say_error(lack)
            return lack.exit_code
        if isinstance(error, OSError):
            refusal = WarehouseError(f"the system refused: {said}", hint=MORE_ROOM)
            say_error(refusal)
            return refusal.exit_code
        say(traceback.format_exc())
        say_error(ContractError(said))
        return ContractError.exit_code
