"""Notifications through Prefect: an automation that tells when a night needs a look."""

from datetime import timedelta

from prefect import get_client
from prefect.automations import Automation, EventTrigger, Posture
from prefect.events.actions import SendNotification
from prefect.exceptions import ObjectNotFound

from transforms.errors import InputError

NAME = "compline: a night needs a look"
STATES = ("Failed", "Crashed", "Cancelled", "TimedOut")
"""How a night ends that somebody should hear of. Refused overlaps are among the cancelled."""

SUBJECT = "compline: {{ flow_run.name }} {{ flow_run.state.name }}"
BODY = "{{ flow_run.state.message }}"
"""Jinja, as Prefect fills it in: the state's message says what happened and what to do."""


def notify_through(block: str) -> None:
    """Tell of nights that need a look through a notification block, "slack-webhook/ops".

    Replaces what was set up before. Raises InputError when there is no such block.
    """
    slug, _, name = block.partition("/")
    with get_client(sync_client=True) as client:
        try:
            document = client.read_block_document_by_name(name, slug)
        except ObjectNotFound:
            raise InputError(
                f"Prefect has no notification block {block!r}",
                hint="`prefect block ls` lists them as TYPE/NAME; make one in Prefect's UI",
            ) from None
    automation = Automation(
        name=NAME,
        trigger=EventTrigger(
            expect={f"prefect.flow-run.{state}" for state in STATES},
            match_related={
                "prefect.resource.role": "flow",
                "prefect.resource.name": "nightly",
            },
            posture=Posture.Reactive,
            threshold=1,
            within=timedelta(0),
        ),
        actions=[SendNotification(block_document_id=document.id, subject=SUBJECT, body=BODY)],
    )
    _forget_earlier()
    automation.create()


def _forget_earlier() -> None:
    with get_client(sync_client=True) as client:
        for known in client.read_automations_by_name(NAME):
            client.delete_automation(known.id)
